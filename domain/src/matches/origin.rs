//! The origin of a match: forked from another match, or generated.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Commit, Corrupt, Create, Event, Match, MatchRefusal, Status};
use crate::{
    erased::{AnyGame, AnyState, GameEvent, Json},
    time::Timestamp,
};

/// Where a match comes from, if it is no ordinary one.
#[derive(Debug, Clone)]
pub enum Origin {
    /// It goes on from the middle of a finished match.
    Fork(Fork),
    /// It was made up, to fill a server with something to look at.
    Demo,
}

impl Origin {
    /// About how many bytes it takes in memory.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Fork(fork) => fork.past.len() * PAST_BYTES,
            Self::Demo => 0,
        }
    }

    /// The origin as clients are shown it.
    #[must_use]
    pub const fn shown(&self) -> OriginView {
        match self {
            Self::Fork(fork) => OriginView::Fork { match_id: fork.match_id, version: fork.version },
            Self::Demo => OriginView::Demo {},
        }
    }
}

/// A moment of a finished match from which another match goes on: the same hidden state, fresh luck.
#[derive(Clone)]
pub struct Fork {
    match_id: Uuid,
    version: u64,
    hash: [u8; 32],
    game: &'static dyn AnyGame,
    seats: u8,
    options: Json,
    past: Arc<[Past]>,
}

/// About how many bytes an event of the past takes in memory.
const PAST_BYTES: usize = 128;

/// An event of the game, and when it happened.
#[derive(Debug, Clone)]
struct Past {
    at: Timestamp,
    event: GameEvent,
}

impl std::fmt::Debug for Fork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fork")
            .field("match_id", &self.match_id)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl Fork {
    /// The fork of a finished match at a version, from its commits, oldest first (M8). Nobody decides in the middle of
    /// a commit: such a version stands for the one before the commit.
    ///
    /// # Errors
    /// When a commit cannot be read; and within, when the match cannot be forked there.
    pub fn at(commits: &[Commit], version: u64) -> Result<Result<Self, MatchRefusal>, Corrupt> {
        let Some(last) = Match::fold(commits)? else { return Ok(Err(MatchRefusal::ForkPoint)) };
        if last.status() != Status::Finished {
            return Ok(Err(MatchRefusal::NotFinished));
        }
        let whole = commits.partition_point(|commit| commit.version() <= version);
        let before = &commits[..whole];
        let m = match Match::fold(before)? {
            Some(m) if version <= last.version() && m.status() == Status::Playing => m,
            _ => return Ok(Err(MatchRefusal::ForkPoint)),
        };
        let mut past: Vec<Past> = match m.origin() {
            Some(Origin::Fork(fork)) => fork.past.to_vec(),
            Some(Origin::Demo) | None => Vec::new(),
        };
        for commit in before {
            let events = commit.read(Some(m.game()))?.events;
            let events = events.iter().filter_map(Event::game_event).cloned();
            past.extend(events.map(|event| Past { at: commit.at, event }));
        }
        Ok(Ok(Self {
            match_id: m.id(),
            version: m.version(),
            hash: *m.hash(),
            game: m.game(),
            seats: m.seat_count(),
            options: m.options().to_owned(),
            past: past.into(),
        }))
    }

    /// The match that it comes from.
    #[must_use]
    pub const fn match_id(&self) -> Uuid {
        self.match_id
    }

    /// The version of that match from which it goes on.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The hash of that match's log at that version.
    #[must_use]
    pub const fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// Whether a match that is to be created is played at the same table.
    pub(super) fn fits(&self, create: &Create<'_>, options: &RawValue) -> bool {
        self.game.info().key == create.game.info().key
            && self.seats == create.seats
            && self.options.get() == options.get()
    }

    /// What happened before, and when.
    pub(super) fn past(&self) -> impl Iterator<Item = (Timestamp, &GameEvent)> {
        self.past.iter().map(|past| (past.at, &past.event))
    }

    /// Takes the past into a state that nothing has happened to.
    pub(super) fn fold(&self, state: &mut dyn AnyState) {
        for (at, event) in self.past() {
            state.evolve(event, at);
        }
    }
}

/// The stored form of an origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum StoredOrigin {
    Fork {
        match_id: Uuid,
        version: u64,
        /// In hexadecimal.
        hash: String,
        events: Vec<StoredPast>,
    },
    Demo,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredPast {
    /// In microseconds.
    at: i64,
    game: serde_json::Value,
}

impl From<&Origin> for StoredOrigin {
    fn from(origin: &Origin) -> Self {
        let stored = |past: &Past| StoredPast {
            at: past.at.micros(),
            game: serde_json::from_str(past.event.encode().get()).expect("an event is JSON"),
        };
        match origin {
            Origin::Fork(fork) => Self::Fork {
                match_id: fork.match_id,
                version: fork.version,
                hash: hex::encode(fork.hash),
                events: fork.past.iter().map(stored).collect(),
            },
            Origin::Demo => Self::Demo,
        }
    }
}

impl StoredOrigin {
    /// Reads the origin of a match at this table.
    pub(super) fn read(
        &self,
        game: &'static dyn AnyGame,
        seats: u8,
        options: &RawValue,
    ) -> Option<Origin> {
        let read = |stored: &StoredPast| {
            let json = serde_json::value::to_raw_value(&stored.game).ok()?;
            let event = game.decode(&json).ok()?;
            Some(Past { at: Timestamp::from_micros(stored.at), event })
        };
        Some(match self {
            Self::Fork { match_id, version, hash, events } => Origin::Fork(Fork {
                match_id: *match_id,
                version: *version,
                hash: hex::decode(hash).ok()?.try_into().ok()?,
                game,
                seats,
                options: options.to_owned(),
                past: events.iter().map(read).collect::<Option<Vec<Past>>>()?.into(),
            }),
            Self::Demo => Origin::Demo,
        })
    }

    pub(super) fn shown(&self) -> OriginView {
        match self {
            Self::Fork { match_id, version, .. } => {
                OriginView::Fork { match_id: *match_id, version: *version }
            }
            Self::Demo => OriginView::Demo {},
        }
    }
}

/// Where a match comes from, if it is no ordinary one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OriginView {
    /// It goes on from the middle of a finished match.
    Fork {
        /// The match that it comes from.
        #[serde(rename = "match")]
        match_id: Uuid,
        /// The version of that match from which it goes on.
        #[schema(example = 17)]
        version: u64,
    },
    /// It was made up, to fill a server with something to look at.
    Demo {},
}

impl Match {
    /// Where the match comes from, if it is no ordinary one.
    #[must_use]
    pub fn origin(&self) -> Option<&Origin> {
        self.setup.origin.as_ref()
    }

    /// The match that its players had finished before, if it is a rematch.
    #[must_use]
    pub fn rematch_of(&self) -> Option<Uuid> {
        self.setup.rematch_of
    }
}
