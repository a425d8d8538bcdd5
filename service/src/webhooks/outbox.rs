//! From the feed to deliveries. One replica at a time takes in a stretch of the feed, in one transaction with the position: what
//! was told is never told again by this, and nothing is left out, whoever is killed and when.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use domain::{matches::Match, time::Timestamp};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, LockBehavior, LockType},
};
use serde::Serialize;
use store::{
    EventLog,
    entities::{follower, match_seat, webhook, webhook_delivery},
    event_log::FeedEntry,
};
use time::OffsetDateTime;
use tokio::sync::{Notify, watch};
use url::Url;
use uuid::Uuid;

use super::state;
use crate::{
    clock::{self, Clock},
    error::{Error, Result},
    live::Matches,
    notifications::{MatchStep, NotificationData, NotificationKind, StepReader},
    tasks::Shutdown,
};

/// The name of this follower of the feed.
const NAME: &str = "webhooks";
/// How many batches of the feed are taken in at once.
const BATCHES: u64 = 100;
/// How many matches or rows go into one statement.
const CHUNK: usize = 500;
/// How many batches may be looked at again for want of anything to tell.
const FAR: u64 = 5_000;
/// How long is waited after a look, so that many small batches are taken in at once.
const PAUSE: Duration = Duration::from_millis(50);
/// How long nothing is heard before we look by ourselves.
const POLL: Duration = Duration::from_secs(1);

/// What is sent to a webhook.
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

/// Turns what the feed tells into deliveries.
#[derive(Debug)]
pub(super) struct Outbox {
    log: EventLog,
    clock: Clock,
    steps: StepReader,
    nudge: Arc<Notify>,
    /// How far there is nothing to tell. Not worth a write of its own: it may be looked at again.
    clear: u64,
}

/// What came of looking at the feed.
enum Look {
    /// There was nothing new, or another replica is at it.
    Idle,
    /// Something was taken in, and there may be more.
    More,
}

impl Outbox {
    pub(super) fn new(matches: &Matches, clock: Clock, nudge: Arc<Notify>) -> Self {
        let log = matches.log().clone();
        Self { steps: StepReader::new(log.clone()), log, clock, nudge, clear: 0 }
    }

