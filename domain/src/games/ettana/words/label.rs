//! Moves in words.

use super::{
    super::{
        board::{Pair, octagon_name, tile_name},
        moves::{Move, Play},
        state::State,
    },
    place, points,
};
use crate::{seat::Seat, text::Lang};

pub(super) fn label(state: &State, seat: Seat, mv: &Move, lang: Lang) -> String {
    match mv {
        Move::Settle { tile } => {
            let tile = tile_at(state, *tile, lang);
            lang.pick(format!("Place your piece on {tile}"), format!("Coloca tu ficha en {tile}"))
        }
        Move::Roll {} => lang.pick("Roll both dice", "Lanza los dos dados").to_owned(),
        Move::Collect {} => collect(state, lang),
        Move::Walk { path } => walk(state, seat, path, lang),
        Move::Jump { tile } => {
            let tile = tile_at(state, *tile, lang);
            lang.pick(format!("Jump to {tile}"), format!("Salta a {tile}"))
        }
        Move::FreeSwap { octagons } => {
            let skeins = skeins_at(state, *octagons, lang);
            lang.pick(format!("Swap {skeins} for free"), format!("Intercambia gratis {skeins}"))
        }
        Move::BuyAction {} => {
            lang.pick("Buy an action card for 2 tokens", "Compra una carta de acción por 2 tokens")
        }
        .to_owned(),
        Move::BuySwap { octagons } => {
            let skeins = skeins_at(state, *octagons, lang);
            lang.pick(
                format!("Pay 3 tokens to swap {skeins}"),
                format!("Paga 3 tokens para intercambiar {skeins}"),
            )
        }
        Move::BuyDesign {} => {
            lang.pick("Buy a design for 3 tokens", "Compra un diseño por 3 tokens").to_owned()
        }
        Move::Play { card } => play(state, *card, lang),
        Move::Claim { design, at } => {
            let card = design.card();
            let (name, points) = (card.name(lang), points(card.points, lang));
            let place = at.map(|at| place(at, lang)).unwrap_or_default();
            lang.pick(
                format!("Claim “{name}” for {points}{place}"),
                format!("Reclama «{name}» por {points}{place}"),
            )
        }
        Move::ExchangeDesign { design } => {
            let name = design.card().name(lang);
            lang.pick(
                format!("Exchange “{name}” for another design and end the turn"),
                format!("Cambia «{name}» por otro diseño y termina el turno"),
            )
        }
        Move::EndTurn {} => lang.pick("End the turn", "Termina el turno").to_owned(),
    }
}

fn collect(state: &State, lang: Lang) -> String {
    let Some(roll) = state.roll() else {
        return lang.pick("Collect", "Cobra").to_owned();
    };
    let (number, face) = (roll.number, roll.face.name().get(lang));
    match roll.face.colour() {
        Some(_) => lang.pick(
            format!("Keep the {number} and collect for {face}"),
            format!("Quédate con el {number} y cobra por el {face}"),
        ),
        None => lang.pick(
            format!("Keep the {number} and draw an action card for black"),
            format!("Quédate con el {number} y roba una carta de acción por el negro"),
        ),
    }
}

fn tile_at(state: &State, tile: u8, lang: Lang) -> String {
    let (name, number) = (tile_name(tile), state.number(tile).expect("a tile of the board"));
    lang.pick(format!("tile {name} (a {number})"), format!("la casilla {name} (un {number})"))
}

fn walk(state: &State, seat: Seat, path: &[u8], lang: Lang) -> String {
    let Some((last, through)) = path.split_last() else {
        return lang.pick("Walk", "Camina").to_owned();
    };
    let goal = tile_at(state, *last, lang);
    let names: Vec<String> = through.iter().map(|tile| tile_name(*tile)).collect();
    let way = if names.is_empty() {
        String::new()
    } else {
        format!("{}{}", lang.pick(" via ", " por "), lang.list(&names))
    };
    let owners: Vec<String> = through
        .iter()
        .filter_map(|tile| state.occupant(*tile).filter(|owner| *owner != seat))
        .map(|owner| lang.pick(format!("seat {owner}"), format!("al puesto {owner}")))
        .collect();
    let owners = lang.list(&owners);
    let toll = if owners.is_empty() {
        String::new()
    } else {
        lang.pick(format!(", paying a token to {owners}"), format!(", pagando un token {owners}"))
    };
    lang.pick(format!("Walk{way} to {goal}{toll}"), format!("Camina{way} hasta {goal}{toll}"))
}

/// `the red skein at A1 and the blue one at B2`.
fn skeins_at(state: &State, pair: Pair, lang: Lang) -> String {
    let skein = |octagon: u8| {
        let colour = state.skeins[usize::from(octagon)].name().get(lang);
        (colour, octagon_name(octagon))
    };
    let ((one, here), (other, there)) = (skein(pair.one), skein(pair.other));
    lang.pick(
        format!("the {one} skein at {here} and the {other} one at {there}"),
        format!("el ovillo {one} de {here} y el {other} de {there}"),
    )
}

fn play(state: &State, card: Play, lang: Lang) -> String {
    let name = card.card().name().get(lang);
    let what = match card {
        Play::Choose { face } => {
            let face = face.name().get(lang);
            lang.pick(
                format!("choose {face} and roll the number die"),
                format!("elige {face} y lanza el dado numérico"),
            )
        }
        Play::Reroll {} => lang.pick("both dice", "los dos dados").to_owned(),
        Play::Move { tile } => {
            let tile = tile_at(state, tile, lang);
            lang.pick(format!("go to {tile}"), format!("ve a {tile}"))
        }
        Play::Swap { octagons } => skeins_at(state, octagons, lang),
        Play::StealAction { seat } | Play::StealTokens { seat } => {
            lang.pick(format!("from seat {seat}"), format!("al puesto {seat}"))
        }
        Play::ReplaceSkein { octagon, colour } => {
            let old = state.skeins[usize::from(octagon)].name().get(lang);
            let (place, new) = (octagon_name(octagon), colour.name().get(lang));
            lang.pick(
                format!("the {old} skein at {place} with a {new} one"),
                format!("el ovillo {old} de {place} por uno {new}"),
            )
        }
        Play::ReplaceTile { tile, number } => {
            let tile = tile_at(state, tile, lang);
            lang.pick(format!("{tile} with a {number}"), format!("{tile} por un {number}"))
        }
        Play::Design {} => lang.pick("draw one", "roba uno").to_owned(),
        Play::ThreeTokens {} => lang.pick("take them", "tómalos").to_owned(),
        Play::GainTokens { number } => {
            lang.pick(format!("name {number} and roll"), format!("di {number} y lanza"))
        }
        Play::Tax {} => {
            lang.pick("every opponent pays a token", "cada rival paga un token").to_owned()
        }
    };
    lang.pick(format!("Play {name}: {what}"), format!("Juega {name}: {what}"))
}
