//! Other histories that a viewer cannot tell from the real one (R1.2).

use super::{
    Tapestry,
    components::{Card, SLOTS},
    events::Event,
    state::State,
};
use crate::{chance::Chance, game::Redeal, seat::Viewer};

impl Redeal for Tapestry {
    /// Everything that was hidden is in the deal, so only the deal changes: cards that nobody has seen are shuffled, and
    /// those whose backs have been seen keep their colour.
    fn redeal(
        _start: &State,
        log: &[Event],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Option<Vec<Event>> {
        let mut log = log.to_vec();
        let Some((Event::CardsDealt { area, deck, .. }, turns)) = log.split_first_mut() else {
            return Some(log);
        };
        if viewer == Viewer::Archive {
            return Some(log);
        }
        let KnownCards { mut seen, backs } = known(turns);
        seen.resize(SLOTS + deck.len(), false);
        let hidden =
            || seen.iter().zip(0_usize..).filter(|(seen, _)| !**seen).map(|(_, index)| index);
        let mut cards: Vec<Card> = area.iter().chain(deck.iter()).copied().collect();
        let mut pool: Vec<Card> = hidden().map(|index| cards[index]).collect();
        pool.sort_unstable(); // Where the cards really are must not matter.
        chance.shuffle(&mut pool);
        for index in hidden() {
            let back = cards[index].colour;
            let fits = |card: &Card| index >= backs || card.colour == back;
            if let Some(found) = pool.iter().position(fits) {
                cards[index] = pool.remove(found);
            }
        }
        for (place, card) in area.iter_mut().chain(deck.iter_mut()).zip(cards) {
            *place = card;
        }
        Some(log)
    }
}

/// What a player knows about the cards of the draw area and the deck, in the order of the deal.
struct KnownCards {
    /// Whether each was drawn.
    seen: Vec<bool>,
    /// How many backs have been seen: those of the draw area and of the top of the deck.
    backs: usize,
}

fn known(turns: &[Event]) -> KnownCards {
    let mut slots: [usize; SLOTS] = std::array::from_fn(|slot| slot);
    let mut seen = vec![false; SLOTS];
    for event in turns {
        match event {
            Event::CardDrawn { slot, .. } => {
                if let Some(card) =
                    slots.get(usize::from(*slot)).and_then(|card| seen.get_mut(*card))
                {
                    *card = true;
                }
            }
            Event::SlotRefilled { slot, .. } => {
                if let Some(card) = slots.get_mut(usize::from(*slot)) {
                    *card = seen.len();
                    seen.push(false);
                }
            }
            Event::CardsDealt { .. }
            | Event::CardPlaced { .. }
            | Event::CardExchanged { .. }
            | Event::CardDiscarded { .. }
            | Event::GameEnded { .. } => {}
        }
    }
    let backs = seen.len() + 1;
    KnownCards { seen, backs }
}
