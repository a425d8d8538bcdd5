//! Which move led to an event.

use super::{
    Qwinto,
    components::Dice,
    events::{Die, Event},
    moves::Move,
    state::State,
};
use crate::game::{Retrace, Retraced, die};

impl Retrace for Qwinto {
    fn setup_draws(_state: &State, events: &[Event]) -> Option<Vec<u32>> {
        match events.first()? {
            Event::FirstSeatDrawn { seat } => Some(vec![seat.number().into()]),
            _ => None,
        }
    }

    fn retrace(state: &State, events: &[Event]) -> Option<Retraced<Move>> {
        match events.first()? {
            Event::DiceRolled { dice } => {
                let colours: Dice = dice.iter().map(|die| die.colour).collect();
                let mv = Move::Roll { dice: colours };
                Some(Retraced::new(state.active, mv).with_draws(faces(dice)))
            }
            Event::DiceRerolled { dice } => {
                Some(Retraced::new(state.active, Move::Reroll {}).with_draws(faces(dice)))
            }
            Event::SumAnnounced { .. } => Some(Retraced::new(state.active, Move::Keep {})),
            Event::AnswerGiven { seat, answer } => Some(Retraced::new(*seat, (*answer).into())),
            Event::FirstSeatDrawn { .. }
            | Event::AnswersRevealed { .. }
            | Event::TurnPassed { .. }
            | Event::GameEnded { .. } => None,
        }
    }
}

fn faces(dice: &[Die]) -> Vec<u32> {
    dice.iter().map(|rolled| die(rolled.face)).collect()
}
