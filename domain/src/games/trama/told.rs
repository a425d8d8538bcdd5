//! What each viewer may see of an event, and the event in words.

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    cards::{Button, Card, Objective},
    components::{Axis, Colour},
    cords::Cords,
    events::Event,
    slots::{Slot, Slots},
    words,
};
use crate::{
    seat::{Seat, Viewer},
    text::Lang,
};

/// An event of Trama as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = trama::Event)]
pub(crate) enum EventView {
    /// The cards of the match were drawn.
    TableSet {
        /// The shared objective.
        objective: Objective,
        /// The four adjacent cards.
        #[schema(min_items = 4, max_items = 4)]
        adjacent: Vec<Card>,
        /// The four interlaced cards.
        #[schema(min_items = 4, max_items = 4)]
        interlaced: Vec<Card>,
    },
    /// A round began: every seat drew five cords.
    CordsDrawn {
        /// The round.
        #[schema(minimum = 1, maximum = 4)]
        round: u8,
        /// One hand a seat, in seat order.
        hands: Vec<Vec<Colour>>,
    },
    /// A seat picked; what, only the seat itself sees until all have.
    CordPicked {
        /// Who picked.
        seat: Seat,
        /// The colour of the cord, if it is the viewer's.
        #[serde(skip_serializing_if = "Option::is_none")]
        colour: Option<Colour>,
    },
    /// All picks are shown.
    PicksRevealed {
        /// One colour a seat, in seat order.
        picks: Vec<Colour>,
    },
    /// Every hand passed to the next seat.
    HandsPassed {
        /// What each seat holds now, in seat order.
        hands: Vec<Vec<Colour>>,
    },
    /// The last cord of every hand left the game; weaving begins.
    LastCordsDiscarded {
        /// One colour a seat, in seat order.
        cords: Vec<Colour>,
    },
    /// A seat wove a cord.
    CordWoven {
        /// Who wove it.
        seat: Seat,
        /// The colour of the cord.
        colour: Colour,
        /// The direction in which it runs.
        axis: Axis,
        /// The slot that it took.
        slot: Slot,
        /// The slots of the other axis whose cords it passes over.
        #[schema(value_type = Vec<Slot>, max_items = 8)]
        over: Slots,
        /// The slots of the other axis whose cords it passes under.
        #[schema(value_type = Vec<Slot>, max_items = 8)]
        under: Slots,
    },
    /// Every seat has woven its cords; buttons are placed next.
    WeavingFinished {},
    /// A seat placed a button.
    ButtonPlaced {
        /// Whose button it is.
        seat: Seat,
        /// The shape of the button.
        button: Button,
        /// The card.
        card: Card,
    },
    /// The fourth round ended and the match with it.
    GameEnded {},
}

pub(crate) fn event_view(event: &Event, viewer: Viewer) -> EventView {
    match event {
        Event::TableSet { objective, adjacent, interlaced } => EventView::TableSet {
            objective: *objective,
            adjacent: adjacent.clone(),
            interlaced: interlaced.clone(),
        },
        Event::CordsDrawn { round, hands } => {
            EventView::CordsDrawn { round: *round, hands: lists(hands) }
        }
        Event::CordPicked { seat, colour } => {
            EventView::CordPicked { seat: *seat, colour: viewer.sees(*seat).then_some(*colour) }
        }
        Event::PicksRevealed { picks } => EventView::PicksRevealed { picks: picks.clone() },
        Event::HandsPassed { hands } => EventView::HandsPassed { hands: lists(hands) },
        Event::LastCordsDiscarded { cords } => EventView::LastCordsDiscarded {
            cords: cords.iter().flat_map(|cords| cords.iter()).collect(),
        },
        Event::CordWoven { seat, colour, axis, slot, over, under } => EventView::CordWoven {
            seat: *seat,
            colour: *colour,
            axis: *axis,
            slot: *slot,
            over: *over,
            under: *under,
        },
        Event::WeavingFinished {} => EventView::WeavingFinished {},
        Event::ButtonPlaced { seat, card } => {
            EventView::ButtonPlaced { seat: *seat, button: card.kind().button(), card: *card }
        }
        Event::GameEnded {} => EventView::GameEnded {},
    }
}

