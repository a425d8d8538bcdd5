//! Webhooks: signed notifications to your own URL, and the log of their deliveries.

pub mod create;
pub mod delete;
pub mod deliveries;
pub mod get;
pub mod list;
pub mod resend;
pub mod test;
pub mod update;
