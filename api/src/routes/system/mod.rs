//! Endpoints for operators.

pub mod health;
pub mod jwks;
pub mod metrics;
pub mod ready;
