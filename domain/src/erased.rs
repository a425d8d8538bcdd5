//! Type-erased games with JSON at the edge. The only module that knows both sides.
//!
//! [`GameEvent`] and [`AnyState`] do not implement `Serialize`: [`GameEvent::encode`] is for the store, and viewers get only
//! the output of `view` and `event_view`.
//!
//! ```compile_fail
//! fn shown<T: serde::Serialize>(_: &T) {}
//! fn leak(event: &domain::erased::GameEvent) { shown(event); }
//! ```
//! ```compile_fail
//! fn shown<T: serde::Serialize + ?Sized>(_: &T) {}
//! fn leak(state: &dyn domain::erased::AnyState) { shown(state); }
//! ```

use std::{
    any::Any,
    hash::{Hash, Hasher},
    marker::PhantomData,
};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    chance::Chance,
    game::{self, Context, Fill, GameInfo, Nature, Refusal, RefusalInfo, RuleSet, StoredEvent},
    luck::Ledger,
    outcome::Standings,
    schema::{self, Schemas},
    seat::{Seat, SeatSet, Viewer},
    shape::{self, BadShape},
    text::Lang,
    time::Timestamp,
};

mod worlds;

pub use worlds::Worlds;

/// JSON that a client may see.
pub type Json = Box<RawValue>;

/// A game in the registry.
pub trait AnyGame: Send + Sync {
    /// Static information about the game.
    fn info(&self) -> &'static GameInfo;
    /// Every refusal of the game.
    fn refusals(&self) -> Vec<RefusalInfo>;
    /// JSON Schemas of options, moves, views and events.
    fn schemas(&self) -> Schemas;
    /// Checks options and fills in the defaults.
    fn options(&self, json: Option<&RawValue>) -> Result<Json, BadShape>;
    /// See [`Turns::new`](crate::game::Turns::new).
    fn open(
        &self,
        seats: u8,
        options: &RawValue,
        rules: u16,
    ) -> Result<Box<dyn AnyState>, BadShape>;
    /// Reads a stored event.
    fn decode(&self, json: &RawValue) -> Result<GameEvent, BadShape>;
    /// See [`Redeal::redeal`](crate::game::Redeal::redeal).
    fn redeal(
        &self,
        start: &dyn AnyState,
        log: &[&GameEvent],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Option<Vec<GameEvent>>;
    /// The worlds that a viewer cannot tell from the real one, given the state before the first event.
    fn worlds(
        &self,
        start: &dyn AnyState,
        log: &[(Timestamp, &GameEvent)],
        viewer: Viewer,
    ) -> Box<dyn Worlds>;
    /// How many events, from the first, follow from the rules for this many seats, given the state before the first event.
    fn followed(&self, seats: u8, start: &dyn AnyState, log: &[(Timestamp, &GameEvent)]) -> usize;
    /// See [`MeasureLuck::luck`](crate::game::MeasureLuck::luck): what the events after the first `skipped` ones gave to each of `seats`, given the state before the
    /// first event.
    fn luck(
        &self,
        seats: u8,
        start: &dyn AnyState,
        log: &[(Timestamp, &GameEvent)],
        skipped: usize,
    ) -> Ledger;
}

/// Legal moves, for clients.
#[derive(Debug, Clone)]
pub struct Listing {
    /// The moves; each can be sent back as it is.
    pub moves: Vec<ListedMove>,
    /// Whether every legal move is among them.
    pub complete: bool,
}

/// A legal move with its label.
#[derive(Debug, Clone)]
pub struct ListedMove {
    /// The move.
    pub mv: Json,
    /// The move in words.
    pub label: String,
    /// The field that may have other values, if there is one.
    pub fill: Option<Fill>,
}

/// The state of a match of any game.
pub trait AnyState: Send + Sync + Any {
    /// See [`Decide::setup`](crate::game::Decide::setup).
    fn setup(&self, cx: &mut Context<'_>) -> Vec<GameEvent>;
    /// Reads a move of this game.
    fn read_move(&self, json: &RawValue) -> Result<GameMove, BadShape>;
    /// See [`Decide::decide`](crate::game::Decide::decide).
    ///
    /// # Panics
    /// If the move belongs to another game.
    fn decide(
        &self,
        seat: Seat,
        mv: &GameMove,
        cx: &mut Context<'_>,
    ) -> Result<Vec<GameEvent>, RefusalInfo>;
    /// Decides a move and takes in its events at once, for players who think ahead.
    ///
    /// # Panics
    /// If the move belongs to another game.
    fn play(&mut self, seat: Seat, mv: &GameMove, cx: &mut Context<'_>) -> Result<(), RefusalInfo>;
    /// See [`Evolve::evolve`](crate::game::Evolve::evolve).
    ///
    /// # Panics
    /// If the event belongs to another game.
    fn evolve(&mut self, event: &GameEvent, at: Timestamp);
    /// See [`Turns::to_act`](crate::game::Turns::to_act).
    fn to_act(&self) -> SeatSet;
    /// See [`Turns::epoch`](crate::game::Turns::epoch).
    fn epoch(&self) -> u64;
    /// See [`LegalMoves::legal_moves`](crate::game::LegalMoves::legal_moves).
    fn legal_moves(&self, seat: Seat) -> Box<dyn Iterator<Item = Json> + '_>;
    /// The same without JSON.
    fn moves(&self, seat: Seat) -> Box<dyn Iterator<Item = GameMove> + '_>;
    /// The moves of [`LegalMoves::listing`](crate::game::LegalMoves::listing), without JSON and labels.
    fn listed_moves(&self, seat: Seat) -> Vec<GameMove>;
    /// See [`LegalMoves::listing`](crate::game::LegalMoves::listing).
    fn listing(&self, seat: Seat, lang: Lang) -> Listing;
    /// A move in words. See [`Words::label`](crate::game::Words::label).
    ///
    /// # Panics
    /// If the move belongs to another game.
    fn label(&self, seat: Seat, mv: &GameMove, lang: Lang) -> String;
    /// See [`LegalMoves::random_move`](crate::game::LegalMoves::random_move).
    fn random_move(&self, seat: Seat, chance: &mut dyn Chance) -> Option<GameMove>;
    /// See [`ShowState::view`](crate::game::ShowState::view).
    fn view(&self, viewer: Viewer) -> Json;
    /// See [`Turns::finished`](crate::game::Turns::finished).
    fn finished(&self) -> bool;
    /// See [`Score::standings`](crate::game::Score::standings).
    fn standings(&self) -> Standings;
    /// A move of the game's own type. `None` if it is of another type.
    fn wrap_move(&self, mv: Box<dyn Any>) -> Option<GameMove>;
    /// A clone of the state.
    fn boxed_clone(&self) -> Box<dyn AnyState>;
    /// The game's own state, for downcasting.
    fn as_any(&self) -> &dyn Any;
}

impl Clone for Box<dyn AnyState> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}

impl std::fmt::Debug for dyn AnyState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AnyState(hidden)")
    }
}

