//! Other histories that a viewer cannot tell from the real one.
//!
//! Every card is followed from the draw until it is played, claimed or returned. The faces that the viewer sees are noted on
//! the way; which card of a hidden hand it is that shows its face, is returned or is stolen, is drawn by chance. In the end,
//! cards without a face are dealt from what their deck could still contain.

use std::collections::VecDeque;

use super::{
    Ettana,
    components::{ActionCard, Actions},
    designs::{DesignId, Designs},
    events::Event,
    state::State,
};
use crate::{
    chance::Chance,
    game::Redeal,
    seat::{Seat, Viewer},
};

/// A world is drawn again if it contradicts what the viewer knows. That takes a rival who holds a card that the viewer knows.
const ATTEMPTS: usize = 100;

impl Redeal for Ettana {
    fn redeal(
        start: &State,
        log: &[Event],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Option<Vec<Event>> {
        if viewer == Viewer::Archive {
            return Some(log.to_vec());
        }
        let seats = start.weavers.len();
        (0..ATTEMPTS).find_map(|_| World::draw(seats, log, viewer, chance))
    }
}

/// A world that agrees with everything the viewer knows.
struct World<'a> {
    viewer: Viewer,
    chance: &'a mut dyn Chance,
    designs: DesignCards,
    actions: ActionCards,
}

impl<'a> World<'a> {
    fn draw(
        seats: usize,
        log: &[Event],
        viewer: Viewer,
        chance: &'a mut dyn Chance,
    ) -> Option<Vec<Event>> {
        let (designs, actions) = (DesignCards::new(seats), ActionCards::new(seats));
        let mut world = Self { viewer, chance, designs, actions };
        let cards: Vec<Cards> =
            log.iter().map(|event| world.follow(event)).collect::<Option<_>>()?;
        let designs = world.designs.deal(world.chance);
        let actions = world.actions.deal(world.chance)?;
        let show = |(event, cards): (&Event, Cards)| cards.show(event, &designs, &actions);
        Some(log.iter().zip(cards).map(show).collect())
    }

    /// The cards that an event is about. `None` if no card could be meant.
    fn follow(&mut self, event: &Event) -> Option<Cards> {
        let (viewer, chance) = (self.viewer, &mut *self.chance);
        let (designs, actions) = (&mut self.designs, &mut self.actions);
        let mut cards = Cards::default();
        match event {
            Event::HandDealt { seat, design, card, .. } => {
                let seen = viewer.sees(*seat);
                cards.design = Some(designs.draw(*seat, seen.then_some(*design))?);
                cards.action = actions.draw(*seat, *card, seen);
            }
            Event::DesignDrawn { seat, design, .. } => {
                let seen = viewer.sees(*seat).then_some(*design);
                cards.design = Some(designs.draw(*seat, seen)?);
            }
            Event::DesignExchanged { seat, returned, drawn } => {
                let seen = viewer.sees(*seat);
                cards.design = Some(designs.draw(*seat, seen.then_some(*drawn))?);
                let card = designs.give_back(*seat, seen.then_some(*returned), chance)?;
                cards.returned = Some(card);
            }
            Event::DesignClaimed { seat, design, .. } => {
                designs.show(*seat, *design, chance)?;
            }
            Event::ActionDrawn { seat, card, .. } => {
                cards.action = actions.draw(*seat, *card, viewer.sees(*seat));
            }
            Event::CardPlayed { seat, card } => {
                actions.show(*seat, *card, chance)?;
                actions.discards.add(*card);
            }
            Event::ActionStolen { seat, from, card } => {
                let seen = viewer.sees(*seat) || viewer.sees(*from);
                let stolen = if seen {
                    actions.show(*from, *card, chance)?
                } else {
                    remove_any(&mut actions.hands[from.index()], chance)?
                };
                actions.hands[seat.index()].push(stolen);
                cards.action = Some(stolen);
            }
            Event::ActionsReshuffled { .. } => {
                actions.decks.push(std::mem::take(&mut actions.discards));
            }
            _ => {}
        }
        Some(cards)
    }
}

/// The cards in an event, by number.
#[derive(Debug, Default)]
struct Cards {
    design: Option<usize>,
    returned: Option<usize>,
    action: Option<usize>,
}

impl Cards {
    /// The event with the faces that its cards have in a world.
    fn show(&self, event: &Event, designs: &[DesignId], actions: &[ActionCard]) -> Event {
        let mut event = event.clone();
        if let Event::HandDealt { card, .. }
        | Event::ActionDrawn { card, .. }
        | Event::ActionStolen { card, .. } = &mut event
            && let Some(number) = self.action
        {
            *card = actions[number];
        }
        if let Event::HandDealt { design, .. }
        | Event::DesignDrawn { design, .. }
        | Event::DesignExchanged { drawn: design, .. } = &mut event
            && let Some(number) = self.design
        {
            *design = designs[number];
        }
        if let Event::DesignExchanged { returned, .. } = &mut event
            && let Some(number) = self.returned
        {
            *returned = designs[number];
        }
        event
    }
}

/// The designs that have been drawn, by number.
struct DesignCards {
    faces: Vec<Option<DesignId>>,
    hands: Vec<Vec<usize>>,
    /// Under the deck, the next one first.
    returned: VecDeque<usize>,
}

impl DesignCards {
    fn new(seats: usize) -> Self {
        Self { faces: Vec::new(), hands: vec![Vec::new(); seats], returned: VecDeque::new() }
    }

