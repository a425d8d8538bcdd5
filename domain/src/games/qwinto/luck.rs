//! How lucky a seat was with the dice.

use super::{
    Qwinto,
    components::{BOXES, Colour},
    events::{Die, Event},
    state::{Sheet, State, sum_of},
};
use crate::{
    game::MeasureLuck,
    luck::{Ledger, LuckInfo, Odds},
    seat::Seat,
    text::Text,
};

pub(crate) const FIGURES: &[LuckInfo] = &[SUMS, OPEN_BOXES];

const SUMS: LuckInfo = LuckInfo::new(
    "sums",
    Text::new("Sums rolled", "Sumas obtenidas"),
    Text::new(
        "The sum of every roll by the seat, rerolls included, compared with 3.5 per die.",
        "La suma de cada lanzamiento del puesto, incluidos los segundos, frente a 3,5 por dado.",
    ),
)
.neutral();

const OPEN_BOXES: LuckInfo = LuckInfo::new(
    "open_boxes",
    Text::new("Boxes open for the sum", "Casillas disponibles para la suma"),
    Text::new(
        "For every roll by any seat, the boxes of this seat's sheet in which the sum could be written, compared with the mean over all sums of the same dice.",
        "En cada lanzamiento, sea de quien sea, las casillas de la hoja del puesto en las que se podría anotar la suma, frente a la media de todas las sumas posibles con los mismos dados.",
    ),
);

impl MeasureLuck for Qwinto {
    fn luck(state: &State, _past: &[Event], event: &Event, ledger: &mut Ledger) {
        let (Event::DiceRolled { dice } | Event::DiceRerolled { dice }) = event else { return };
        let sum = sum_of(dice);
        let odds = sums(dice.len());
        let weighted = || (0_u8..).zip(&odds).map(|(sum, ways)| (*ways, sum));
        ledger.add(state.active, &SUMS, sum, Odds::weighted(weighted()));
        for (seat, sheet) in Seat::all(state.seats()).zip(&state.sheets) {
            let open = |sum| open_boxes(sheet, dice, sum);
            let odds = Odds::weighted(weighted().map(|(ways, sum)| (ways, open(sum))));
            ledger.add(seat, &OPEN_BOXES, open(sum), odds);
        }
    }
}

/// The number of ways in which this many dice show each sum.
fn sums(dice: usize) -> Vec<f64> {
    (0..dice).fold(vec![1.0], |ways, _| {
        let mut more = vec![0.0; ways.len() + 6];
        for (sum, ways) in ways.iter().enumerate() {
            more[sum + 1..=sum + 6].iter_mut().for_each(|more| *more += ways);
        }
        more
    })
}

/// The boxes in which the sum of these dice could be written (R3.2 to R3.4).
fn open_boxes(sheet: &Sheet, dice: &[Die], sum: u8) -> u32 {
    let rows = dice.iter().map(|die| die.colour);
    rows.map(|row: Colour| {
        (0..BOXES).filter(|cell| sheet.check(row, *cell, sum).is_ok()).map(|_| 1).sum::<u32>()
    })
    .sum()
}
