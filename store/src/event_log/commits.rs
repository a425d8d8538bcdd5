//! Reading commits.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use domain::{
    matches::{Commit, Status},
    seat::SeatSet,
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, QueryResult, Statement, Value};
use uuid::Uuid;

use super::{EventLog, Head, IDS, places, postgres, seeds, signed, unsigned};
use crate::{
    archive::ArchivedMatch,
    error::{Error, Result},
};

/// Whether the match of a row of `match_seats` waits for the seat in it.
pub const WAITS_FOR_SEAT: &str = "((SELECT waiting FROM commits \
     WHERE commits.lane = match_seats.lane AND commits.match_id = match_seats.match_id \
     ORDER BY commits.seq DESC LIMIT 1) >> match_seats.seat) & 1 = 1";

const COLUMNS: &str =
    "match_id, seq, count, at, player_id, command_id, CAST(payload AS TEXT) AS payload, hash";

impl EventLog {
    /// The last commit of each of these matches, in short.
    pub async fn heads(&self, ids: &[Uuid]) -> Result<HashMap<Uuid, Head>> {
        let mut heads = HashMap::with_capacity(ids.len());
        for ids in ids.chunks(IDS) {
            let rows = self.db.query_all_raw(self.list(&heads_of(ids.len()), ids)).await?;
            heads.extend(read_heads(&rows)?);
        }
        let unknown: Vec<Uuid> = ids.iter().filter(|id| !heads.contains_key(id)).copied().collect();
        for (id, archived) in self.archived_heads(&unknown).await? {
            let ArchivedMatch { version, at, hash, .. } = archived;
            heads.insert(id, Head { version, at, hash, waiting: SeatSet::NONE });
        }
        Ok(heads)
    }

    /// The commits of a match from a sequence number on, oldest first.
    pub async fn load(&self, match_id: Uuid, from: u64) -> Result<Vec<Commit>> {
        let commits = self.load_stored(match_id, from).await?;
        if commits.is_empty() {
            return self.load_archived(match_id, |commit| commit.seq >= from).await;
        }
        Ok(commits)
    }

    /// The same, without the archive.
    pub(super) async fn load_stored(&self, match_id: Uuid, from: u64) -> Result<Vec<Commit>> {
        let statement = self.statement(
            &format!(
                "SELECT {COLUMNS} FROM commits WHERE lane = $1 AND match_id = $2 AND seq >= $3 ORDER BY seq"
            ),
            [self.lane_column(match_id), match_id.into(), signed(from).into()],
        );
        self.read_all(&self.db.query_all_raw(statement).await?)
    }

    /// The commits that contain the events of a match after one version and up to another, oldest first. No other row is read.
    pub async fn load_range(&self, match_id: Uuid, versions: Range<u64>) -> Result<Vec<Commit>> {
        let statement = self.statement(
            &format!(
                "SELECT {COLUMNS} FROM commits \
                 WHERE lane = $1 AND match_id = $2 AND seq < $4 AND seq + count > $3 AND seq >= \
                     (SELECT max(seq) FROM commits WHERE lane = $1 AND match_id = $2 AND seq <= $3) \
                 ORDER BY seq"
            ),
            [
                self.lane_column(match_id),
                match_id.into(),
                signed(versions.start).into(),
                signed(versions.end).into(),
            ],
        );
        let commits = self.read_all(&self.db.query_all_raw(statement).await?)?;
        if commits.is_empty() {
            let is_wanted =
                |commit: &Commit| commit.seq < versions.end && commit.version() > versions.start;
            return self.load_archived(match_id, is_wanted).await;
        }
        Ok(commits)
    }

