//! The state of a match: the fold of its events.

use super::{
    Brotando, Options,
    cards::{Card, Figure, Wind},
    components::{DAYS, FIGURE_SEGMENTS, Lines, START_SEGMENTS, Sun, WIND_SEGMENTS},
    events::{Bid, Reward},
    figures,
    moves::Placement,
    score,
    sprout::{Segment, Sprout},
    squares::Squares,
};
use crate::{
    game::Turns,
    seat::{Seat, SeatSet},
};

/// A wind card in hand, and the day on which it was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeldWind {
    pub(crate) wind: Wind,
    pub(crate) since: u8,
}

/// Counts of a seat, for statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counters {
    pub(crate) income: Reward,
    pub(crate) won: u16,
    pub(crate) sold: u16,
    pub(crate) kept: u16,
    pub(crate) paid: u16,
    pub(crate) received: u16,
    pub(crate) passed: u16,
    pub(crate) failed: u16,
    pub(crate) lost: u16,
}

/// The plot of a seat: its deck, its reserve and its sprout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plot {
    /// The top card first.
    pub(crate) deck: Vec<Card>,
    /// How many of the next cards the seat itself has seen (R7.5).
    pub(crate) known: u8,
    pub(crate) reserve: u16,
    pub(crate) sprout: Sprout,
    /// The squares covered today.
    pub(crate) fresh: Squares,
    pub(crate) crossed: Lines,
    /// The card obtained today.
    pub(crate) card: Option<Card>,
    pub(crate) grown: bool,
    /// Segments that a failed test still costs (R3.5).
    pub(crate) debt: u16,
    /// The last day on which a test was passed; 0 for never.
    pub(crate) passed_on: u8,
    pub(crate) hand: Vec<HeldWind>,
    /// Wind cards played, by text.
    pub(crate) played: [u8; Wind::ALL.len()],
    pub(crate) counters: Counters,
}

impl Plot {
    fn new() -> Self {
        Self {
            deck: Vec::new(),
            known: 0,
            reserve: START_SEGMENTS, // R2.3
            sprout: Sprout::EMPTY,
            fresh: Squares::NONE,
            crossed: Lines::NONE,
            card: None,
            grown: false,
            debt: 0,
            passed_on: 0,
            hand: Vec::new(),
            played: [0; Wind::ALL.len()],
            counters: Counters::default(),
        }
    }

    /// The number of segments to place with today's card, limited by the reserve (R5.2, R5.5, R5.6).
    pub(crate) fn due(&self) -> u16 {
        let asked = match self.card {
            Some(Card::Growth(_)) => FIGURE_SEGMENTS,
            Some(Card::Wind(_)) => WIND_SEGMENTS,
            None => 0,
        };
        asked.min(self.reserve)
    }

    /// Every way to grow today, each once.
    pub(crate) fn growths(&self) -> Vec<Vec<Segment>> {
        match (self.due(), self.card) {
            (0, _) | (_, None) => Vec::new(),
            (count, Some(Card::Growth(figure))) => figure.shape().placements(count, &self.sprout),
            (_, Some(Card::Wind(_))) => figures::single_segments(&self.sprout),
        }
    }

    /// Today's reward from the suns (R6.1, R6.2).
    pub(crate) fn reward(&self) -> Reward {
        let pay = |sun: Sun, covered: Squares| (covered & sun.squares()).count() * sun.pays();
        Reward {
            yellow: pay(Sun::Yellow, self.fresh),
            red: pay(Sun::Red, self.fresh),
            orange: pay(Sun::Orange, self.sprout.covered()),
        }
    }

    pub(crate) fn holds(&self, wind: Wind) -> bool {
        self.hand.iter().any(|held| held.wind == wind)
    }

    pub(crate) fn held(&self, wind: Wind) -> usize {
        self.hand.iter().filter(|held| held.wind == wind).count()
    }

    /// Whether a test was passed today with this card in hand (R7.6).
    pub(crate) fn has_balanced(&self, day: u8) -> bool {
        let ripe = |held: &HeldWind| held.wind == Wind::BalanceFour && held.since < day;
        self.passed_on == day && self.hand.iter().any(ripe)
    }
}

/// The part of a day that is being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Setup,
    /// Seats that failed their test drop segments.
    Testing,
    Selecting {
        active: Seat,
    },
    Bidding {
        active: Seat,
        card: u8,
        turn: Seat,
        bidders: SeatSet,
        highest: Option<Bid>,
    },
    Deciding {
        active: Seat,
        card: u8,
        highest: Bid,
    },
    Growing,
    Over,
}

/// The state of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The version of the rules under which the match was created.
    pub(crate) rules: u16,
    pub(crate) day: u8,
    /// The first seat of the day (R2.4).
    pub(crate) first: Seat,
    pub(crate) phase: Phase,
    /// The seat that is rearranging its deck, while everybody else waits (R7.5).
    pub(crate) arranging: Option<Seat>,
    pub(crate) epoch: u32,
    /// The cards in the centre, by the seat that revealed them.
    pub(crate) centre: Vec<Option<Card>>,
    pub(crate) plots: Vec<Plot>,
}

