//! Which move led to an event.

use super::{
    Trama,
    cards::{Card, Objective, PatternKind},
    cords::Cords,
    events::Event,
    moves::Move,
    state::State,
};
use crate::game::{Retrace, Retraced, index_of, unshuffle_first};

impl Retrace for Trama {
    fn setup_draws(state: &State, events: &[Event]) -> Option<Vec<u32>> {
        let [
            Event::TableSet { objective, adjacent, interlaced },
            Event::CordsDrawn { hands, .. },
            ..,
        ] = events
        else {
            return None;
        };
        let mut draws = vec![index_of(Objective::ALL.iter().copied(), objective)?];
        for (kind, drawn) in
            [(PatternKind::Adjacent, adjacent), (PatternKind::Interlaced, interlaced)]
        {
            let cards: Vec<Card> = Card::of(kind).collect();
            draws.extend(unshuffle_first(&cards, drawn)?);
        }
        draws.extend(cords(state.bag, hands)?);
        Some(draws)
    }

    fn retrace(state: &State, events: &[Event]) -> Option<Retraced<Move>> {
        match events.first()? {
            Event::CordPicked { seat, colour } => {
                Some(Retraced::new(*seat, Move::Pick { colour: *colour }))
            }
            Event::CordWoven { seat, colour, axis, slot, over, under: _ } => {
                let (colour, axis, slot, over) = (*colour, *axis, *slot, *over);
                Some(Retraced::new(*seat, Move::Weave { colour, axis, slot, over }))
            }
            Event::ButtonPlaced { seat, card } => {
                let draws = match events.get(1) {
                    Some(Event::CordsDrawn { hands, .. }) => cords(state.bag, hands)?,
                    _ => Vec::new(),
                };
                let mv = Move::PlaceButton { card: *card };
                Some(Retraced::new(*seat, mv).with_draws(draws))
            }
            Event::TableSet { .. }
            | Event::CordsDrawn { .. }
            | Event::PicksRevealed { .. }
            | Event::HandsPassed { .. }
            | Event::LastCordsDiscarded { .. }
            | Event::WeavingFinished {}
            | Event::GameEnded {} => None,
        }
    }
}

/// The draws of these hands from a bag.
fn cords(mut bag: Cords, hands: &[Cords]) -> Option<Vec<u32>> {
    let mut draws = Vec::new();
    for colour in hands.iter().flat_map(|hand| hand.iter()) {
        draws.push(index_of(bag.iter(), &colour)?);
        bag.remove(colour);
    }
    Some(draws)
}
