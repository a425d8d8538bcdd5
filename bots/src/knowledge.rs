//! What is known about a game beyond its rules. Every part has a default, which needs nothing but the rules.

use domain::{
    chance::Chance,
    erased::{AnyState, GameMove},
    seat::Seat,
};

use crate::evaluation::points;

/// Knowledge of a game. An implementation reads the game's own state: `state.as_any().downcast_ref::<qwinto::State>()`.
///
/// It is asked about worlds that the bot imagines. It may use everything in them when it estimates a position, but a policy
/// should look only at what its seat would know.
pub(crate) trait Knowledge: Send + Sync {
    /// The points that each seat can expect at the end; in a solo game the probability of winning. By default, the points
    /// as they are now.
    fn expected(&self, state: &dyn AnyState) -> Vec<f64> {
        let seats = state.standings().seats;
        seats.iter().map(|seat| seat.score.map_or(f64::from(u8::from(seat.won)), points)).collect()
    }

    /// A margin in points that makes a difference.
    fn spread(&self) -> f64 {
        10.0
    }

    /// The moves worth considering. By default, all legal moves, or the shorter listing if there are too many.
    fn candidates(&self, state: &dyn AnyState, seat: Seat) -> Vec<GameMove> {
        let moves: Vec<GameMove> = state.moves(seat).take(MANY + 1).collect();
        if moves.len() > MANY { state.listed_moves(seat) } else { moves }
    }

    /// A quick and reasonable move, for playing on. By default, a random one.
    fn policy(
        &self,
        state: &dyn AnyState,
        seat: Seat,
        chance: &mut dyn Chance,
    ) -> Option<GameMove> {
        state.random_move(seat, chance)
    }
}

/// More moves than this are not all looked at.
const MANY: usize = 600;

/// No knowledge: every default.
pub(crate) struct RulesOnly;

impl Knowledge for RulesOnly {}
