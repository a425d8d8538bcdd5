//! Events in words.

use super::{
    components::Colour,
    events::EndReason,
    score::Rank,
    view::{EventView, LaidCard},
    weave::Cell,
};
use crate::text::Lang;

pub(crate) fn tell(event: &EventView, lang: Lang) -> String {
    match *event {
        EventView::CardsDealt { ref start, top, .. } => dealt(start, top, lang),
        EventView::CardDrawn { slot, card } => {
            let (place, card) = (u16::from(slot) + 1, card.the(lang));
            lang.pick(
                format!("From slot {place} comes {card}."),
                format!("Del hueco {place} sale {card}."),
            )
        }
        EventView::CardPlaced { row, column, card } => {
            let (cell, card) = (Cell { row, column }, card.the(lang));
            lang.pick(format!("At {cell} now lies {card}."), format!("En {cell} queda {card}."))
        }
        EventView::CardExchanged { row, column, card, lifted } => {
            let (cell, card) = (Cell { row, column }, card.the(lang));
            lang.pick(
                format!("At {cell}, {card} takes the place of {}.", lifted.the(lang)),
                format!("En {cell}, {card} ocupa el lugar {}.", lifted.after("de")),
            )
        }
        EventView::CardDiscarded { card } => {
            let card = card.name(lang);
            lang.pick(format!("Discarded: {card}."), format!("Descarte: {card}."))
        }
        EventView::SlotRefilled { slot, colour, next } => refilled(slot, colour, next, lang),
        EventView::GameEnded { reason: EndReason::Completed, rank } => completed(rank, lang),
        EventView::GameEnded { reason: EndReason::CardsExhausted, .. } => lang
            .pick(
                "The cards have run out and the tapestry still has gaps: the match is lost.",
                "Se han acabado las cartas y el tapiz aún tiene huecos: la partida está perdida.",
            )
            .to_owned(),
    }
}

fn dealt(start: &[LaidCard], top: Option<Colour>, lang: Lang) -> String {
    let cards: Vec<String> = start
        .iter()
        .map(|&LaidCard { row, column, card }| {
            format!("{} ({})", card.name(lang), Cell { row, column })
        })
        .collect();
    let (cards, top) = (lang.list(&cards), top.map_or("", |top| top.feminine(lang)));
    lang.pick(
        format!("The tapestry begins with {cards}. The deck shows {top}."),
        format!("El tapiz empieza con {cards}. El mazo muestra una carta {top}."),
    )
}

fn refilled(slot: u8, colour: Colour, next: Option<Colour>, lang: Lang) -> String {
    let (place, colour) = (u16::from(slot) + 1, colour.feminine(lang));
    match next.map(|next| next.feminine(lang)) {
        Some(next) => lang.pick(
            format!("Slot {place} gets the {colour} card; the deck now shows {next}."),
            format!(
                "El hueco {place} recibe la carta {colour}; el mazo muestra ahora una carta {next}."
            ),
        ),
        None => lang.pick(
            format!("Slot {place} gets the {colour} card, the last of the deck."),
            format!("El hueco {place} recibe la carta {colour}, la última del mazo."),
        ),
    }
}

fn completed(rank: Option<Rank>, lang: Lang) -> String {
    let rank = match rank {
        None => "",
        Some(Rank::Cthulhu) => lang.pick(
            " So fast that space tears open along the seams, and Cthulhu looks out.",
            " Tan rápido que el espacio se rasga por las costuras y asoma Cthulhu.",
        ),
        Some(Rank::Legendary) => lang.pick(" Rank: legendary.", " Rango: legendario."),
        Some(Rank::Advanced) => lang.pick(" Rank: advanced.", " Rango: avanzado."),
        Some(Rank::Normal) => lang.pick(" Rank: normal.", " Rango: normal."),
        Some(Rank::Novice) => lang.pick(" Rank: novice.", " Rango: novato."),
    };
    let done = lang.pick("The tapestry is complete!", "¡El tapiz está completo!");
    format!("{done}{rank}")
}
