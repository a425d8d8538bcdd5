//! Any game, with JSON text at the edge: the only place that knows both the typed and the erased side.
//!
//! [`GameEvent`] and [`AnyState`] have no `Serialize`: an event leaves only towards the store, by
//! [`GameEvent::encode`], and a viewer gets only what `view` and `event_view` give.
//!
//! ```compile_fail
//! fn shown<T: serde::Serialize>(_: &T) {}
//! fn leak(event: &domain::erased::GameEvent) { shown(event); }
//! ```
//! ```compile_fail
//! fn shown<T: serde::Serialize + ?Sized>(_: &T) {}
//! fn leak(state: &dyn domain::erased::AnyState) { shown(state); }
//! ```

use std::{any::Any, marker::PhantomData};

use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    chance::Chance,
    game::{Context, Fill, GameInfo, Nature, Refusal, RefusalInfo, RuleSet, StoredEvent},
    luck::Ledger,
    outcome::Standings,
    schema::{self, Schemas},
    seat::{Seat, SeatSet, Viewer},
    shape::{self, BadShape},
    text::Lang,
    time::Timestamp,
};

/// JSON that a client may see.
pub type Json = Box<RawValue>;

/// A rule set behind the registry.
pub trait AnyGame: Send + Sync {
    /// What everybody may know beforehand.
    fn info(&self) -> &'static GameInfo;
    /// Every refusal of the game.
    fn refusals(&self) -> Vec<RefusalInfo>;
    /// JSON Schemas of options, moves, views and events.
    fn schemas(&self) -> Schemas;
    /// Checks options and writes them out in full.
    fn options(&self, json: Option<&RawValue>) -> Result<Json, BadShape>;
    /// The state before the first event.
    fn open(&self, seats: u8, options: &RawValue) -> Result<Box<dyn AnyState>, BadShape>;
    /// Reads a stored event.
    fn decode(&self, json: &RawValue) -> Result<GameEvent, BadShape>;
    /// See [`Redeal::redeal`](crate::game::Redeal::redeal).
    fn redeal(
        &self,
        start: &dyn AnyState,
        log: &[&GameEvent],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Vec<GameEvent>;
    /// See [`MeasureLuck::luck`](crate::game::MeasureLuck::luck): what the events after the first `skipped` ones gave to each of
    /// `seats`. `start` is the state before the first event.
    fn luck(
        &self,
        seats: u8,
        start: &dyn AnyState,
        log: &[(Timestamp, &GameEvent)],
        skipped: usize,
    ) -> Ledger;
}

/// Why a move was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MoveError {
    /// It is not a move of this game.
    Malformed(BadShape),
    /// A rule forbids it.
    Refused(RefusalInfo),
}

/// A move that was made: what it was, canonically, and what happened.
#[derive(Debug)]
pub struct Made {
    /// The move as it is stored.
    pub mv: Json,
    /// What happened.
    pub events: Vec<GameEvent>,
}

/// Legal moves as a client gets them.
#[derive(Debug, Clone)]
pub struct Listing {
    /// Each can be posted back as it is.
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
    /// The field that may be filled in differently.
    pub fill: Option<Fill>,
}

