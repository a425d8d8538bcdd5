//! Moves and events in words.

use std::fmt::Display;

use super::{
    Trama,
    cards::{Card, Objective},
    components::{Axis, Colour},
    event_view::EventView,
    moves::Move,
    slots::{Slot, Slots},
    state::State,
};
use crate::{game::Words, seat::Seat, text::Lang};

impl Words for Trama {
    fn label(state: &State, seat: Seat, mv: &Move, lang: Lang) -> String {
        match *mv {
            Move::Pick { colour } => {
                let colour = colour.name().get(lang);
                lang.pick(format!("Pick a {colour} cord"), format!("Elige un cordel {colour}"))
            }
            Move::Weave { colour, axis, slot, over } => {
                let crossed = state.areas[seat.index()].loom.crossed(axis);
                let woven = woven(colour, axis, slot, over, crossed.without(over), lang);
                lang.pick(format!("Weave {woven}"), format!("Teje {woven}"))
            }
            Move::PlaceButton { card } => {
                let button = button(card, lang);
                lang.pick(format!("Place {button}"), format!("Pon {button}"))
            }
        }
    }

    fn tell(event: &EventView, lang: Lang) -> String {
        match event {
            EventView::TableSet { objective, adjacent, interlaced } => {
                table_set(*objective, adjacent, interlaced, lang)
            }
            EventView::CordsDrawn { round, hands } => {
                let hands = hands.iter().map(|hand| counted(hand, lang));
                let drawn = by_seat(hands, lang.pick("draws", "saca"), lang);
                lang.pick(format!("Round {round}: {drawn}."), format!("Ronda {round}: {drawn}."))
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
                let picks = picks.iter().map(|colour| colour.name().get(lang));
                let picked = by_seat(picks, lang.pick("picked", "eligió"), lang);
                lang.pick(
                    format!("The picks are revealed: {picked}."),
                    format!("Se revelan las elecciones: {picked}."),
                )
            }
            EventView::HandsPassed { hands } => {
                let hands = hands.iter().map(|hand| counted(hand, lang));
                let held = by_seat(hands, lang.pick("now holds", "tiene ahora"), lang);
                lang.pick(
                    format!("The hands pass to the left: {held}."),
                    format!("Las manos pasan a la izquierda: {held}."),
                )
            }
            EventView::LastCordsDiscarded { cords } => {
                let cords = counted(cords, lang);
                lang.pick(
                    format!("The last cords leave the game: {cords}. To the looms!"),
                    format!("Los últimos cordeles salen de la partida: {cords}. ¡A tejer!"),
                )
            }
            EventView::CordWoven { seat, colour, axis, slot, over, under } => {
                let woven = woven(*colour, *axis, *slot, *over, *under, lang);
                lang.pick(
                    format!("Seat {seat} weaves {woven}."),
                    format!("El puesto {seat} teje {woven}."),
                )
            }
            EventView::WeavingFinished {} => lang
                .pick(
                    "All cords are woven. Next, every seat places a button.",
                    "Todos los cordeles están tejidos. Ahora cada jugador pone un botón.",
                )
                .to_owned(),
            EventView::ButtonPlaced { seat, card, .. } => {
                let button = button(*card, lang);
                lang.pick(
                    format!("Seat {seat} places {button}."),
                    format!("El puesto {seat} pone {button}."),
                )
            }
            EventView::GameEnded {} => lang
                .pick("All looms are complete.", "Todos los telares están completos.")
                .to_owned(),
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
        format!("Shared objective: {objective}. Cards on the table: {cards}."),
        format!("Objetivo compartido: {objective}. Cartas en la mesa: {cards}."),
    )
}

/// `seat 0 draws 2 red; seat 1 draws 1 sky`.
fn by_seat(things: impl Iterator<Item = impl Display>, verb: &str, lang: Lang) -> String {
    let seat = lang.pick("seat", "el puesto");
    let told: Vec<String> = (0_u8..)
        .zip(things)
        .map(|(number, thing)| format!("{seat} {number} {verb} {thing}"))
        .collect();
    told.join("; ")
}

/// `red, vertical 3, over 2 and 5, under 4`.
fn woven(colour: Colour, axis: Axis, slot: Slot, over: Slots, under: Slots, lang: Lang) -> String {
    let (colour, axis) = (colour.name().get(lang), axis.name().get(lang));
    let mut phrase = format!("{colour}, {axis} {slot}");
    for (slots, how) in
        [(over, lang.pick("over", "por encima de")), (under, lang.pick("under", "por debajo de"))]
    {
        if !slots.is_empty() {
            let slots: Vec<Slot> = slots.iter().collect();
            phrase = format!("{phrase}, {how} {}", lang.list(&slots));
        }
    }
    phrase
}

/// `a round button on “red beside pink”`.
fn button(card: Card, lang: Lang) -> String {
    let shape = card.kind().button().name().get(lang);
    let pattern = card.pattern().name(lang);
    lang.pick(
        format!("a {shape} button on “{pattern}”"),
        format!("un botón {shape} en «{pattern}»"),
    )
}

/// `2 red, 1 sky and 2 blue`.
fn counted(cords: &[Colour], lang: Lang) -> String {
    let colours: Vec<String> = Colour::ALL
        .into_iter()
        .map(|colour| (colour, cords.iter().filter(|cord| **cord == colour).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(colour, count)| {
            let name = if count == 1 { colour.name() } else { colour.plural() };
            format!("{count} {}", name.get(lang))
        })
        .collect();
    lang.list(&colours)
}