fn lists(hands: &[Cords]) -> Vec<Vec<Colour>> {
    hands.iter().map(|hand| Vec::from(*hand)).collect()
}

/// An event in words.
pub(crate) fn tell(event: &EventView, lang: Lang) -> String {
    match event {
        EventView::TableSet { objective, adjacent, interlaced } => {
            table_set(*objective, adjacent, interlaced, lang)
        }
        EventView::CordsDrawn { round, hands } => {
            let hands = by_seat(hands.iter().map(|hand| words::cords(hand, lang)), lang);
            lang.pick(
                format!("Round {round}: five cords for everybody. {hands}."),
                format!("Ronda {round}: cinco cordeles para cada puesto. {hands}."),
            )
        }
        EventView::CordPicked { seat, colour: None } => lang.pick(
            format!("Seat {seat} has picked a cord."),
            format!("El puesto {seat} ha elegido un cordel."),
        ),
        EventView::CordPicked { seat, colour: Some(colour) } => {
            let colour = colour.name().get(lang);
            lang.pick(
                format!("Seat {seat} picks a {colour} cord."),
                format!("El puesto {seat} elige un cordel {colour}."),
            )
        }
        EventView::PicksRevealed { picks } => {
            let picks = by_seat(picks.iter().map(|colour| colour.name().get(lang)), lang);
            lang.pick(format!("The picks: {picks}."), format!("Las elecciones: {picks}."))
        }
        EventView::HandsPassed { hands } => {
            let hands = by_seat(hands.iter().map(|hand| words::cords(hand, lang)), lang);
            lang.pick(
                format!("The hands pass to the left. {hands}."),
                format!("Las manos pasan a la izquierda. {hands}."),
            )
        }
        EventView::LastCordsDiscarded { cords } => {
            let cords = words::cords(cords, lang);
            lang.pick(
                format!("The last cords leave the game: {cords}. To the looms!"),
                format!("Los últimos cordeles salen de la partida: {cords}. ¡A tejer!"),
            )
        }
        EventView::CordWoven { seat, colour, axis, slot, over, under } => {
            let woven = words::woven(*colour, *axis, *slot, *over, *under, lang);
            lang.pick(
                format!("Seat {seat} weaves {woven}."),
                format!("El puesto {seat} teje {woven}."),
            )
        }
        EventView::WeavingFinished {} => lang
            .pick(
                "All cords are woven; every seat chooses a pattern.",
                "Todos los cordeles están tejidos; cada puesto elige un patrón.",
            )
            .to_owned(),
        EventView::ButtonPlaced { seat, card, .. } => {
            let button = words::button(*card, lang);
            lang.pick(
                format!("Seat {seat} places {button}."),
                format!("El puesto {seat} pone {button}."),
            )
        }
        EventView::GameEnded {} => {
            lang.pick("The looms are complete.", "Los telares están completos.").to_owned()
        }
    }
}

fn table_set(objective: Objective, adjacent: &[Card], interlaced: &[Card], lang: Lang) -> String {
    let patterns = objective.patterns().map(|pattern| pattern.name(lang));
    let objective = lang.list(&patterns);
    let cards: Vec<String> =
        adjacent.iter().chain(interlaced).map(|card| card.pattern().name(lang)).collect();
    let cards = lang.list(&cards);
    lang.pick(
        format!("The shared objective: {objective}. The cards on the table: {cards}."),
        format!("El objetivo compartido: {objective}. Las cartas de la mesa: {cards}."),
    )
}

/// `Seat 0: 2 red; seat 1: 1 sky`.
fn by_seat(things: impl Iterator<Item = impl std::fmt::Display>, lang: Lang) -> String {
    let seat = lang.pick("seat", "puesto");
    let things: Vec<String> = (0..)
        .zip(things)
        .map(|(number, thing): (u8, _)| format!("{seat} {number}: {thing}"))
        .collect();
    things.join("; ")
}
