//! Other histories that a viewer cannot tell from the real one.
//!
//! Cards whose backs the viewer never saw are permuted within their deck; faces that it never saw are dealt again from
//! all unseen cards, including those left in the box.

use super::{
    Brotando,
    cards::{Card, Figure, PeekedCard, Wind},
    events::Event,
    state::State,
};
use crate::{
    chance::Chance,
    game::{Evolve, Redeal},
    seat::{SeatSet, Viewer},
    time::Timestamp,
};

/// What a viewer knows about a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Knowledge {
    Nothing,
    Back,
    Face,
}

/// Where a card was dealt to: deck and place.
type CardOrigin = (usize, usize);

impl Redeal for Brotando {
    fn redeal(start: &State, log: &[Event], viewer: Viewer, chance: &mut dyn Chance) -> Vec<Event> {
        let dealt = log.iter().find_map(|event| match event {
            Event::DecksDealt { decks } => Some(decks.clone()),
            _ => None,
        });
        match (viewer, dealt) {
            (Viewer::Archive, _) | (_, None) => log.to_vec(),
            (_, Some(mut decks)) => {
                let log = rearrange(&mut decks, log, viewer, chance);
                let knows = Tracker::follow(&decks, &log, viewer);
                rewrite(start, &log, &deal(&decks, &knows, chance))
            }
        }
    }
}

/// Makes rivals find the cards that they looked at in another order and put them back as they are now.
///
/// Applies only to the first arrangement of each deck: until then, its cards are where they were dealt.
fn rearrange(
    decks: &mut [Vec<Card>],
    log: &[Event],
    viewer: Viewer,
    chance: &mut dyn Chance,
) -> Vec<Event> {
    let mut drawn = 0;
    let mut arranged = SeatSet::NONE;
    let other = log.iter().map(|event| match event {
        Event::DayBegan { .. } => {
            drawn += 1;
            event.clone()
        }
        Event::DeckArranged { seat, order, top } if !arranged.contains(*seat) => {
            arranged = arranged.with(*seat);
            let cards = &mut decks[seat.index()][drawn..drawn + order.len()];
            let found = cards.to_vec();
            let mut places: Vec<usize> = (0..order.len()).collect();
            chance.shuffle(&mut places);
            // Everybody saw the back of the top card.
            if viewer.sees(*seat) || found[places[0]].back() != found[0].back() {
                return event.clone();
            }
            for (card, place) in cards.iter_mut().zip(&places) {
                *card = found[*place];
            }
            let now_at =
                |nth: &PeekedCard| places.iter().position(|place| *place == usize::from(nth.0));
            let order = order.iter().filter_map(now_at).filter_map(|at| u8::try_from(at).ok());
            Event::DeckArranged { seat: *seat, order: order.map(PeekedCard).collect(), top: *top }
        }
        _ => event.clone(),
    });
    other.collect()
}

/// Follows every card through a match.
struct Tracker<'a> {
    dealt: &'a [Vec<Card>],
    knows: Vec<Vec<Knowledge>>,
    decks: Vec<Vec<CardOrigin>>,
    centre: Vec<Option<CardOrigin>>,
    hands: Vec<Vec<CardOrigin>>,
}

impl<'a> Tracker<'a> {
    fn follow(dealt: &'a [Vec<Card>], log: &[Event], viewer: Viewer) -> Vec<Vec<Knowledge>> {
        let origins = |(deck, cards): (usize, &Vec<Card>)| {
            (0..cards.len()).map(|place| (deck, place)).collect()
        };
        let mut tracker = Self {
            dealt,
            knows: dealt.iter().map(|deck| vec![Knowledge::Nothing; deck.len()]).collect(),
            decks: dealt.iter().enumerate().map(origins).collect(),
            centre: vec![None; dealt.len()],
            hands: vec![Vec::new(); dealt.len()],
        };
        for event in log {
            tracker.see(event, viewer);
            let tops: Vec<CardOrigin> =
                tracker.decks.iter().filter_map(|deck| deck.first().copied()).collect();
            tracker.learn(&tops, Knowledge::Back);
        }
        tracker.knows
    }

    fn learn(&mut self, origins: &[CardOrigin], knows: Knowledge) {
        for (deck, place) in origins {
            let before = &mut self.knows[*deck][*place];
            *before = knows.max(*before);
        }
    }

