//! Moves and events in words, and the phrases that both use.

use super::{
    Ettana,
    board::{Octagons, octagon_name},
    event_view::EventView,
    moves::Move,
    state::State,
};
use crate::{game::Words, seat::Seat, text::Lang};

mod label;
mod tell;

impl Words for Ettana {
    fn label(state: &State, seat: Seat, mv: &Move, lang: Lang) -> String {
        label::label(state, seat, mv, lang)
    }

    fn tell(event: &EventView, lang: Lang) -> String {
        tell::tell(event, lang)
    }
}

/// `1 point`, `2 points`.
fn points(points: u8, lang: Lang) -> String {
    match points {
        1 => lang.pick("1 point", "1 punto").to_owned(),
        _ => lang.pick(format!("{points} points"), format!("{points} puntos")),
    }
}

/// `1 token`, `2 tokens`.
fn tokens(tokens: u8) -> String {
    if tokens == 1 { "1 token".to_owned() } else { format!("{tokens} tokens") }
}

/// ` at A1, B2 and C3`.
fn place(at: Octagons, lang: Lang) -> String {
    let names: Vec<String> = at.iter().map(octagon_name).collect();
    format!("{}{}", lang.pick(" at ", " en "), lang.list(&names))
}