/// A move of any game.
pub struct GameMove(Box<dyn AnyMove>);

impl GameMove {
    /// The move in its canonical form, as it is stored.
    #[must_use]
    pub fn encode(&self) -> Json {
        self.0.encode()
    }

    /// Appends the canonical form to a text.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    /// The game's own move, for downcasting.
    #[must_use]
    pub fn as_any(&self) -> &dyn Any {
        self.0.as_any()
    }
}

impl Clone for GameMove {
    fn clone(&self) -> Self {
        self.0.boxed_clone()
    }
}

impl PartialEq for GameMove {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(other.0.as_ref())
    }
}

impl Eq for GameMove {}

impl Hash for GameMove {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.digest(state);
    }
}

impl std::fmt::Debug for GameMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GameMove(hidden)")
    }
}

trait AnyMove: Send + Sync {
    fn encode(&self) -> Json;
    fn write(&self, out: &mut Vec<u8>);
    fn boxed_clone(&self) -> GameMove;
    fn same(&self, other: &dyn AnyMove) -> bool;
    fn digest(&self, state: &mut dyn Hasher);
    fn as_any(&self) -> &dyn Any;
}

/// An event of any game. For the store only: it may contain hidden information.
pub struct GameEvent(Box<dyn AnyEvent>);

impl GameEvent {
    /// The event as it is stored.
    #[must_use]
    pub fn encode(&self) -> Json {
        self.0.encode()
    }

    /// Appends the stored form to a text.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    /// What a viewer may see of it.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> Json {
        self.0.view(viewer)
    }

    /// The event in words, as the viewer saw it.
    #[must_use]
    pub fn tell(&self, viewer: Viewer, lang: Lang) -> String {
        self.0.tell(viewer, lang)
    }

    /// Choice, luck or reveal.
    #[must_use]
    pub fn nature(&self) -> Nature {
        self.0.nature()
    }
}

impl Clone for GameEvent {
    fn clone(&self) -> Self {
        self.0.boxed_clone()
    }
}

impl std::fmt::Debug for GameEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GameEvent(hidden)")
    }
}

trait AnyEvent: Send + Sync {
    fn encode(&self) -> Json;
    fn write(&self, out: &mut Vec<u8>);
    fn view(&self, viewer: Viewer) -> Json;
    fn tell(&self, viewer: Viewer, lang: Lang) -> String;
    fn nature(&self) -> Nature;
    fn boxed_clone(&self) -> GameEvent;
    fn as_any(&self) -> &dyn Any;
}

