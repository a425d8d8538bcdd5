//! What a rule set is.
//!
//! A game never reads a clock or an ambient generator, never fails in `evolve`, and never shows a state or a
//! stored event to anybody: only `view` and `event_view` decide what is shown, and they have no default.

use serde::{Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

use crate::{
    chance::Chance,
    luck::{Ledger, LuckInfo},
    outcome::{MeasureInfo, ScoreLineInfo, Standings},
    seat::{Seat, SeatSet, Viewer},
    text::{Lang, Text},
    time::Timestamp,
};

/// What `decide` is handed beside the state: luck and time.
pub struct Context<'a> {
    /// The only source of luck.
    pub chance: &'a mut dyn Chance,
    /// When the command was accepted for decision.
    pub at: Timestamp,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("at", &self.at).finish_non_exhaustive()
    }
}

/// Where an event comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// A decision, or what follows from decisions and what everybody knew.
    Choice,
    /// Luck was drawn.
    Luck,
    /// Something that was hidden from somebody is shown.
    Reveal,
}

/// A rule that a move broke: stable code, number of the rule in RULES.md, and a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefusalInfo {
    /// Stable, `snake_case`.
    pub code: &'static str,
    /// The rule in RULES.md, such as `R4.2`.
    pub rule: &'static str,
    /// Why, and what to do instead.
    pub text: Text,
}

/// The refusals of a game: an enum without fields, one variant a broken rule.
pub trait Refusal: Copy + 'static {
    /// Every refusal, for documentation and tests.
    const ALL: &'static [Self];

    /// Code, rule and text.
    fn info(self) -> RefusalInfo;
}

/// What everybody may know about a game before playing it.
#[derive(Debug, Clone, Copy)]
pub struct GameInfo {
    /// Key in URLs and in the log.
    pub key: &'static str,
    /// Name for people.
    pub name: Text,
    /// One sentence.
    pub summary: Text,
    /// The fewest seats.
    pub min_seats: u8,
    /// The most seats.
    pub max_seats: u8,
    /// Raised when the rules change so that the same moves have another result.
    pub rules_version: u16,
    /// RULES.md and its translation.
    pub rules: Text,
    /// The declared measures.
    pub measures: &'static [MeasureInfo],
    /// The declared lines of the score breakdown.
    pub score_lines: &'static [ScoreLineInfo],
    /// The declared figures of luck.
    pub luck: &'static [LuckInfo],
}

/// Legal moves as clients are shown them.
#[derive(Debug, Clone)]
pub struct Listing<M> {
    /// Each can be made as it is.
    pub moves: Vec<Listed<M>>,
    /// Whether every legal move is among them.
    pub complete: bool,
}

/// A legal move, and what of it may be filled in differently.
#[derive(Debug, Clone)]
pub struct Listed<M> {
    /// A legal move.
    pub mv: M,
    /// Where the listing stands for more moves than it names: the field that varies.
    pub fill: Option<Fill>,
}

impl<M> Listing<M> {
    /// A listing that names every legal move.
    pub fn complete(moves: impl Iterator<Item = M>) -> Self {
        Self { moves: moves.map(|mv| Listed { mv, fill: None }).collect(), complete: true }
    }
}

/// How a field of a listed move may be filled in: any subset of `among`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Fill {
    /// The field of the move.
    #[schema(value_type = String, example = "over")]
    pub field: &'static str,
    /// Any subset of these makes a legal move, the empty one included.
    pub among: Vec<u8>,
}

