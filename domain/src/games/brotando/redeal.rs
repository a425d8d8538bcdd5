//! Other histories that a viewer cannot tell from the real one.
//!
//! A card is named by its deck and the day on which it is revealed. What the viewer has noticed is noted first: backs, faces,
//! who holds which card. A world is then drawn from these notes alone: backs and faces of the other cards (including those
//! left in the box), the orders in which rivals found the cards that they rearranged, and which of its cards a rival played.

use super::{
    Brotando,
    cards::{Back, Card, Figure, PeekedCard, Wind},
    components::{GROWTH_IN_DECK, WINDS_IN_DECK},
    events::Event,
    state::State,
};
use crate::{
    chance::Chance,
    game::{Evolve, Redeal},
    seat::{Seat, Viewer},
    time::Timestamp,
};

/// A world is drawn again if it contradicts what the viewer knows. Hardly any world does.
const ATTEMPTS: usize = 100;

impl Redeal for Brotando {
    fn redeal(
        start: &State,
        log: &[Event],
        viewer: Viewer,
        chance: &mut dyn Chance,
    ) -> Option<Vec<Event>> {
        let is_dealt = log.iter().any(|event| matches!(event, Event::DecksDealt { .. }));
        if viewer == Viewer::Archive || !is_dealt {
            return Some(log.to_vec());
        }
        let notes = Notes::take(start, log, viewer);
        (0..ATTEMPTS).find_map(|_| World::draw(&notes, chance)?.rewrite(start, log, viewer))
    }
}

/// The deck and the day, from 0, on which a card is revealed.
type CardName = (usize, usize);

/// What a viewer knows about a card: its back, or its face as well.
#[derive(Debug, Clone, Copy)]
enum Known {
    Back(Back),
    Face(Card),
}

impl Known {
    const fn back(self) -> Back {
        match self {
            Self::Back(back) => back,
            Self::Face(card) => card.back(),
        }
    }
}

/// Something that tells about wind cards in hands.
#[derive(Debug)]
enum HandNote<'a> {
    Obtained { seat: Seat, card: CardName },
    Played { seat: Seat, wind: Wind, day: usize },
    Shown { hands: &'a [Vec<Wind>] },
}

/// A deck that its owner rearranged after `drawn` days.
#[derive(Debug)]
struct Arrangement<'a> {
    seat: Seat,
    drawn: usize,
    /// The back of the top card before.
    top: Back,
    order: &'a [PeekedCard],
    /// Whether the viewer is the owner.
    own: bool,
}

/// Everything that a viewer has noticed.
struct Notes<'a> {
    seats: usize,
    /// By deck and day.
    cards: Vec<Vec<Option<Known>>>,
    hands: Vec<HandNote<'a>>,
    arrangements: Vec<Arrangement<'a>>,
}

