//! Replays a match event by event.

use std::ops::Deref;

use super::{Commit, Corrupt, Event, Match};
use crate::time::Timestamp;

/// A replay of the log of a match; each event is folded once.
#[derive(Debug)]
pub struct Replay<C> {
    commits: C,
    /// The commit to read next.
    next: usize,
    /// The remaining events of the current commit.
    events: std::vec::IntoIter<Event>,
    at: Timestamp,
    game_match: Option<Match>,
}

/// One event, and the match right after it.
#[derive(Debug)]
pub struct ReplayStep<'a> {
    /// The event.
    pub event: Event,
    /// When it happened.
    pub at: Timestamp,
    /// The match after it.
    pub game_match: &'a Match,
}

impl<C: Deref<Target: AsRef<[Commit]>>> Replay<C> {
    /// A replay that starts after a version, from the commits of a match, oldest first.
    ///
    /// # Errors
    /// If a commit cannot be read or one is missing.
    pub fn after(commits: C, version: u64) -> Result<Self, Corrupt> {
        Self::from_checkpoint(None, commits, version)
    }

    /// A replay that starts after a version, from the match after an earlier commit and the commits that follow. Commits that
    /// the match contains already are skipped.
    ///
    /// # Errors
    /// If a commit cannot be read or one is missing.
    pub fn from_checkpoint(
        checkpoint: Option<Match>,
        commits: C,
        version: u64,
    ) -> Result<Self, Corrupt> {
        let mut game_match = checkpoint;
        let log: &[Commit] = (*commits).as_ref();
        let known = first_after(log, game_match.as_ref());
        let whole = log.partition_point(|commit| commit.version() <= version).max(known);
        for commit in &log[known..whole] {
            Match::append(&mut game_match, commit)?;
        }
        let at = game_match.as_ref().map_or_else(Timestamp::default, Match::updated_at);
        let mut steps =
            Self { commits, next: whole, events: Vec::new().into_iter(), at, game_match };
        while steps.version() < version && steps.step()?.is_some() {}
        Ok(steps)
    }

    /// Whether every step of the commits has been taken.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.events.len() == 0 && self.next >= (*self.commits).as_ref().len()
    }

    /// Goes on with the commits that follow, once every step of those before has been taken.
    pub fn go_on(&mut self, commits: C) {
        self.next = first_after((*commits).as_ref(), self.game_match.as_ref());
        self.commits = commits;
    }

    /// The version that has been reached.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.game_match.as_ref().map_or(0, Match::version)
    }

    /// The next step; `None` at the end of the log.
    ///
    /// # Errors
    /// If a commit cannot be read or one is missing.
    pub fn step(&mut self) -> Result<Option<ReplayStep<'_>>, Corrupt> {
        if self.events.len() == 0 {
            let log: &[Commit] = (*self.commits).as_ref();
            let Some(commit) = log.get(self.next) else { return Ok(None) };
            if commit.seq != self.version() {
                return Err(commit.corrupt(format!("expected version {}", self.version())));
            }
            self.events =
                commit.read(self.game_match.as_ref().map(Match::game))?.events.into_iter();
            self.at = commit.at;
            self.next += 1;
            if let Some(game_match) = &mut self.game_match {
                game_match.begin_commit();
            }
        }
        let Some(event) = self.events.next() else { return Ok(None) };
        let commit = &(*self.commits).as_ref()[self.next - 1];
        Match::take_in(&mut self.game_match, &event, commit)?;
        let at = self.at;
        Ok(self.game_match.as_ref().map(|game_match| ReplayStep { event, at, game_match }))
    }

    /// The match as far as it has been replayed.
    #[must_use]
    pub fn into_match(self) -> Option<Match> {
        self.game_match
    }
}

/// The index of the first commit that a match does not contain.
fn first_after(log: &[Commit], m: Option<&Match>) -> usize {
    let version = m.map_or(0, Match::version);
    log.partition_point(|commit| commit.version() <= version)
}