impl State {
    /// The day, from 1.
    #[must_use]
    pub const fn day(&self) -> u8 {
        self.day
    }

    /// The points of a seat as it stands, with the wind cards in its hand (R8).
    #[must_use]
    pub fn points(&self, seat: Seat) -> i64 {
        score::total(self.plot(seat))
    }

    /// The segments that the suns of a seat pay on every later day (R6.2).
    #[must_use]
    pub fn daily_income(&self, seat: Seat) -> u16 {
        (self.plot(seat).sprout.covered() & Sun::Orange.squares()).count() * Sun::Orange.pays()
    }

    /// The segments that the suns of a seat will pay today.
    #[must_use]
    pub fn reward(&self, seat: Seat) -> u16 {
        self.plot(seat).reward().total()
    }

    /// The segments that a seat would lose if it were tested now (R3.4).
    #[must_use]
    pub fn imbalance(&self, seat: Seat) -> u16 {
        self.plot(seat).sprout.balance().imbalance().unwrap_or(0)
    }

    /// The segments in the reserve of a seat.
    #[must_use]
    pub fn reserve(&self, seat: Seat) -> u16 {
        self.plot(seat).reserve
    }

    /// Whether seats are bidding.
    #[must_use]
    pub const fn is_bidding(&self) -> bool {
        matches!(self.phase, Phase::Bidding { .. })
    }

    /// Whether a seat has yet to grow today.
    #[must_use]
    pub fn is_growing(&self, seat: Seat) -> bool {
        self.phase == Phase::Growing && !self.plot(seat).grown
    }

    /// A quick value of a way to grow: what its suns pay until the end, without the lines that it crosses.
    #[must_use]
    pub fn growth_value(&self, seat: Seat, placement: &Placement) -> i64 {
        let squares = Segment::all_squares(placement.segments());
        let paid = |sun: Sun| i64::from((squares & sun.squares()).count() * sun.pays());
        let days = i64::from(DAYS.saturating_sub(self.day)) + 1;
        let crossed = Lines::crossed_by(squares).without(self.plot(seat).crossed);
        let costs: i64 = crossed.infos().map(|line| i64::from(line.colour.costs())).sum();
        paid(Sun::Yellow) + paid(Sun::Red) + paid(Sun::Orange) * days - costs
    }

    pub(crate) fn seats(&self) -> u8 {
        u8::try_from(self.plots.len()).expect("at most six plots")
    }

    pub(crate) fn plot(&self, seat: Seat) -> &Plot {
        &self.plots[seat.index()]
    }

    /// A card in the centre.
    pub(crate) fn card(&self, card: u8) -> Option<Card> {
        self.centre.get(usize::from(card)).copied().flatten()
    }

    /// The figure of a card in the centre, if it is face up.
    pub(crate) fn figure(&self, card: u8) -> Option<Figure> {
        self.card(card).and_then(Card::figure)
    }

    /// The seats for which something holds.
    pub(crate) fn seats_where(&self, holds: impl Fn(&Plot) -> bool) -> SeatSet {
        Seat::all(self.seats()).filter(|seat| holds(self.plot(*seat))).collect()
    }

    /// The seats that have no card yet today (R4.8).
    pub(crate) fn without_card(&self) -> SeatSet {
        self.seats_where(|plot| plot.card.is_none())
    }

    /// All seats, from the one to the left of `seat` to `seat` itself.
    pub(crate) fn seats_after(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let count = self.seats();
        let mut next = seat;
        (0..count).map(move |_| {
            next = next.next(count);
            next
        })
    }

    /// The next of some seats to the left.
    pub(crate) fn next_among(&self, seats: SeatSet, after: Seat) -> Option<Seat> {
        self.seats_after(after).find(|seat| seats.contains(*seat))
    }
}

impl Turns for Brotando {
    fn new(seats: u8, _options: &Options, rules: u16) -> State {
        State {
            rules,
            day: 0,
            first: Seat::FIRST,
            phase: Phase::Setup,
            arranging: None,
            epoch: 0,
            centre: vec![None; seats.into()],
            plots: vec![Plot::new(); seats.into()],
        }
    }

    fn to_act(state: &State) -> SeatSet {
        match (state.arranging, &state.phase) {
            (_, Phase::Setup | Phase::Over) => SeatSet::NONE,
            (Some(seat), _) => SeatSet::one(seat),
            (None, Phase::Testing) => state.seats_where(|plot| plot.debt > 0),
            (None, Phase::Selecting { active } | Phase::Deciding { active, .. }) => {
                SeatSet::one(*active)
            }
            (None, Phase::Bidding { turn, .. }) => SeatSet::one(*turn),
            (None, Phase::Growing) => state.seats_where(|plot| !plot.grown),
        }
    }

    /// Seats drop segments and grow independently of one another; everything else affects the decisions of others.
    fn epoch(state: &State) -> u64 {
        state.epoch.into()
    }

    fn finished(state: &State) -> bool {
        state.phase == Phase::Over
    }
}
