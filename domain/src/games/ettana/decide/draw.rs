//! Drawing from the decks, by chance (R6.2, R7.6).

use super::{
    super::{
        components::ActionCard,
        designs::DesignId,
        events::{Event, Means},
        state::State,
    },
    Stage,
};
use crate::{chance::Chance, game::Context, seat::Seat};

/// The next design: a random one that was never drawn, otherwise the first of those put under the deck.
pub(crate) fn design(state: &State, chance: &mut dyn Chance) -> Option<DesignId> {
    if state.design_deck.is_empty() {
        return state.returned.first().copied();
    }
    let cards: Vec<DesignId> = state.design_deck.iter().collect();
    Some(chance.pick(&cards))
}

/// A random action card from the deck.
pub(crate) fn action(state: &State, chance: &mut dyn Chance) -> Option<ActionCard> {
    let cards: Vec<ActionCard> = state.action_deck.iter().collect();
    (!cards.is_empty()).then(|| chance.pick(&cards))
}

/// A seat draws an action card, if there is one.
pub(crate) fn take_action(staged: &mut Stage, seat: Seat, means: Means, cx: &mut Context<'_>) {
    let state = staged.state();
    if state.action_deck.is_empty() && !state.discards.is_empty() {
        let cards = state.discards.len();
        staged.emit(Event::ActionsReshuffled { cards }); // R6.2
    }
    if let Some(card) = action(staged.state(), cx.chance) {
        staged.emit(Event::ActionDrawn { seat, card, means });
    }
}

/// A seat draws a design, if there is one.
pub(crate) fn take_design(staged: &mut Stage, seat: Seat, means: Means, cx: &mut Context<'_>) {
    if let Some(design) = design(staged.state(), cx.chance) {
        staged.emit(Event::DesignDrawn { seat, design, means }); // R7.6
    }
}
