//! Telar over HTTP.

pub mod app;
pub mod auth;
pub mod clock;
pub mod closing;
pub mod commands;
pub mod config;
#[expect(missing_docs, reason = "columns are described by the migrations")]
pub mod entities;
pub mod erasure;
pub mod error;
pub mod event_store;
pub mod export;
pub mod http;
pub mod kept;
pub mod live;
pub mod names;
pub mod notices;
pub mod openapi;
pub mod pages;
pub mod projections;
pub mod rematches;
pub mod routes;
pub mod secret;
pub mod startup;
pub mod store;
pub mod streams;
pub mod telemetry;
pub mod webhooks;
