//! Every legal move.

use super::{
    Trama,
    components::{Axis, Colour},
    decide::check_button,
    moves::Move,
    slots::{Slot, Slots},
    state::{Phase, PlayerArea, State},
};
use crate::{
    game::{Fill, LegalMoves, Listed, Listing},
    seat::Seat,
};

impl LegalMoves for Trama {
    /// Every legal move, with every way of crossing as a move of its own.
    fn legal_moves(state: &State, seat: Seat) -> Box<dyn Iterator<Item = Move> + '_> {
        let area = &state.areas[seat.index()];
        match state.phase {
            Phase::Draft if area.pick.is_none() => {
                Box::new(area.hand.colours().map(|colour| Move::Pick { colour }))
            }
            Phase::Weaving => Box::new(spots(area).flat_map(|(colour, axis, slot)| {
                let ways = area.loom.crossed(axis).subsets();
                ways.map(move |over| Move::Weave { colour, axis, slot, over })
            })),
            Phase::Pattern => {
                let open = state.cards.iter().copied();
                let open = open.filter(move |card| check_button(state, seat, *card).is_ok());
                Box::new(open.map(|card| Move::PlaceButton { card }))
            }
            Phase::Draft | Phase::Setup | Phase::Over => Box::new(std::iter::empty()),
        }
    }

    /// While weaving, every cord and slot once; the client fills in one of up to 256 ways of crossing (R4.3).
    fn listing(state: &State, seat: Seat) -> Listing<Move> {
        if state.phase != Phase::Weaving {
            return Listing::complete(Self::legal_moves(state, seat));
        }
        let area = &state.areas[seat.index()];
        let moves: Vec<Listed<Move>> = spots(area)
            .map(|(colour, axis, slot)| {
                let crossed = area.loom.crossed(axis);
                let over = plain_weave(axis, slot, crossed);
                let among = crossed.iter().map(u8::from).collect();
                let fill = (!crossed.is_empty()).then_some(Fill { field: "over", among });
                Listed { mv: Move::Weave { colour, axis, slot, over }, fill }
            })
            .collect();
        let complete = moves.iter().all(|listed| listed.fill.is_none());
        Listing { moves, complete }
    }
}

/// Where a seat's cords can go (R4.2); cords of one colour are interchangeable.
fn spots(area: &PlayerArea) -> impl Iterator<Item = (Colour, Axis, Slot)> {
    area.cords.colours().flat_map(move |colour| {
        Axis::ALL
            .into_iter()
            .flat_map(move |axis| area.loom.free(axis).map(move |slot| (colour, axis, slot)))
    })
}

/// Plain weave, alternately over and under: a default for weavers with no pattern in mind.
fn plain_weave(axis: Axis, slot: Slot, crossed: Slots) -> Slots {
    let parity = match axis {
        Axis::Vertical => 0,
        Axis::Horizontal => 1,
    };
    crossed.iter().filter(|other| (slot.index() + other.index()) % 2 == parity).collect()
}