/// A typed game in its erased form, for the registry.
#[derive(Debug)]
pub struct Erased<G>(PhantomData<G>);

impl<G: RuleSet> Erased<G> {
    /// The erased game.
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G: RuleSet> Default for Erased<G> {
    fn default() -> Self {
        Self::new()
    }
}

struct Typed<G: RuleSet>(G::State);
struct TypedEvent<G: RuleSet>(G::Event);
struct TypedMove<G: RuleSet>(G::Move);

/// Why writing views, moves and events as JSON cannot fail.
const PLAIN_DATA: &str = "plain data: maps have strings as keys, and no serialiser fails";

fn json<T: Serialize>(value: &T) -> Json {
    serde_json::value::to_raw_value(value).expect(PLAIN_DATA)
}

fn write_json<T: Serialize>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value).expect(PLAIN_DATA);
}

fn erase_move<G: RuleSet>(mv: G::Move) -> GameMove {
    GameMove(Box::new(TypedMove::<G>(mv)))
}

fn erase<G: RuleSet>(event: G::Event) -> GameEvent {
    GameEvent(Box::new(TypedEvent::<G>(event)))
}

fn typed<G: RuleSet>(event: &GameEvent) -> &G::Event {
    &event.0.as_any().downcast_ref::<TypedEvent<G>>().expect("an event of this game").0
}

fn typed_move<G: RuleSet>(mv: &GameMove) -> &G::Move {
    mv.as_any().downcast_ref::<G::Move>().expect("a move of this game")
}

fn typed_state<G: RuleSet>(state: &dyn AnyState) -> &G::State {
    state.as_any().downcast_ref::<G::State>().expect("a state of this game")
}

impl<G: RuleSet> AnyGame for Erased<G> {
    fn info(&self) -> &'static GameInfo {
        &const { G::INFO }
    }

    fn refusals(&self) -> Vec<RefusalInfo> {
        G::Refusal::ALL.iter().map(|refusal| refusal.info()).collect()
    }

    fn schemas(&self) -> Schemas {
        schema::of::<G>()
    }

    fn options(&self, text: Option<&RawValue>) -> Result<Json, BadShape> {
        let options = match text {
            Some(text) => shape::parse::<G::Options>(text.get())?,
            None => G::Options::default(),
        };
        Ok(json(&options))
    }

    fn open(
        &self,
        seats: u8,
        options: &RawValue,
        rules: u16,
    ) -> Result<Box<dyn AnyState>, BadShape> {
        let options = shape::parse::<G::Options>(options.get())?;
        Ok(Box::new(Typed::<G>(G::new(seats, &options, rules))))
    }

    fn decode(&self, text: &RawValue) -> Result<GameEvent, BadShape> {
        shape::parse::<G::Event>(text.get()).map(erase::<G>)
    }

    fn redeal(
        &self,
        start: &dyn AnyState,
        log: &[&GameEvent],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Option<Vec<GameEvent>> {
        let log: Vec<G::Event> = log.iter().map(|event| typed::<G>(event).clone()).collect();
        let dealt = G::redeal(typed_state::<G>(start), &log, viewer, chance);
        Some(dealt?.into_iter().map(erase::<G>).collect())
    }

    fn worlds(
        &self,
        start: &dyn AnyState,
        log: &[(Timestamp, &GameEvent)],
        viewer: Viewer,
    ) -> Box<dyn Worlds> {
        worlds::of::<G>(typed_state::<G>(start), log, viewer)
    }

    fn followed(&self, seats: u8, start: &dyn AnyState, log: &[(Timestamp, &GameEvent)]) -> usize {
        let log: Vec<(Timestamp, G::Event)> =
            log.iter().map(|(at, event)| (*at, typed::<G>(event).clone())).collect();
        game::followed::<G>(typed_state::<G>(start), seats, &log)
    }

    fn luck(
        &self,
        seats: u8,
        start: &dyn AnyState,
        log: &[(Timestamp, &GameEvent)],
        skipped: usize,
    ) -> Ledger {
        let mut ledger = Ledger::new(seats, const { G::INFO }.luck);
        let mut state = typed_state::<G>(start).clone();
        let mut past: Vec<G::Event> = Vec::with_capacity(log.len());
        for (at, event) in log {
            let event = typed::<G>(event);
            if past.len() >= skipped {
                G::luck(&state, &past, event, &mut ledger);
            }
            G::evolve(&mut state, event, *at);
            past.push(event.clone());
        }
        ledger
    }
}

