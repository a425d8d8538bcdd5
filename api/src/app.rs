//! What every handler has at hand.

mod matches;

use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use sea_orm::DatabaseConnection;
use service::{
    clock::Clock,
    deletion::Deletions,
    identity::{AccessTokens, LoginAttempts, PersonalTokens, Sessions},
    live::{Matches, Presence},
    names::NameCache,
    rematches::RematchCache,
    streams::{Hub, StreamLimits},
    tasks::Tasks,
    webhooks::Webhooks,
};

use crate::{
    limits::Limits,
    rendered::{MatchPageCache, StatsCache},
};

/// The application: handed to every handler.
#[derive(Debug)]
pub struct App {
    /// The time.
    pub clock: Clock,
    /// The store of players and summaries.
    pub db: DatabaseConnection,
    /// The matches.
    pub matches: Matches,
    /// The names of players.
    pub names: Arc<NameCache>,
    /// Rendered matches.
    pub match_pages: MatchPageCache,
    /// Rendered statistics.
    pub stats: StatsCache,
    /// The rematches of finished matches.
    pub rematches: RematchCache,
    /// Access tokens.
    pub tokens: Arc<AccessTokens>,
    /// Sessions.
    pub sessions: Sessions,
    /// Personal access tokens.
    pub personal_tokens: Arc<PersonalTokens>,
    /// Deleted players.
    pub deletions: Arc<Deletions>,
    /// Rate limits.
    pub limits: Arc<Limits>,
    /// Failed log-ins.
    pub login_attempts: LoginAttempts,
    /// The number of open streams.
    pub stream_limits: Arc<StreamLimits>,
    /// Who watches at other replicas.
    pub presence: Arc<Presence>,
    /// Notifications for listening players.
    pub hub: Arc<Hub>,
    /// Webhooks.
    pub webhooks: Arc<Webhooks>,
    /// The background tasks.
    pub tasks: Arc<Tasks>,
    /// The metrics of the process.
    pub metrics: PrometheusHandle,
}
