//! A batch on Postgres: one statement, one round trip, one flush of the disk.
//!
//! The parts run in an order that cannot deadlock: the counter of the lane is taken only after all keys have been, because it
//! depends on their number.

use std::collections::HashSet;

use sea_orm::{DbErr, QueryResult, RuntimeErr};
use sqlx::{
    PgConnection, Postgres, Row as _,
    postgres::{PgArguments, PgRow},
    query::Query,
};
use uuid::Uuid;

use super::{
    EntryId, FeedPosition,
    summary::{MatchRow, SeatRow},
    writer::{Audience, Row, Written},
};
use crate::{Connection, Db, error, lane::Lane, layout::Feeds};

/// The statement that writes a batch. Its parts: what to do if a key is taken, what to return of each written commit, what is
/// written besides the log, the entry of the feed, and whether to notify other followers.
macro_rules! statement {
    ($taken:literal, $returned:literal, $besides:expr, $entry:literal, $notify:literal) => {
        concat!(
            "
WITH written AS (
    INSERT INTO commits (lane, match_id, seq, count, at, player_id, command_id, payload, hash, waiting, life)
    SELECT lane, match_id, seq, count, at, player_id, command_id, payload::json, hash, waiting, life FROM unnest(
        $1::int2[], $2::uuid[], $3::int8[], $4::int4[], $5::int8[], $6::uuid[], $7::uuid[], $8::text[], $9::bytea[], $10::int2[],
        $11::bool[]
    ) AS input(lane, match_id, seq, count, at, player_id, command_id, payload, hash, waiting, life)
    ",
            $taken,
            " RETURNING ",
            $returned,
            "
), ",
            $besides,
            "lane AS (
    UPDATE lanes SET pos = pos + 1 WHERE lane = 0 AND (SELECT count(*) FROM written) > 0 RETURNING pos
), fed AS (
    INSERT INTO feed (lane, pos, commits) SELECT 0, pos, ",
            $entry,
            " FROM lane
)
SELECT (SELECT count(*) FROM written), (SELECT pos FROM lane),
    (SELECT pg_notify('telar_feed', pos::text) FROM lane WHERE ",
            $notify,
            ")::text"
        )
    };
}

/// The summaries of matches and seats, for the selected commits of the batch.
macro_rules! summaries {
    ($of:literal) => {
        concat!(
            "summarised AS (
    INSERT INTO matches (lane, id, game, status, public, seats, resigned, due_at)
    SELECT lane, match_id, game, status, public, seats, resigned, due_at
    FROM unnest(
        $12::int2[], $13::uuid[], $14::bytea[], $15::text[], $16::text[], $17::bool[], $18::int2[], $19::int2[], $20::int8[]
    ) AS input(lane, match_id, hash, game, status, public, seats, resigned, due_at)
    ",
            $of,
            "
    ON CONFLICT (lane, id) DO UPDATE SET
        status = excluded.status, resigned = excluded.resigned, due_at = excluded.due_at
), seated AS (
    INSERT INTO match_seats (lane, match_id, seat, player_id, over)
    SELECT lane, match_id, seat, player_id, over
    FROM unnest($21::int2[], $22::uuid[], $23::bytea[], $24::int2[], $25::uuid[], $26::bool[])
        AS input(lane, match_id, hash, seat, player_id, over)
    ",
            $of,
            "
    ON CONFLICT (lane, match_id, seat) DO UPDATE SET player_id = excluded.player_id, over = excluded.over
), "
        )
    };
}

/// These fail as a whole if any key is taken. They are tried first, because they cost less and keys are rarely contended. Moves
/// alone change nothing but the log.
const WRITE_MOVES: &str = statement!("", "1", "", "$12::bytea", "$13::bool");
const WRITE_WHOLE: &str = statement!("", "1", summaries!(""), "$27::bytea", "$28::bool");
/// Writes those commits whose keys are free.
const WRITE_FREE: &str = statement!(
    "ON CONFLICT DO NOTHING",
    "lane, match_id, seq, hash",
    summaries!("JOIN written USING (lane, match_id, hash)"),
    "(SELECT string_agg(uuid_send(match_id) || int8send(seq), ''::bytea) FROM written)",
    "$27::bool"
);