/// The state of a match of any game.
pub trait AnyState: Send + Sync + Any {
    /// See [`Decide::setup`](crate::game::Decide::setup).
    fn setup(&self, cx: &mut Context<'_>) -> Vec<GameEvent>;
    /// See [`Decide::decide`](crate::game::Decide::decide).
    fn decide(&self, seat: Seat, mv: &RawValue, cx: &mut Context<'_>) -> Result<Made, MoveError>;
    /// See [`Evolve::evolve`](crate::game::Evolve::evolve). An event of another game changes nothing.
    fn evolve(&mut self, event: &GameEvent, at: Timestamp);
    /// See [`Turns::to_act`](crate::game::Turns::to_act).
    fn to_act(&self) -> SeatSet;
    /// See [`Turns::epoch`](crate::game::Turns::epoch).
    fn epoch(&self) -> u64;
    /// See [`LegalMoves::legal_moves`](crate::game::LegalMoves::legal_moves).
    fn legal_moves(&self, seat: Seat) -> Box<dyn Iterator<Item = Json> + '_>;
    /// See [`LegalMoves::listing`](crate::game::LegalMoves::listing).
    fn listing(&self, seat: Seat, lang: Lang) -> Listing;
    /// See [`LegalMoves::random_move`](crate::game::LegalMoves::random_move).
    fn random_move(&self, seat: Seat, chance: &mut dyn Chance) -> Option<Json>;
    /// See [`ShowState::view`](crate::game::ShowState::view).
    fn view(&self, viewer: Viewer) -> Json;
    /// See [`Turns::finished`](crate::game::Turns::finished).
    fn finished(&self) -> bool;
    /// See [`Score::standings`](crate::game::Score::standings).
    fn standings(&self) -> Standings;
    /// The same state again.
    fn boxed_clone(&self) -> Box<dyn AnyState>;
    /// For the typed side.
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

/// An event of any game. For the store only: it may hold what nobody may see yet.
pub struct GameEvent(Box<dyn AnyEvent>);

impl GameEvent {
    /// The event as it is stored.
    #[must_use]
    pub fn encode(&self) -> Json {
        self.0.encode()
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

    /// Choice, luck or the showing of something hidden.
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
    fn view(&self, viewer: Viewer) -> Json;
    fn tell(&self, viewer: Viewer, lang: Lang) -> String;
    fn nature(&self) -> Nature;
    fn boxed_clone(&self) -> GameEvent;
    fn as_any(&self) -> &dyn Any;
}

/// The erased form of a typed game: what the registry is made of.
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

fn json<T: Serialize>(value: &T) -> Json {
    // Views, moves and events are plain data: strings as keys, no failing serialisers.
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

fn erase<G: RuleSet>(event: G::Event) -> GameEvent {
    GameEvent(Box::new(TypedEvent::<G>(event)))
}

fn typed<G: RuleSet>(event: &GameEvent) -> Option<&G::Event> {
    event.0.as_any().downcast_ref::<TypedEvent<G>>().map(|event| &event.0)
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

    fn open(&self, seats: u8, options: &RawValue) -> Result<Box<dyn AnyState>, BadShape> {
        let options = shape::parse::<G::Options>(options.get())?;
        Ok(Box::new(Typed::<G>(G::new(seats, &options))))
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
    ) -> Vec<GameEvent> {
        let log: Vec<G::Event> =
            log.iter().filter_map(|event| typed::<G>(event).cloned()).collect();
        match start.as_any().downcast_ref::<Typed<G>>() {
            Some(start) => {
                G::redeal(&start.0, &log, viewer, chance).into_iter().map(erase::<G>).collect()
            }
            None => Vec::new(),
        }
    }

    fn luck(
        &self,
        seats: u8,
        start: &dyn AnyState,
        log: &[(Timestamp, &GameEvent)],
        skipped: usize,
    ) -> Ledger {
        let mut ledger = Ledger::new(seats, const { G::INFO }.luck);
        let Some(start) = start.as_any().downcast_ref::<Typed<G>>() else { return ledger };
        let mut state = start.0.clone();
        let log: Vec<(Timestamp, G::Event)> =
            log.iter().filter_map(|(at, event)| Some((*at, typed::<G>(event)?.clone()))).collect();
        let mut past: Vec<G::Event> = Vec::with_capacity(log.len());
        for (at, event) in log {
            if past.len() >= skipped {
                G::luck(&state, &past, &event, &mut ledger);
            }
            G::evolve(&mut state, &event, at);
            past.push(event);
        }
        ledger
    }
}

impl<G: RuleSet> AnyState for Typed<G> {
    fn setup(&self, cx: &mut Context<'_>) -> Vec<GameEvent> {
        G::setup(&self.0, cx).into_iter().map(erase::<G>).collect()
    }

    fn decide(&self, seat: Seat, mv: &RawValue, cx: &mut Context<'_>) -> Result<Made, MoveError> {
        let mv = shape::parse::<G::Move>(mv.get()).map_err(MoveError::Malformed)?;
        let events = G::decide(&self.0, seat, &mv, cx)
            .map_err(|refusal| MoveError::Refused(refusal.info()))?;
        Ok(Made { mv: json(&mv), events: events.into_iter().map(erase::<G>).collect() })
    }

    fn evolve(&mut self, event: &GameEvent, at: Timestamp) {
        if let Some(event) = typed::<G>(event) {
            G::evolve(&mut self.0, event, at);
        }
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

    fn random_move(&self, seat: Seat, chance: &mut dyn Chance) -> Option<Json> {
        G::random_move(&self.0, seat, chance).map(|mv| json(&mv))
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

    fn boxed_clone(&self) -> Box<dyn AnyState> {
        Box::new(Typed::<G>(self.0.clone()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<G: RuleSet> AnyEvent for TypedEvent<G> {
    fn encode(&self) -> Json {
        json(&self.0)
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