impl<'a> Notes<'a> {
    fn take(start: &State, log: &'a [Event], viewer: Viewer) -> Self {
        let mut state = start.clone();
        let seats = state.plots.len();
        let deck = GROWTH_IN_DECK + WINDS_IN_DECK;
        let mut notes = Self {
            seats,
            cards: vec![vec![None; deck]; seats],
            hands: Vec::new(),
            arrangements: Vec::new(),
        };
        let mut drawn = 0;
        for event in log {
            match event {
                Event::DayBegan { cards, .. } => {
                    for (seat, figure) in cards.iter().enumerate() {
                        let known = match figure {
                            Some(figure) => Known::Face(Card::Growth(*figure)),
                            None => Known::Back(Back::Wind),
                        };
                        notes.learn((seat, drawn), known);
                    }
                    drawn += 1;
                }
                Event::CardObtained { seat, card, face: face @ Card::Wind(_), .. } => {
                    let card = (usize::from(*card), drawn.saturating_sub(1));
                    if viewer.sees(*seat) {
                        notes.learn(card, Known::Face(*face));
                    }
                    notes.hands.push(HandNote::Obtained { seat: *seat, card });
                }
                Event::WindPlayed { seat, wind, .. } => {
                    notes.hands.push(HandNote::Played { seat: *seat, wind: *wind, day: drawn });
                }
                Event::GameEnded { hands } => notes.hands.push(HandNote::Shown { hands }),
                Event::DeckPeeked { seat, cards } if viewer.sees(*seat) => {
                    for (place, card) in cards.iter().enumerate() {
                        notes.learn((seat.index(), drawn + place), Known::Face(*card));
                    }
                }
                Event::DeckArranged { seat, order, .. } => {
                    let own = viewer.sees(*seat);
                    if own {
                        notes.arrange(seat.index(), drawn, order);
                    }
                    let top = state.plot(*seat).deck.first().map_or(Back::Growth, |top| top.back());
                    notes.arrangements.push(Arrangement { seat: *seat, drawn, top, order, own });
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
            Brotando::evolve(&mut state, event, Timestamp::default());
        }
        for (seat, plot) in state.plots.iter().enumerate() {
            if let Some(top) = plot.deck.first() {
                notes.learn((seat, drawn), Known::Back(top.back())); // R2.6
            }
        }
        notes
    }

    /// A face that is known stays known.
    fn learn(&mut self, (deck, day): CardName, known: Known) {
        if let Some(before) = self.cards.get_mut(deck).and_then(|days| days.get_mut(day))
            && !matches!(before, Some(Known::Face(_)))
        {
            *before = Some(known);
        }
    }

    fn arrange(&mut self, deck: usize, drawn: usize, order: &[PeekedCard]) {
        let seen = self.cards[deck].clone();
        for (place, from) in order.iter().enumerate() {
            self.cards[deck][drawn + place] = seen[drawn + usize::from(from.0)];
        }
    }
}

/// A world that agrees with a viewer's notes.
struct World {
    /// As they were dealt.
    decks: Vec<Vec<Card>>,
    /// How each arrangement was made.
    orders: Vec<Vec<PeekedCard>>,
}

impl World {
    /// `None` if the luck contradicts the notes.
    fn draw(notes: &Notes<'_>, chance: &mut dyn Chance) -> Option<Self> {
        let mut cards = notes.cards.clone();
        for deck in &mut cards {
            draw_backs(deck, chance);
        }
        identify_winds(notes, &mut cards, chance)?;
        let mut decks = draw_faces(&cards, chance)?;
        let mut orders = Vec::with_capacity(notes.arrangements.len());
        for arrangement in notes.arrangements.iter().rev() {
            let end = arrangement.drawn + arrangement.order.len();
            let cards = decks[arrangement.seat.index()].get_mut(arrangement.drawn..end)?;
            orders.push(undo(arrangement, cards, chance)?);
        }
        orders.reverse();
        Some(Self { decks, orders })
    }

    /// The same history in this world; `None` if hands are shown that are others here.
    fn rewrite(self, start: &State, log: &[Event], viewer: Viewer) -> Option<Vec<Event>> {
        let Self { decks, orders } = self;
        let mut orders = orders.into_iter();
        let mut state = start.clone();
        let mut dealt = Vec::with_capacity(log.len());
        for event in log {
            let event = match event {
                Event::DecksDealt { .. } => Event::DecksDealt { decks: decks.clone() },
                Event::CardObtained { seat, card, face: _, deal } => {
                    let face = state.card(*card)?;
                    Event::CardObtained { seat: *seat, card: *card, face, deal: *deal }
                }
                Event::DeckPeeked { seat, cards } if !viewer.sees(*seat) => {
                    let next = state.plot(*seat).deck.iter().take(cards.len());
                    Event::DeckPeeked { seat: *seat, cards: next.copied().collect() }
                }
                Event::DeckArranged { seat, top, .. } => {
                    Event::DeckArranged { seat: *seat, order: orders.next()?, top: *top }
                }
                Event::GameEnded { hands } => {
                    let held = |seat: usize| state.plots[seat].hand.iter().map(|held| held.wind);
                    if !hands
                        .iter()
                        .enumerate()
                        .all(|(seat, hand)| held(seat).eq(hand.iter().copied()))
                    {
                        return None;
                    }
                    event.clone()
                }
                other => other.clone(),
            };
            Brotando::evolve(&mut state, &event, Timestamp::default());
            dealt.push(event);
        }
        Some(dealt)
    }
}

/// Completes the backs of a deck (R2.2).
fn draw_backs(deck: &mut [Option<Known>], chance: &mut dyn Chance) {
    let known = deck.iter().flatten().filter(|known| known.back() == Back::Wind).count();
    let winds = WINDS_IN_DECK.saturating_sub(known);
    let unknown: Vec<usize> = (0..deck.len()).filter(|day| deck[*day].is_none()).collect();
    let mut backs: Vec<Back> = (0..unknown.len())
        .map(|index| if index < winds { Back::Wind } else { Back::Growth })
        .collect();
    chance.shuffle(&mut backs);
    unknown.into_iter().zip(backs).for_each(|(day, back)| deck[day] = Some(Known::Back(back)));
}

/// Decides which of its cards each rival has played or shown. `None` if it has none that could be meant.
fn identify_winds(
    notes: &Notes<'_>,
    cards: &mut [Vec<Option<Known>>],
    chance: &mut dyn Chance,
) -> Option<()> {
    let mut hands: Vec<Vec<CardName>> = vec![Vec::new(); notes.seats];
    for note in &notes.hands {
        match note {
            HandNote::Obtained { seat, card } => hands[seat.index()].push(*card),
            HandNote::Played { seat, wind, day } => {
                let hand = &mut hands[seat.index()];
                let face = |(deck, day): CardName| match cards[deck][day] {
                    Some(Known::Face(Card::Wind(wind))) => Some(wind),
                    _ => None,
                };
                let known = hand.iter().position(|card| face(*card) == Some(*wind));
                let place = if let Some(known) = known {
                    known
                } else {
                    // R7.6: that card must have been in hand before.
                    let fits =
                        |(_, since): CardName| *wind != Wind::BalanceFour || since + 1 < *day;
                    let possible: Vec<usize> = (0..hand.len())
                        .filter(|place| face(hand[*place]).is_none() && fits(hand[*place]))
                        .collect();
                    (!possible.is_empty()).then(|| chance.pick(&possible))?
                };
                let (deck, day) = hand.remove(place);
                cards[deck][day] = Some(Known::Face(Card::Wind(*wind)));
            }
            HandNote::Shown { hands: shown } => {
                for (hand, shown) in hands.iter().zip(*shown) {
                    for ((deck, day), wind) in hand.iter().zip(shown) {
                        cards[*deck][*day] = Some(Known::Face(Card::Wind(*wind)));
                    }
                }
            }
        }
    }
    Some(())
}

/// Deals faces to the cards that have none, from everything that was not seen.
fn draw_faces(cards: &[Vec<Option<Known>>], chance: &mut dyn Chance) -> Option<Vec<Vec<Card>>> {
    let (mut growth, mut winds) = (Figure::all_cards(), Wind::all_cards());
    for known in cards.iter().flatten().flatten() {
        match known {
            Known::Face(Card::Growth(figure)) => take(&mut growth, figure)?,
            Known::Face(Card::Wind(wind)) => take(&mut winds, wind)?,
            Known::Back(_) => {}
        }
    }
    let mut face = |known: &Option<Known>| match known {
        Some(Known::Face(card)) => Some(*card),
        Some(Known::Back(Back::Wind)) => draw(&mut winds, chance).map(Card::Wind),
        Some(Known::Back(Back::Growth)) | None => draw(&mut growth, chance).map(Card::Growth),
    };
    cards.iter().map(|deck| deck.iter().map(&mut face).collect()).collect()
}

fn take<T: PartialEq>(cards: &mut Vec<T>, card: &T) -> Option<()> {
    let index = cards.iter().position(|other| other == card)?;
    cards.swap_remove(index);
    Some(())
}

fn draw<T>(cards: &mut Vec<T>, chance: &mut dyn Chance) -> Option<T> {
    (!cards.is_empty()).then(|| cards.swap_remove(chance.index(cards.len())))
}

/// Puts cards back as their owner found them, and returns the order in which it then arranged them.
fn undo(
    arrangement: &Arrangement<'_>,
    cards: &mut [Card],
    chance: &mut dyn Chance,
) -> Option<Vec<PeekedCard>> {
    let arranged = cards.to_vec();
    if arrangement.own {
        for (card, from) in arranged.iter().zip(arrangement.order) {
            *cards.get_mut(usize::from(from.0))? = *card;
        }
        return Some(arrangement.order.to_vec());
    }
    // The place to which each card went, from the top as it was found. Everybody saw the back of the top card.
    let mut went_to: Vec<usize> = (0..cards.len()).collect();
    let tops: Vec<usize> = went_to
        .iter()
        .copied()
        .filter(|place| arranged[*place].back() == arrangement.top)
        .collect();
    let top = (!tops.is_empty()).then(|| chance.pick(&tops))?;
    went_to.swap(0, top);
    chance.shuffle(&mut went_to[1..]);
    let mut order = vec![PeekedCard(0); cards.len()];
    for (found, place) in went_to.into_iter().enumerate() {
        cards[found] = arranged[place];
        order[place] = PeekedCard(u8::try_from(found).ok()?);
    }
    Some(order)
}
