//! The life cycle of a match: creation, seats, start, moves, pauses, resignations, timeouts, end. Knows no particular game.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    bot::BotLevel,
    chance::{Commitment, MatchKey, Seed},
    erased::{AnyGame, AnyState, Json, Listing},
    outcome::Outcome,
    seat::{Seat, SeatSet, Viewer},
    text::{Lang, Text},
    time::Timestamp,
};

mod bots;
mod clock;
mod command;
mod commit;
mod decide;
mod event;
mod evolve;
mod luck;
mod notification;
mod origin;
mod payload;
mod redecide;
mod refusal;
mod replay;
mod stage;
#[cfg(test)]
mod tests;
mod unrated;
mod viewer;

pub use clock::{OnTimeout, TimeLimit};
pub use command::{BotSeat, Command, Create, PlayerSeat};
pub use commit::{Commit, CommitContents, Corrupt};
pub use decide::{Decision, Draft};
pub use event::{Event, MatchEventView};
pub use notification::{Audience, Notification, NotificationKind};
pub use origin::{Fork, Origin, OriginView};
pub use refusal::{MatchRefusal, Refused};
pub use replay::{Replay, ReplayStep};
pub use unrated::Unrated;
pub use viewer::{NoPerspective, Perspective, ViewRefusal};

use clock::Clocks;

/// The rules of every match (M1 to M14), as a Markdown text.
pub const RULES: Text = Text::new(include_str!("RULES.md"), include_str!("RULES.es.md"));

/// The status of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Waiting for players.
    Open,
    /// Being played.
    Playing,
    /// Played to its end.
    Finished,
    /// All players left before it started.
    Abandoned,
}

impl Status {
    /// The status as it is written in JSON and in the store.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Playing => "playing",
            Self::Finished => "finished",
            Self::Abandoned => "abandoned",
        }
    }

    /// Whether the match can no longer change.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Abandoned)
    }
}

/// Who may see a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everyone may watch it and take a free seat.
    #[default]
    Public,
    /// Only its players see it; taking a seat requires the invite code.
    Private,
}

/// The player in a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sitter {
    /// The player.
    pub player: Uuid,
    /// The entropy that the player added to the seed.
    pub entropy: Option<String>,
    /// Whether the player has resigned.
    pub resigned: bool,
    /// How many deadlines the player has missed.
    pub timeouts: u32,
    /// The level of the bot that plays the seat: its own one, or a stand-in for a player who ran out of time.
    pub bot: Option<BotLevel>,
}

/// A match: the fold of its events.
#[derive(Clone)]
pub struct Match {
    setup: Arc<Setup>,
    status: Status,
    seats: Vec<Option<Sitter>>,
    key: Option<MatchKey>,
    state: Option<Box<dyn AnyState>>,
    version: u64,
    hash: [u8; 32],
    /// The version since which each seat's decision has been the same.
    asked_at: [u64; Seat::MAX as usize],
    /// The seats that the match waited for before its last commit.
    waited_for: SeatSet,
    clocks: Clocks,
    /// Whether the server has ever moved for a seat.
    automatic: bool,
    /// Whether a bot has ever had a seat in play, its own or that of a player.
    bots_played: bool,
    at: Timestamp,
    started_at: Option<Timestamp>,
    outcome: Option<Arc<Outcome>>,
}

/// The part of a match that never changes.
struct Setup {
    id: Uuid,
    game: &'static dyn AnyGame,
    rules_version: u16,
    options: Json,
    visibility: Visibility,
    invite_code: Option<String>,
    creator: Uuid,
    seed: Seed,
    time_limit: Option<TimeLimit>,
    hints: bool,
    origin: Option<Origin>,
    rematch_of: Option<Uuid>,
    created_at: Timestamp,
}

