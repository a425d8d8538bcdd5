//! How lucky a seat was with dice and cards.

use super::{
    Ettana,
    components::{ActionCard, Face},
    events::{Event, RollMethod},
    state::State,
};
use crate::{
    game::MeasureLuck,
    luck::{Ledger, LuckInfo, Odds},
    seat::Seat,
    text::Text,
};

pub(crate) const FIGURES: &[LuckInfo] = &[INCOME, VICTORY_CARDS];

const INCOME: LuckInfo = LuckInfo::new(
    "income",
    Text::new("Tokens from the dice", "Tokens de los dados"),
    Text::new(
        "Tokens paid to the seat by the rolls of any seat, and those won with its own Gain tokens cards, compared with the mean over the faces of the die.",
        "Tokens que cobra el puesto en cada tirada, sea de quien sea, más los que gana con sus cartas Ganar tokens, frente a la media de las caras del dado.",
    ),
);

const VICTORY_CARDS: LuckInfo = LuckInfo::new(
    "victory_cards",
    Text::new("Victory points drawn", "Puntos de victoria robados"),
    Text::new(
        "Victory point cards among the action cards that the seat was dealt or drew, compared with their share of the deck at the time.",
        "Cartas de punto de victoria entre las cartas de acción que el puesto recibió o robó, frente a su proporción en el mazo en ese momento.",
    ),
);

impl MeasureLuck for Ettana {
    fn luck(state: &State, _past: &[Event], event: &Event, ledger: &mut Ledger) {
        match event {
            Event::DiceRolled { roll, .. } if roll.how != RollMethod::Chosen => {
                let faces = Face::ALL.map(|face| paid(state, face));
                let rolled = paid(state, roll.face);
                for (index, seat) in Seat::all(state.seats()).enumerate() {
                    let odds = Odds::even(faces.iter().map(|tokens| tokens[index]));
                    ledger.add(seat, &INCOME, rolled[index], odds);
                }
            }
            Event::WagerRolled { seat, named, tokens, .. } => {
                let won = (*named).min(state.supply()); // R6.3, R6.13
                let odds = Odds::even((1..=6).map(|rolled| if rolled >= *named { won } else { 0 }));
                ledger.add(*seat, &INCOME, *tokens, odds);
            }
            Event::HandDealt { seat, card, .. } | Event::ActionDrawn { seat, card, .. } => {
                let is_victory = |card: ActionCard| u8::from(card == ActionCard::VictoryPoint);
                let odds = Odds::even(state.action_deck.iter().map(is_victory));
                ledger.add(*seat, &VICTORY_CARDS, is_victory(*card), odds);
            }
            _ => {}
        }
    }
}

/// The tokens that a face of the colour die pays to each seat (R4.1 to R4.3).
fn paid(state: &State, face: Face) -> Vec<u8> {
    let due = face.colour().map(|colour| state.income(colour));
    due.filter(|due| due.iter().sum::<u8>() <= state.supply())
        .unwrap_or_else(|| vec![0; state.weavers.len()])
}