/// A rule set: an event-sourced aggregate whose luck and time are handed in.
///
/// Laws, checked by `tests/conformance` for every registered game:
/// - what `legal_moves` yields is accepted by `decide`, and nothing else is;
/// - while the game is not finished, `to_act` is not empty and every seat in it has a legal move;
/// - folding the stored events gives the same state as playing live;
/// - the same key gives the same match;
/// - what a viewer gets does not change when that which it cannot know is re-dealt.
pub trait Game: Sized + Send + Sync + 'static {
    /// What everybody may know beforehand.
    const INFO: GameInfo;

    /// What can be chosen when a match is created. Unknown fields are refused.
    type Options: Clone + Default + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// What a seat asks for: a `type`-tagged enum whose unknown fields are refused.
    type Move: Clone + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// What happened, with everything that was hidden: for the store only.
    type Event: Clone + Serialize + DeserializeOwned + Send + Sync;
    /// The fold of the events. Not serialisable.
    type State: Clone + Send + Sync;
    /// What one viewer may see of a state.
    type View: Serialize + ToSchema;
    /// What one viewer may see of an event: a `type`-tagged enum.
    type EventView: Serialize + ToSchema;
    /// Rules that a move can break.
    type Refusal: Refusal;

    /// The state before the first event.
    fn new(seats: u8, options: &Self::Options) -> Self::State;

    /// The events that set the table; drawn once, when the last seat is taken.
    fn setup(state: &Self::State, cx: &mut Context<'_>) -> Vec<Self::Event>;

    /// What a move leads to, or the rule that it breaks.
    fn decide(
        state: &Self::State,
        seat: Seat,
        mv: &Self::Move,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Self::Event>, Self::Refusal>;

    /// Takes a fact in. Total: facts cannot be wrong.
    fn evolve(state: &mut Self::State, event: &Self::Event, at: Timestamp);

    /// The seats that the match waits for. Others may have moves as well.
    fn to_act(state: &Self::State) -> SeatSet;

    /// A number that changes whenever another seat's move may have changed what a seat is deciding upon. While it
    /// stays the same, moves of different seats never make one another stale.
    fn epoch(state: &Self::State) -> u64;

    /// Every legal move of a seat, lazily.
    fn legal_moves(state: &Self::State, seat: Seat) -> Box<dyn Iterator<Item = Self::Move> + '_>;

    /// The legal moves as clients are shown them; those of [`Self::legal_moves`] unless they are too many.
    fn listing(state: &Self::State, seat: Seat) -> Listing<Self::Move> {
        Listing::complete(Self::legal_moves(state, seat))
    }

    /// A move for a seat that nobody plays: one of the listing, each as likely as the others, unless aimless play
    /// would hardly ever bring the match to its end.
    fn random_move(state: &Self::State, seat: Seat, chance: &mut dyn Chance) -> Option<Self::Move> {
        let mut moves = Self::listing(state, seat).moves;
        (!moves.is_empty()).then(|| moves.swap_remove(chance.index(moves.len())).mv)
    }

    /// A move in words.
    fn label(state: &Self::State, seat: Seat, mv: &Self::Move, lang: Lang) -> String;

    /// What a viewer may see of the state.
    fn view(state: &Self::State, viewer: Viewer) -> Self::View;

    /// What a viewer may see of an event. Every viewer gets something, so that nobody sees gaps.
    fn event_view(event: &Self::Event, viewer: Viewer) -> Self::EventView;

    /// Choice, luck or the showing of something hidden.
    fn nature(event: &Self::Event) -> Nature;

    /// An event in words, as the viewer saw it.
    fn tell(event: &Self::EventView, lang: Lang) -> String;

    /// Whether the rules have ended the match.
    fn finished(state: &Self::State) -> bool;

    /// Places, scores and measures as they are now.
    fn standings(state: &Self::State) -> Standings;

    /// What chance gives to each seat with this event, in the declared figures, and what could be expected of it in the
    /// state right before it. Whatever a seat may know by then, such as the back of a card, is no longer luck. `past` is
    /// everything that happened before.
    fn luck(state: &Self::State, past: &[Self::Event], event: &Self::Event, ledger: &mut Ledger);

    /// Another history that `viewer` cannot tell from this one: what it cannot know is dealt anew. For the secrecy
    /// law, and for bots that think about possible worlds.
    fn redeal(
        start: &Self::State,
        log: &[Self::Event],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Vec<Self::Event>;
}

/// Collects the events of one decision while keeping the state up to date, for decisions with consequences.
#[derive(Debug)]
pub struct Staged<G: Game> {
    state: G::State,
    events: Vec<G::Event>,
    at: Timestamp,
}

impl<G: Game> Staged<G> {
    /// Starts from a state.
    pub fn new(state: &G::State, at: Timestamp) -> Self {
        Self { state: state.clone(), events: Vec::new(), at }
    }

    /// The state after everything emitted so far.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Adds a fact.
    pub fn emit(&mut self, event: G::Event) {
        G::evolve(&mut self.state, &event, self.at);
        self.events.push(event);
    }

    /// The facts in order.
    pub fn into_events(self) -> Vec<G::Event> {
        self.events
    }
}
