//! Telar over HTTP: documents, extractors, routes, the OpenAPI document, start-up, and the command line.

pub mod app;
pub mod commands;
pub mod config;
pub mod docs;
pub mod documents;
pub mod error;
pub mod http;
pub mod limits;
pub mod middleware;
pub mod openapi;
pub mod rendered;
pub mod routes;
pub mod server;
pub mod startup;
pub mod streams;
pub mod telemetry;
