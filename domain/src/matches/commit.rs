//! The events of one accepted command: one row in the store, chained by hash to the previous commit.

use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    Event, Match, Replay,
    event::{EventKind, MatchEvent},
    payload::StoredPayload,
};
use crate::{chance::Draw, erased::AnyGame, games, time::Timestamp};

/// One accepted command: the unit of writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The match.
    pub match_id: Uuid,
    /// The sequence number of the first event. The key is (match, seq).
    pub seq: u64,
    /// The number of events.
    pub count: u32,
    /// When the command was decided.
    pub at: Timestamp,
    /// The player who sent it.
    pub player: Uuid,
    /// The id that the client gave the command, so that a retry finds the first result.
    pub command_id: Uuid,
    /// Command, draws and events as JSON.
    pub payload: String,
    /// SHA-256 over the hash of the previous commit and the fields above, except `count`, which follows from the payload.
    pub hash: [u8; 32],
}

/// A stored commit that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("commit {seq} of match {match_id} cannot be read: {reason}")]
pub struct Corrupt {
    /// The match.
    pub match_id: Uuid,
    /// The sequence number of the commit.
    pub seq: u64,
    /// What is wrong.
    pub reason: String,
}

/// The decoded payload of a commit.
#[derive(Debug)]
pub struct CommitContents {
    /// The command in its canonical form.
    pub command: Box<RawValue>,
    /// All random numbers that were drawn, in order.
    pub draws: Vec<Draw>,
    /// What happened.
    pub events: Vec<Event>,
}

/// The hash of a commit, chained to the previous one.
pub(super) fn link(previous: &[u8; 32], commit: &Commit) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"telar/commit/1");
    hash.update(previous);
    hash.update(commit.match_id.as_bytes());
    hash.update(commit.seq.to_be_bytes());
    hash.update(commit.at.micros().to_be_bytes());
    hash.update(commit.player.as_bytes());
    hash.update(commit.command_id.as_bytes());
    hash.update(commit.payload.as_bytes());
    hash.finalize().into()
}

impl Commit {
    /// Whether the commit holds more than moves that players chose: [`Match::fold_life`] needs those that do.
    #[must_use]
    pub fn has_life(&self) -> bool {
        // Quotes are escaped within strings, so these occur only as the keys that `EventOut` writes.
        ["{\"life\":", "\"automatic\":true"].iter().any(|mark| self.payload.contains(mark))
    }

    /// Whether the match started with this commit.
    #[must_use]
    pub fn starts_match(&self) -> bool {
        Self::payload_starts_match(&self.payload)
    }

    /// Whether the match started with a commit that has this payload.
    pub(crate) fn payload_starts_match(payload: &str) -> bool {
        payload.contains("{\"life\":{\"type\":\"match_started\"}}")
    }

    /// Whether the match ended with this commit.
    #[must_use]
    pub fn ends_match(&self) -> bool {
        ["{\"life\":{\"type\":\"match_finished\"", "{\"life\":{\"type\":\"match_abandoned\""]
            .iter()
            .any(|mark| self.payload.contains(mark))
    }

    /// The version of the match after this commit.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.seq + u64::from(self.count)
    }

    /// Decodes the payload. The game is known from the second commit on.
    ///
    /// # Errors
    /// If Telar did not write the payload.
    pub fn read(&self, game: Option<&'static dyn AnyGame>) -> Result<CommitContents, Corrupt> {
        let corrupt = |reason: String| self.corrupt(reason);
        let payload: StoredPayload<'_> =
            serde_json::from_str(&self.payload).map_err(|error| corrupt(error.to_string()))?;
        let mut game = game;
        let mut events = Vec::with_capacity(payload.events.len());
        for event in payload.events {
            events.push(match (event.life, event.game, game) {
                (Some(life), None, _) => {
                    if let MatchEvent::MatchCreated(created) = &life {
                        game = games::find(&created.game);
                    }
                    Event(EventKind::Match(life))
                }
                (None, Some(json), Some(game)) => {
                    let decoded = game.decode(json).map_err(|error| corrupt(error.to_string()))?;
                    Event(EventKind::Game {
                        by: event.by,
                        event: decoded,
                        automatic: event.automatic,
                    })
                }
                _ => return Err(corrupt("an unknown type of event".to_owned())),
            });
        }
        if events.is_empty() {
            return Err(corrupt("it has no events".to_owned()));
        }
        if events.len() != self.count as usize {
            return Err(corrupt("the number of events is wrong".to_owned()));
        }
        let draws = payload.draws.into_iter().map(|(n, value)| Draw { n, value }).collect();
        Ok(CommitContents { command: payload.command.to_owned(), draws, events })
    }

    pub(crate) fn corrupt(&self, reason: String) -> Corrupt {
        Corrupt { match_id: self.match_id, seq: self.seq, reason }
    }

    /// Whether the commit is intact and follows a commit with this hash.
    #[must_use]
    pub fn follows(&self, previous: &[u8; 32]) -> bool {
        self.hash == link(previous, self)
    }
}