    fn see(&mut self, event: &Event, viewer: Viewer) {
        match event {
            Event::DayBegan { cards, .. } => {
                for (index, figure) in cards.iter().enumerate() {
                    if self.decks[index].is_empty() {
                        continue;
                    }
                    let origin = self.decks[index].remove(0);
                    self.centre[index] = Some(origin);
                    self.learn(
                        &[origin],
                        if figure.is_some() { Knowledge::Face } else { Knowledge::Back },
                    );
                }
            }
            Event::CardObtained { seat, card, face: Card::Wind(_), .. } => {
                if let Some(origin) = self.centre[usize::from(*card)].take() {
                    self.hands[seat.index()].push(origin);
                    if viewer.sees(*seat) {
                        self.learn(&[origin], Knowledge::Face);
                    }
                }
            }
            Event::WindPlayed { seat, wind, .. } => {
                let is_played =
                    |(deck, place): &CardOrigin| self.dealt[*deck][*place] == Card::Wind(*wind);
                if let Some(index) = self.hands[seat.index()].iter().position(is_played) {
                    let origin = self.hands[seat.index()].remove(index);
                    self.learn(&[origin], Knowledge::Face);
                }
            }
            Event::DeckPeeked { seat, cards } if viewer.sees(*seat) => {
                let deck = &self.decks[seat.index()];
                let seen: Vec<CardOrigin> = deck.iter().take(cards.len()).copied().collect();
                self.learn(&seen, Knowledge::Face);
            }
            Event::DeckArranged { seat, order, .. } => {
                let deck = &mut self.decks[seat.index()];
                let seen = deck.clone();
                for (place, from) in deck.iter_mut().zip(order) {
                    *place = seen[usize::from(from.0)];
                }
            }
            Event::GameEnded { .. } => {
                let shown: Vec<CardOrigin> = self.hands.iter().flatten().copied().collect();
                self.learn(&shown, Knowledge::Face);
            }
            Event::DecksDealt { .. }
            | Event::FirstSeatDrawn { .. }
            | Event::BalancePassed { .. }
            | Event::BalanceFailed { .. }
            | Event::SegmentDropped { .. }
            | Event::DebtPaid { .. }
            | Event::SelectionOpened { .. }
            | Event::CardSelected { .. }
            | Event::BidMade { .. }
            | Event::BidderLeft { .. }
            | Event::BiddingClosed { .. }
            | Event::CardObtained { .. }
            | Event::GrowthOpened {}
            | Event::SproutGrown { .. }
            | Event::GrowthSkipped { .. }
            | Event::RewardsPaid { .. }
            | Event::DeckPeeked { .. } => {}
        }
    }
}

/// Other decks that agree with everything the viewer knows.
fn deal(decks: &[Vec<Card>], knows: &[Vec<Knowledge>], chance: &mut dyn Chance) -> Vec<Vec<Card>> {
    let mut decks = decks.to_vec();
    let (mut growth, mut winds) = (Figure::all_cards(), Wind::all_cards());
    for (deck, knows) in decks.iter_mut().zip(knows) {
        let places: Vec<usize> =
            (0..deck.len()).filter(|place| knows[*place] == Knowledge::Nothing).collect();
        let mut cards: Vec<Card> = places.iter().map(|place| deck[*place]).collect();
        chance.shuffle(&mut cards);
        places.into_iter().zip(cards).for_each(|(place, card)| deck[place] = card);

        let seen = deck.iter().zip(knows).filter(|(_, knows)| **knows == Knowledge::Face);
        for (card, _) in seen {
            match card {
                Card::Growth(figure) => take(&mut growth, figure),
                Card::Wind(wind) => take(&mut winds, wind),
            }
        }
    }
    for (deck, knows) in decks.iter_mut().zip(knows) {
        let unseen = deck.iter_mut().zip(knows).filter(|(_, knows)| **knows != Knowledge::Face);
        for (card, _) in unseen {
            match card {
                Card::Growth(figure) => *figure = growth.swap_remove(chance.index(growth.len())),
                Card::Wind(wind) => *wind = winds.swap_remove(chance.index(winds.len())),
            }
        }
    }
    decks
}

fn take<T: PartialEq>(cards: &mut Vec<T>, card: &T) {
    if let Some(index) = cards.iter().position(|other| other == card) {
        cards.swap_remove(index);
    }
}

/// The same history with other cards.
fn rewrite(start: &State, log: &[Event], decks: &[Vec<Card>]) -> Vec<Event> {
    let mut state = start.clone();
    let rewritten = log.iter().map(|event| {
        let event = match event.clone() {
            Event::DecksDealt { .. } => Event::DecksDealt { decks: decks.to_vec() },
            Event::CardObtained { seat, card, face: _, deal } => {
                let face = state.card(card).expect("it lay in the centre");
                Event::CardObtained { seat, card, face, deal }
            }
            Event::DeckPeeked { seat, cards } => {
                let next = state.plot(seat).deck.iter().take(cards.len());
                Event::DeckPeeked { seat, cards: next.copied().collect() }
            }
            other => other,
        };
        Brotando::evolve(&mut state, &event, Timestamp::default());
        event
    });
    rewritten.collect()
}
