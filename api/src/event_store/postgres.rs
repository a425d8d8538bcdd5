//! A batch on Postgres: one statement, one round trip, one flush of the disk.
//!
//! The parts run in an order that cannot deadlock: the counter of the lane is taken only after all keys have been, because it
//! depends on their number.

use sqlx::{PgPool, Row};
use uuid::Uuid;

use super::writer::{Waiting, Written};

const WRITE: &str = "
WITH input AS (
    SELECT * FROM unnest(
        $1::uuid[], $2::int8[], $3::int4[], $4::int8[], $5::uuid[], $6::uuid[], $7::text[], $8::bytea[],
        $9::text[], $10::text[], $11::bool[], $12::int2[], $13::int8[], $14::int2[], $15::int2[]
    ) AS input(
        match_id, seq, count, at, player_id, command_id, payload, hash,
        game, status, public, seats, version, waiting, resigned
    )
), written AS (
    INSERT INTO commits (match_id, seq, count, at, player_id, command_id, payload, hash)
    SELECT match_id, seq, count, at, player_id, command_id, payload::json, hash FROM input
    ON CONFLICT DO NOTHING
    RETURNING match_id, seq, hash
), created AS (
    INSERT INTO matches (id, game, status, public, seats, version, updated_at, waiting, resigned)
    SELECT match_id, game, status, public, seats, version, at, waiting, resigned
    FROM input JOIN written USING (match_id, seq, hash) WHERE seq = 0
), changed AS (
    UPDATE matches SET status = input.status, version = input.version, updated_at = input.at,
        waiting = input.waiting, resigned = input.resigned
    FROM input JOIN written USING (match_id, seq, hash)
    WHERE matches.id = match_id AND seq > 0
), seated AS (
    INSERT INTO match_seats (match_id, seat, player_id, over)
    SELECT match_id, seat, player_id, over
    FROM unnest($16::uuid[], $17::int8[], $18::bytea[], $19::int2[], $20::uuid[], $21::bool[])
        AS seat(match_id, seq, hash, seat, player_id, over)
    JOIN written USING (match_id, seq, hash)
    ON CONFLICT (match_id, seat) DO UPDATE SET player_id = excluded.player_id, over = excluded.over
), lane AS (
    UPDATE lanes SET pos = pos + 1 WHERE lane = 0 AND (SELECT count(*) FROM written) > 0 RETURNING pos
), fed AS (
    INSERT INTO feed (lane, pos, commits)
    SELECT 0, pos, (SELECT string_agg(uuid_send(match_id) || int8send(seq), ''::bytea) FROM written) FROM lane
)
SELECT hash, (SELECT pg_notify('telar_feed', pos::text) FROM lane)::text FROM written";

/// The rows that stand in the places of commits that were not written.
const STANDING: &str = "
SELECT hash FROM commits
JOIN unnest($1::uuid[], $2::int8[]) AS place(match_id, seq) USING (match_id, seq)";

pub(super) async fn write(pool: &PgPool, batch: &[Waiting]) -> Result<Written, sqlx::Error> {
    macro_rules! column {
        (|$waiting:ident| $value:expr) => {
            batch.iter().map(|$waiting| $value).collect::<Vec<_>>()
        };
    }
    macro_rules! seats {
        (|$waiting:ident, $seat:ident| $value:expr) => {
            batch
                .iter()
                .flat_map(|$waiting| $waiting.summary.changed.iter().map(move |$seat| $value))
                .collect::<Vec<_>>()
        };
    }
    let rows = sqlx::query(WRITE)
        .bind(column!(|it| it.commit.match_id))
        .bind(column!(|it| super::signed(it.commit.seq)))
        .bind(column!(|it| i32::try_from(it.commit.count).unwrap_or(i32::MAX)))
        .bind(column!(|it| it.commit.at.micros()))
        .bind(column!(|it| it.commit.player))
        .bind(column!(|it| it.commit.command_id))
        .bind(column!(|it| it.commit.payload.as_str()))
        .bind(column!(|it| it.commit.hash.as_slice()))
        .bind(column!(|it| it.summary.game))
        .bind(column!(|it| it.summary.status))
        .bind(column!(|it| it.summary.public))
        .bind(column!(|it| it.summary.seats))
        .bind(column!(|it| it.summary.version))
        .bind(column!(|it| it.summary.waiting))
        .bind(column!(|it| it.summary.resigned))
        .bind(seats!(|it, _seat| it.commit.match_id))
        .bind(seats!(|it, _seat| super::signed(it.commit.seq)))
        .bind(seats!(|it, _seat| it.commit.hash.as_slice()))
        .bind(seats!(|_it, seat| seat.seat))
        .bind(seats!(|_it, seat| seat.player))
        .bind(seats!(|_it, seat| seat.over))
        .fetch_all(pool)
        .await?;
    let mut written = rows.iter().map(|row| row.try_get(0)).collect::<Result<Written, _>>()?;
    if written.len() < batch.len() {
        let missing = || batch.iter().filter(|it| !written.contains(it.commit.hash.as_slice()));
        let rows = sqlx::query(STANDING)
            .bind(missing().map(|it| it.commit.match_id).collect::<Vec<Uuid>>())
            .bind(missing().map(|it| super::signed(it.commit.seq)).collect::<Vec<i64>>())
            .fetch_all(pool)
            .await?;
        for row in &rows {
            written.insert(row.try_get(0)?);
        }
    }
    Ok(written)
}