    /// The commits of each of these matches from a sequence number on, oldest first. Only for a shared store: one query
    /// serves many matches.
    pub async fn load_many(&self, starts: &[(Uuid, u64)]) -> Result<HashMap<Uuid, Vec<Commit>>> {
        let mut loaded: HashMap<Uuid, Vec<Commit>> = HashMap::with_capacity(starts.len());
        for starts in starts.chunks(IDS) {
            for row in postgres::load(&self.db, starts).await? {
                let commit = self.read(&row)?;
                loaded.entry(commit.match_id).or_default().push(commit);
            }
        }
        let unknown = starts.iter().filter(|(id, _)| !loaded.contains_key(id));
        let unknown: HashMap<Uuid, u64> = unknown.copied().collect();
        let ids: Vec<Uuid> = unknown.keys().copied().collect();
        for (id, commits) in self.load_many_archived(&ids).await? {
            let newer = commits.iter().filter(|commit| commit.seq >= unknown[&id]).cloned();
            loaded.insert(id, newer.collect());
        }
        Ok(loaded)
    }

    /// The commit of a match at a sequence number.
    pub async fn commit(&self, match_id: Uuid, seq: u64) -> Result<Option<Commit>> {
        let statement = self.statement(
            &format!(
                "SELECT {COLUMNS} FROM commits WHERE lane = $1 AND match_id = $2 AND seq = $3"
            ),
            [self.lane_column(match_id), match_id.into(), signed(seq).into()],
        );
        match self.db.query_one_raw(statement).await? {
            Some(row) => self.read(&row).map(Some),
            None => Ok(self.load_archived(match_id, |commit| commit.seq == seq).await?.pop()),
        }
    }

    /// The commits of each of these matches that hold more than moves of its players: the input of
    /// [`Match::fold_life`](domain::matches::Match::fold_life).
    pub async fn lives(&self, ids: &[Uuid]) -> Result<HashMap<Uuid, Vec<Commit>>> {
        let mut lives: HashMap<Uuid, Vec<Commit>> = HashMap::with_capacity(ids.len());
        for ids in ids.chunks(IDS) {
            let sql = format!(
                "SELECT {COLUMNS} FROM commits WHERE (lane, match_id) IN (VALUES {}) AND life \
                 ORDER BY match_id, seq",
                places(ids.len(), 2),
            );
            for row in self.db.query_all_raw(self.list(&sql, ids)).await? {
                let commit = self.read(&row)?;
                lives.entry(commit.match_id).or_default().push(commit);
            }
        }
        // The first commit of every match creates it.
        let unknown: Vec<Uuid> = ids.iter().filter(|id| !lives.contains_key(id)).copied().collect();
        for (id, commits) in self.load_many_archived(&unknown).await? {
            lives.insert(id, commits.iter().filter(|commit| commit.has_life()).cloned().collect());
        }
        Ok(lives)
    }

    /// Those of these commits that hold more than moves of players, in no particular order.
    pub async fn life_commits(&self, keys: &[(Uuid, u64)]) -> Result<Vec<Commit>> {
        let mut found = Vec::new();
        for keys in keys.chunks(IDS) {
            let sql = format!(
                "SELECT {COLUMNS} FROM commits WHERE life AND (lane, match_id, seq) IN (VALUES {})",
                places(keys.len(), 3),
            );
            let values = keys.iter().flat_map(|(id, seq)| {
                [self.lane_column(*id), Value::from(*id), signed(*seq).into()]
            });
            let statement = Statement::from_sql_and_values(self.backend, &sql, values);
            for row in self.db.query_all_raw(statement).await? {
                found.push(self.read(&row)?);
            }
        }
        // A commit that was not found may hold moves only, or be archived.
        let seen: HashSet<(Uuid, u64)> = found.iter().map(|it| (it.match_id, it.seq)).collect();
        let unknown: HashSet<(Uuid, u64)> =
            keys.iter().filter(|key| !seen.contains(key)).copied().collect();
        let ids: HashSet<Uuid> = unknown.iter().map(|(id, _)| *id).collect();
        let ids: Vec<Uuid> = ids.into_iter().collect();
        for commits in self.load_many_archived(&ids).await?.values() {
            let is_wanted =
                |it: &&Commit| unknown.contains(&(it.match_id, it.seq)) && it.has_life();
            found.extend(commits.iter().filter(is_wanted).cloned());
        }
        Ok(found)
    }

