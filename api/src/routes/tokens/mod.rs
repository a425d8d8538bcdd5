//! Personal access tokens, for your own programs and those of third parties. Only a session can manage them.

pub mod create;
pub mod delete;
pub mod list;
