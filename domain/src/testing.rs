//! Given these events, when a seat moves, then these events or that refusal.

use std::fmt::Debug;

use crate::{
    chance::Scripted,
    game::{Context, RuleSet},
    luck::Ledger,
    seat::Seat,
    time::Timestamp,
};

/// A game in a known position.
#[derive(Debug)]
pub(crate) struct Given<G: RuleSet> {
    pub(crate) state: G::State,
}

/// A table of `seats` with default options after `events`.
pub(crate) fn given<G: RuleSet>(seats: u8, events: impl IntoIterator<Item = G::Event>) -> Given<G> {
    given_with::<G>(seats, &G::Options::default(), events)
}

/// The first state of a table with default options, under the current rules.
pub(crate) fn opened<G: RuleSet>(seats: u8) -> G::State {
    G::new(seats, &G::Options::default(), const { G::INFO }.rules_version)
}

/// The same with options.
pub(crate) fn given_with<G: RuleSet>(
    seats: u8,
    options: &G::Options,
    events: impl IntoIterator<Item = G::Event>,
) -> Given<G> {
    Given { state: G::new(seats, options, const { G::INFO }.rules_version) }.and(events)
}

impl<G: RuleSet> Given<G> {
    /// Further events.
    pub(crate) fn and(mut self, events: impl IntoIterator<Item = G::Event>) -> Self {
        for event in events {
            G::evolve(&mut self.state, &event, Timestamp::default());
        }
        self
    }

    /// A move that needs no luck.
    pub(crate) fn when(&self, seat: u8, mv: &G::Move) -> Result<Vec<G::Event>, G::Refusal> {
        self.when_lucky(seat, mv, [])
    }

    /// A move with scripted luck, all of which has to be used unless the move is refused.
    pub(crate) fn when_lucky(
        &self,
        seat: u8,
        mv: &G::Move,
        luck: impl IntoIterator<Item = u32>,
    ) -> Result<Vec<G::Event>, G::Refusal> {
        let mut chance = Scripted::new(luck);
        let mut cx = Context { chance: &mut chance, at: Timestamp::default() };
        let decided = G::decide(&self.state, Seat::new(seat).expect("a seat"), mv, &mut cx);
        assert!(decided.is_err() || chance.left() == 0, "luck was left over");
        decided
    }

    /// Makes a move that has to be accepted.
    #[track_caller]
    pub(crate) fn play(self, seat: u8, mv: &G::Move, luck: impl IntoIterator<Item = u32>) -> Self
    where
        G::Refusal: Debug,
    {
        let events = self.when_lucky(seat, mv, luck).expect("a legal move");
        self.and(events)
    }

    /// A luck figure of a seat for this event: count, observed, expected and variance, rounded to a millionth.
    pub(crate) fn luck(&self, event: &G::Event, seat: u8, id: &str) -> (u32, f64, f64, f64) {
        self.luck_after(&[], event, seat, id)
    }

    /// The same with past events that the state does not contain.
    pub(crate) fn luck_after(
        &self,
        past: &[G::Event],
        event: &G::Event,
        seat: u8,
        id: &str,
    ) -> (u32, f64, f64, f64) {
        let mut ledger = Ledger::new(Seat::MAX, const { G::INFO }.luck);
        G::luck(&self.state, past, event, &mut ledger);
        let figures = ledger.of(Seat::new(seat).expect("a seat"));
        let luck = figures.iter().find(|luck| luck.info.id == id).expect("a declared figure");
        let round = |number: f64| (number * 1e6).round() / 1e6;
        (luck.count, round(luck.observed), round(luck.expected), round(luck.variance))
    }

    /// The legal moves of a seat.
    pub(crate) fn legal(&self, seat: u8) -> Vec<G::Move> {
        G::legal_moves(&self.state, Seat::new(seat).expect("a seat")).collect()
    }
}
