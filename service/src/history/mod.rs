//! The past of matches: pages of their logs, and what a match was at any version. The log is the only source; everything
//! that is kept here can be forgotten at any time.
//!
//! A log is divided into spans of 256 events. The commits of a span are one entry of a cache, and so is the match at
//! the beginning of each span, its checkpoint. What a reader gets costs as much as the spans that contain it, however long
//! the match is.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use domain::matches::{Commit, Corrupt, Match, Replay};
use quick_cache::sync::Cache;
use store::EventLog;
use uuid::Uuid;

use crate::error::Result;

mod checkpoints;
mod spans;
#[cfg(test)]
mod tests;

use checkpoints::CheckpointWeight;
use spans::SpanWeight;

/// The number of events in a span. Most matches are shorter than one.
const SPAN: u64 = 256;

/// How many events are read at once by readers of many. Folding them takes about a millisecond.
pub const PORTION: u64 = 4 * SPAN;

/// A span of a match: the match and the number of the span, counted from 0.
type SpanKey = (Uuid, u64);

/// The past of all matches.
#[derive(Debug, Clone)]
pub struct History {
    log: EventLog,
    spans: Arc<Cache<SpanKey, Arc<Vec<Commit>>, SpanWeight>>,
    checkpoints: Arc<Cache<SpanKey, Arc<Match>, CheckpointWeight>>,
    commits_read: Arc<AtomicU64>,
}

/// A stretch of a match: the match at a checkpoint, and the commits from there on.
#[derive(Debug)]
pub struct Stretch {
    checkpoint: Option<Arc<Match>>,
    commits: Vec<Commit>,
}

impl Stretch {
    /// Replays the stretch from a version in it on.
    pub fn replay(self, after: u64) -> Result<Replay<Vec<Commit>>, Corrupt> {
        let checkpoint = self.checkpoint.map(Arc::unwrap_or_clone);
        Replay::from_checkpoint(checkpoint, self.commits, after)
    }

    /// The match at a version in the stretch; nothing before the first event.
    pub fn at(self, version: u64) -> Result<Option<Match>, Corrupt> {
        let m = self.replay(version)?.into_match();
        Ok(m.filter(|m| m.version() == version))
    }
}

impl History {
    /// The past of the matches in this log.
    #[must_use]
    pub fn new(log: EventLog) -> Self {
        Self {
            log,
            spans: Arc::new(spans::new_cache()),
            checkpoints: Arc::new(checkpoints::new_cache()),
            commits_read: Arc::default(),
        }
    }

    /// The whole log of a match up to a version that it has, oldest first.
    pub async fn whole(&self, id: Uuid, version: u64) -> Result<Vec<Commit>> {
        self.commits(id, 0..version).await
    }

    /// A stretch of a match that can be replayed from one version that it has to another.
    pub async fn stretch(&self, id: Uuid, versions: Range<u64>) -> Result<Stretch> {
        let checkpoint = self.checkpoint(id, versions.start / SPAN).await?;
        let known = checkpoint.as_ref().map_or(0, |m| m.version());
        let commits = self.commits(id, known..versions.end).await?;
        Ok(Stretch { checkpoint, commits })
    }

    /// A match at a version that it has; nothing before its first event.
    pub async fn at(&self, id: Uuid, version: u64) -> Result<Option<Match>> {
        Ok(self.stretch(id, version..version).await?.at(version)?)
    }

    /// How many commits have been read from the log.
    #[must_use]
    pub fn commits_read(&self) -> u64 {
        self.commits_read.load(Ordering::Relaxed)
    }

    /// Reads the commits that contain the events after one version and up to another, past the cache. The match has events up
    /// to `needed` at least; those that the standby lacks are read from the primary.
    async fn read(&self, id: Uuid, versions: Range<u64>, needed: u64) -> Result<Vec<Commit>> {
        let mut commits = match self.log.stable_reader() {
            Some(standby) => self.read_from(&standby, id, versions.clone()).await?,
            None => Vec::new(),
        };
        let seen = commits.last().map_or(versions.start, Commit::version);
        if seen < needed {
            commits.extend(self.read_from(&self.log, id, seen..versions.end).await?);
        }
        Ok(commits)
    }

    /// Reads the commits that contain the events after one version and up to another from this log.
    pub(crate) async fn read_from(
        &self,
        log: &EventLog,
        id: Uuid,
        versions: Range<u64>,
    ) -> Result<Vec<Commit>> {
        let commits = log.load_range(id, versions).await?;
        self.commits_read.fetch_add(commits.len() as u64, Ordering::Relaxed);
        Ok(commits)
    }
}

/// The number of entries of a cache, and about how many bytes they take.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    /// Entries.
    pub entries: usize,
    /// Bytes.
    pub bytes: u64,
}

/// The error for a commit that should be in the log.
fn missing(match_id: Uuid, seq: u64) -> Corrupt {
    Corrupt { match_id, seq, reason: "it is missing".to_owned() }
}
