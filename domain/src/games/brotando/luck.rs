//! How lucky a seat was with the cards of the centre.

use super::{
    Brotando,
    cards::{Card, Figure},
    components::Sun,
    events::Event,
    figures,
    sprout::{Segment, Sprout},
    squares::Squares,
    state::State,
};
use crate::{
    game::MeasureLuck,
    luck::{Ledger, LuckInfo, Odds},
    seat::Seat,
    text::Text,
};

pub(crate) const FIGURES: &[LuckInfo] = &[SUNS];

const SUNS: LuckInfo = LuckInfo::new(
    "suns_within_reach",
    Text::new("Suns within reach", "Soles al alcance"),
    Text::new(
        "The most suns that the seat could cover with one of the cards revealed on a day, no matter which seat gets it, compared with the mean over all growth cards that nobody had seen.",
        "El mayor número de soles que el puesto podía cubrir con alguna de las cartas reveladas en un día, sin importar quién la consiguiera, frente a la media de todas las cartas de crecimiento que nadie había visto.",
    ),
);

impl MeasureLuck for Brotando {
    fn luck(state: &State, past: &[Event], event: &Event, ledger: &mut Ledger) {
        let Event::DayBegan { .. } = event else { return };
        let unseen = unseen(state, past);
        let tops = || state.plots.iter().filter_map(|plot| Some((plot.known, *plot.deck.first()?)));
        // A seat that has looked at its next card knows it; of the other cards, only the back is known (R2.6).
        let is_luck = |known: u8, card: Card| known == 0 && card.figure().is_some();
        let drawn = tops().filter(|(known, card)| is_luck(*known, *card)).count();
        for (seat, plot) in Seat::all(state.seats()).zip(&state.plots) {
            let reach = Reach::of(&plot.sprout);
            let most = |luck: bool| {
                let cards = tops().filter(|(known, card)| luck || !is_luck(*known, *card));
                cards.map(|(_, card)| reach.suns(card)).max().unwrap_or(0)
            };
            let values = unseen.iter().map(|figure| reach.suns(Card::Growth(*figure))).collect();
            ledger.add(seat, &SUNS, most(true), best_of(values, drawn, most(false)));
        }
    }
}

/// The growth cards that nobody has seen, including those left in the box.
fn unseen(state: &State, past: &[Event]) -> Vec<Figure> {
    let turned_up = past.iter().flat_map(|event| match event {
        Event::DayBegan { cards, .. } => cards.as_slice(),
        _ => &[],
    });
    let looked_at = state.plots.iter().flat_map(|plot| plot.deck.iter().take(plot.known.into()));
    let mut unseen = Figure::all_cards();
    for figure in turned_up.flatten().copied().chain(looked_at.filter_map(|card| card.figure())) {
        if let Some(index) = unseen.iter().position(|other| *other == figure) {
            unseen.swap_remove(index);
        }
    }
    unseen
}

/// The odds of the largest of `sure` and of `drawn` values taken at random.
fn best_of(mut values: Vec<u16>, drawn: usize, sure: u16) -> Odds {
    values.sort_unstable();
    // The probability that all drawn values are among the `lowest` smallest.
    let below = |lowest: usize| -> f64 {
        let shares = (0..drawn).map(|index| {
            let [lowest, all] = [lowest, values.len()].map(|count| {
                f64::from(u32::try_from(count.saturating_sub(index)).expect("there are 112 cards"))
            });
            if all > 0.0 { lowest / all } else { 0.0 }
        });
        shares.product()
    };
    if drawn == 0 {
        return Odds::even([sure]);
    }
    let chances = values.iter().enumerate().map(|(index, value)| {
        let chance = below(index + 1) - below(index);
        (chance, (*value).max(sure))
    });
    Odds::weighted(chances)
}

/// The squares that a sprout may grow over.
struct Reach<'a> {
    sprout: &'a Sprout,
    body: Squares,
    edge: Squares,
    suns: Squares,
}

impl<'a> Reach<'a> {
    fn of(sprout: &'a Sprout) -> Self {
        let body = sprout.body();
        let suns = Sun::ALL.iter().fold(Squares::NONE, |all, sun| all | sun.squares());
        Self { sprout, body, edge: body.around(), suns: suns - body }
    }

    /// The most suns that a card can cover, with enough segments in reserve (R5.2 to R5.4, R5.6).
    fn suns(&self, card: Card) -> u16 {
        let covered = |squares: Squares| (squares & self.suns).count();
        match card {
            Card::Growth(figure) => {
                let places = figure.shape().places(self.body, self.edge);
                places.map(|(_, whole)| covered(whole)).max().unwrap_or(0)
            }
            Card::Wind(_) => {
                let segments = figures::single_segments(self.sprout);
                segments.iter().map(|laid| covered(Segment::all_squares(laid))).max().unwrap_or(0)
            }
        }
    }
}
