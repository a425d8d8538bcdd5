//! What a seat may ask for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Mode,
    components::Card,
    state::{Phase, State},
    weave::Cell,
};
use crate::text::Lang;

/// A move of Universal Tapestry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = tapestry::Move)]
pub(crate) enum Move {
    /// Take a card of the draw area in hand.
    Draw {
        /// The slot of the draw area.
        #[schema(maximum = 7)]
        slot: u8,
    },
    /// Lay the card in hand on an empty cell beside the tapestry.
    Place {
        /// The row, 0 to 11 from the top of the field; the start cards lie on rows 4 to 7.
        #[schema(maximum = 11)]
        row: u8,
        /// The column, 0 to 11 from the left of the field; the start cards lie on columns 4 to 7.
        #[schema(maximum = 11)]
        column: u8,
    },
    /// Lay the card in hand in the place of a card that it beats, which is then the card in hand.
    Exchange {
        /// The row, 0 to 11 from the top of the field; the start cards lie on rows 4 to 7.
        #[schema(maximum = 11)]
        row: u8,
        /// The column, 0 to 11 from the left of the field; the start cards lie on columns 4 to 7.
        #[schema(maximum = 11)]
        column: u8,
    },
    /// Put the card in hand on the discards.
    Discard {},
}

/// A move in words.
pub(crate) fn label(state: &State, mv: Move, lang: Lang) -> String {
    match (mv, state.phase) {
        (Move::Draw { slot }, _) => draw(state, slot, lang),
        (Move::Place { row, column }, Phase::Holding { card, .. }) => {
            place(state, Cell { row, column }, card, lang)
        }
        (Move::Exchange { row, column }, Phase::Holding { card, .. }) => {
            exchange(state, Cell { row, column }, card, lang)
        }
        (Move::Discard {}, Phase::Holding { card, .. }) => discard(state, card, lang),
        // Not legal now, so nothing is known of the card.
        (Move::Place { row, column }, _) => {
            let cell = Cell { row, column };
            lang.pick(format!("Place a card at {cell}"), format!("Coloca una carta en {cell}"))
        }
        (Move::Exchange { row, column }, _) => {
            let cell = Cell { row, column };
            lang.pick(format!("Exchange the card at {cell}"), format!("Cambia la carta de {cell}"))
        }
        (Move::Discard {}, _) => lang.pick("Discard", "Descarta").to_owned(),
    }
}

fn draw(state: &State, slot: u8, lang: Lang) -> String {
    let place = u16::from(slot) + 1;
    match state.area.get(usize::from(slot)).copied().flatten() {
        Some(card) => {
            let colour = card.colour.feminine(lang);
            lang.pick(
                format!("Draw the {colour} card from slot {place}"),
                format!("Roba la carta {colour} del hueco {place}"),
            )
        }
        None => lang.pick(format!("Draw from slot {place}"), format!("Roba del hueco {place}")),
    }
}

fn place(state: &State, cell: Cell, card: Card, lang: Lang) -> String {
    let beside: Vec<String> = state
        .tapestry
        .neighbours(cell)
        .map(|(cell, card)| match lang {
            Lang::En => format!("{} ({cell})", card.the(lang)),
            Lang::Es => format!("{} ({cell})", card.after("a")),
        })
        .collect();
    let (card, beside) = (card.the(lang), lang.list(&beside));
    lang.pick(
        format!("Place {card} at {cell}, beside {beside}"),
        format!("Coloca {card} en {cell}, junto {beside}"),
    )
}

fn exchange(state: &State, cell: Cell, card: Card, lang: Lang) -> String {
    let card = card.the(lang);
    match state.tapestry.at(cell).map(|lies| lies.the(lang)) {
        Some(lies) => lang.pick(
            format!("Exchange {card} for {lies} at {cell}"),
            format!("Cambia {card} por {lies} de {cell}"),
        ),
        None => {
            lang.pick(format!("Exchange {card} at {cell}"), format!("Intercambia {card} en {cell}"))
        }
    }
}

fn discard(state: &State, card: Card, lang: Lang) -> String {
    let (name, points) = (card.the(lang), card.colour.points());
    let what = lang.pick(format!("Discard {name}"), format!("Descarta {name}"));
    match (state.mode, points) {
        (Mode::Time, _) => what,
        (Mode::Discards, 1) => format!("{what} ({})", lang.pick("1 point", "1 punto")),
        (Mode::Discards, _) => format!("{what} ({points} {})", lang.pick("points", "puntos")),
    }
}
