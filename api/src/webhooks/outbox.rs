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
use time::OffsetDateTime;
use tokio::sync::{Notify, watch};
use url::Url;
use uuid::Uuid;

use super::state;
use crate::{
    clock,
    closing::Closing,
    entities::{follower, match_seat, webhook, webhook_delivery},
    event_store::{EventStore, FeedEntry},
    live::Matches,
    notices::{NoticeData, NoticeKind, Step, Stories, StoryError},
    routes::matches::may_be_seen_by,
    store,
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
pub(crate) struct Payload<'a, T> {
    /// What it is.
    #[serde(rename = "type")]
    pub(crate) kind: &'a str,
    /// When it happened.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) timestamp: OffsetDateTime,
    /// What it is about.
    pub(crate) data: &'a T,
}

/// Turns what the feed tells into deliveries.
#[derive(Debug)]
pub(super) struct Outbox {
    store: EventStore,
    stories: Stories,
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
    pub(super) fn new(matches: &Matches, nudge: Arc<Notify>) -> Self {
        let store = matches.store().clone();
        Self { stories: Stories::new(store.clone()), store, nudge, clear: 0 }
    }

    pub(super) async fn run(mut self, mut grown: watch::Receiver<u64>, mut closing: Closing) {
        loop {
            grown.mark_unchanged();
            match self.step().await {
                Ok(Look::More) if !closing.is_told() => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "webhooks stand still"),
            }
            tokio::select! {
                () = closing.told() => return,
                () = tokio::time::sleep(PAUSE) => {}
            }
            tokio::select! {
                () = closing.told() => return,
                _ = grown.changed() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// Takes in one stretch of the feed.
    async fn step(&mut self) -> Result<Look, StoryError> {
        let db = self.store.database();
        let row = follower::Entity::find_by_id(NAME).one(db).await?;
        let stored = row.map_or(0, |row| u64::try_from(row.pos).unwrap_or_default());
        // Before we look for webhooks: what is written after one was created must not be taken for clear.
        let head = self.store.feed_head().await?;
        let any = webhook::Entity::find().filter(webhook::Column::Active.eq(true)).one(db).await?;
        if any.is_none() {
            self.clear = head;
            if self.clear - stored.min(self.clear) > FAR {
                let work = store::begin(db).await?;
                if is_ours(&work, stored, self.store.is_shared()).await? {
                    advance(work, self.clear).await?;
                }
            }
            return Ok(Look::Idle);
        }
        let entries = self.store.feed(stored.max(self.clear), BATCHES).await?;
        let Some(last) = entries.last().map(|entry| entry.pos) else { return Ok(Look::Idle) };
        // Where others may be at work too, nothing is worked out in vain; where not, the store is not locked for longer than needed.
        let mut work = None;
        if self.store.is_shared() {
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
    ) -> Result<Vec<webhook_delivery::ActiveModel>, StoryError> {
        let hooks = self.hooks(entries).await?;
        let mut deliveries = Vec::new();
        if hooks.is_empty() {
            return Ok(deliveries);
        }
        let commits = entries.iter().flat_map(|entry| &entry.commits);
        for (id, seq) in commits {
            let Some(hooks) = hooks.get(id) else { continue };
            let step = match self.stories.step(*id, *seq).await {
                Ok(step) => step,
                // One match that cannot be read must not keep all others from being told.
                Err(StoryError::Corrupt(error)) => {
                    tracing::error!(%error, "a match is left out of the webhooks");
                    continue;
                }
                Err(error) => return Err(error),
            };
            deliveries.extend(hooks.iter().flat_map(|hook| told(hook, &step)));
        }
        Ok(deliveries)
    }

    /// The webhooks that these entries may concern, by match.
    async fn hooks(
        &self,
        entries: &[FeedEntry],
    ) -> Result<HashMap<Uuid, Vec<Arc<webhook::Model>>>, DbErr> {
        let db = self.store.database();
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

/// What a webhook is told of a step.
fn told(hook: &webhook::Model, step: &Step) -> Vec<webhook_delivery::ActiveModel> {
    let table = step.table();
    let is_meant = match hook.match_id {
        Some(_) => may_be_seen_by(table, Some(hook.player_id)),
        None => table.seat_of(hook.player_id).is_some(),
    };
    let is_game = hook.game.as_deref().is_none_or(|game| game == table.game().info().key);
    if !is_meant || !is_game {
        return Vec::new();
    }
    let notices = step.notices(hook.player_id).into_iter();
    let wanted = |(kind, _): &(NoticeKind, NoticeData)| {
        hook.events.split(',').any(|event| event == kind.id())
    };
    notices
        .filter(wanted)
        .map(|(kind, data)| {
            delivery(hook, &Payload { kind: kind.id(), timestamp: step.at(), data: &data })
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

/// Tells the webhooks of players that they are invited, in the transaction that invites them.
pub(crate) async fn tell_invited(
    work: &DatabaseTransaction,
    table: &Match,
    invited_by: Uuid,
    players: &[Uuid],
    now: Timestamp,
) -> Result<(), DbErr> {
    let kind = NoticeKind::Invited.id();
    let (match_id, game) = (table.id(), table.game().info().key);
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
    let rows: Vec<_> = hooks.iter().filter(is_meant).map(|hook| delivery(hook, &payload)).collect();
    if !rows.is_empty() {
        webhook_delivery::Entity::insert_many(rows).exec_without_returning(work).await?;
    }
    Ok(())
}

/// A message to a webhook, due at once.
pub(crate) fn delivery<T: Serialize>(
    hook: &webhook::Model,
    payload: &Payload<'_, T>,
) -> webhook_delivery::ActiveModel {
    let now = clock::now();
    webhook_delivery::ActiveModel {
        id: Set(clock::new_id(now)),
        webhook_id: Set(hook.id),
        host: Set(host(&hook.url)),
        kind: Set(payload.kind.to_owned()),
        payload: Set(serde_json::to_string(payload).unwrap_or_default()),
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
