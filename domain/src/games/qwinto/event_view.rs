//! What each viewer may see of an event: everything except other seats' answers until all are revealed (R3.5).

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
        /// The seat that begins.
        seat: Seat,
    },
    /// The active seat rolled dice.
    DiceRolled {
        /// The dice rolled.
        dice: Vec<Die>,
    },
    /// The active seat rolled the same dice again.
    DiceRerolled {
        /// The dice rolled.
        dice: Vec<Die>,
    },
    /// The sum was announced; it counts for every seat.
    SumAnnounced {
        /// The sum.
        sum: u8,
    },
    /// A seat answered. The others see the answer when all have answered.
    AnswerGiven {
        /// The seat that answered.
        seat: Seat,
        /// The answer, if the viewer may see it.
        #[serde(skip_serializing_if = "Option::is_none")]
        answer: Option<Answer>,
    },
    /// All answers were revealed.
    AnswersRevealed {
        /// One answer per seat, in seat order.
        answers: Vec<Answer>,
    },
    /// The next turn began.
    TurnPassed {
        /// The seat whose turn it is.
        seat: Seat,
    },
    /// The rules ended the match.
    GameEnded {
        /// Why it ended.
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
