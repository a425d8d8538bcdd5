//! Moves and events in words.

use super::{
    Qwinto,
    event_view::EventView,
    events::{Die, EndReason},
    moves::Move,
    state::{Answer, State},
};
use crate::{game::Words, seat::Seat, text::Lang};

impl Words for Qwinto {
    fn label(state: &State, _seat: Seat, mv: &Move, lang: Lang) -> String {
        match *mv {
            Move::Roll { dice } => {
                let names: Vec<&str> =
                    dice.colours().map(|colour| colour.name().get(lang)).collect();
                let list = lang.list(&names);
                match names.len() {
                    1 => lang.pick(format!("Roll the {list} die"), format!("Lanza el dado {list}")),
                    _ => lang
                        .pick(format!("Roll the {list} dice"), format!("Lanza los dados {list}")),
                }
            }
            Move::Keep {} => {
                let sum = announced(state);
                lang.pick(format!("Keep the {sum}"), format!("Quédate con el {sum}"))
            }
            Move::Reroll {} => lang.pick("Roll again", "Vuelve a lanzar").to_owned(),
            Move::Write { row, cell } => {
                let sum = announced(state);
                let row = row.row(lang);
                lang.pick(
                    format!("Write {sum} in the {row}, box {cell}"),
                    format!("Anota {sum} en la {row}, casilla {cell}"),
                )
            }
            Move::Pass {} => lang.pick("Pass", "Pasa").to_owned(),
        }
    }

    fn tell(event: &EventView, lang: Lang) -> String {
        match event {
            EventView::FirstSeatDrawn { seat } => {
                lang.pick(format!("Seat {seat} begins."), format!("Empieza el puesto {seat}."))
            }
            EventView::DiceRolled { dice } => {
                let dice = faces(dice, lang);
                lang.pick(format!("Rolled: {dice}."), format!("Lanzamiento: {dice}."))
            }
            EventView::DiceRerolled { dice } => {
                let dice = faces(dice, lang);
                lang.pick(format!("Rolled again: {dice}."), format!("Nuevo lanzamiento: {dice}."))
            }
            EventView::SumAnnounced { sum } => {
                lang.pick(format!("The sum is {sum}."), format!("La suma es {sum}."))
            }
            EventView::AnswerGiven { seat, answer: None } => lang.pick(
                format!("Seat {seat} has answered."),
                format!("El puesto {seat} ha respondido."),
            ),
            EventView::AnswerGiven { seat, answer: Some(answer) } => answered(*seat, *answer, lang),
            EventView::AnswersRevealed { answers } => answers
                .iter()
                .zip(Seat::all(Seat::MAX))
                .map(|(answer, seat)| answered(seat, *answer, lang))
                .collect::<Vec<_>>()
                .join(" "),
            EventView::TurnPassed { seat } => lang.pick(
                format!("It is seat {seat}'s turn."),
                format!("Es el turno del puesto {seat}."),
            ),
            EventView::GameEnded { reason: EndReason::TwoRows } => lang
                .pick("A seat has completed two rows.", "Un jugador ha completado dos filas.")
                .to_owned(),
            EventView::GameEnded { reason: EndReason::FourFailures } => {
                lang.pick("A seat has four failures.", "Un jugador tiene cuatro fallos.").to_owned()
            }
        }
    }
}

/// The sum of the dice on the table. The moves that name it are legal only after a roll.
fn announced(state: &State) -> u8 {
    state.sum().expect("dice have been rolled")
}

fn faces(dice: &[Die], lang: Lang) -> String {
    let faces: Vec<String> =
        dice.iter().map(|die| format!("{} {}", die.colour.name().get(lang), die.face)).collect();
    lang.list(&faces)
}

fn answered(seat: Seat, answer: Answer, lang: Lang) -> String {
    match answer {
        Answer::Write { row, cell } => {
            let row = row.row(lang);
            lang.pick(
                format!("Seat {seat} writes in the {row}, box {cell}."),
                format!("El puesto {seat} anota en la {row}, casilla {cell}."),
            )
        }
        Answer::Pass {} => {
            lang.pick(format!("Seat {seat} passes."), format!("El puesto {seat} pasa."))
        }
    }
}
