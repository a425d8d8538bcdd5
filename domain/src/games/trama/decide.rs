//! What a move leads to.

use super::{
    Trama,
    cards::{Card, Kind, Objective},
    components::{Axis, CARDS_OF_A_KIND, Colour, HAND, PICKS, ROUNDS},
    cords::Cords,
    events::Event,
    moves::Move,
    refusal::Refusal,
    slots::{Slot, Slots},
    state::{Phase, State},
};
use crate::{
    chance::Chance,
    game::{Context, Staged},
    seat::Seat,
};

pub(crate) fn setup(state: &State, cx: &mut Context<'_>) -> Vec<Event> {
    let objective = cx.chance.pick(Objective::ALL); // R2.1
    let adjacent = draw_cards(Kind::Adjacent, cx.chance);
    let interlaced = draw_cards(Kind::Interlaced, cx.chance);
    vec![Event::TableSet { objective, adjacent, interlaced }, draw_cords(state, cx.chance)]
}

fn draw_cards(kind: Kind, chance: &mut dyn Chance) -> Vec<Card> {
    let mut cards: Vec<Card> = Card::of(kind).collect();
    chance.shuffle(&mut cards);
    cards.truncate(CARDS_OF_A_KIND);
    cards
}

/// The start of the next round (R2.3).
fn draw_cords(state: &State, chance: &mut dyn Chance) -> Event {
    let mut bag = state.bag;
    let hands = state.places.iter().map(|_| bag.draw(HAND, chance)).collect();
    Event::CordsDrawn { round: state.round + 1, hands }
}

pub(crate) fn decide(
    state: &State,
    seat: Seat,
    mv: Move,
    cx: &mut Context<'_>,
) -> Result<Vec<Event>, Refusal> {
    match (state.phase, mv) {
        (Phase::Draft, Move::Pick { colour }) => pick(state, seat, colour, cx),
        (Phase::Draft | Phase::Setup, _) => Err(Refusal::CordsAreBeingSelected), // R2.2

        (Phase::Weaving, Move::Weave { colour, axis, slot, over }) => {
            weave(state, seat, colour, axis, slot, over, cx)
        }
        (Phase::Weaving, _) => Err(Refusal::LoomsAreBeingWoven), // R2.2

        (Phase::Pattern, Move::PlaceButton { card }) => place_button(state, seat, card, cx),
        (Phase::Pattern, _) => Err(Refusal::ButtonsAreBeingPlaced), // R2.2

        (Phase::Over, _) => Err(Refusal::LoomsComplete), // R6.1
    }
}

fn pick(
    state: &State,
    seat: Seat,
    colour: Colour,
    cx: &Context<'_>,
) -> Result<Vec<Event>, Refusal> {
    let place = &state.places[seat.index()];
    if place.pick.is_some() {
        return Err(Refusal::AlreadyPicked); // R3.1
    }
    if !place.hand.contains(colour) {
        return Err(Refusal::NotInHand); // R3.1
    }
    let mut staged = Staged::<Trama>::new(state, cx.at);
    staged.emit(Event::CordPicked { seat, colour });
    let picks: Option<Vec<Colour>> = staged.state().places.iter().map(|place| place.pick).collect();
    if let Some(picks) = picks {
        staged.emit(Event::PicksRevealed { picks }); // R3.2
        let places = &staged.state().places;
        let mut hands: Vec<Cords> = places.iter().map(|place| place.hand).collect();
        if places.iter().all(|place| place.cords.len() >= PICKS) {
            staged.emit(Event::LastCordsDiscarded { cords: hands }); // R3.4
        } else {
            hands.rotate_right(1); // R3.3
            staged.emit(Event::HandsPassed { hands });
        }
    }
    Ok(staged.into_events())
}

fn weave(
    state: &State,
    seat: Seat,
    colour: Colour,
    axis: Axis,
    slot: Slot,
    over: Slots,
    cx: &Context<'_>,
) -> Result<Vec<Event>, Refusal> {
    let place = &state.places[seat.index()];
    if place.cords.is_empty() {
        return Err(Refusal::NothingLeftToWeave); // R4.1
    }
    if !place.cords.contains(colour) {
        return Err(Refusal::CordNotCollected); // R4.1
    }
    if place.loom.cord(axis, slot).is_some() {
        return Err(Refusal::SlotTaken); // R4.2
    }
    let crossed = place.loom.crossed(axis);
    if !over.is_subset(crossed) {
        return Err(Refusal::NothingToCross); // R4.3
    }
    let under = crossed.without(over);
    let mut staged = Staged::<Trama>::new(state, cx.at);
    staged.emit(Event::CordWoven { seat, colour, axis, slot, over, under });
    if staged.state().to_act().is_empty() {
        staged.emit(Event::WeavingFinished {}); // R2.2
    }
    Ok(staged.into_events())
}

fn place_button(
    state: &State,
    seat: Seat,
    card: Card,
    cx: &mut Context<'_>,
) -> Result<Vec<Event>, Refusal> {
    check_button(state, seat, card)?;
    let mut staged = Staged::<Trama>::new(state, cx.at);
    staged.emit(Event::ButtonPlaced { seat, card }); // R5.4
    if staged.state().to_act().is_empty() {
        if usize::from(state.round) < ROUNDS {
            staged.emit(draw_cords(state, cx.chance)); // R2.3
        } else {
            staged.emit(Event::GameEnded {}); // R6.1
        }
    }
    Ok(staged.into_events())
}

/// Whether a seat may place a button on this card now (R5).
pub(crate) fn check_button(state: &State, seat: Seat, card: Card) -> Result<(), Refusal> {
    let place = &state.places[seat.index()];
    if state.has_placed(place) {
        return Err(Refusal::AlreadyPlaced); // R5.1
    }
    if !state.cards.contains(&card) {
        return Err(Refusal::CardNotOnTable); // R5.2
    }
    if place.uses(card) {
        return Err(Refusal::CardUsed); // R5.3
    }
    match card.kind() {
        Kind::Adjacent if place.buttons_left(Kind::Adjacent) == 0 => {
            Err(Refusal::NoRoundButtonLeft) // R5.2
        }
        Kind::Interlaced if place.buttons_left(Kind::Interlaced) == 0 => {
            Err(Refusal::NoSquareButtonLeft) // R5.2
        }
        Kind::Adjacent | Kind::Interlaced => Ok(()),
    }
}
