//! Playing a match on from a position, quickly.

use domain::{
    chance::Chance,
    erased::{AnyState, GameMove},
    game::Context,
    seat::{Seat, SeatSet},
    time::Timestamp,
};

use crate::{evaluation::Evaluation, generator::Generator, knowledge::Knowledge};

/// What a lost solo match is worth at most.
const NEARLY_WON: f64 = 0.3;

/// A world in which moves are tried.
pub(crate) struct Playground<'a> {
    pub(crate) state: Box<dyn AnyState>,
    pub(crate) chance: Generator,
    pub(crate) knowledge: &'a dyn Knowledge,
    pub(crate) resigned: SeatSet,
    pub(crate) at: Timestamp,
}

impl Playground<'_> {
    /// Makes a move. False if it is not legal in this world.
    pub(crate) fn play(&mut self, seat: Seat, mv: &GameMove) -> bool {
        let mut cx = Context { chance: &mut self.chance, at: self.at };
        self.state.play(seat, mv, &mut cx).is_ok()
    }

    /// The seat that decides next: `first` if it may, so that a bot's own plans come first.
    pub(crate) fn next_seat(&self, first: Seat) -> Option<Seat> {
        let to_act = self.state.to_act();
        if to_act.contains(first) { Some(first) } else { to_act.iter().next() }
    }

    /// A move by the policy; seats that have resigned are moved for as in a real match.
    pub(crate) fn policy(&mut self, seat: Seat) -> Option<GameMove> {
        let chance: &mut dyn Chance = &mut self.chance;
        if self.resigned.contains(seat) {
            return self.state.random_move(seat, chance);
        }
        self.knowledge.policy(self.state.as_ref(), seat, chance)
    }

    /// Plays on for this many moves, or to the end, and evaluates.
    pub(crate) fn finish(&mut self, first: Seat, moves: u32) -> Evaluation {
        for _ in 0..moves {
            if self.state.finished() {
                break;
            }
            let Some(seat) = self.next_seat(first) else { break };
            let Some(mv) = self.policy(seat) else { break };
            if !self.play(seat, &mv) {
                break;
            }
        }
        self.evaluate()
    }

    fn evaluate(&self) -> Evaluation {
        let (state, spread) = (self.state.as_ref(), self.knowledge.spread());
        if state.finished() {
            let mut result = Evaluation::of_result(state, self.resigned, spread);
            if let [near] = self.knowledge.expected(state)[..] {
                // A solo match that was nearly won is better than one that was not.
                result.value[0] = result.value[0].max(NEARLY_WON * near);
            }
            return result;
        }
        match self.knowledge.expected(state).as_slice() {
            [win] => Evaluation::of_solo(*win),
            scores => Evaluation::of_scores(scores, self.resigned, spread),
        }
    }
}
