//! Other histories that a viewer cannot tell from the real one.
//!
//! Designs are unique: those that the viewer has never seen are permuted throughout. Action cards exist in copies and
//! return after a reshuffle, so each is followed from the draw until it is played: a card that the viewer has not seen is
//! still in a hand, and could be any other card of the deck it was drawn from.

use super::{
    Ettana,
    components::ActionCard,
    designs::{DesignId, Designs},
    events::Event,
    state::State,
};
use crate::{
    chance::Chance,
    game::{Evolve, Redeal},
    seat::{Seat, Viewer},
    time::Timestamp,
};

impl Redeal for Ettana {
    fn redeal(start: &State, log: &[Event], viewer: Viewer, chance: &mut dyn Chance) -> Vec<Event> {
        let mut dealt = log.to_vec();
        exchange_designs(&mut dealt, viewer, chance);
        exchange_actions(start, &mut dealt, viewer, chance);
        dealt
    }
}

fn exchange_designs(log: &mut [Event], viewer: Viewer, chance: &mut dyn Chance) {
    let seen: Designs = log
        .iter_mut()
        .flat_map(designs)
        .filter(|(_, owner)| owner.is_none_or(|seat| viewer.sees(seat)))
        .map(|(design, _)| *design)
        .collect();
    let unseen: Vec<DesignId> = DesignId::all().filter(|design| !seen.contains(*design)).collect();
    let mut shuffled = unseen.clone();
    chance.shuffle(&mut shuffled);
    for (design, _) in log.iter_mut().flat_map(designs) {
        if let Some(index) = unseen.iter().position(|known| known == design) {
            *design = shuffled[index];
        }
    }
}

/// The designs in an event, with the only seat that may see them.
fn designs(event: &mut Event) -> Vec<(&mut DesignId, Option<Seat>)> {
    match event {
        Event::HandDealt { seat, design, .. } | Event::DesignDrawn { seat, design, .. } => {
            vec![(design, Some(*seat))]
        }
        Event::DesignExchanged { seat, returned, drawn } => {
            vec![(returned, Some(*seat)), (drawn, Some(*seat))]
        }
        Event::DesignClaimed { design, .. } => vec![(design, None)],
        _ => Vec::new(),
    }
}

/// An action card from the draw until it is played.
struct CardLife {
    card: ActionCard,
    /// How often the deck had been reshuffled when it was drawn.
    deck: usize,
    known: bool,
    events: Vec<usize>,
}

/// The cards in each hand, by index into the lives.
struct Hands {
    lives: Vec<CardLife>,
    hands: Vec<Vec<usize>>,
}

impl Hands {
    /// Takes a card of this kind out of a hand; copies are interchangeable.
    fn take(&mut self, seat: Seat, card: ActionCard) -> Option<usize> {
        let hand = &mut self.hands[seat.index()];
        let place = hand.iter().position(|life| self.lives[*life].card == card)?;
        Some(hand.swap_remove(place))
    }

    fn follow(seats: usize, log: &[Event], viewer: Viewer) -> Self {
        let mut this = Self { lives: Vec::new(), hands: vec![Vec::new(); seats] };
        let mut deck = 0;
        for (index, event) in log.iter().enumerate() {
            match event {
                Event::HandDealt { seat, card, .. } | Event::ActionDrawn { seat, card, .. }
                    if *card != ActionCard::VictoryPoint =>
                {
                    this.hands[seat.index()].push(this.lives.len());
                    let known = viewer.sees(*seat);
                    this.lives.push(CardLife { card: *card, deck, known, events: vec![index] });
                }
                Event::CardPlayed { seat, card } => {
                    if let Some(life) = this.take(*seat, *card) {
                        this.lives[life].known = true;
                    }
                }
                Event::ActionStolen { seat, from, card } => {
                    if let Some(life) = this.take(*from, *card) {
                        this.hands[seat.index()].push(life);
                        this.lives[life].known |= viewer.sees(*seat) || viewer.sees(*from);
                        this.lives[life].events.push(index);
                    }
                }
                Event::ActionsReshuffled { .. } => deck += 1,
                _ => {}
            }
        }
        this
    }
}

fn exchange_actions(start: &State, log: &mut [Event], viewer: Viewer, chance: &mut dyn Chance) {
    let mut end = start.clone();
    for event in log.iter() {
        Ettana::evolve(&mut end, event, Timestamp::default());
    }
    let reshuffles =
        log.iter().filter(|event| matches!(event, Event::ActionsReshuffled { .. })).count();
    let lives = Hands::follow(end.weavers.len(), log, viewer).lives;
    for deck in 0..=reshuffles {
        let unknown: Vec<&CardLife> =
            lives.iter().filter(|life| life.deck == deck && !life.known).collect();
        let mut cards: Vec<ActionCard> = unknown.iter().map(|life| life.card).collect();
        if deck == reshuffles {
            // A victory point would have been revealed (R6.14).
            let left = end.action_deck.iter().filter(|card| *card != ActionCard::VictoryPoint);
            cards.extend(left);
        }
        chance.shuffle(&mut cards);
        for (life, new) in unknown.into_iter().zip(cards) {
            for index in &life.events {
                if let Event::HandDealt { card, .. }
                | Event::ActionDrawn { card, .. }
                | Event::ActionStolen { card, .. } = &mut log[*index]
                {
                    *card = new;
                }
            }
        }
    }
}
