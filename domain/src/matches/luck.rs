//! How lucky each seat was, from the log of a match.

use super::{Commit, Corrupt, Event, Match, Origin};
use crate::{erased::GameEvent, luck::Ledger, time::Timestamp};

impl Match {
    /// How lucky each seat was, from the commits of a match, oldest first. `None` before the match is over, since luck would
    /// reveal hidden information. In a fork, only events after the fork count.
    ///
    /// # Errors
    /// If a commit cannot be read.
    pub fn luck(commits: &[Commit]) -> Result<Option<Ledger>, Corrupt> {
        let Some(m) = Self::fold_life(commits)?.filter(|m| m.status().is_over()) else {
            return Ok(None);
        };
        let start = m.opened_state();
        let mut events: Vec<(Timestamp, Event)> = Vec::new();
        for commit in commits {
            let recorded = commit.read(Some(m.game()))?;
            events.extend(recorded.events.into_iter().map(|event| (commit.at, event)));
        }
        let mut log: Vec<(Timestamp, &GameEvent)> = match m.origin() {
            Some(Origin::Fork(fork)) => fork.past(m.started_at().unwrap_or_default()).collect(),
            Some(Origin::Demo) | None => Vec::new(),
        };
        let past = log.len();
        log.extend(events.iter().filter_map(|(at, event)| Some((*at, event.game_event()?))));
        Ok(Some(m.game().luck(m.seat_count(), start.as_ref(), &log, past)))
    }
}
