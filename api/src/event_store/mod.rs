//! The log of all matches. Nothing outside this module knows SQL on commits.
//!
//! The primary key (match, sequence number) is the compare-and-swap: of two commits for the same place one is written, and
//! the other one is told that it lost. One task writes everything that is waiting in one transaction, together with the
//! summaries of the matches and an entry in the ordered feed; only then are the callers answered.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use domain::{
    matches::{Commit, Match, Status},
    seat::SeatSet,
    time::Timestamp,
};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, QueryResult, Statement, Value,
};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

mod postgres;
mod sqlite;
mod summary;
mod writer;

use summary::Summary;
use writer::{Desk, Row, Tell, Waiter};

/// How many commits may wait to be written; more are refused at once.
const QUEUE: usize = 8_192;

/// How many matches are asked for at once.
const IDS: usize = 500;

/// The log.
#[derive(Debug, Clone)]
pub struct EventStore {
    db: DatabaseConnection,
    backend: DbBackend,
    queue: mpsc::Sender<(Row, Waiter)>,
    company: Arc<Company>,
}

/// What the one who writes the log and the one who follows it tell one another.
#[derive(Debug, Default)]
pub struct Company {
    /// The entries of the feed that this process has written itself and not followed yet.
    own: Mutex<BTreeSet<u64>>,
    /// Whether nobody else follows the feed.
    alone: AtomicBool,
}

/// More than this many are forgotten: then nobody follows.
const OWN_BATCHES: usize = 10_000;

impl Company {
    fn wrote(&self, pos: u64) {
        if let Ok(mut own) = self.own.lock() {
            own.insert(pos);
            if own.len() > OWN_BATCHES {
                own.pop_first();
            }
        }
    }

    /// How far the feed goes on after `pos` with entries of our own.
    #[must_use]
    pub fn follow(&self, mut pos: u64) -> u64 {
        let Ok(mut own) = self.own.lock() else { return pos };
        while let Some(next) = own.first().copied().filter(|next| *next <= pos + 1) {
            own.pop_first();
            pos = pos.max(next);
        }
        pos
    }

    fn is_alone(&self) -> bool {
        self.alone.load(Ordering::Relaxed)
    }

    /// Says whether somebody else follows the feed. Where nobody does, nobody is told that it has grown: a notification costs
    /// Postgres and us about as much as a move.
    pub fn set_alone(&self, alone: bool) {
        self.alone.store(alone, Ordering::Relaxed);
    }
}

/// What became of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    /// It is in the log.
    Written,
    /// Another commit stands in its place.
    Lost,
}

/// A match as a whole, to be written at once.
#[derive(Debug)]
pub struct Whole {
    /// Its log, oldest first.
    pub commits: Vec<Commit>,
    /// The match after them.
    pub table: Match,
}

/// How a match stands, by its last commit.
#[derive(Debug, Clone)]
pub struct Head {
    /// How many events there are.
    pub version: u64,
    /// When the last ones happened.
    pub at: Timestamp,
    /// The hash of the last commit.
    pub hash: [u8; 32],
    /// The seats that the match waits for.
    pub waiting: SeatSet,
}

/// Whether the match of a row of `match_seats` waits for the seat in it.
pub const WAITS_FOR_SEAT: &str = "((SELECT waiting FROM commits WHERE commits.match_id = match_seats.match_id \
     ORDER BY commits.seq DESC LIMIT 1) >> match_seats.seat) & 1 = 1";

/// Why a commit was not written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AppendError {
    /// Too many wait already; nothing was written.
    #[error("too many commits wait to be written")]
    Busy,
    /// The store cannot be reached; whether the commit was written is unknown. The same commit may be sent again: its key
    /// decides.
    #[error("{0}")]
    Store(String),
}

/// An entry of the feed: the commits of one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEntry {
    /// Its position; the next entry has the next one.
    pub pos: u64,
    /// Match and sequence number of each commit.
    pub commits: Vec<(Uuid, u64)>,
}

const COLUMNS: &str =
    "match_id, seq, count, at, player_id, command_id, CAST(payload AS TEXT) AS payload, hash";

