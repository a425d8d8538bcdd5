//! How lucky a seat was with the cords that it drew.

use super::{
    Trama,
    components::Colour,
    cords::Cords,
    events::Event,
    state::{PlayerArea, State},
};
use crate::{
    game::MeasureLuck,
    luck::{Ledger, LuckInfo, Odds},
    text::Text,
};

pub(crate) const FIGURES: &[LuckInfo] = &[WANTED, VARIETY];

const WANTED: LuckInfo = LuckInfo::new(
    "wanted_cords",
    Text::new("Useful cords drawn", "Cordeles útiles"),
    Text::new(
        "Cords drawn by the seat in the colours of the cards that hold its buttons, compared with their share of the bag. Counted from the second round on.",
        "Cordeles que sacó el puesto de los colores de las cartas con sus botones, frente a su proporción en la bolsa. Se cuenta desde la segunda ronda.",
    ),
);

const VARIETY: LuckInfo = LuckInfo::new(
    "colours_drawn",
    Text::new("Colours drawn", "Colores sacados"),
    Text::new(
        "Different colours among the five cords that the seat drew in a round, compared with the mean over all possible draws from the bag.",
        "Colores distintos entre los cinco cordeles que el puesto sacó en una ronda, frente a la media de todas las manos posibles de la bolsa.",
    ),
);

impl MeasureLuck for Trama {
    fn luck(state: &State, _past: &[Event], event: &Event, ledger: &mut Ledger) {
        let Event::CordsDrawn { hands, .. } = event else { return };
        // The order of drawing makes no difference: every hand is a random sample of the bag.
        for ((seat, area), hand) in state.seated().zip(hands) {
            let wanted = |cords: Cords| -> u32 {
                cords.iter().filter(|colour| is_wanted(area, *colour)).map(|_| 1).sum()
            };
            if wanted(state.bag) > 0 {
                let odds = drawn(state.bag, hand.len(), wanted(state.bag));
                ledger.add(seat, &WANTED, wanted(*hand), odds);
            }
            let colours: u32 = hand.colours().map(|_| 1).sum();
            ledger.add(seat, &VARIETY, colours, variety(state.bag, hand.len()));
        }
    }
}

/// Whether a card that holds a button of the seat shows the colour.
fn is_wanted(area: &PlayerArea, colour: Colour) -> bool {
    let mut patterns = area.buttons.iter().flatten().map(|card| card.pattern());
    patterns.any(|pattern| pattern.a == colour || pattern.b == colour)
}

/// The odds of the number of `wanted` cords among `number` drawn from a bag (hypergeometric).
fn drawn(bag: Cords, number: u8, wanted: u32) -> Odds {
    let (all, number) = (f64::from(bag.len()), f64::from(number));
    let share = f64::from(wanted) / all;
    let rest = if all > 1.0 { (all - number) / (all - 1.0) } else { 0.0 };
    Odds { mean: number * share, variance: number * share * (1.0 - share) * rest }
}

/// The odds of the number of colours among `number` drawn cords.
fn variety(bag: Cords, number: u8) -> Odds {
    let lacking = |colours: &[Colour]| -> f64 {
        let others = colours.iter().fold(bag.len(), |left, colour| left - bag.count(*colour));
        none_of(others, bag.len(), number)
    };
    let mut odds = Odds { mean: 0.0, variance: 0.0 };
    for one in Colour::ALL {
        odds.mean += 1.0 - lacking(&[one]);
        for other in Colour::ALL {
            let both = if one == other { lacking(&[one]) } else { lacking(&[one, other]) };
            odds.variance += both - lacking(&[one]) * lacking(&[other]);
        }
    }
    odds
}

/// The probability that `number` cords drawn from `all` are all among `others`.
fn none_of(others: u8, all: u8, number: u8) -> f64 {
    (0..number).fold(1.0, |chance, drawn| {
        chance * f64::from(others.saturating_sub(drawn)) / f64::from(all - drawn)
    })
}
