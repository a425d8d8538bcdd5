//! The outbox: turns entries of the feed into deliveries.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use domain::{matches::Match, time::Timestamp};
use serde::Serialize;
use store::{
    Db, EventLog, Transaction,
    event_log::{FeedEntry, FeedPosition},
    followers, matches,
    webhooks::{self, Delivery, Webhook, state},
};
use time::OffsetDateTime;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::{
    clock::{self, Clock},
    error::{Error, Result},
    feed::{FeedConsumer, Progress},
    live::Matches,
    notifications::{MatchStep, NotificationData, NotificationKind, StepReader},
};

/// The pause after the feed was read to its end.
const PAUSE: Duration = Duration::from_millis(50);

/// The body of a message to a webhook.
#[derive(Debug, Serialize)]
pub struct Payload<'a, T> {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// When it happened.
    #[serde(with = "time::serde::rfc3339")]
    pub timestamp: OffsetDateTime,
    /// What it is about.
    pub data: &'a T,
}

/// Turns entries of the feed into deliveries.
#[derive(Debug)]
pub(super) struct Outbox {
    log: EventLog,
    clock: Clock,
    steps: StepReader,
    nudge: Arc<Notify>,
}

impl Outbox {
    pub(super) fn new(matches: &Matches, clock: Clock, nudge: Arc<Notify>) -> Self {
        let log = matches.log().clone();
        Self { steps: StepReader::new(log.clone()), log, clock, nudge }
    }

    /// The webhooks that these entries may concern, by match.
    async fn webhooks(&self, entries: &[FeedEntry]) -> Result<HashMap<Uuid, Vec<Arc<Webhook>>>> {
        let db = self.log.database();
        let ids: HashSet<Uuid> =
            entries.iter().flat_map(|entry| &entry.commits).map(|(id, _)| *id).collect();
        let ids: Vec<Uuid> = ids.into_iter().collect();
        let mut matches_of: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
        for (id, player) in matches::seated(db, &ids, None).await? {
            matches_of.entry(player).or_default().push(id);
        }
        let players: Vec<Uuid> = matches_of.keys().copied().collect();
        let mut by_match: HashMap<Uuid, Vec<Arc<Webhook>>> = HashMap::new();
        for webhook in webhooks::watching(db, &ids, &players, self.clock.now()).await? {
            let webhook = Arc::new(webhook);
            let watched = match &webhook.match_id {
                Some(id) => std::slice::from_ref(id),
                None => matches_of.get(&webhook.player_id).map_or(&[][..], Vec::as_slice),
            };
            for id in watched {
                by_match.entry(*id).or_default().push(Arc::clone(&webhook));
            }
        }
        Ok(by_match)
    }
}

impl FeedConsumer for Outbox {
    const NAME: &'static str = "webhooks";
    const ENTRIES: u64 = 100;
    const UNWRITTEN: u64 = 5_000;
    const POLL: Duration = Duration::from_secs(1);

    type Checkpoint = FeedPosition;
    type Work = Vec<Delivery>;

    async fn checkpoint(&self, db: &Db) -> Result<FeedPosition> {
        Ok(followers::position(db, Self::NAME).await?)
    }

    async fn lock(&self, work: &Transaction) -> Result<Option<FeedPosition>> {
        Ok(followers::try_lock(work, Self::NAME).await?)
    }

    async fn is_interested(&self, db: &Db) -> Result<bool> {
        Ok(webhooks::any_active(db).await?)
    }

    async fn prepare(&mut self, entries: &[FeedEntry]) -> Result<Option<(Vec<Delivery>, usize)>> {
        let webhooks = self.webhooks(entries).await?;
        let mut deliveries = Vec::new();
        for (id, seq) in entries.iter().flat_map(|entry| &entry.commits) {
            let Some(webhooks) = webhooks.get(id) else { continue };
            let step = match self.steps.step(*id, *seq).await {
                Ok(step) => step,
                // One unreadable match must not hold up all others.
                Err(Error::Corrupt(error)) => {
                    tracing::error!(%error, "webhooks are not notified of a match");
                    continue;
                }
                Err(error) => return Err(error),
            };
            let now = self.clock.now();
            deliveries.extend(webhooks.iter().flat_map(|webhook| about(webhook, &step, now)));
        }
        let amount = deliveries.len();
        Ok((amount > 0).then_some((deliveries, amount)))
    }

