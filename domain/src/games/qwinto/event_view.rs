//! What each viewer may see of an event: everything but the answers of others while answers are still coming in (R3.5).

use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Qwinto,
    events::{Die, EndReason, Event},
    state::Answer,
};
use crate::{
    game::ShowEvent,
    seat::{Seat, Viewer},
};

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

impl ShowEvent for Qwinto {
    fn event_view(event: &Event, viewer: Viewer) -> EventView {
        match event {
            Event::FirstSeatDrawn { seat } => EventView::FirstSeatDrawn { seat: *seat },
            Event::DiceRolled { dice } => EventView::DiceRolled { dice: dice.clone() },
            Event::DiceRerolled { dice } => EventView::DiceRerolled { dice: dice.clone() },
            Event::SumAnnounced { sum } => EventView::SumAnnounced { sum: *sum },
            Event::AnswerGiven { seat, answer } => EventView::AnswerGiven {
                seat: *seat,
                answer: viewer.sees(*seat).then_some(*answer),
            },
            Event::AnswersRevealed { answers } => {
                EventView::AnswersRevealed { answers: answers.clone() }
            }
            Event::TurnPassed { seat } => EventView::TurnPassed { seat: *seat },
            Event::GameEnded { reason } => EventView::GameEnded { reason: *reason },
        }
    }
}
