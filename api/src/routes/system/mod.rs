//! For those who run the server.

pub mod health;
pub mod jwks;
pub mod metrics;
pub mod ready;