impl Match {
    /// The hash that the first commit of a match is linked to.
    pub const ORIGIN: [u8; 32] = [0; 32];

    /// Opens a match from its first commit.
    ///
    /// # Errors
    /// If the commit does not create a match.
    pub fn open(first: &Commit) -> Result<Self, Corrupt> {
        let mut opened = None;
        for event in &first.read(None)?.events {
            Self::take_in(&mut opened, event, first)?;
        }
        let mut m = opened.expect("a commit has at least one event");
        m.hash = first.hash;
        Ok(m)
    }

    /// Applies the next commit and returns its contents.
    ///
    /// # Errors
    /// If the commit cannot be read or is not the next one.
    pub fn apply(&mut self, commit: &Commit) -> Result<CommitContents, Corrupt> {
        if commit.seq != self.version || commit.match_id != self.id() {
            return Err(commit.corrupt(format!("expected version {}", self.version)));
        }
        let recorded = commit.read(Some(self.game()))?;
        self.begin_commit();
        for event in &recorded.events {
            self.check(event).map_err(|reason| commit.corrupt(reason.to_owned()))?;
            self.evolve(event, commit.at);
        }
        self.hash = commit.hash;
        Ok(recorded)
    }

    /// Applies a stored event. The first one creates the match.
    pub(super) fn take_in(
        m: &mut Option<Self>,
        event: &Event,
        commit: &Commit,
    ) -> Result<(), Corrupt> {
        let corrupt = |reason: &str| commit.corrupt(reason.to_owned());
        match m {
            Some(m) => {
                m.check(event).map_err(corrupt)?;
                m.evolve(event, commit.at);
            }
            None => *m = Some(Self::created(event, commit.at).map_err(corrupt)?),
        }
        Ok(())
    }

    /// Folds a match from its commits, oldest first; `None` if there are none.
    ///
    /// # Errors
    /// If a commit cannot be read or one is missing.
    pub fn fold<'a>(
        commits: impl IntoIterator<Item = &'a Commit>,
    ) -> Result<Option<Self>, Corrupt> {
        let mut m = None;
        for commit in commits {
            Self::append(&mut m, commit)?;
        }
        Ok(m)
    }

    /// Applies the next commit. The first one opens the match.
    ///
    /// # Errors
    /// If the commit cannot be read or is not the next one.
    pub fn append(m: &mut Option<Self>, commit: &Commit) -> Result<(), Corrupt> {
        match m {
            Some(m) => {
                m.apply(commit)?;
            }
            None => *m = Some(Self::open(commit)?),
        }
        Ok(())
    }

    /// Folds only the events of the match itself, not those of its game, from the commits that contain any, oldest first.
    /// Seats, times, the outcome and whether a seat was played automatically are as in [`Match::fold`], but there is no state of
    /// the game.
    ///
    /// # Errors
    /// If a commit cannot be read.
    pub fn fold_life<'a>(
        commits: impl IntoIterator<Item = &'a Commit>,
    ) -> Result<Option<Self>, Corrupt> {
        let mut m: Option<Self> = None;
        for commit in commits {
            let payload: StoredPayload<'_> = serde_json::from_str(&commit.payload)
                .map_err(|error| commit.corrupt(error.to_string()))?;
            let automatic = payload.events.iter().any(|event| event.automatic);
            for life in payload.events.into_iter().filter_map(|event| event.life) {
                Self::take_in(&mut m, &Event(EventKind::Match(life)), commit)?;
            }
            if let Some(m) = &mut m {
                m.version = commit.version();
                m.hash = commit.hash;
                m.state = None;
                m.automatic |= automatic;
            }
        }
        Ok(m)
    }

    /// The match at a version, from its commits, oldest first; `None` if it does not have that version.
    ///
    /// # Errors
    /// If a commit cannot be read or one is missing.
    pub fn as_of(commits: &[Commit], version: u64) -> Result<Option<Self>, Corrupt> {
        let m = Replay::after(commits, version)?.into_match();
        Ok(m.filter(|m| m.version == version))
    }
}