impl<G: RuleSet> AnyState for Typed<G> {
    fn setup(&self, cx: &mut Context<'_>) -> Vec<GameEvent> {
        G::setup(&self.0, cx).into_iter().map(erase::<G>).collect()
    }

    fn read_move(&self, json: &RawValue) -> Result<GameMove, BadShape> {
        let mv = shape::parse::<G::Move>(json.get()).map(erase_move::<G>);
        mv.map_err(|shape| schema::with_bounds::<G::Move>(shape, json))
    }

    fn decide(
        &self,
        seat: Seat,
        mv: &GameMove,
        cx: &mut Context<'_>,
    ) -> Result<Vec<GameEvent>, RefusalInfo> {
        let events = G::decide(&self.0, seat, typed_move::<G>(mv), cx).map_err(Refusal::info)?;
        Ok(events.into_iter().map(erase::<G>).collect())
    }

    fn play(&mut self, seat: Seat, mv: &GameMove, cx: &mut Context<'_>) -> Result<(), RefusalInfo> {
        let events = G::decide(&self.0, seat, typed_move::<G>(mv), cx).map_err(Refusal::info)?;
        for event in &events {
            G::evolve(&mut self.0, event, cx.at);
        }
        Ok(())
    }

    fn evolve(&mut self, event: &GameEvent, at: Timestamp) {
        G::evolve(&mut self.0, typed::<G>(event), at);
    }

    fn to_act(&self) -> SeatSet {
        G::to_act(&self.0)
    }

    fn epoch(&self) -> u64 {
        G::epoch(&self.0)
    }

    fn legal_moves(&self, seat: Seat) -> Box<dyn Iterator<Item = Json> + '_> {
        Box::new(G::legal_moves(&self.0, seat).map(|mv| json(&mv)))
    }

    fn moves(&self, seat: Seat) -> Box<dyn Iterator<Item = GameMove> + '_> {
        Box::new(G::legal_moves(&self.0, seat).map(erase_move::<G>))
    }

    fn listed_moves(&self, seat: Seat) -> Vec<GameMove> {
        let listed = G::listing(&self.0, seat).moves.into_iter();
        listed.map(|listed| erase_move::<G>(listed.mv)).collect()
    }

    fn listing(&self, seat: Seat, lang: Lang) -> Listing {
        let listing = G::listing(&self.0, seat);
        let moves = listing
            .moves
            .into_iter()
            .map(|listed| ListedMove {
                mv: json(&listed.mv),
                label: G::label(&self.0, seat, &listed.mv, lang),
                fill: listed.fill,
            })
            .collect();
        Listing { moves, complete: listing.complete }
    }

    fn label(&self, seat: Seat, mv: &GameMove, lang: Lang) -> String {
        G::label(&self.0, seat, typed_move::<G>(mv), lang)
    }

    fn random_move(&self, seat: Seat, chance: &mut dyn Chance) -> Option<GameMove> {
        G::random_move(&self.0, seat, chance).map(erase_move::<G>)
    }

    fn view(&self, viewer: Viewer) -> Json {
        json(&G::view(&self.0, viewer))
    }

    fn finished(&self) -> bool {
        G::finished(&self.0)
    }

    fn standings(&self) -> Standings {
        G::standings(&self.0)
    }

    fn wrap_move(&self, mv: Box<dyn Any>) -> Option<GameMove> {
        mv.downcast::<G::Move>().ok().map(|mv| erase_move::<G>(*mv))
    }

    fn boxed_clone(&self) -> Box<dyn AnyState> {
        Box::new(Typed::<G>(self.0.clone()))
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }
}

impl<G: RuleSet> AnyMove for TypedMove<G> {
    fn encode(&self) -> Json {
        json(&self.0)
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_json(out, &self.0);
    }

    fn boxed_clone(&self) -> GameMove {
        erase_move::<G>(self.0.clone())
    }

    fn same(&self, other: &dyn AnyMove) -> bool {
        other.as_any().downcast_ref::<G::Move>() == Some(&self.0)
    }

    fn digest(&self, mut state: &mut dyn Hasher) {
        self.0.hash(&mut state);
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }
}

impl<G: RuleSet> AnyEvent for TypedEvent<G> {
    fn encode(&self) -> Json {
        json(&self.0)
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_json(out, &self.0);
    }

    fn view(&self, viewer: Viewer) -> Json {
        json(&G::event_view(&self.0, viewer))
    }

    fn tell(&self, viewer: Viewer, lang: Lang) -> String {
        G::tell(&G::event_view(&self.0, viewer), lang)
    }

    fn nature(&self) -> Nature {
        self.0.nature()
    }

    fn boxed_clone(&self) -> GameEvent {
        erase::<G>(self.0.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