    /// Those of these matches that are over, with the sequence number of the commit that ended them.
    pub async fn ended(&self, ids: &[Uuid]) -> Result<Vec<(Uuid, u64)>> {
        let mut ended = Vec::new();
        let mut elsewhere = Vec::new();
        for ids in ids.chunks(IDS) {
            let sql = format!(
                "SELECT id, (SELECT MAX(seq) FROM commits \
                     WHERE commits.lane = matches.lane AND match_id = matches.id) AS seq \
                 FROM matches WHERE (lane, id) IN (VALUES {}) AND status IN ('{}', '{}')",
                places(ids.len(), 2),
                Status::Finished.id(),
                Status::Abandoned.id(),
            );
            for row in self.db.query_all_raw(self.list(&sql, ids)).await? {
                let id = row.try_get("", "id")?;
                match row.try_get::<Option<i64>>("", "seq")? {
                    Some(seq) => ended.push((id, unsigned(seq)?)),
                    None => elsewhere.push(id),
                }
            }
        }
        let archived = self.archived_heads(&elsewhere).await?;
        ended.extend(archived.into_iter().map(|(id, archived)| (id, archived.seq)));
        Ok(ended)
    }

    fn read_all(&self, rows: &[QueryResult]) -> Result<Vec<Commit>> {
        rows.iter().map(|row| self.read(row)).collect()
    }

    fn read(&self, row: &QueryResult) -> Result<Commit> {
        let mut commit = read(row)?;
        seeds::reveal(&self.keys, &mut commit)?;
        Ok(commit)
    }
}

/// The statement that finds the last commits of this many matches.
pub(super) fn heads_of(matches: usize) -> String {
    format!(
        "SELECT last.match_id, last.seq + last.count AS version, last.at, last.hash, last.waiting \
         FROM (SELECT lane, id, (SELECT max(seq) FROM commits \
                   WHERE commits.lane = matches.lane AND match_id = id) AS seq \
               FROM matches WHERE (lane, id) IN (VALUES {})) AS head \
         JOIN commits AS last ON last.lane = head.lane AND last.match_id = head.id \
             AND last.seq = head.seq",
        places(matches, 2)
    )
}

/// The rows that this statement finds.
pub(super) fn read_heads(rows: &[QueryResult]) -> Result<HashMap<Uuid, Head>> {
    rows.iter().map(|row| Ok((row.try_get("", "match_id")?, read_head(row)?))).collect()
}

fn read_hash(row: &QueryResult) -> Result<[u8; 32]> {
    let hash: Vec<u8> = row.try_get("", "hash")?;
    hash.try_into().map_err(|_| Error::Failed("a hash must have 32 bytes".to_owned()))
}

fn read_head(row: &QueryResult) -> Result<Head> {
    let waiting = u8::try_from(row.try_get::<i16>("", "waiting")?)
        .map_err(|_| Error::Failed("`waiting` must be a set of eight seats".to_owned()))?;
    Ok(Head {
        version: unsigned(row.try_get("", "version")?)?,
        at: Timestamp::from_micros(row.try_get("", "at")?),
        hash: read_hash(row)?,
        waiting: SeatSet::from_bits(waiting),
    })
}

fn read(row: &QueryResult) -> Result<Commit> {
    let count = u32::try_from(row.try_get::<i32>("", "count")?)
        .map_err(|_| Error::Failed("a commit has a negative number of events".to_owned()))?;
    Ok(Commit {
        match_id: row.try_get("", "match_id")?,
        seq: unsigned(row.try_get("", "seq")?)?,
        count,
        at: Timestamp::from_micros(row.try_get("", "at")?),
        player: row.try_get("", "player_id")?,
        command_id: row.try_get("", "command_id")?,
        payload: row.try_get("", "payload")?,
        hash: read_hash(row)?,
    })
}
