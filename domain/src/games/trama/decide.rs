//! Setup, and the events that a move leads to.

use super::{
    Trama,
    cards::{Card, Objective, PatternKind},
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
    game::{Context, Decide, Staged, Turns},
    seat::Seat,
};

impl Decide for Trama {
    fn setup(state: &State, cx: &mut Context<'_>) -> Vec<Event> {
        let objective = cx.chance.pick(Objective::ALL); // R2.1
        let adjacent = draw_cards(PatternKind::Adjacent, cx.chance);
        let interlaced = draw_cards(PatternKind::Interlaced, cx.chance);
        vec![Event::TableSet { objective, adjacent, interlaced }, draw_cords(state, cx.chance)]
    }

    fn decide(
        state: &State,
        seat: Seat,
        mv: &Move,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Event>, Refusal> {
        match (state.phase, *mv) {
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
}

fn draw_cards(kind: PatternKind, chance: &mut dyn Chance) -> Vec<Card> {
    let mut cards: Vec<Card> = Card::of(kind).collect();
    chance.shuffle(&mut cards);
    cards.truncate(CARDS_OF_A_KIND);
    cards
}

/// The start of the next round (R2.3).
fn draw_cords(state: &State, chance: &mut dyn Chance) -> Event {
    let mut bag = state.bag;
    let hands = state.areas.iter().map(|_| bag.draw(HAND, chance)).collect();
    Event::CordsDrawn { round: state.round + 1, hands }
}

fn pick(
    state: &State,
    seat: Seat,
    colour: Colour,
    cx: &Context<'_>,
) -> Result<Vec<Event>, Refusal> {
    let area = &state.areas[seat.index()];
    if area.pick.is_some() {
        return Err(Refusal::AlreadyPicked); // R3.1
    }
    if !area.hand.contains(colour) {
        return Err(Refusal::NotInHand); // R3.1
    }
    let mut staged = Staged::<Trama>::new(state, cx.at);
    staged.emit(Event::CordPicked { seat, colour });
    let picks: Option<Vec<Colour>> = staged.state().areas.iter().map(|area| area.pick).collect();
    if let Some(picks) = picks {
        staged.emit(Event::PicksRevealed { picks }); // R3.2
        let areas = &staged.state().areas;
        let mut hands: Vec<Cords> = areas.iter().map(|area| area.hand).collect();
        if areas.iter().all(|area| area.cords.len() >= PICKS) {
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
    let area = &state.areas[seat.index()];
    if area.cords.is_empty() {
        return Err(Refusal::NothingLeftToWeave); // R4.1
    }
    if !area.cords.contains(colour) {
        return Err(Refusal::CordNotCollected); // R4.1
    }
    if area.loom.cord(axis, slot).is_some() {
        return Err(Refusal::SlotTaken); // R4.2
    }
    let crossed = area.loom.crossed(axis);
    if !over.is_subset(crossed) {
        return Err(Refusal::NothingToCross); // R4.3
    }
    let under = crossed.without(over);
    let mut staged = Staged::<Trama>::new(state, cx.at);
    staged.emit(Event::CordWoven { seat, colour, axis, slot, over, under });
    if Trama::to_act(staged.state()).is_empty() {
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
    if Trama::to_act(staged.state()).is_empty() {
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
    let area = &state.areas[seat.index()];
    if state.has_placed(area) {
        return Err(Refusal::AlreadyPlaced); // R5.1
    }
    if !state.cards.contains(&card) {
        return Err(Refusal::CardNotOnTable); // R5.2
    }
    if area.uses(card) {
        return Err(Refusal::CardUsed); // R5.3
    }
    match card.kind() {
        PatternKind::Adjacent if area.buttons_left(PatternKind::Adjacent) == 0 => {
            Err(Refusal::NoRoundButtonLeft) // R5.2
        }
        PatternKind::Interlaced if area.buttons_left(PatternKind::Interlaced) == 0 => {
            Err(Refusal::NoSquareButtonLeft) // R5.2
        }
        PatternKind::Adjacent | PatternKind::Interlaced => Ok(()),
    }
}
