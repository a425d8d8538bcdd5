//! The rules of every match.

pub mod get;
