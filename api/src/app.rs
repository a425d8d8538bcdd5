//! What every handler has at hand.

mod matches;

use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use service::{
    applications::Applications,
    blocks::Blocks,
    bulkheads::Bulkheads,
    clock::Clock,
    deletion::Deletions,
    expiry::Expiry,
    identity::{AccessTokens, Accounts, EndedSessions, PersonalTokens},
    invitations::Invitations,
    live::{Matches, Presence},
    names::NameCache,
    notary::Notary,
    occupancy::Occupancy,
    readiness::Readiness,
    rematches::RematchCache,
    streams::Hub,
    tasks::Tasks,
    thinking::Thinking,
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
    pub db: store::Db,
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
    /// Guests and accounts.
    pub accounts: Accounts,
    /// Applications and their players.
    pub applications: Applications,
    /// Personal access tokens.
    pub personal_tokens: Arc<PersonalTokens>,
    /// Sessions that ended recently.
    pub ended_sessions: Arc<EndedSessions>,
    /// Deleted players.
    pub deletions: Arc<Deletions>,
    /// Removes what has expired.
    pub expiry: Arc<Expiry>,
    /// Rate limits.
    pub limits: Arc<Limits>,
    /// Work that costs much.
    pub bulkheads: Bulkheads,
    /// Bots at work.
    pub thinking: Thinking,
    /// The open streams.
    pub open_streams: Arc<Occupancy>,
    /// The running exports.
    pub running_exports: Arc<Occupancy>,
    /// Who watches at other replicas.
    pub presence: Arc<Presence>,
    /// Signatures of matches and the transparency log.
    pub notary: Arc<Notary>,
    /// Notifications for listening players.
    pub hub: Arc<Hub>,
    /// Blocked players.
    pub blocks: Blocks,
    /// Invitations to matches.
    pub invitations: Invitations,
    /// Webhooks.
    pub webhooks: Arc<Webhooks>,
    /// Whether the store can be written to.
    pub readiness: Readiness,
    /// The background tasks.
    pub tasks: Arc<Tasks>,
    /// The metrics of the process.
    pub metrics: PrometheusHandle,
}
