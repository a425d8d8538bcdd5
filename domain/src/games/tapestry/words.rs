//! Moves and events in words.

use super::{
    Mode, Tapestry,
    components::{Card, Colour},
    event_view::EventView,
    events::EndReason,
    moves::Move,
    score::Rank,
    state::{Phase, State},
    view::LaidCard,
    weave::Cell,
};
use crate::{game::Words, seat::Seat, text::Lang};

impl Words for Tapestry {
    fn label(state: &State, _seat: Seat, mv: &Move, lang: Lang) -> String {
        match (*mv, state.phase) {
            (Move::Draw { slot }, _) => draw(state, slot, lang),
            (Move::Place { row, column }, Phase::Holding { card, .. }) => {
                place(state, Cell { row, column }, card, lang)
            }
            (Move::Exchange { row, column }, Phase::Holding { card, .. }) => {
                exchange(state, Cell { row, column }, card, lang)
            }
            (Move::Discard {}, Phase::Holding { card, .. }) => discard(state, card, lang),
            // Not legal now: there is no card in hand to name.
            (Move::Place { row, column }, _) => {
                let cell = Cell { row, column };
                lang.pick(format!("Place a card at {cell}"), format!("Coloca una carta en {cell}"))
            }
            (Move::Exchange { row, column }, _) => {
                let cell = Cell { row, column };
                lang.pick(
                    format!("Exchange the card at {cell}"),
                    format!("Intercambia la carta de {cell}"),
                )
            }
            (Move::Discard {}, _) => lang.pick("Discard", "Descarta").to_owned(),
        }
    }

    fn tell(event: &EventView, lang: Lang) -> String {
        match *event {
            EventView::CardsDealt { ref start, top, .. } => dealt(start, top, lang),
            EventView::CardDrawn { slot, card } => {
                let card = card.the(lang);
                lang.pick(
                    format!("Drew {card} from slot {slot}."),
                    format!("Del hueco {slot} sale {card}."),
                )
            }
            EventView::CardPlaced { row, column, card } => {
                let (cell, card) = (Cell { row, column }, card.the(lang));
                lang.pick(
                    format!("Placed {card} at {cell}."),
                    format!("En {cell} se coloca {card}."),
                )
            }
            EventView::CardExchanged { row, column, card, lifted } => {
                let (cell, card) = (Cell { row, column }, card.the(lang));
                lang.pick(
                    format!("At {cell}, {card} takes the place of {}.", lifted.the(lang)),
                    format!("En {cell}, {card} ocupa el lugar {}.", lifted.after("de")),
                )
            }
            EventView::CardDiscarded { card } => {
                let card = card.the(lang);
                lang.pick(format!("Discarded {card}."), format!("Se descarta {card}."))
            }
            EventView::SlotRefilled { slot, colour, next } => refilled(slot, colour, next, lang),
            EventView::GameEnded { reason: EndReason::Completed, rank } => completed(rank, lang),
            EventView::GameEnded { reason: EndReason::CardsExhausted, .. } => lang
                .pick(
                    "The cards have run out and the tapestry still has gaps: the match is lost.",
                    "Se han acabado las cartas y el tapiz aún tiene huecos: partida perdida.",
                )
                .to_owned(),
        }
    }
}

fn draw(state: &State, slot: u8, lang: Lang) -> String {
    match state.area.get(usize::from(slot)).copied().flatten() {
        Some(card) => {
            let colour = card.colour.feminine(lang);
            lang.pick(
                format!("Draw the {colour} card from slot {slot}"),
                format!("Roba la carta {colour} del hueco {slot}"),
            )
        }
        None => lang.pick(format!("Draw from slot {slot}"), format!("Roba del hueco {slot}")),
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
            format!("Intercambia {card} por {lies} de {cell}"),
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

fn dealt(start: &[LaidCard], top: Option<Colour>, lang: Lang) -> String {
    let cards: Vec<String> = start
        .iter()
        .map(|&LaidCard { row, column, card }| {
            format!("{} ({})", card.the(lang), Cell { row, column })
        })
        .collect();
    let (cards, top) = (lang.list(&cards), top.map_or("", |top| top.feminine(lang)));
    lang.pick(
        format!("The tapestry starts with {cards}. The top card of the deck is {top}."),
        format!("El tapiz empieza con {cards}. La carta superior del mazo es {top}."),
    )
}

fn refilled(slot: u8, colour: Colour, next: Option<Colour>, lang: Lang) -> String {
    let colour = colour.feminine(lang);
    match next.map(|next| next.feminine(lang)) {
        Some(next) => lang.pick(
            format!("Slot {slot} is refilled with the {colour} card; the top card of the deck is now {next}."),
            format!(
                "El hueco {slot} se repone con la carta {colour}; ahora la carta superior del mazo es {next}."
            ),
        ),
        None => lang.pick(
            format!("Slot {slot} is refilled with the {colour} card, the last of the deck."),
            format!("El hueco {slot} se repone con la carta {colour}, la última del mazo."),
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