    pub(super) async fn run(mut self, mut grown: watch::Receiver<u64>, mut shutdown: Shutdown) {
        loop {
            grown.mark_unchanged();
            match self.step().await {
                Ok(Look::More) if !shutdown.is_requested() => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "cannot turn the feed into deliveries"),
            }
            tokio::select! {
                () = shutdown.requested() => return,
                () = tokio::time::sleep(PAUSE) => {}
            }
            tokio::select! {
                () = shutdown.requested() => return,
                _ = grown.changed() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// Takes in one stretch of the feed.
    async fn step(&mut self) -> Result<Look> {
        let db = self.log.database();
        let row = follower::Entity::find_by_id(NAME).one(db).await?;
        let stored = row.map_or(0, |row| u64::try_from(row.pos).unwrap_or_default());
        // Before we look for webhooks: what is written after one was created must not be taken for clear.
        let head = self.log.feed_head().await?;
        let any = webhook::Entity::find().filter(webhook::Column::Active.eq(true)).one(db).await?;
        if any.is_none() {
            self.clear = head;
            if self.clear - stored.min(self.clear) > FAR {
                let work = store::begin(db).await?;
                if is_ours(&work, stored, self.log.is_shared()).await? {
                    advance(work, self.clear).await?;
                }
            }
            return Ok(Look::Idle);
        }
        let entries = self.log.feed(stored.max(self.clear), BATCHES).await?;
        let Some(last) = entries.last().map(|entry| entry.pos) else { return Ok(Look::Idle) };
        // Where others may be at work too, nothing is worked out in vain; where not, the store is not locked for longer than needed.
        let mut work = None;
        if self.log.is_shared() {
            let begun = store::begin(db).await?;
            if !is_ours(&begun, stored, true).await? {
                return Ok(Look::Idle);
            }
            work = Some(begun);
        }
        let deliveries = self.deliveries(&entries).await?;
        if deliveries.is_empty() && last - stored.min(last) <= FAR {
            self.clear = last;
            return Ok(Look::More);
        }
        let work = if let Some(work) = work {
            work
        } else {
            let begun = store::begin(db).await?;
            if !is_ours(&begun, stored, false).await? {
                return Ok(Look::Idle);
            }
            begun
        };
        for rows in deliveries.chunks(CHUNK) {
            webhook_delivery::Entity::insert_many(rows.iter().cloned())
                .exec_without_returning(&work)
                .await?;
        }
        advance(work, last).await?;
        if !deliveries.is_empty() {
            self.nudge.notify_one();
        }
        Ok(Look::More)
    }

    /// What is to be delivered for these entries.
    async fn deliveries(
        &self,
        entries: &[FeedEntry],
    ) -> Result<Vec<webhook_delivery::ActiveModel>> {
        let hooks = self.hooks(entries).await?;
        let mut deliveries = Vec::new();
        if hooks.is_empty() {
            return Ok(deliveries);
        }
        let commits = entries.iter().flat_map(|entry| &entry.commits);
        for (id, seq) in commits {
            let Some(hooks) = hooks.get(id) else { continue };
            let step = match self.steps.step(*id, *seq).await {
                Ok(step) => step,
                // One match that cannot be read must not keep all others from being told.
                Err(Error::Corrupt(error)) => {
                    tracing::error!(%error, "a match is left out of the webhooks");
                    continue;
                }
                Err(error) => return Err(error),
            };
            deliveries
                .extend(hooks.iter().flat_map(|hook| deliveries_of(hook, &step, self.clock.now())));
        }
        Ok(deliveries)
    }

    /// The webhooks that these entries may concern, by match.
    async fn hooks(
        &self,
        entries: &[FeedEntry],
    ) -> Result<HashMap<Uuid, Vec<Arc<webhook::Model>>>, DbErr> {
        let db = self.log.database();
        let mut by_match: HashMap<Uuid, Vec<Arc<webhook::Model>>> = HashMap::new();
        let ids: HashSet<Uuid> =
            entries.iter().flat_map(|entry| &entry.commits).map(|(id, _)| *id).collect();
        let ids: Vec<Uuid> = ids.into_iter().collect();
        for ids in ids.chunks(CHUNK) {
            let seats: Vec<(Uuid, Option<Uuid>)> = match_seat::Entity::find()
                .select_only()
                .columns([match_seat::Column::MatchId, match_seat::Column::PlayerId])
                .filter(match_seat::Column::MatchId.is_in(ids.iter().copied()))
                .into_tuple()
                .all(db)
                .await?;
            let players: HashSet<Uuid> = seats.iter().filter_map(|(_, player)| *player).collect();
            let concerned =
                Condition::any().add(webhook::Column::MatchId.is_in(ids.iter().copied())).add(
                    Condition::all()
                        .add(webhook::Column::MatchId.is_null())
                        .add(webhook::Column::PlayerId.is_in(players)),
                );
            let hooks = webhook::Entity::find()
                .filter(webhook::Column::Active.eq(true))
                .filter(concerned)
                .all(db)
                .await?;
            for hook in hooks.into_iter().map(Arc::new) {
                if let Some(id) = hook.match_id {
                    by_match.entry(id).or_default().push(hook);
                    continue;
                }
                for (id, player) in &seats {
                    if *player == Some(hook.player_id) {
                        by_match.entry(*id).or_default().push(Arc::clone(&hook));
                    }
                }
            }
        }
        Ok(by_match)
    }
}

/// Stores how far everything has been told, and what goes with it.
async fn advance(work: DatabaseTransaction, pos: u64) -> Result<(), DbErr> {
    follower::Entity::update_many()
        .col_expr(follower::Column::Pos, Expr::value(i64::try_from(pos).unwrap_or(i64::MAX)))
        .filter(follower::Column::Name.eq(NAME))
        .exec(&work)
        .await?;
    work.commit().await
}

/// Whether the position is still where it was, and nobody else is at it.
async fn is_ours(work: &DatabaseTransaction, stored: u64, lock: bool) -> Result<bool, DbErr> {
    let mut row = follower::Entity::find_by_id(NAME);
    if lock {
        row = row.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    }
    Ok(row.one(work).await?.is_some_and(|row| u64::try_from(row.pos) == Ok(stored)))
}

/// The deliveries to a webhook about a step.
fn deliveries_of(
    hook: &webhook::Model,
    step: &MatchStep,
    now: Timestamp,
) -> Vec<webhook_delivery::ActiveModel> {
    let after = step.after();
    let is_meant = match hook.match_id {
        Some(_) => after.is_visible_to(Some(hook.player_id)),
        None => after.seat_of(hook.player_id).is_some(),
    };
    let is_game = hook.game.as_deref().is_none_or(|game| game == after.game().info().key);
    if !is_meant || !is_game {
        return Vec::new();
    }
    let notifications = step.notifications(hook.player_id).into_iter();
    let wanted = |(kind, _): &(NotificationKind, NotificationData)| {
        hook.events.split(',').any(|event| event == kind.id())
    };
    notifications
        .filter(wanted)
        .map(|(kind, data)| {
            delivery(hook, &Payload { kind: kind.id(), timestamp: step.at(), data: &data }, now)
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
    work: &DatabaseTransaction,
    m: &Match,
    invited_by: Uuid,
    players: &[Uuid],
    now: Timestamp,
) -> Result<(), DbErr> {
    let kind = NotificationKind::Invited.id();
    let (match_id, game) = (m.id(), m.game().info().key);
    let hooks = webhook::Entity::find()
        .filter(webhook::Column::Active.eq(true))
        .filter(webhook::Column::MatchId.is_null())
        .filter(webhook::Column::PlayerId.is_in(players.iter().copied()))
        .all(work)
        .await?;
    let is_meant = |hook: &&webhook::Model| {
        hook.events.split(',').any(|event| event == kind)
            && hook.game.as_deref().is_none_or(|wanted| wanted == game)
    };
    let data = Invitation { match_id, game, invited_by };
    let payload = Payload { kind, timestamp: clock::to_datetime(now), data: &data };
    let rows: Vec<_> =
        hooks.iter().filter(is_meant).map(|hook| delivery(hook, &payload, now)).collect();
    if !rows.is_empty() {
        webhook_delivery::Entity::insert_many(rows).exec_without_returning(work).await?;
    }
    Ok(())
}

/// A message to a webhook, due at once.
pub fn delivery<T: Serialize>(
    hook: &webhook::Model,
    payload: &Payload<'_, T>,
    now: Timestamp,
) -> webhook_delivery::ActiveModel {
    webhook_delivery::ActiveModel {
        id: Set(clock::new_id(now)),
        webhook_id: Set(hook.id),
        host: Set(host(&hook.url)),
        kind: Set(payload.kind.to_owned()),
        payload: Set(serde_json::to_string(payload).expect("a payload is plain data")),
        state: Set(state::PENDING.to_owned()),
        due_at: Set(Some(now.micros())),
        tries: Set(0),
        attempts: Set("[]".to_owned()),
        created_at: Set(now.micros()),
    }
}

/// The host and port of a URL, by which deliveries keep out of each other's way.
fn host(url: &str) -> String {
    let url = Url::parse(url).ok();
    let host = url
        .as_ref()
        .and_then(|url| Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?)));
    host.unwrap_or_default()
}