/// Writes the commits of one lane: see `write_lane.sql`.
const WRITE_LANE: &str = "
SELECT telar_write_lane(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25
)";

/// The hashes of the commits that hold the keys of a batch.
const HOLDERS: &str = "
SELECT hash FROM commits
JOIN unnest($1::int2[], $2::uuid[], $3::int8[]) AS key(lane, match_id, seq) USING (lane, match_id, seq)";

/// The inner query is ordered, so that Postgres runs it once per match, by the primary key, however many commits there are.
const LOAD: &str = "
SELECT found.* FROM unnest($1::int2[], $2::uuid[], $3::int8[]) AS start(lane, id, since), LATERAL (
    SELECT match_id, seq, count, at, player_id, command_id, CAST(payload AS TEXT) AS payload, hash
    FROM commits WHERE lane = start.lane AND match_id = start.id AND seq >= start.since ORDER BY seq
) AS found";

/// The commits of each of these matches from a sequence number on, oldest first.
pub(super) async fn load(db: &Db, starts: &[(Uuid, u64)]) -> Result<Vec<QueryResult>, DbErr> {
    read_keys(db, LOAD, starts).await
}

const MISSING: &str = "
SELECT match_id, seq FROM unnest($1::int2[], $2::uuid[], $3::int8[]) AS key(lane, match_id, seq)
WHERE NOT EXISTS (
    SELECT FROM commits WHERE commits.lane = key.lane AND commits.match_id = key.match_id AND commits.seq = key.seq
)";

/// The keys that no commit has.
pub(super) async fn missing(db: &Db, keys: &[(Uuid, u64)]) -> Result<Vec<QueryResult>, DbErr> {
    read_keys(db, MISSING, keys).await
}

/// Runs a query that takes lanes, match ids and sequence numbers.
async fn read_keys(
    db: &Db,
    sql: &'static str,
    keys: &[(Uuid, u64)],
) -> Result<Vec<QueryResult>, DbErr> {
    let all_lanes = db.lanes();
    let lanes = column(keys, |(id, _)| all_lanes.of(*id).column());
    let ids = column(keys, |(id, _)| *id);
    let numbers = column(keys, |(_, number)| super::signed(*number));
    let pool = db.get_postgres_connection_pool();
    let rows = db.run(sql, || async {
        let rows = sqlx::query(sql).bind(&lanes).bind(&ids).bind(&numbers).fetch_all(pool).await;
        rows.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))
    });
    Ok(rows.await?.into_iter().map(QueryResult::from).collect())
}

const HEADS: &str = "SELECT lane, pos FROM lanes WHERE lane = ANY ($1)";

/// The numbers of the last entries of these feeds.
pub(super) async fn heads(db: &Db, streams: &[Lane]) -> error::Result<Vec<(Lane, u64)>> {
    let streams = column(streams, |stream| stream.column());
    let pool = db.get_postgres_connection_pool();
    let rows = db.run(HEADS, || async {
        let rows = sqlx::query(HEADS).bind(&streams).fetch_all(pool).await;
        rows.map_err(|error| DbErr::Query(RuntimeErr::SqlxError(error.into())))
    });
    let read =
        |row: PgRow| Ok((Lane::from_column(row.try_get(0)?)?, super::unsigned(row.try_get(1)?)?));
    rows.await?.into_iter().map(read).collect()
}

pub(super) async fn write(
    connection: &mut PgConnection,
    feeds: Feeds,
    batch: &[Row],
    audience: Audience,
) -> Result<Written, sqlx::Error> {
    match feeds {
        Feeds::Shared => write_shared(connection, batch, audience).await,
        Feeds::PerLane => write_lane(connection, batch, audience).await,
    }
}

