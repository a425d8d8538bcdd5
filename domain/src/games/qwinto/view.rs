//! What each viewer may see: everything but the answers of others while answers are still coming in (R3.5).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    components::BOXES,
    components::Colour,
    events::{Die, EndReason, Event},
    score,
    state::{Answer, Phase, Sheet, State},
};
use crate::{
    seat::{Seat, Viewer},
    text::Lang,
};

/// A match of Qwinto as one viewer sees it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = qwinto::View)]
pub struct View {
    /// Turns so far, the current one included.
    pub turn: u32,
    /// The seat whose turn it is.
    pub active: Seat,
    /// Where the turn stands.
    pub phase: PhaseView,
    /// One sheet a seat, in seat order.
    pub sheets: Vec<SheetView>,
}

/// Where the turn stands.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = qwinto::Phase)]
pub enum PhaseView {
    /// The table is being set.
    Setup {},
    /// The active seat chooses its dice.
    Rolling {},
    /// The active seat keeps the result or rolls again.
    Rolled {
        /// What was rolled.
        dice: Vec<Die>,
        /// What it adds up to.
        sum: u8,
    },
    /// Every seat writes the sum or passes.
    Writing {
        /// What was rolled.
        dice: Vec<Die>,
        /// The announced sum.
        sum: u8,
        /// The seats that have answered.
        answered: Vec<Seat>,
        /// The viewer's own answer, hidden from the others.
        #[serde(skip_serializing_if = "Option::is_none")]
        my_answer: Option<Answer>,
    },
    /// The match is over.
    Over {
        /// Why.
        reason: EndReason,
    },
}

/// A seat's sheet.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = qwinto::Sheet)]
pub struct SheetView {
    /// Whose sheet it is.
    pub seat: Seat,
    /// The orange row, nine boxes from the left, `null` where empty.
    pub orange: [Option<u8>; BOXES],
    /// The yellow row.
    pub yellow: [Option<u8>; BOXES],
    /// The purple row.
    pub purple: [Option<u8>; BOXES],
    /// Failures marked.
    pub failures: u8,
    /// What the sheet is worth now.
    pub score: i64,
}

pub(crate) fn view(state: &State, viewer: Viewer) -> View {
    View {
        turn: state.turn,
        active: state.active,
        phase: phase(state, viewer),
        sheets: Seat::all(state.seats()).zip(&state.sheets).map(sheet).collect(),
    }
}

fn phase(state: &State, viewer: Viewer) -> PhaseView {
    let sum = state.sum().unwrap_or_default();
    match &state.phase {
        Phase::Setup => PhaseView::Setup {},
        Phase::Rolling => PhaseView::Rolling {},
        Phase::Rolled { dice } => PhaseView::Rolled { dice: dice.clone(), sum },
        Phase::Writing { dice, .. } => PhaseView::Writing {
            dice: dice.clone(),
            sum,
            answered: Seat::all(state.seats())
                .filter(|seat| state.answer(*seat).is_some())
                .collect(),
            my_answer: match viewer {
                Viewer::Seat(seat) => state.answer(seat),
                Viewer::Spectator | Viewer::Archive => None,
            },
        },
        Phase::Over { reason } => PhaseView::Over { reason: *reason },
    }
}

fn sheet((seat, sheet): (Seat, &Sheet)) -> SheetView {
    SheetView {
        seat,
        orange: *sheet.row(Colour::Orange),
        yellow: *sheet.row(Colour::Yellow),
        purple: *sheet.row(Colour::Purple),
        failures: sheet.failures,
        score: score::total(sheet),
    }
}

/// An event of Qwinto as one viewer sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = qwinto::Event)]
pub(crate) enum EventView {
    /// The first active seat was drawn.
    FirstSeatDrawn {
        /// Who begins.
        seat: Seat,
    },
    /// The active seat rolled.
    DiceRolled {
        /// What was rolled.
        dice: Vec<Die>,
    },
    /// The active seat rolled the same dice again.
    DiceRerolled {
        /// What was rolled.
        dice: Vec<Die>,
    },
    /// The sum counts for everybody.
    SumAnnounced {
        /// The sum.
        sum: u8,
    },
    /// A seat answered; what, only the seat itself sees until all have.
    AnswerGiven {
        /// Who answered.
        seat: Seat,
        /// The answer, if it is the viewer's.
        #[serde(skip_serializing_if = "Option::is_none")]
        answer: Option<Answer>,
    },
    /// All answers are shown.
    AnswersRevealed {
        /// One answer a seat, in seat order.
        answers: Vec<Answer>,
    },
    /// The next turn begins.
    TurnPassed {
        /// Whose turn it is.
        seat: Seat,
    },
    /// The rules ended the match.
    GameEnded {
        /// Why.
        reason: EndReason,
    },
}

pub(crate) fn event_view(event: &Event, viewer: Viewer) -> EventView {
    match event {
        Event::FirstSeatDrawn { seat } => EventView::FirstSeatDrawn { seat: *seat },
        Event::DiceRolled { dice } => EventView::DiceRolled { dice: dice.clone() },
        Event::DiceRerolled { dice } => EventView::DiceRerolled { dice: dice.clone() },
        Event::SumAnnounced { sum } => EventView::SumAnnounced { sum: *sum },
        Event::AnswerGiven { seat, answer } => {
            EventView::AnswerGiven { seat: *seat, answer: viewer.sees(*seat).then_some(*answer) }
        }
        Event::AnswersRevealed { answers } => {
            EventView::AnswersRevealed { answers: answers.clone() }
        }
        Event::TurnPassed { seat } => EventView::TurnPassed { seat: *seat },
        Event::GameEnded { reason } => EventView::GameEnded { reason: *reason },
    }
}

/// An event in words.
pub(crate) fn tell(event: &EventView, lang: Lang) -> String {
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
        EventView::AnswerGiven { seat, answer: None } => lang
            .pick(format!("Seat {seat} has answered."), format!("El puesto {seat} ha respondido.")),
        EventView::AnswerGiven { seat, answer: Some(answer) } => answered(*seat, *answer, lang),
        EventView::AnswersRevealed { answers } => answers
            .iter()
            .zip(Seat::all(Seat::MAX))
            .map(|(answer, seat)| answered(seat, *answer, lang))
            .collect::<Vec<_>>()
            .join(" "),
        EventView::TurnPassed { seat } => lang
            .pick(format!("It is seat {seat}'s turn."), format!("Es el turno del puesto {seat}.")),
        EventView::GameEnded { reason: EndReason::TwoRows } => {
            lang.pick("Two rows are complete.", "Hay dos filas completas.").to_owned()
        }
        EventView::GameEnded { reason: EndReason::FourFailures } => {
            lang.pick("A seat has four failures.", "Un puesto tiene cuatro fallos.").to_owned()
        }
    }
}

fn faces(dice: &[Die], lang: Lang) -> String {
    let faces: Vec<String> =
        dice.iter().map(|die| format!("{} {}", die.colour.name().get(lang), die.face)).collect();
    lang.list(&faces)
}

fn answered(seat: Seat, answer: Answer, lang: Lang) -> String {
    match answer {
        Answer::Write { row, cell } => {
            let (row, place) = (row.row(lang), cell + 1);
            lang.pick(
                format!("Seat {seat} writes in the {row}, box {place}."),
                format!("El puesto {seat} anota en la {row}, casilla {place}."),
            )
        }
        Answer::Pass {} => {
            lang.pick(format!("Seat {seat} passes."), format!("El puesto {seat} pasa."))
        }
    }
}
