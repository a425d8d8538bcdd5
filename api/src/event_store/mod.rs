//! The log of all matches. Nothing outside this module knows SQL on commits.
//!
//! The primary key (match, sequence number) is the compare-and-swap: of two commits for the same place one is written, and
//! the other one is told that it lost. The summary of a match is written in the same transaction.

use domain::{
    matches::{Commit, Match, Status, Visibility},
    seat::Seat,
    time::Timestamp,
};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, QueryResult, Statement,
    TransactionTrait, Value,
};
use uuid::Uuid;

use crate::store::writing;

/// The log.
#[derive(Debug, Clone)]
pub struct EventStore {
    db: DatabaseConnection,
    backend: DbBackend,
}

/// What became of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is in the log.
    Written,
    /// Another commit stands in its place.
    Lost,
}

const COLUMNS: &str =
    "match_id, seq, count, at, player_id, command_id, CAST(payload AS TEXT) AS payload, hash";

/// How often a transaction is tried again after the database gave up on it for its own reasons.
const TRIES: usize = 4;

impl EventStore {
    /// The log in this database.
    #[must_use]
    pub fn new(db: DatabaseConnection) -> Self {
        let backend = db.get_database_backend();
        Self { db, backend }
    }

    /// Whether other processes may write to the same log.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.backend == DbBackend::Postgres
    }

    /// Writes a commit, and what is known of the match after it.
    ///
    /// # Errors
    /// When the store cannot be reached; whether the commit was written is then unknown, and the same commit may be sent
    /// again: its key decides.
    pub async fn append(&self, commit: &Commit, after: &Match) -> Result<Appended, DbErr> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.try_append(commit, after).await {
                Err(error) if tries < TRIES && is_passing(&error) => {}
                answer => return answer,
            }
        }
    }

    async fn try_append(&self, commit: &Commit, after: &Match) -> Result<Appended, DbErr> {
        let work = self.db.begin_with_options(writing()).await?;
        let payload = match self.backend {
            DbBackend::Postgres => "$7::json",
            _ => "$7",
        };
        let written = work
            .execute_raw(self.statement(
                &format!(
                    "INSERT INTO commits (match_id, seq, count, at, player_id, command_id, payload, hash) \
                     VALUES ($1, $2, $3, $4, $5, $6, {payload}, $8) ON CONFLICT DO NOTHING"
                ),
                [
                    commit.match_id.into(),
                    signed(commit.seq).into(),
                    i64::from(commit.count).into(),
                    commit.at.micros().into(),
                    commit.player.into(),
                    commit.command_id.into(),
                    commit.payload.as_str().into(),
                    commit.hash.to_vec().into(),
                ],
            ))
            .await?;
        if written.rows_affected() == 0 {
            work.rollback().await?;
            return Ok(Appended::Lost);
        }
        for statement in self.summary(after, commit.seq == 0) {
            work.execute_raw(statement).await?;
        }
        work.commit().await?;
        Ok(Appended::Written)
    }

    /// Brings the summary of a match up to date.
    fn summary(&self, after: &Match, is_new: bool) -> Vec<Statement> {
        let id: Value = after.id().into();
        let version: Value = signed(after.version()).into();
        let status: Value = after.status().id().into();
        let updated_at: Value = after.updated_at().micros().into();
        let mut statements = vec![if is_new {
            self.statement(
                "INSERT INTO matches (id, game, status, public, seats, version, updated_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
                [
                    id.clone(),
                    after.game().info().key.into(),
                    status,
                    (after.visibility() == Visibility::Public).into(),
                    i16::from(after.seat_count()).into(),
                    version,
                    updated_at,
                ],
            )
        } else {
            self.statement(
                "UPDATE matches SET status = $2, version = $3, updated_at = $4 WHERE id = $1",
                [id.clone(), status, version, updated_at],
            )
        }];
        let waiting = after.to_act();
        for seat in Seat::all(after.seat_count()) {
            let number: Value = i16::from(seat.number()).into();
            match after.sitter(seat) {
                Some(sitter) => statements.push(self.statement(
                    "INSERT INTO match_seats (match_id, seat, player_id, waiting, resigned) \
                     VALUES ($1, $2, $3, $4, $5) \
                     ON CONFLICT (match_id, seat) DO UPDATE SET player_id = excluded.player_id, \
                     waiting = excluded.waiting, resigned = excluded.resigned \
                     WHERE match_seats.waiting <> excluded.waiting \
                        OR match_seats.resigned <> excluded.resigned \
                        OR match_seats.player_id <> excluded.player_id",
                    [
                        id.clone(),
                        number,
                        sitter.player.into(),
                        waiting.contains(seat).into(),
                        sitter.resigned.into(),
                    ],
                )),
                None if after.status() == Status::Open || after.status() == Status::Abandoned => {
                    statements.push(self.statement(
                        "DELETE FROM match_seats WHERE match_id = $1 AND seat = $2",
                        [id.clone(), number],
                    ));
                }
                None => {}
            }
        }
        statements
    }

    /// The commits of a match from a sequence number on, oldest first.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn load(&self, match_id: Uuid, from: u64) -> Result<Vec<Commit>, DbErr> {
        let statement = self.statement(
            &format!(
                "SELECT {COLUMNS} FROM commits WHERE match_id = $1 AND seq >= $2 ORDER BY seq"
            ),
            [match_id.into(), signed(from).into()],
        );
        self.db.query_all_raw(statement).await?.iter().map(read).collect()
    }

    /// Whether the store answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), DbErr> {
        self.db.query_one_raw(self.statement("SELECT 1 AS one", [])).await.map(drop)
    }

    fn statement<const N: usize>(&self, sql: &str, values: [Value; N]) -> Statement {
        Statement::from_sql_and_values(self.backend, sql, values)
    }
}

fn read(row: &QueryResult) -> Result<Commit, DbErr> {
    let hash: Vec<u8> = row.try_get("", "hash")?;
    Ok(Commit {
        match_id: row.try_get("", "match_id")?,
        seq: unsigned(row.try_get("", "seq")?),
        count: u32::try_from(row.try_get::<i32>("", "count")?).unwrap_or_default(),
        at: Timestamp::from_micros(row.try_get("", "at")?),
        player: row.try_get("", "player_id")?,
        command_id: row.try_get("", "command_id")?,
        payload: row.try_get("", "payload")?,
        hash: hash.try_into().map_err(|_| DbErr::Custom("a hash has 32 bytes".to_owned()))?,
    })
}

/// Serialisation failures and deadlocks: the same transaction may well go through the next time.
fn is_passing(error: &DbErr) -> bool {
    let text = error.to_string();
    ["40001", "40P01", "deadlock detected", "could not serialize", "database is locked"]
        .iter()
        .any(|sign| text.contains(sign))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