impl EventStore {
    /// The log in this database, and the task that writes it.
    #[must_use]
    pub fn start(db: DatabaseConnection) -> Self {
        let backend = db.get_database_backend();
        let (queue, waiting) = mpsc::channel(QUEUE);
        let company = Arc::<Company>::default();
        tokio::spawn(writer::run(db.clone(), waiting, Arc::clone(&company)));
        Self { db, backend, queue, company }
    }

    /// Whether other processes may write to the same log.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.backend == DbBackend::Postgres
    }

    /// The database behind the log.
    #[must_use]
    pub fn database(&self) -> &DatabaseConnection {
        &self.db
    }

    /// Writes a commit, and what is known of the match after it. `then` runs as soon as the commit stands in the log, even if
    /// whoever asked for it has gone away by then.
    pub async fn append(
        &self,
        commit: Commit,
        before: Option<&Match>,
        after: &Match,
        then: impl FnOnce() + Send + 'static,
    ) -> Result<Appended, AppendError> {
        let (answer, written) = oneshot::channel();
        let row = Row { commit, summary: Summary::of(before, after) };
        let waiter = Waiter { answer, then: Box::new(then) };
        self.queue.try_send((row, waiter)).map_err(|_| AppendError::Busy)?;
        written.await.map_err(|_| AppendError::Store("the writer has ended".to_owned()))?
    }

    /// Writes whole logs at once, past the queue. A log that stands there already counts as written; where another one stands
    /// under the same id, nothing of the new one is written, and it is lost.
    pub async fn import(&self, logs: Vec<Whole>) -> Result<Vec<Appended>, DbErr> {
        let ids: Vec<Uuid> = logs.iter().map(|log| log.table.id()).collect();
        let standing = self.heads(&ids).await?;
        let fates = logs.iter().map(|log| match standing.get(&log.table.id()) {
            Some(head) if head.hash != *log.table.hash() => Appended::Lost,
            _ => Appended::Written,
        });
        let fates: Vec<Appended> = fates.collect();
        let mut rows: Vec<Row> = logs
            .into_iter()
            .filter(|log| !standing.contains_key(&log.table.id()))
            .flat_map(|Whole { commits, table }| {
                let end = commits.len().saturating_sub(1);
                commits.into_iter().enumerate().map(move |(index, commit)| {
                    let is_end = index == end;
                    let summary =
                        if is_end { Summary::of(None, &table) } else { Summary::nothing() };
                    Row { commit, summary }
                })
            })
            .collect();
        rows.sort_unstable_by_key(|row| (row.commit.match_id, row.commit.seq));
        if !rows.is_empty() {
            let written = Desk::new(&self.db).write(&rows, Tell::Others).await;
            written.map_err(|error| DbErr::Custom(error.to_string()))?;
        }
        Ok(fates)
    }

    /// How these matches stand, by their last commits.
    pub async fn heads(&self, ids: &[Uuid]) -> Result<HashMap<Uuid, Head>, DbErr> {
        let mut heads = HashMap::with_capacity(ids.len());
        for ids in ids.chunks(1_000) {
            let places: Vec<String> = (1..=ids.len()).map(|n| format!("${n}")).collect();
            let statement = Statement::from_sql_and_values(
                self.backend,
                format!(
                    "SELECT last.match_id, last.seq + last.count AS version, last.at, last.hash, last.waiting \
                     FROM (SELECT id, (SELECT max(seq) FROM commits WHERE match_id = id) AS seq \
                           FROM matches WHERE id IN ({})) AS head \
                     JOIN commits AS last ON last.match_id = head.id AND last.seq = head.seq",
                    places.join(", ")
                ),
                ids.iter().map(|id| (*id).into()),
            );
            for row in &self.db.query_all_raw(statement).await? {
                heads.insert(row.try_get("", "match_id")?, read_head(row)?);
            }
        }
        Ok(heads)
    }

    /// The commits of a match from a sequence number on, oldest first.
    pub async fn load(&self, match_id: Uuid, from: u64) -> Result<Vec<Commit>, DbErr> {
        let statement = self.statement(
            &format!(
                "SELECT {COLUMNS} FROM commits WHERE match_id = $1 AND seq >= $2 ORDER BY seq"
            ),
            [match_id.into(), signed(from).into()],
        );
        self.db.query_all_raw(statement).await?.iter().map(read).collect()
    }

    /// The commits of each of these matches from a sequence number on, oldest first; on a shared store, where one question has to
    /// do for many matches.
    pub async fn load_many(
        &self,
        places: &[(Uuid, u64)],
    ) -> Result<HashMap<Uuid, Vec<Commit>>, DbErr> {
        let mut loaded: HashMap<Uuid, Vec<Commit>> = HashMap::with_capacity(places.len());
        for places in places.chunks(IDS) {
            let pool = self.db.get_postgres_connection_pool();
            for row in postgres::load(pool, places).await? {
                let commit = read(&row)?;
                loaded.entry(commit.match_id).or_default().push(commit);
            }
        }
        Ok(loaded)
    }

    /// The commit of a match at a sequence number.
    pub async fn commit(&self, match_id: Uuid, seq: u64) -> Result<Option<Commit>, DbErr> {
        let statement = self.statement(
            &format!("SELECT {COLUMNS} FROM commits WHERE match_id = $1 AND seq = $2"),
            [match_id.into(), signed(seq).into()],
        );
        self.db.query_one_raw(statement).await?.as_ref().map(read).transpose()
    }

    /// Of each of these matches the commits that hold more than events of its game: what [`Match::fold_life`] needs.
    pub async fn lives(&self, ids: &[Uuid]) -> Result<HashMap<Uuid, Vec<Commit>>, DbErr> {
        let [life, automatic] = Commit::LIFE_MARKS;
        let mut lives: HashMap<Uuid, Vec<Commit>> = HashMap::with_capacity(ids.len());
        for ids in ids.chunks(IDS) {
            let sql = format!(
                "SELECT {COLUMNS} FROM commits WHERE match_id IN ({}) \
                 AND (CAST(payload AS TEXT) LIKE '%{life}%' OR CAST(payload AS TEXT) LIKE '%{automatic}%') \
                 ORDER BY match_id, seq",
                places(ids.len()),
            );
            for row in self.db.query_all_raw(self.list(&sql, ids)).await? {
                let commit = read(&row)?;
                lives.entry(commit.match_id).or_default().push(commit);
            }
        }
        Ok(lives)
    }

    /// Those of these matches that are over, with the sequence number of the commit that ended them.
    pub async fn ended(&self, ids: &[Uuid]) -> Result<Vec<(Uuid, u64)>, DbErr> {
        let mut ended = Vec::new();
        for ids in ids.chunks(IDS) {
            let sql = format!(
                "SELECT id, (SELECT MAX(seq) FROM commits WHERE match_id = matches.id) AS seq \
                 FROM matches WHERE id IN ({}) AND status IN ('{}', '{}')",
                places(ids.len()),
                Status::Finished.id(),
                Status::Abandoned.id(),
            );
            for row in self.db.query_all_raw(self.list(&sql, ids)).await? {
                ended.push((row.try_get("", "id")?, unsigned(row.try_get("", "seq")?)));
            }
        }
        Ok(ended)
    }

    /// The feed after a position, oldest first, at most `limit` entries.
    pub async fn feed(&self, after: u64, limit: u64) -> Result<Vec<FeedEntry>, DbErr> {
        let statement = self.statement(
            "SELECT pos, commits FROM feed WHERE lane = 0 AND pos > $1 ORDER BY pos LIMIT $2",
            [signed(after).into(), signed(limit).into()],
        );
        self.db.query_all_raw(statement).await?.iter().map(read_entry).collect()
    }

    /// The position of the last entry of the feed.
    pub async fn feed_head(&self) -> Result<u64, DbErr> {
        let row = self
            .db
            .query_one_raw(self.statement("SELECT pos FROM lanes WHERE lane = 0", []))
            .await?;
        row.map_or(Ok(0), |row| row.try_get("", "pos").map(unsigned))
    }

    /// What the writer knows of the feed, and wants to know.
    #[must_use]
    pub fn company(&self) -> &Company {
        &self.company
    }

    /// Matches with a deadline at this time or before, the longest overdue first, after the last one of the page before.
    pub async fn due(
        &self,
        now: Timestamp,
        after: Option<(Timestamp, Uuid)>,
        limit: u64,
    ) -> Result<Vec<(Timestamp, Uuid)>, DbErr> {
        let (at, id) = after.unwrap_or((Timestamp::from_micros(i64::MIN), Uuid::nil()));
        let statement = self.statement(
            "SELECT due_at, id FROM matches \
             WHERE due_at IS NOT NULL AND due_at <= $1 AND (due_at, id) > ($2, $3) \
             ORDER BY due_at, id LIMIT $4",
            [now.micros().into(), at.micros().into(), id.into(), signed(limit).into()],
        );
        let rows = self.db.query_all_raw(statement).await?;
        rows.iter()
            .map(|row| {
                Ok((Timestamp::from_micros(row.try_get("", "due_at")?), row.try_get("", "id")?))
            })
            .collect()
    }

    /// The first deadline after this time.
    pub async fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>, DbErr> {
        let statement = self.statement(
            "SELECT due_at FROM matches WHERE due_at IS NOT NULL AND due_at > $1 ORDER BY due_at LIMIT 1",
            [now.micros().into()],
        );
        let row = self.db.query_one_raw(statement).await?;
        row.map(|row| row.try_get("", "due_at").map(Timestamp::from_micros)).transpose()
    }

    /// Whether the store answers.
    pub async fn ping(&self) -> Result<(), DbErr> {
        self.db.query_one_raw(self.statement("SELECT 1 AS one", [])).await.map(drop)
    }

    fn statement<const N: usize>(&self, sql: &str, values: [Value; N]) -> Statement {
        Statement::from_sql_and_values(self.backend, sql, values)
    }

    fn list(&self, sql: &str, ids: &[Uuid]) -> Statement {
        Statement::from_sql_and_values(self.backend, sql, ids.iter().map(|id| Value::from(*id)))
    }
}

