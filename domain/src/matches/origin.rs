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

/// The origin of a match that is a fork or demonstration data.
#[derive(Debug, Clone)]
pub enum Origin {
    /// It continues a finished match from the middle.
    Fork(Fork),
    /// It is demonstration data, generated to fill a server.
    Demo,
}

impl Origin {
    /// The approximate size in memory in bytes.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Fork(fork) => fork.past.len() * PAST_BYTES,
            Self::Demo => 0,
        }
    }

    /// The origin as clients see it.
    #[must_use]
    pub const fn shown(&self) -> OriginView {
        match self {
            Self::Fork(fork) => OriginView::Fork { match_id: fork.match_id, version: fork.version },
            Self::Demo => OriginView::Demo {},
        }
    }
}

/// A point in a finished match from which another match continues: with the same hidden state, but fresh luck.
#[derive(Clone)]
pub struct Fork {
    match_id: Uuid,
    version: u64,
    hash: [u8; 32],
    game: &'static dyn AnyGame,
    /// The version of the rules under which the past was played, and the fork goes on.
    rules_version: u16,
    seats: u8,
    options: Json,
    past: Arc<[Past]>,
}

/// The approximate size of a past event in memory.
const PAST_BYTES: usize = 128;

/// A past event of the game.
#[derive(Debug, Clone)]
struct Past {
    /// The time that it has in the fork, if that is not the start of the fork. Only the oldest forks have such times: in them,
    /// the clock of a game runs on from the original match.
    at: Option<Timestamp>,
    event: GameEvent,
}

impl Past {
    fn without_time(&self) -> Self {
        Self { at: None, event: self.event.clone() }
    }
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
    /// The fork of a finished match at a version, from its commits, oldest first (M8). A version in the middle of a commit
    /// stands for the one before that commit, since nobody decides in between.
    ///
    /// # Errors
    /// If a commit cannot be read. The inner error says why the match cannot be forked there.
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
            Some(Origin::Fork(fork)) => fork.past.iter().map(Past::without_time).collect(),
            Some(Origin::Demo) | None => Vec::new(),
        };
        for commit in before {
            let events = commit.read(Some(m.game()))?.events;
            let events = events.iter().filter_map(Event::game_event).cloned();
            past.extend(events.map(|event| Past { at: None, event }));
        }
        Ok(Ok(Self {
            match_id: m.id(),
            version: m.version(),
            hash: *m.hash(),
            game: m.game(),
            rules_version: m.rules_version(),
            seats: m.seat_count(),
            options: m.options().to_owned(),
            past: past.into(),
        }))
    }

    /// The match that it continues.
    #[must_use]
    pub const fn match_id(&self) -> Uuid {
        self.match_id
    }

    /// The version of that match at which it was forked.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The hash of that match's log at that version.
    #[must_use]
    pub const fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// The version of the rules under which its past was played, and which it keeps (M8).
    #[must_use]
    pub const fn rules_version(&self) -> u16 {
        self.rules_version
    }

    /// Whether a new match has the same game, options and number of seats.
    pub(super) fn fits(&self, create: &Create<'_>, options: &RawValue) -> bool {
        self.game.info().key == create.game.info().key
            && self.seats == create.seats
            && self.options.get() == options.get()
    }

    /// The past events in a fork that started at this time. All of them happen at its start, so that every clock of the game
    /// starts at zero (M8).
    pub(super) fn past(&self, start: Timestamp) -> impl Iterator<Item = (Timestamp, &GameEvent)> {
        self.past.iter().map(move |past| (past.at.unwrap_or(start), &past.event))
    }

    /// Whether its past can have happened in a fork that is created at this time: it begins with the setup, every move in it is
    /// legal, and it does not end the game. Nothing else in a log comes without the commands that led to it.
    pub(super) fn is_possible(&self, created: Timestamp) -> bool {
        let Ok(mut state) = self.game.open(self.seats, &self.options, self.rules_version) else {
            return false;
        };
        let past: Vec<(Timestamp, &GameEvent)> = self.past(created).collect();
        let is_played = !past.is_empty()
            && past.iter().all(|(at, _)| at.is_plausible())
            && self.game.followed(self.seats, state.as_ref(), &past) == past.len();
        if is_played {
            self.fold(state.as_mut(), created);
        }
        is_played && !state.finished()
    }

    /// Applies the past events to the new state of a fork that starts at this time.
    pub(super) fn fold(&self, state: &mut dyn AnyState, start: Timestamp) {
        for (at, event) in self.past(start) {
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<i64>,
    game: serde_json::Value,
}

impl From<&Origin> for StoredOrigin {
    fn from(origin: &Origin) -> Self {
        let stored = |past: &Past| StoredPast {
            at: past.at.map(Timestamp::micros),
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
    /// Reads the origin of a match with this game, version of the rules, number of seats and options.
    pub(super) fn read(
        &self,
        game: &'static dyn AnyGame,
        rules_version: u16,
        seats: u8,
        options: &RawValue,
    ) -> Option<Origin> {
        let read = |stored: &StoredPast| {
            let json = serde_json::value::to_raw_value(&stored.game).ok()?;
            let event = game.decode(&json).ok()?;
            Some(Past { at: stored.at.map(Timestamp::from_micros), event })
        };
        Some(match self {
            Self::Fork { match_id, version, hash, events } => Origin::Fork(Fork {
                match_id: *match_id,
                version: *version,
                hash: hex::decode(hash).ok()?.try_into().ok()?,
                game,
                rules_version,
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

/// The origin of a match that is a fork or demonstration data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OriginView {
    /// It continues a finished match from the middle.
    Fork {
        /// The match that it continues.
        #[serde(rename = "match")]
        match_id: Uuid,
        /// The version of that match at which it was forked.
        #[schema(example = 17)]
        version: u64,
    },
    /// It is demonstration data, generated to fill a server.
    Demo {},
}

impl Match {
    /// The origin of the match, if it is a fork or demonstration data.
    #[must_use]
    pub fn origin(&self) -> Option<&Origin> {
        self.setup.origin.as_ref()
    }

    /// The finished match of which this is a rematch, if it is one.
    #[must_use]
    pub fn rematch_of(&self) -> Option<Uuid> {
        self.setup.rematch_of
    }
}
