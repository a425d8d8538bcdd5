//! A batch on Postgres: one statement, one round trip, one flush of the disk.
//!
//! The parts run in an order that cannot deadlock: the counter of the lane is taken only after all keys have been, because it
//! depends on their number.

use std::collections::HashSet;

use sea_orm::{DbErr, QueryResult};
use sqlx::{PgConnection, PgPool, Row as _};
use uuid::Uuid;

use super::writer::{Row, Written};

/// The statement, with what happens where a place is taken, and what is written besides the log.
macro_rules! statement {
    ($taken:literal, $besides:literal) => {
        concat!(
            "
WITH written AS (
    INSERT INTO commits (match_id, seq, count, at, player_id, command_id, payload, hash, waiting)
    SELECT match_id, seq, count, at, player_id, command_id, payload::json, hash, waiting FROM unnest(
        $1::uuid[], $2::int8[], $3::int4[], $4::int8[], $5::uuid[], $6::uuid[], $7::text[], $8::bytea[], $9::int2[]
    ) AS input(match_id, seq, count, at, player_id, command_id, payload, hash, waiting)
    ",
            $taken,
            "
    RETURNING match_id, seq, hash
), ",
            $besides,
            "lane AS (
    UPDATE lanes SET pos = pos + 1 WHERE lane = 0 AND (SELECT count(*) FROM written) > 0 RETURNING pos
), fed AS (
    INSERT INTO feed (lane, pos, commits)
    SELECT 0, pos, (SELECT string_agg(uuid_send(match_id) || int8send(seq), ''::bytea) FROM written) FROM lane
)
SELECT count(*), (SELECT pos FROM lane), (SELECT pg_notify('telar_feed', pos::text) FROM lane)::text FROM written"
        )
    };
}

/// Moves alone change nothing but the log, and mostly nobody else wants their places: the short statement costs less to begin,
/// and less a row. Where a place is taken it fails as a whole, and the long one is sent instead.
const WRITE_MOVES: &str = statement!("", "");
const WRITE_ALL: &str = statement!(
    "ON CONFLICT DO NOTHING",
    "summarised AS (
    INSERT INTO matches (id, game, status, public, seats, resigned, due_at)
    SELECT match_id, game, status, public, seats, resigned, due_at
    FROM unnest($10::uuid[], $11::bytea[], $12::text[], $13::text[], $14::bool[], $15::int2[], $16::int2[], $17::int8[])
        AS input(match_id, hash, game, status, public, seats, resigned, due_at)
    JOIN written USING (match_id, hash)
    ON CONFLICT (id) DO UPDATE SET
        status = excluded.status, resigned = excluded.resigned, due_at = excluded.due_at
), seated AS (
    INSERT INTO match_seats (match_id, seat, player_id, over)
    SELECT match_id, seat, player_id, over
    FROM unnest($18::uuid[], $19::bytea[], $20::int2[], $21::uuid[], $22::bool[])
        AS input(match_id, hash, seat, player_id, over)
    JOIN written USING (match_id, hash)
    ON CONFLICT (match_id, seat) DO UPDATE SET player_id = excluded.player_id, over = excluded.over
), "
);

/// The rows that stand in the places of a batch.
const STANDING: &str = "
SELECT hash FROM commits
JOIN unnest($1::uuid[], $2::int8[]) AS place(match_id, seq) USING (match_id, seq)";

/// The inner question has an order, so that it is asked once a place, by the key, however many commits there are.
const LOAD: &str = "
SELECT found.* FROM unnest($1::uuid[], $2::int8[]) AS place(id, since), LATERAL (
    SELECT match_id, seq, count, at, player_id, command_id, CAST(payload AS TEXT) AS payload, hash
    FROM commits WHERE match_id = place.id AND seq >= place.since ORDER BY seq
) AS found";

/// The commits of each of these matches from a sequence number on, oldest first.
pub(super) async fn load(pool: &PgPool, places: &[(Uuid, u64)]) -> Result<Vec<QueryResult>, DbErr> {
    let (ids, since): (Vec<Uuid>, Vec<i64>) =
        places.iter().map(|(id, since)| (*id, super::signed(*since))).unzip();
    let rows = sqlx::query(LOAD).bind(ids).bind(since).fetch_all(pool).await;
    let rows = rows.map_err(|error| DbErr::Custom(error.to_string()))?;
    Ok(rows.into_iter().map(QueryResult::from).collect())
}

