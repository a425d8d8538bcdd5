//! What each viewer may see: everything except other seats' answers until all are revealed (R3.5).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Qwinto,
    components::{BOXES, Colour},
    events::{Die, EndReason},
    score,
    state::{Answer, Phase, Sheet, State, sum_of},
};
use crate::{
    game::ShowState,
    seat::{Seat, Viewer},
};

/// A match of Qwinto as one viewer sees it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = qwinto::View)]
pub struct View {
    /// The number of turns so far, including the current one.
    pub turn: u32,
    /// The seat whose turn it is.
    pub active: Seat,
    /// The phase of the turn.
    pub phase: PhaseView,
    /// One sheet per seat, in seat order.
    pub sheets: Vec<SheetView>,
}

/// The phase of the turn.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = qwinto::Phase)]
pub enum PhaseView {
    /// The match is being set up.
    Setup {},
    /// The active seat chooses its dice.
    Rolling {},
    /// The active seat keeps the result or rerolls.
    Rolled {
        /// The dice rolled.
        dice: Vec<Die>,
        /// Their sum.
        sum: u8,
    },
    /// Every seat writes the sum or passes.
    Writing {
        /// The dice rolled.
        dice: Vec<Die>,
        /// The announced sum.
        sum: u8,
        /// The seats that have answered.
        answered: Vec<Seat>,
        /// The viewer's own answer, still hidden from others.
        #[serde(skip_serializing_if = "Option::is_none")]
        my_answer: Option<Answer>,
    },
    /// The match is over.
    Over {
        /// Why it ended.
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
    /// The current points of the sheet.
    pub score: i64,
}

impl ShowState for Qwinto {
    fn view(state: &State, viewer: Viewer) -> View {
        View {
            turn: state.turn,
            active: state.active,
            phase: phase(state, viewer),
            sheets: Seat::all(state.seats()).zip(&state.sheets).map(sheet).collect(),
        }
    }
}

fn phase(state: &State, viewer: Viewer) -> PhaseView {
    match &state.phase {
        Phase::Setup => PhaseView::Setup {},
        Phase::Rolling => PhaseView::Rolling {},
        Phase::Rolled { dice } => PhaseView::Rolled { dice: dice.clone(), sum: sum_of(dice) },
        Phase::Writing { dice, sum, .. } => PhaseView::Writing {
            dice: dice.clone(),
            sum: *sum,
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
