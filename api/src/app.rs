//! What every handler has at hand.

use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use sea_orm::DatabaseConnection;

use crate::{
    auth::{attempts::Attempts, personal::PersonalTokens, tokens::Tokens},
    closing::Closing,
    erasure::Erased,
    http::limits::Limits,
    live::{Matches, presence::Presence},
    names::Names,
    pages::Pages,
    projections::Follower,
    rematches::Rematches,
    routes::statistics::Shelf,
    streams::{Places, hub::Hub},
    webhooks::Webhooks,
};

/// The application: handed to every handler.
#[derive(Debug)]
pub struct App {
    /// The store of players and summaries.
    pub db: DatabaseConnection,
    /// The matches.
    pub matches: Matches,
    /// The names of players.
    pub names: Names,
    /// Matches as they were last shown.
    pub pages: Pages,
    /// Answers made of statistics.
    pub shelf: Shelf,
    /// Which match follows upon which.
    pub rematches: Rematches,
    /// Keeps the statistics up to date while it lives.
    pub follower: Follower,
    /// Access tokens.
    pub tokens: Tokens,
    /// Personal access tokens.
    pub personal_tokens: PersonalTokens,
    /// Players who were erased of late.
    pub erased: Erased,
    /// How often anybody may ask.
    pub limits: Limits,
    /// Who guesses passwords.
    pub attempts: Attempts,
    /// How many streams may be open.
    pub places: Arc<Places>,
    /// Who watches at other replicas.
    pub presence: Presence,
    /// What concerns whom.
    pub hub: Arc<Hub>,
    /// Who is told elsewhere.
    pub webhooks: Webhooks,
    /// Whether the server is about to end.
    pub closing: Closing,
    /// What is counted.
    pub metrics: PrometheusHandle,
}
