//! How lucky the seat was with the cards.

use super::{
    Tapestry,
    components::{Body, Card, Colour},
    events::Event,
    state::State,
    weave::{Cell, Weave},
};
use crate::{
    game::MeasureLuck,
    luck::{Ledger, LuckInfo, Odds},
    seat::Seat,
    text::Text,
};

pub(crate) const FIGURES: &[LuckInfo] = &[USES, COLOURS];

const USES: LuckInfo = LuckInfo::new(
    "uses",
    Text::new("Uses of the cards drawn", "Usos de las cartas robadas"),
    Text::new(
        "Cells where a drawn card could be placed or exchanged, compared with the mean over all unseen cards of its colour.",
        "Casillas en las que se podía colocar o intercambiar una carta robada, frente a la media de todas las cartas de su color aún no vistas.",
    ),
);

const COLOURS: LuckInfo = LuckInfo::new(
    "colours",
    Text::new("Cells for the colours revealed", "Casillas para los colores revelados"),
    Text::new(
        "Whenever the deck shows a new top card, the cells where a card of its colour and a suitable body could be placed, compared with the mean over all cards whose backs had not been seen.",
        "Cada vez que cambia la carta superior del mazo, las casillas en las que se podría colocar una carta de ese color con el cuerpo adecuado, frente a la media de todas las cartas cuyo reverso aún no se había visto.",
    ),
);

const SEAT: Seat = Seat::FIRST;

impl MeasureLuck for Tapestry {
    fn luck(state: &State, _past: &[Event], event: &Event, ledger: &mut Ledger) {
        match event {
            Event::CardDrawn { card, .. } => {
                let unseen = state.area.iter().flatten().chain(&state.deck);
                let alike = unseen.filter(|unseen| unseen.colour == card.colour);
                let odds = Odds::even(alike.map(|card| uses(&state.tapestry, *card)));
                ledger.add(SEAT, &USES, uses(&state.tapestry, *card), odds);
            }
            Event::SlotRefilled { next: Some(next), .. } => {
                // The top card, whose back is already visible, is the last one.
                let covered = state.deck.split_last().map_or(&[][..], |(_, covered)| covered);
                let cells = Colour::ALL.map(|colour| cells(&state.tapestry, colour));
                let odds = Odds::even(covered.iter().map(|card| cells[card.colour as usize]));
                ledger.add(SEAT, &COLOURS, cells[*next as usize], odds);
            }
            _ => {}
        }
    }
}

/// Cells where a card may be placed or exchanged (R5, R6).
fn uses(tapestry: &Weave, card: Card) -> u32 {
    let may_lie = |cell: &Cell| {
        tapestry.check_place(*cell, card).is_ok() || tapestry.check_exchange(*cell, card).is_ok()
    };
    Cell::all().filter(may_lie).map(|_| 1).sum()
}

/// Free cells where a card of this colour could be placed with a suitable body (R5.1, R5.2).
fn cells(tapestry: &Weave, colour: Colour) -> u32 {
    let fits = |cell: &Cell, body| tapestry.check_place(*cell, Card { colour, body }).is_ok();
    Cell::all().filter(|cell| Body::ALL.iter().any(|body| fits(cell, *body))).map(|_| 1).sum()
}