pub(super) async fn write(
    connection: &mut PgConnection,
    batch: &[Row],
) -> Result<Written, sqlx::Error> {
    if batch.iter().all(|it| it.summary.row.is_none() && it.summary.seats.is_empty()) {
        match write_moves(connection, batch).await {
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {}
            written => return written,
        }
    }
    write_all(connection, batch).await
}

/// The values of a column, for every commit of a batch.
macro_rules! commits {
    ($batch:ident, |$it:ident| $value:expr) => {
        $batch.iter().map(|$it| $value).collect::<Vec<_>>()
    };
}

/// Binds the columns of the log.
macro_rules! bind_commits {
    ($statement:expr, $batch:ident) => {
        sqlx::query($statement)
            .bind(commits!($batch, |it| it.commit.match_id))
            .bind(commits!($batch, |it| super::signed(it.commit.seq)))
            .bind(commits!($batch, |it| i32::try_from(it.commit.count).unwrap_or(i32::MAX)))
            .bind(commits!($batch, |it| it.commit.at.micros()))
            .bind(commits!($batch, |it| it.commit.player))
            .bind(commits!($batch, |it| it.commit.command_id))
            .bind(commits!($batch, |it| it.commit.payload.as_str()))
            .bind(commits!($batch, |it| it.commit.hash.as_slice()))
            .bind(commits!($batch, |it| it.summary.waiting))
    };
}

async fn write_moves(connection: &mut PgConnection, batch: &[Row]) -> Result<Written, sqlx::Error> {
    let answer = bind_commits!(WRITE_MOVES, batch).fetch_one(connection).await?;
    let pos = answer.try_get::<Option<i64>, _>(1)?.map(super::unsigned);
    Ok(Written { only: None, pos })
}

async fn write_all(connection: &mut PgConnection, batch: &[Row]) -> Result<Written, sqlx::Error> {
    macro_rules! matches {
        (|$it:ident, $row:ident| $value:expr) => {
            batch
                .iter()
                .filter_map(|$it| $it.summary.row.as_ref().map(|$row| $value))
                .collect::<Vec<_>>()
        };
    }
    macro_rules! seats {
        (|$it:ident, $seat:ident| $value:expr) => {
            batch
                .iter()
                .flat_map(|$it| $it.summary.seats.iter().map(move |$seat| $value))
                .collect::<Vec<_>>()
        };
    }
    let statement = bind_commits!(WRITE_ALL, batch)
        .bind(matches!(|it, _row| it.commit.match_id))
        .bind(matches!(|it, _row| it.commit.hash.as_slice()))
        .bind(matches!(|_it, row| row.game))
        .bind(matches!(|_it, row| row.status))
        .bind(matches!(|_it, row| row.public))
        .bind(matches!(|_it, row| row.seats))
        .bind(matches!(|_it, row| row.resigned))
        .bind(matches!(|_it, row| row.due_at))
        .bind(seats!(|it, _seat| it.commit.match_id))
        .bind(seats!(|it, _seat| it.commit.hash.as_slice()))
        .bind(seats!(|_it, seat| seat.seat))
        .bind(seats!(|_it, seat| seat.player))
        .bind(seats!(|_it, seat| seat.over));
    let answer = statement.fetch_one(&mut *connection).await?;
    let pos = answer.try_get::<Option<i64>, _>(1)?.map(super::unsigned);
    let count: i64 = answer.try_get(0)?;
    if usize::try_from(count).is_ok_and(|count| count == batch.len()) {
        return Ok(Written { only: None, pos });
    }
    let rows = sqlx::query(STANDING)
        .bind(commits!(batch, |it| it.commit.match_id))
        .bind(commits!(batch, |it| super::signed(it.commit.seq)))
        .fetch_all(&mut *connection)
        .await?;
    let standing = rows.iter().map(|row| row.try_get(0)).collect::<Result<HashSet<_>, _>>()?;
    Ok(Written { only: Some(standing), pos })
}