impl std::fmt::Debug for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Match")
            .field("id", &self.id())
            .field("status", &self.status)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl Match {
    /// The id of the match.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.setup.id
    }

    /// The game being played.
    #[must_use]
    pub fn game(&self) -> &'static dyn AnyGame {
        self.setup.game
    }

    /// The version of the rules under which it was created.
    #[must_use]
    pub fn rules_version(&self) -> u16 {
        self.setup.rules_version
    }

    /// The options, in full.
    #[must_use]
    pub fn options(&self) -> &RawValue {
        &self.setup.options
    }

    /// Who may see the match.
    #[must_use]
    pub fn visibility(&self) -> Visibility {
        self.setup.visibility
    }

    /// The invite code of a private match, for its players to share.
    #[must_use]
    pub fn invite_code(&self) -> Option<&str> {
        self.setup.invite_code.as_deref()
    }

    /// The player who created it.
    #[must_use]
    pub fn creator(&self) -> Uuid {
        self.setup.creator
    }

    /// The hash of the seed, public from the start.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        self.setup.seed.commitment()
    }

    /// The seal of a commit with this hash, for the proof while the match is being played.
    #[must_use]
    pub fn seal(&self, hash: &[u8; 32]) -> String {
        self.setup.seed.seal(hash)
    }

    /// The seed, for the verifier.
    pub(crate) fn seed(&self) -> Seed {
        self.setup.seed
    }

    /// The seed, once the match is over.
    #[must_use]
    pub fn revealed_seed(&self) -> Option<Seed> {
        self.status.is_over().then_some(self.setup.seed)
    }

    /// The status of the match.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status
    }

    /// The number of events so far.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The hash of the last commit.
    #[must_use]
    pub fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// The seats, in order.
    #[must_use]
    pub fn seats(&self) -> &[Option<Sitter>] {
        &self.seats
    }

    /// The number of seats.
    #[must_use]
    pub fn seat_count(&self) -> u8 {
        u8::try_from(self.seats.len()).expect("a match has at most 8 seats")
    }

    /// The seat of a player; none for a bot, which may have several.
    #[must_use]
    pub fn seat_of(&self, player: Uuid) -> Option<Seat> {
        if BotLevel::of(player).is_some() {
            return None;
        }
        Seat::all(self.seat_count())
            .find(|seat| self.sitter(*seat).is_some_and(|sitter| sitter.player == player))
    }

    /// The player in a seat, if it is taken.
    #[must_use]
    pub fn sitter(&self, seat: Seat) -> Option<&Sitter> {
        self.seats.get(seat.index()).and_then(Option::as_ref)
    }

    /// When it was created.
    #[must_use]
    pub fn created_at(&self) -> Timestamp {
        self.setup.created_at
    }

    /// When it started: when the last seat was taken.
    #[must_use]
    pub fn started_at(&self) -> Option<Timestamp> {
        self.started_at
    }

    /// When the last event happened.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.at
    }

    /// The result, once it is finished.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_deref()
    }

    /// The seats that the match waits for; none during a pause.
    #[must_use]
    pub fn to_act(&self) -> SeatSet {
        self.in_play().map_or(SeatSet::NONE, AnyState::to_act)
    }

    /// The seats that the match has waited for since its last commit, but not before it. A seat that is still to act after its
    /// own move is not among them.
    fn newly_asked(&self) -> SeatSet {
        self.to_act().iter().filter(|seat| !self.waited_for.contains(*seat)).collect()
    }

    /// Remembers which seats the match waits for, before the events of the next commit.
    fn begin_commit(&mut self) {
        self.waited_for = self.to_act();
    }

    /// The state of a match that is being played and not paused.
    fn in_play(&self) -> Option<&dyn AnyState> {
        let goes_on = self.status == Status::Playing && self.clocks.paused_at.is_none();
        self.state.as_deref().filter(|_| goes_on)
    }

    /// Whether a seat that has seen `version` still has the same decision to make: true for the current version, and for
    /// older ones as long as only independent moves of other seats have followed.
    #[must_use]
    pub fn is_current(&self, seat: Seat, version: u64) -> bool {
        version <= self.version
            && self.asked_at.get(seat.index()).is_some_and(|asked_at| version >= *asked_at)
    }

    /// Whether a player, or nobody in particular, may see the match.
    #[must_use]
    pub fn is_visible_to(&self, player: Option<Uuid>) -> bool {
        self.visibility() == Visibility::Public
            || player.is_some_and(|player| self.seat_of(player).is_some())
    }

    /// What a viewer may see of the game, once it has started.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> Option<Json> {
        self.state.as_ref().map(|state| state.view(viewer))
    }

    /// The legal moves of a seat, for clients.
    #[must_use]
    pub fn listing(&self, seat: Seat, lang: Lang) -> Listing {
        match self.in_play() {
            Some(state) => state.listing(seat, lang),
            None => Listing { moves: Vec::new(), complete: true },
        }
    }

    /// The approximate size in memory in bytes.
    #[must_use]
    pub fn weight(&self) -> usize {
        size_of::<Setup>() + self.origin().map_or(0, Origin::weight) + self.copy_weight()
    }

    /// The approximate size in bytes of another copy of the match, which shares what never changes: the struct and its state,
    /// the same again for what the state points to, and half a kilobyte of overhead.
    #[must_use]
    pub fn copy_weight(&self) -> usize {
        let state = self.state.as_deref().map_or(0, size_of_val);
        size_of::<Self>() + self.seats.capacity() * size_of::<Option<Sitter>>() + 2 * state + 512
    }

    /// The state of the game, for bots, tests and benchmarks.
    #[must_use]
    pub fn state(&self) -> Option<&dyn AnyState> {
        self.state.as_deref()
    }
}
