//! A batch on SQLite: one transaction, a few statements with many rows each.

use std::collections::HashSet;

use sqlx::{QueryBuilder, Row as _, Sqlite, SqlitePool};

use super::writer::{Row, Written};

/// SQLite binds at most 32,766 values per statement.
const ROWS: usize = 2_000;

/// The hash of the commit that holds a key.
const HOLDER: &str = "SELECT hash FROM commits WHERE lane = $1 AND match_id = $2 AND seq = $3";

pub(super) async fn write(pool: &SqlitePool, batch: &[Row]) -> Result<Written, sqlx::Error> {
    let mut work = pool.begin_with("BEGIN IMMEDIATE").await?;
    let mut hashes: HashSet<Vec<u8>> = HashSet::new();
    for batch in batch.chunks(ROWS) {
        let mut insert = QueryBuilder::<Sqlite>::new(
            "INSERT INTO commits (lane, match_id, seq, count, at, player_id, command_id, payload, hash, waiting, life) ",
        );
        insert.push_values(batch, |mut row, it| {
            row.push_bind(it.lane.column())
                .push_bind(it.commit.match_id)
                .push_bind(super::signed(it.commit.seq))
                .push_bind(super::count_column(&it.commit))
                .push_bind(it.commit.at.micros())
                .push_bind(it.commit.player)
                .push_bind(it.commit.command_id)
                .push_bind(it.payload())
                .push_bind(it.commit.hash.as_slice())
                .push_bind(it.summary.waiting)
                .push_bind(it.commit.has_life());
        });
        insert.push(" ON CONFLICT DO NOTHING RETURNING hash");
        let rows = insert.build().fetch_all(&mut *work).await?;
        for row in &rows {
            hashes.insert(row.try_get(0)?);
        }
    }
    let is_new = |row: &&Row| hashes.contains(row.commit.hash.as_slice());
    let (mut new, old): (Vec<&Row>, Vec<&Row>) = batch.iter().partition(is_new);
    // Batches are sorted by key, so a commit that was queued more than once stands next to itself.
    new.dedup_by_key(|row| row.commit.hash);
    summarise(&mut work, &new).await?;
    feed(&mut work, &new).await?;
    // A batch that is sent again after an error may find its own commits in the log.
    for row in old {
        let holder = sqlx::query(HOLDER)
            .bind(row.lane.column())
            .bind(row.commit.match_id)
            .bind(super::signed(row.commit.seq))
            .fetch_optional(&mut *work)
            .await?;
        if let Some(row) = holder {
            hashes.insert(row.try_get(0)?);
        }
    }
    work.commit().await?;
    Ok(Written { only: Some(hashes), pos: None })
}

async fn summarise(
    work: &mut sqlx::Transaction<'_, Sqlite>,
    new: &[&Row],
) -> Result<(), sqlx::Error> {
    let matches: Vec<_> =
        new.iter().filter_map(|it| it.summary.row.as_ref().map(|row| (*it, row))).collect();
    for rows in matches.chunks(ROWS) {
        let mut upsert = QueryBuilder::<Sqlite>::new(
            "INSERT INTO matches (lane, id, game, status, public, seats, resigned, due_at) ",
        );
        upsert.push_values(rows, |mut values, (it, row)| {
            values
                .push_bind(it.lane.column())
                .push_bind(it.commit.match_id)
                .push_bind(row.game)
                .push_bind(row.status)
                .push_bind(row.public)
                .push_bind(row.seats)
                .push_bind(row.resigned)
                .push_bind(row.due_at);
        });
        upsert.push(
            " ON CONFLICT (lane, id) DO UPDATE SET status = excluded.status, resigned = excluded.resigned, \
             due_at = excluded.due_at",
        );
        upsert.build().execute(&mut **work).await?;
    }
    let seats: Vec<_> =
        new.iter().flat_map(|it| it.summary.seats.iter().map(move |seat| (*it, seat))).collect();
    for rows in seats.chunks(ROWS) {
        let mut upsert = QueryBuilder::<Sqlite>::new(
            "INSERT INTO match_seats (lane, match_id, seat, player_id, over) ",
        );
        upsert.push_values(rows, |mut row, (it, seat)| {
            row.push_bind(it.lane.column())
                .push_bind(it.commit.match_id)
                .push_bind(seat.seat)
                .push_bind(seat.player)
                .push_bind(seat.over);
        });
        upsert.push(
            " ON CONFLICT (lane, match_id, seat) DO UPDATE SET player_id = excluded.player_id, over = excluded.over",
        );
        upsert.build().execute(&mut **work).await?;
    }
    Ok(())
}

async fn feed(work: &mut sqlx::Transaction<'_, Sqlite>, new: &[&Row]) -> Result<(), sqlx::Error> {
    if new.is_empty() {
        return Ok(());
    }
    let entry: Vec<u8> = new.iter().flat_map(|it| super::feed::encode_key(&it.commit)).collect();
    let row = sqlx::query("UPDATE lanes SET pos = pos + 1 WHERE lane = 0 RETURNING pos")
        .fetch_one(&mut **work)
        .await?;
    sqlx::query("INSERT INTO feed (lane, pos, commits) VALUES (0, $1, $2)")
        .bind(row.try_get::<i64, _>(0)?)
        .bind(entry)
        .execute(&mut **work)
        .await?;
    Ok(())
}