    async fn write(
        &self,
        work: &Transaction,
        _: &FeedPosition,
        deliveries: Option<Vec<Delivery>>,
        position: FeedPosition,
    ) -> Result<()> {
        if let Some(deliveries) = deliveries {
            webhooks::insert_deliveries(work, &deliveries).await?;
        }
        Ok(followers::advance(work, Self::NAME, &position).await?)
    }

    fn committed(&self, amount: usize) {
        if amount > 0 {
            self.nudge.notify_one();
        }
    }

    fn pause(progress: Progress) -> Duration {
        match progress {
            Progress::Processed(_) => Duration::ZERO,
            Progress::Idle | Progress::Elsewhere => PAUSE,
        }
    }
}

/// Whether the owner of a webhook wants to know this about this game.
fn wants(webhook: &Webhook, kind: &str, game: &str) -> bool {
    webhook.events.split(',').any(|event| event == kind)
        && webhook.game.as_deref().is_none_or(|wanted| wanted == game)
}

/// The deliveries to a webhook about a step.
fn about(webhook: &Webhook, step: &MatchStep, now: Timestamp) -> Vec<Delivery> {
    let after = step.after();
    let is_concerned = match webhook.match_id {
        Some(_) => after.is_visible_to(Some(webhook.player_id)),
        None => after.seat_of(webhook.player_id).is_some(),
    };
    if !is_concerned {
        return Vec::new();
    }
    let game = after.game().info().key;
    let is_wanted =
        |(kind, _): &(NotificationKind, NotificationData)| wants(webhook, kind.id(), game);
    let notifications = step.notifications(webhook.player_id).into_iter().filter(is_wanted);
    notifications
        .map(|(kind, data)| {
            let payload = Payload { kind: kind.id(), timestamp: step.at(), data: &data };
            delivery(webhook, &payload, now)
        })
        .collect()
}

/// What an invitation is about.
#[derive(Debug, Serialize)]
struct Invitation {
    #[serde(rename = "match")]
    match_id: Uuid,
    game: &'static str,
    invited_by: Uuid,
}

/// Queues deliveries to the webhooks of players who are invited, in the transaction that invites them.
pub async fn queue_invitations(
    work: &Transaction,
    m: &Match,
    invited_by: Uuid,
    players: &[Uuid],
    now: Timestamp,
) -> Result<()> {
    let kind = NotificationKind::Invited.id();
    let (match_id, game) = (m.id(), m.game().info().key);
    let data = Invitation { match_id, game, invited_by };
    let payload = Payload { kind, timestamp: clock::to_datetime(now), data: &data };
    let webhooks = webhooks::of_players(work, players, now).await?;
    let wanting = webhooks.iter().filter(|webhook| wants(webhook, kind, game));
    let deliveries: Vec<_> = wanting.map(|webhook| delivery(webhook, &payload, now)).collect();
    Ok(webhooks::insert_deliveries(work, &deliveries).await?)
}

/// A delivery to a webhook, due at once.
#[must_use]
pub fn delivery<T: Serialize>(
    webhook: &Webhook,
    payload: &Payload<'_, T>,
    now: Timestamp,
) -> Delivery {
    Delivery {
        id: clock::new_id(now),
        webhook_id: webhook.id,
        kind: payload.kind.to_owned(),
        payload: serde_json::to_string(payload).expect("a payload is plain data"),
        state: state::PENDING.to_owned(),
        due_at: Some(now.micros()),
        tries: 0,
        attempts: "[]".to_owned(),
        created_at: now.micros(),
    }
}