/// `$1, $2, …`
fn places(count: usize) -> String {
    (1..=count).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
}

fn read_hash(row: &QueryResult) -> Result<[u8; 32], DbErr> {
    let hash: Vec<u8> = row.try_get("", "hash")?;
    hash.try_into().map_err(|_| DbErr::Custom("a hash has 32 bytes".to_owned()))
}

fn read_head(row: &QueryResult) -> Result<Head, DbErr> {
    Ok(Head {
        version: unsigned(row.try_get("", "version")?),
        at: Timestamp::from_micros(row.try_get("", "at")?),
        hash: read_hash(row)?,
        waiting: SeatSet::from_bits(
            u8::try_from(row.try_get::<i16>("", "waiting")?).unwrap_or_default(),
        ),
    })
}

fn read(row: &QueryResult) -> Result<Commit, DbErr> {
    Ok(Commit {
        match_id: row.try_get("", "match_id")?,
        seq: unsigned(row.try_get("", "seq")?),
        count: u32::try_from(row.try_get::<i32>("", "count")?).unwrap_or_default(),
        at: Timestamp::from_micros(row.try_get("", "at")?),
        player: row.try_get("", "player_id")?,
        command_id: row.try_get("", "command_id")?,
        payload: row.try_get("", "payload")?,
        hash: read_hash(row)?,
    })
}

/// What an entry of the feed says of a commit.
fn feed_place(commit: &Commit) -> impl Iterator<Item = u8> {
    commit.match_id.into_bytes().into_iter().chain(commit.seq.to_be_bytes())
}

fn read_entry(row: &QueryResult) -> Result<FeedEntry, DbErr> {
    let bytes: Vec<u8> = row.try_get("", "commits")?;
    let commits = bytes
        .as_chunks::<24>()
        .0
        .iter()
        .filter_map(|entry| {
            let (id, seq) = entry.split_first_chunk::<16>()?;
            Some((Uuid::from_bytes(*id), u64::from_be_bytes(seq.try_into().ok()?)))
        })
        .collect();
    Ok(FeedEntry { pos: unsigned(row.try_get("", "pos")?), commits })
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
