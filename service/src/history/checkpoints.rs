//! The match at the beginning of each span.

use std::sync::Arc;

use domain::matches::{Commit, Corrupt, Match};
use quick_cache::{Weighter, sync::Cache};
use uuid::Uuid;

use super::{Held, History, PORTION, SPAN, SpanKey, missing};
use crate::error::Result;

/// How many bytes of checkpoints are kept.
const BYTES: u64 = 32 * 1024 * 1024;

/// Weighs a checkpoint by what it does not share with others of its match.
#[derive(Debug, Clone)]
pub(super) struct CheckpointWeight;

impl Weighter<SpanKey, Arc<Match>> for CheckpointWeight {
    fn weight(&self, _: &SpanKey, checkpoint: &Arc<Match>) -> u64 {
        checkpoint.copy_weight() as u64
    }
}

pub(super) fn new_cache() -> Cache<SpanKey, Arc<Match>, CheckpointWeight> {
    Cache::with_weighter(8_192, BYTES, CheckpointWeight)
}

impl History {
    /// Applies the next commit to a match, and keeps the checkpoints that it passes.
    pub fn fold(&self, m: &mut Option<Match>, commit: &Commit) -> Result<(), Corrupt> {
        if let Some(before) = m {
            self.pass(before, commit.version());
        }
        Match::append(m, commit)
    }

    /// Keeps a match whose next commit leads to a version, if a span begins before that version.
    pub fn pass(&self, before: &Match, next: u64) {
        let numbers = before.version().div_ceil(SPAN)..next.div_ceil(SPAN);
        if numbers.is_empty() {
            return;
        }
        let kept = Arc::new(before.clone());
        for number in numbers {
            self.checkpoints.insert((before.id(), number), Arc::clone(&kept));
        }
    }

    /// The checkpoints in memory.
    #[must_use]
    pub fn checkpoints_held(&self) -> Held {
        Held { entries: self.checkpoints.len(), bytes: self.checkpoints.weight() }
    }

    /// The match after the last commit that ends before a span of it, or where the span begins. Nothing before the first span.
    pub(super) async fn checkpoint(&self, id: Uuid, number: u64) -> Result<Option<Arc<Match>>> {
        let mut kept = (1..=number).rev();
        let nearest = kept.find_map(|n| Some((n, self.checkpoints.get(&(id, n))?)));
        let mut m = match nearest {
            Some((found, checkpoint)) if found == number => return Ok(Some(checkpoint)),
            Some((_, checkpoint)) => Some(Match::clone(&checkpoint)),
            None => None,
        };
        let goal = number * SPAN;
        while let from = m.as_ref().map_or(0, Match::version)
            && from < goal
        {
            let end = goal.min(from + PORTION);
            let commits = self.read(id, from..end, end).await?;
            let whole = commits.partition_point(|commit| commit.version() <= goal);
            for commit in &commits[..whole] {
                self.fold(&mut m, commit)?;
            }
            match commits.last() {
                // The next commit reaches into the span.
                Some(last) if last.version() > goal => break,
                Some(_) => {}
                None => return Err(missing(id, from).into()),
            }
        }
        let checkpoint = m.map(Arc::new);
        if let Some(checkpoint) = &checkpoint {
            self.checkpoints.insert((id, number), Arc::clone(checkpoint));
        }
        Ok(checkpoint)
    }
}
