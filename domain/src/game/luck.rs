//! How lucky each seat was.

use super::Game;
use crate::luck::Ledger;

/// What chance gave to each seat, in the declared figures.
pub trait MeasureLuck: Game {
    /// Enters what chance gives to each seat with this event, and what could be expected of it in the state right before
    /// it. Whatever a seat may know by then, such as the back of a card, is no longer luck. `past` is everything that
    /// happened before.
    fn luck(state: &Self::State, past: &[Self::Event], event: &Self::Event, ledger: &mut Ledger);
}
