//! What has outlived its use, removed in batches. Every removal is harmless if it is repeated, or made by two replicas at once.

use std::collections::HashMap;

use domain::{matches::Status, time::Timestamp};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
    Value, sea_query::ExprTrait,
};
use uuid::Uuid;

use crate::{
    Db, Result, begin, commit,
    entities::{match_summary, refresh_token, session},
};

/// Idempotency keys by the time at which they were claimed.
const KEYS: &str = "DELETE FROM creations WHERE (scope, key) IN (
    SELECT scope, key FROM creations WHERE created_at < $1 ORDER BY created_at LIMIT $2)";

/// Completed deliveries by the time at which they were queued.
const DELIVERIES: &str = "DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE due_at IS NULL AND created_at < $1 ORDER BY created_at LIMIT $2)";

/// Invitations to matches that are not open any more.
const INVITATIONS: &str = "DELETE FROM invitations WHERE (lane, match_id, player_id) IN (
    SELECT lane, match_id, player_id FROM invitations WHERE created_at < $1 AND NOT EXISTS (
        SELECT 1 FROM matches
        WHERE matches.lane = invitations.lane AND matches.id = invitations.match_id AND matches.status = 'open'
    ) ORDER BY created_at LIMIT $2)";

/// Webhooks whose token has expired or was revoked.
const ENDED_WEBHOOKS: &str = "SELECT id FROM webhooks WHERE token_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM access_tokens WHERE access_tokens.id = webhooks.token_id AND access_tokens.expires_at > $1
) LIMIT $2";

/// Sessions that lost their last refresh token.
const END_SESSIONS: &str =
    "UPDATE sessions SET ended_at = $1, device = NULL, address = NULL, last_refresh = NULL WHERE ended_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM refresh_tokens WHERE refresh_tokens.session_id = sessions.id)";

/// Guests among these players who have no session that is open or ended recently.
const IDLE_GUESTS: &str = "SELECT id,
    EXISTS (SELECT 1 FROM access_tokens
            WHERE access_tokens.player_id = players.id AND access_tokens.expires_at > $1) AS has_token
FROM players WHERE password_hash IS NULL AND application_id IS NULL AND NOT EXISTS (
    SELECT 1 FROM sessions
    WHERE sessions.player_id = players.id AND (sessions.ended_at IS NULL OR sessions.ended_at >= $2))";

/// Those of these players who sit in matches, and whether one of the matches is not over. It is a statement of its own: a cluster
/// cannot join tables of matches with others in this way.
const SEATED: &str =
    "SELECT player_id, MAX(CASE WHEN over THEN 0 ELSE 1 END) AS playing FROM match_seats";

/// A session that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedSession {
    /// The session.
    pub id: Uuid,
    /// Its player.
    pub player: Uuid,
    /// When it ended.
    pub ended_at: Timestamp,
}

/// A guest without a session.
#[derive(Debug, Clone, Copy)]
pub struct IdleGuest {
    /// The guest.
    pub id: Uuid,
    /// Whether the guest sits in a match that is not over, or has a personal access token.
    pub is_busy: bool,
    /// Whether the guest sits in any match.
    pub has_played: bool,
}

/// Removes idempotency keys that were claimed before a time, and says how many.
pub async fn remove_keys(db: &Db, before: Timestamp, limit: u64) -> Result<u64> {
    remove(db, KEYS, before, limit).await
}

/// Removes completed deliveries that were queued before a time, and says how many.
pub async fn remove_deliveries(db: &Db, before: Timestamp, limit: u64) -> Result<u64> {
    remove(db, DELIVERIES, before, limit).await
}

/// Removes invitations from before a time to matches that are not open any more, and says how many.
pub async fn remove_invitations(db: &Db, before: Timestamp, limit: u64) -> Result<u64> {
    remove(db, INVITATIONS, before, limit).await
}

async fn remove(db: &Db, sql: &str, before: Timestamp, limit: u64) -> Result<u64> {
    Ok(db.execute_raw(statement(db, sql, before, limit)).await?.rows_affected())
}

/// The webhooks that have ended with their tokens.
pub async fn ended_webhooks(db: &Db, now: Timestamp, limit: u64) -> Result<Vec<Uuid>> {
    let rows = db.query_all_raw(statement(db, ENDED_WEBHOOKS, now, limit)).await?;
    Ok(rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, _>>()?)
}

fn statement(db: &Db, sql: &str, time: Timestamp, limit: u64) -> Statement {
    let limit = i64::try_from(limit).expect("a batch is small");
    let values: [Value; 2] = [time.micros().into(), limit.into()];
    Statement::from_sql_and_values(db.get_database_backend(), sql, values)
}