    /// Draws a card, whose face the viewer may have seen.
    fn draw(&mut self, seat: Seat, seen: Option<DesignId>) -> Option<usize> {
        let card = if self.faces.len() < Designs::ALL.len() as usize {
            self.faces.push(None);
            self.faces.len() - 1
        } else {
            self.returned.pop_front()?
        };
        if seen.is_some() && self.faces[card] != seen {
            if self.faces[card].is_some() || self.faces.contains(&seen) {
                return None;
            }
            self.faces[card] = seen;
        }
        self.hands[seat.index()].push(card);
        Some(card)
    }

    fn give_back(
        &mut self,
        seat: Seat,
        seen: Option<DesignId>,
        chance: &mut dyn Chance,
    ) -> Option<usize> {
        // The new design is in the hand already, and is not the one that is returned.
        let drawn = self.hands[seat.index()].pop()?;
        let card = match seen {
            Some(design) => self.show(seat, design, chance),
            None => remove_any(&mut self.hands[seat.index()], chance),
        }?;
        self.hands[seat.index()].push(drawn);
        self.returned.push_back(card);
        Some(card)
    }

    /// A card of this hand shows its face and leaves.
    fn show(&mut self, seat: Seat, design: DesignId, chance: &mut dyn Chance) -> Option<usize> {
        let (faces, hand) = (&mut self.faces, &mut self.hands[seat.index()]);
        if let Some(place) = hand.iter().position(|card| faces[*card] == Some(design)) {
            return Some(hand.remove(place));
        }
        if faces.contains(&Some(design)) {
            return None;
        }
        let card = remove_one(hand, |card| faces[card].is_none(), chance)?;
        faces[card] = Some(design);
        Some(card)
    }

    fn deal(self, chance: &mut dyn Chance) -> Vec<DesignId> {
        let seen: Designs = self.faces.iter().flatten().copied().collect();
        let mut left: Vec<DesignId> = DesignId::all().filter(|it| !seen.contains(*it)).collect();
        chance.shuffle(&mut left);
        self.faces.into_iter().filter_map(|face| face.or_else(|| left.pop())).collect()
    }
}

/// An action card, and the deck from which it was drawn: each reshuffle makes a new one.
#[derive(Debug, Clone, Copy)]
struct DrawnCard {
    face: Option<ActionCard>,
    deck: usize,
}

/// The action cards that have been drawn, by number. A victory point is never hidden (R6.14), and so is not among them.
struct ActionCards {
    cards: Vec<DrawnCard>,
    hands: Vec<Vec<usize>>,
    /// What was in each deck, without the cards whose faces are known.
    decks: Vec<Actions>,
    discards: Actions,
}

impl ActionCards {
    fn new(seats: usize) -> Self {
        Self {
            cards: Vec::new(),
            hands: vec![Vec::new(); seats],
            decks: vec![Actions::ALL],
            discards: Actions::default(),
        }
    }

    fn draw(&mut self, seat: Seat, card: ActionCard, seen: bool) -> Option<usize> {
        let deck = self.decks.len() - 1;
        if seen || card == ActionCard::VictoryPoint {
            self.decks[deck].remove(card);
        }
        (card != ActionCard::VictoryPoint).then(|| {
            self.cards.push(DrawnCard { face: seen.then_some(card), deck });
            self.hands[seat.index()].push(self.cards.len() - 1);
            self.cards.len() - 1
        })
    }

    /// A card of this hand shows its face and leaves.
    fn show(&mut self, seat: Seat, face: ActionCard, chance: &mut dyn Chance) -> Option<usize> {
        let (cards, decks) = (&mut self.cards, &mut self.decks);
        let hand = &mut self.hands[seat.index()];
        if let Some(place) = hand.iter().position(|card| cards[*card].face == Some(face)) {
            return Some(hand.remove(place));
        }
        let could_be = |card: usize| {
            let DrawnCard { face: known, deck } = cards[card];
            known.is_none() && decks[deck].contains(face)
        };
        let card = remove_one(hand, could_be, chance)?;
        cards[card].face = Some(face);
        decks[cards[card].deck].remove(face);
        Some(card)
    }

    /// `None` if a deck did not have that many cards.
    fn deal(self, chance: &mut dyn Chance) -> Option<Vec<ActionCard>> {
        let mut left: Vec<Vec<ActionCard>> = Vec::with_capacity(self.decks.len());
        for deck in &self.decks {
            let mut cards: Vec<ActionCard> =
                deck.iter().filter(|card| *card != ActionCard::VictoryPoint).collect();
            chance.shuffle(&mut cards);
            left.push(cards);
        }
        self.cards.into_iter().map(|card| card.face.or_else(|| left[card.deck].pop())).collect()
    }
}

fn remove_any(hand: &mut Vec<usize>, chance: &mut dyn Chance) -> Option<usize> {
    remove_one(hand, |_| true, chance)
}

/// Takes a random one of the cards that fit out of a hand.
fn remove_one(
    hand: &mut Vec<usize>,
    fits: impl Fn(usize) -> bool,
    chance: &mut dyn Chance,
) -> Option<usize> {
    let places: Vec<usize> = (0..hand.len()).filter(|place| fits(hand[*place])).collect();
    (!places.is_empty()).then(|| hand.remove(chance.pick(&places)))
}
