//! The commits of a match, span by span.

use std::{ops::Range, sync::Arc};

use domain::matches::Commit;
use quick_cache::{Weighter, sync::Cache};
use uuid::Uuid;

use super::{Held, History, PORTION, SPAN, SpanKey, missing};
use crate::error::Result;

/// How many bytes of commits are kept.
const BYTES: u64 = 64 * 1024 * 1024;

/// Weighs the commits of a span by their payloads.
#[derive(Debug, Clone)]
pub(super) struct SpanWeight;

impl Weighter<SpanKey, Arc<Vec<Commit>>> for SpanWeight {
    fn weight(&self, _: &SpanKey, commits: &Arc<Vec<Commit>>) -> u64 {
        commits.iter().map(|commit| 160 + commit.payload.len() as u64).sum()
    }
}

pub(super) fn new_cache() -> Cache<SpanKey, Arc<Vec<Commit>>, SpanWeight> {
    Cache::with_weighter(4_096, BYTES, SpanWeight)
}

impl History {
    /// The commits that contain the events after one version and up to another that the match has, oldest first.
    pub async fn commits(&self, id: Uuid, versions: Range<u64>) -> Result<Vec<Commit>> {
        if versions.is_empty() {
            return Ok(Vec::new());
        }
        let commits = if versions.end - versions.start > PORTION {
            // A long match as a whole would evict many others, and is seldom read again.
            self.read(id, versions.clone(), versions.end).await?
        } else {
            self.spans(id, versions.clone()).await?
        };
        let reached = commits.last().map_or(versions.start, Commit::version);
        if reached < versions.end { Err(missing(id, reached).into()) } else { Ok(commits) }
    }

    /// The spans of commits in memory.
    #[must_use]
    pub fn spans_held(&self) -> Held {
        Held { entries: self.spans.len(), bytes: self.spans.weight() }
    }

    /// The same commits, from the spans that contain them.
    async fn spans(&self, id: Uuid, versions: Range<u64>) -> Result<Vec<Commit>> {
        let mut commits: Vec<Commit> = Vec::new();
        for number in versions.start / SPAN..=(versions.end - 1) / SPAN {
            let span = self.span(id, number, versions.end).await?;
            // A commit that reaches into the next span is in both.
            let seen = commits.last().map_or(versions.start, Commit::version);
            let first = span.partition_point(|commit| commit.version() <= seen);
            let end = span.partition_point(|commit| commit.seq < versions.end);
            commits.extend_from_slice(&span[first.min(end)..end]);
        }
        Ok(commits)
    }

    /// The commits that contain the events of a span, at least up to a version that the match has.
    async fn span(&self, id: Uuid, number: u64, version: u64) -> Result<Arc<Vec<Commit>>> {
        let end = (number + 1) * SPAN;
        // Nothing is known of a span that is not in the cache.
        let known = self.spans.get(&(id, number)).unwrap_or_default();
        let seen = known.last().map_or(number * SPAN, Commit::version);
        let needed = version.min(end);
        if seen >= needed {
            return Ok(known);
        }
        let more = self.read(id, seen..end, needed).await?;
        let span: Arc<Vec<Commit>> = Arc::new(known.iter().cloned().chain(more).collect());
        self.spans.insert((id, number), Arc::clone(&span));
        Ok(span)
    }
}