/// Removes refresh tokens that have expired, ends the sessions that have none left, and says how many tokens there were.
pub async fn remove_refresh_tokens(db: &Db, now: Timestamp, limit: u64) -> Result<usize> {
    let work = begin(db).await?;
    let expired: Vec<(Vec<u8>, Uuid)> = refresh_token::Entity::find()
        .select_only()
        .columns([refresh_token::Column::TokenHash, refresh_token::Column::SessionId])
        .filter(refresh_token::Column::ExpiresAt.lte(now.micros()))
        .order_by_asc(refresh_token::Column::ExpiresAt)
        .limit(limit)
        .into_tuple()
        .all(&work)
        .await?;
    if expired.is_empty() {
        return Ok(0);
    }
    let (hashes, sessions): (Vec<Vec<u8>>, Vec<Uuid>) = expired.into_iter().unzip();
    let removed = hashes.len();
    refresh_token::Entity::delete_many()
        .filter(refresh_token::Column::TokenHash.is_in(hashes))
        .exec(&work)
        .await?;
    let mut values: Vec<Value> = vec![now.micros().into()];
    let sql = format!("{END_SESSIONS} AND id IN ({})", push_ids(&mut values, &sessions));
    let backend = work.get_database_backend();
    work.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
    commit(work).await?;
    Ok(removed)
}

/// The sessions that ended before a time, in the order in which they ended; with `after`, only those that come after that one.
pub async fn ended_sessions(
    db: &Db,
    before: Timestamp,
    after: Option<EndedSession>,
    limit: u64,
) -> Result<Vec<EndedSession>> {
    use session::Column;
    let mut sessions = session::Entity::find()
        .select_only()
        .columns([Column::Id, Column::PlayerId, Column::EndedAt])
        .filter(Column::EndedAt.lt(before.micros()));
    if let Some(last) = after {
        let ended_at = last.ended_at.micros();
        let same_time = Column::EndedAt.eq(ended_at).and(Column::Id.gt(last.id));
        sessions = sessions.filter(Column::EndedAt.gt(ended_at).or(same_time));
    }
    let rows: Vec<(Uuid, Uuid, i64)> = sessions
        .order_by_asc(Column::EndedAt)
        .order_by_asc(Column::Id)
        .limit(limit)
        .into_tuple()
        .all(db)
        .await?;
    let session = |(id, player, ended_at)| EndedSession {
        id,
        player,
        ended_at: Timestamp::from_micros(ended_at),
    };
    Ok(rows.into_iter().map(session).collect())
}

/// Those of these players who are guests without a session that is open or ended after a time.
pub async fn idle_guests(
    db: &Db,
    players: &[Uuid],
    before: Timestamp,
    now: Timestamp,
) -> Result<Vec<IdleGuest>> {
    let mut values: Vec<Value> = vec![now.micros().into(), before.micros().into()];
    let sql = format!("{IDLE_GUESTS} AND id IN ({})", push_ids(&mut values, players));
    let backend = db.get_database_backend();
    let guests = db.query_all_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
    let guests =
        guests.iter().map(|row| Ok((row.try_get("", "id")?, row.try_get("", "has_token")?)));
    let guests: Vec<(Uuid, bool)> = guests.collect::<Result<_>>()?;
    if guests.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = guests.iter().map(|(id, _)| *id).collect();
    let mut values = Vec::new();
    let sql =
        format!("{SEATED} WHERE player_id IN ({}) GROUP BY player_id", push_ids(&mut values, &ids));
    let seated = db.query_all_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
    let mut playing: HashMap<Uuid, bool> = HashMap::new();
    for row in &seated {
        let is_playing = row.try_get::<i32>("", "playing")? > 0;
        playing.insert(row.try_get("", "player_id")?, is_playing);
    }
    let idle = |(id, has_token)| {
        let is_playing = playing.get(&id).copied();
        let is_busy = has_token || is_playing == Some(true);
        IdleGuest { id, is_busy, has_played: is_playing.is_some() }
    };
    Ok(guests.into_iter().map(idle).collect())
}

/// Removes sessions and their refresh tokens.
pub async fn remove_sessions(db: &Db, sessions: Vec<Uuid>) -> Result<()> {
    let work = begin(db).await?;
    refresh_token::Entity::delete_many()
        .filter(refresh_token::Column::SessionId.is_in(sessions.clone()))
        .exec(&work)
        .await?;
    session::Entity::delete_many().filter(session::Column::Id.is_in(sessions)).exec(&work).await?;
    commit(work).await
}

/// The open matches with an id below this one, oldest first; with `after`, only those that come after that one.
pub async fn open_matches(
    db: &Db,
    below: Uuid,
    after: Option<Uuid>,
    limit: u64,
) -> Result<Vec<Uuid>> {
    use match_summary::Column;
    let mut matches = match_summary::Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::Status.eq(Status::Open.id()))
        .filter(Column::Id.lt(below));
    if let Some(after) = after {
        matches = matches.filter(Column::Id.gt(after));
    }
    Ok(matches.order_by_asc(Column::Id).limit(limit).into_tuple().all(db).await?)
}

/// Adds ids to the values of a statement, and returns their placeholders.
fn push_ids(values: &mut Vec<Value>, ids: &[Uuid]) -> String {
    let placeholders = ids.iter().map(|id| {
        values.push((*id).into());
        format!("${}", values.len())
    });
    placeholders.collect::<Vec<_>>().join(", ")
}