/// Writes a batch whose commits belong to one lane.
async fn write_lane(
    connection: &mut PgConnection,
    batch: &[Row],
    audience: Audience,
) -> Result<Written, sqlx::Error> {
    let Some(lane) = batch.first().map(|it| it.lane) else {
        return Ok(Written { only: None, pos: None });
    };
    let mut answer = call_write_lane(connection, lane, batch, false).await;
    if matches!(&answer, Err(sqlx::Error::Database(error)) if error.is_unique_violation()) {
        answer = call_write_lane(connection, lane, batch, true).await;
    }
    let (count, number) = answer?;
    let pos = (number > 0).then_some(EntryId { stream: lane, number });
    if let Some(entry) = pos.filter(|_| audience == Audience::Others) {
        // Sent by itself: the function may have run on another node, whose notifications nobody hears. It is a hint: if it is
        // lost, others poll.
        let text = FeedPosition::START.with(entry).to_string();
        sqlx::query("SELECT pg_notify('telar_feed', $1)")
            .bind(text)
            .execute(&mut *connection)
            .await?;
    }
    let only = if count == batch.len() { None } else { Some(holders(connection, batch).await?) };
    Ok(Written { only, pos })
}

/// How many commits were written, and the number of their entry.
async fn call_write_lane(
    connection: &mut PgConnection,
    lane: Lane,
    batch: &[Row],
    contended: bool,
) -> Result<(usize, u64), sqlx::Error> {
    let statement = sqlx::query(WRITE_LANE).bind(lane.column()).bind(contended);
    let statement = bind_columns(statement, batch);
    let (matches, seats) = summaries(batch);
    let statement = bind_seats(bind_matches(statement, &matches), &seats);
    let answer = statement.fetch_one(connection).await?;
    let numbers: Vec<i64> = answer.try_get(0)?;
    let unreadable = || sqlx::Error::Decode("telar_write_lane answers with two numbers".into());
    let [count, number] = numbers.try_into().map_err(|_| unreadable())?;
    let count = usize::try_from(count).map_err(|_| unreadable())?;
    Ok((count, u64::try_from(number).map_err(|_| unreadable())?))
}

async fn write_shared(
    connection: &mut PgConnection,
    batch: &[Row],
    audience: Audience,
) -> Result<Written, sqlx::Error> {
    match write_whole(connection, batch, audience).await {
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            write_free(connection, batch, audience).await
        }
        written => written,
    }
}

async fn write_whole(
    connection: &mut PgConnection,
    batch: &[Row],
    audience: Audience,
) -> Result<Written, sqlx::Error> {
    let statement = if batch.iter().all(|it| it.summary.is_unchanged()) {
        bind_commits(WRITE_MOVES, batch)
    } else {
        bind_summaries(bind_commits(WRITE_WHOLE, batch), batch)
    };
    let entry: Vec<u8> = batch.iter().flat_map(|it| super::feed::encode_key(&it.commit)).collect();
    let answer =
        statement.bind(entry).bind(audience == Audience::Others).fetch_one(connection).await?;
    Ok(Written { only: None, pos: read_pos(&answer)? })
}

async fn write_free(
    connection: &mut PgConnection,
    batch: &[Row],
    audience: Audience,
) -> Result<Written, sqlx::Error> {
    let statement = bind_summaries(bind_commits(WRITE_FREE, batch), batch);
    let answer = statement.bind(audience == Audience::Others).fetch_one(&mut *connection).await?;
    let pos = read_pos(&answer)?;
    let count: i64 = answer.try_get(0)?;
    if usize::try_from(count).is_ok_and(|count| count == batch.len()) {
        return Ok(Written { only: None, pos });
    }
    Ok(Written { only: Some(holders(connection, batch).await?), pos })
}

