//! What every handler has at hand.

use metrics_exporter_prometheus::PrometheusHandle;
use sea_orm::DatabaseConnection;

use crate::{auth::tokens::Tokens, live::Matches, names::Names, rematches::Rematches};

/// The application: handed to every handler.
#[derive(Debug)]
pub struct App {
    /// The store of players and summaries.
    pub db: DatabaseConnection,
    /// The matches.
    pub matches: Matches,
    /// The names of players.
    pub names: Names,
    /// Which match follows upon which.
    pub rematches: Rematches,
    /// Access tokens.
    pub tokens: Tokens,
    /// What is counted.
    pub metrics: PrometheusHandle,
}