/// The hashes of the commits that hold the keys of a batch.
async fn holders(
    connection: &mut PgConnection,
    batch: &[Row],
) -> Result<HashSet<Vec<u8>>, sqlx::Error> {
    let rows = sqlx::query(HOLDERS)
        .bind(column(batch, |it| it.lane.column()))
        .bind(column(batch, |it| it.commit.match_id))
        .bind(column(batch, |it| super::signed(it.commit.seq)))
        .fetch_all(&mut *connection)
        .await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

fn read_pos(answer: &PgRow) -> Result<Option<EntryId>, sqlx::Error> {
    let pos: Option<i64> = answer.try_get(1)?;
    let number = pos.map(super::unsigned).transpose();
    let number = number.map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(number.map(|number| EntryId { stream: Lane::FIRST, number }))
}

type Statement = Query<'static, Postgres, PgArguments>;

fn bind_commits(statement: &'static str, batch: &[Row]) -> Statement {
    bind_columns(sqlx::query(statement).bind(column(batch, |it| it.lane.column())), batch)
}

/// Binds the columns of commits, all but the lane.
fn bind_columns(statement: Statement, batch: &[Row]) -> Statement {
    statement
        .bind(column(batch, |it| it.commit.match_id))
        .bind(column(batch, |it| super::signed(it.commit.seq)))
        .bind(column(batch, |it| super::count_column(&it.commit)))
        .bind(column(batch, |it| it.commit.at.micros()))
        .bind(column(batch, |it| it.commit.player))
        .bind(column(batch, |it| it.commit.command_id))
        .bind(column(batch, Row::payload))
        .bind(column(batch, |it| it.commit.hash.as_slice()))
        .bind(column(batch, |it| it.summary.waiting))
        .bind(column(batch, |it| it.commit.has_life()))
}

type MatchRows<'a> = Vec<(&'a Row, &'a MatchRow)>;
type SeatRows<'a> = Vec<(&'a Row, &'a SeatRow)>;

/// The changed summaries of a batch: of matches and of seats.
fn summaries(batch: &[Row]) -> (MatchRows<'_>, SeatRows<'_>) {
    let matches = batch.iter().filter_map(|it| Some((it, it.summary.row.as_ref()?)));
    let seats = batch.iter().flat_map(|it| it.summary.seats.iter().map(move |seat| (it, seat)));
    (matches.collect(), seats.collect())
}

fn bind_summaries(statement: Statement, batch: &[Row]) -> Statement {
    let (matches, seats) = summaries(batch);
    let statement = statement.bind(column(&matches, |(it, _)| it.lane.column()));
    let statement = bind_matches(statement, &matches);
    bind_seats(statement.bind(column(&seats, |(it, _)| it.lane.column())), &seats)
}

/// Binds the columns of the summaries of matches, all but the lane.
fn bind_matches(statement: Statement, matches: &MatchRows<'_>) -> Statement {
    statement
        .bind(column(matches, |(it, _)| it.commit.match_id))
        .bind(column(matches, |(it, _)| it.commit.hash.as_slice()))
        .bind(column(matches, |(_, row)| row.game))
        .bind(column(matches, |(_, row)| row.status))
        .bind(column(matches, |(_, row)| row.public))
        .bind(column(matches, |(_, row)| row.seats))
        .bind(column(matches, |(_, row)| row.resigned))
        .bind(column(matches, |(_, row)| row.due_at))
}

/// Binds the columns of the summaries of seats, all but the lane.
fn bind_seats(statement: Statement, seats: &SeatRows<'_>) -> Statement {
    statement
        .bind(column(seats, |(it, _)| it.commit.match_id))
        .bind(column(seats, |(it, _)| it.commit.hash.as_slice()))
        .bind(column(seats, |(_, seat)| seat.seat))
        .bind(column(seats, |(_, seat)| seat.player))
        .bind(column(seats, |(_, seat)| seat.over))
}

/// The values of a column.
fn column<'a, R, T>(rows: &'a [R], value: impl FnMut(&'a R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}
