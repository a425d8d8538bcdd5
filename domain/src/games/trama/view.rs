//! What each viewer may see: everything but the picks of others while picks are still coming in (R3.2).

use super::{
    cards::{Card, Kind, Objective},
    components::{Axis, Colour},
    cords::Cords,
    events::Event,
    loom::Loom,
    score,
    shapes::{
        BagView, ButtonView, CardView, CordView, EventView, LoomView, ObjectiveView, PhaseView,
        PlaceView, ProgressView, View,
    },
    slots::{SLOTS, Slot},
    state::{Phase, Place, State},
};
use crate::seat::{Seat, Viewer};

pub(crate) fn view(state: &State, viewer: Viewer) -> View {
    View {
        round: state.round,
        phase: phase(state),
        objective: state.objective.map(objective),
        cards: state.cards.iter().map(|id| card(state, *id)).collect(),
        bag: bag(state.bag),
        places: state.seated().map(|(seat, at)| place(state, seat, at, viewer)).collect(),
    }
}

fn phase(state: &State) -> PhaseView {
    match state.phase {
        Phase::Setup => PhaseView::Setup {},
        Phase::Draft => PhaseView::Draft { pick: state.pick_number() },
        Phase::Weaving => PhaseView::Weaving {},
        Phase::Pattern => PhaseView::Pattern {},
        Phase::Over => PhaseView::Over {},
    }
}

fn objective(id: Objective) -> ObjectiveView {
    let [adjacent, interlaced] = id.patterns();
    ObjectiveView { id, adjacent, interlaced }
}

fn card(state: &State, id: Card) -> CardView {
    let users = state.seated().filter(|(_, place)| place.uses(id));
    CardView { id, pattern: id.pattern(), seats: users.map(|(seat, _)| seat).collect() }
}

fn bag(bag: Cords) -> BagView {
    BagView {
        red: bag.count(Colour::Red),
        pink: bag.count(Colour::Pink),
        sky: bag.count(Colour::Sky),
        blue: bag.count(Colour::Blue),
        purple: bag.count(Colour::Purple),
    }
}

fn place(state: &State, seat: Seat, place: &Place, viewer: Viewer) -> PlaceView {
    let [adjacent, interlaced] = score::objective_shown(state, &place.loom);
    PlaceView {
        seat,
        hand: place.hand.into(),
        picked: place.pick.is_some(),
        pick: place.pick.filter(|_| viewer.sees(seat)), // R3.2
        cords: place.cords.into(),
        loom: LoomView {
            vertical: cords(&place.loom, Axis::Vertical),
            horizontal: cords(&place.loom, Axis::Horizontal),
        },
        buttons: buttons(place),
        round_buttons_left: place.buttons_left(Kind::Adjacent),
        square_buttons_left: place.buttons_left(Kind::Interlaced),
        objective: ProgressView { adjacent, interlaced },
        penalties: score::penalties(&place.loom),
        score: score::total(state, place),
    }
}

fn cords(loom: &Loom, axis: Axis) -> [Option<CordView>; SLOTS] {
    let mut slots = Slot::all();
    loom.cords(axis).map(|cord| {
        let (slot, colour) = (slots.next()?, cord?);
        let over = loom.over(axis, slot);
        Some(CordView { colour, over, under: loom.crossed(axis).without(over) })
    })
}

fn buttons(place: &Place) -> Vec<ButtonView> {
    (1..)
        .zip(place.buttons)
        .filter_map(|(round, card)| {
            let card = card?;
            let points = score::card_points(place, card);
            Some(ButtonView { round, button: card.kind().button(), card, points })
        })
        .collect()
}

pub(crate) fn event_view(event: &Event, viewer: Viewer) -> EventView {
    match event {
        Event::TableSet { objective, adjacent, interlaced } => EventView::TableSet {
            objective: *objective,
            adjacent: adjacent.clone(),
            interlaced: interlaced.clone(),
        },
        Event::CordsDrawn { round, hands } => {
            EventView::CordsDrawn { round: *round, hands: lists(hands) }
        }
        Event::CordPicked { seat, colour } => {
            EventView::CordPicked { seat: *seat, colour: viewer.sees(*seat).then_some(*colour) }
        }
        Event::PicksRevealed { picks } => EventView::PicksRevealed { picks: picks.clone() },
        Event::HandsPassed { hands } => EventView::HandsPassed { hands: lists(hands) },
        Event::LastCordsDiscarded { cords } => EventView::LastCordsDiscarded {
            cords: cords.iter().flat_map(|cords| cords.iter()).collect(),
        },
        Event::CordWoven { seat, colour, axis, slot, over, under } => EventView::CordWoven {
            seat: *seat,
            colour: *colour,
            axis: *axis,
            slot: *slot,
            over: *over,
            under: *under,
        },
        Event::WeavingFinished {} => EventView::WeavingFinished {},
        Event::ButtonPlaced { seat, card } => {
            EventView::ButtonPlaced { seat: *seat, button: card.kind().button(), card: *card }
        }
        Event::GameEnded {} => EventView::GameEnded {},
    }
}

fn lists(hands: &[Cords]) -> Vec<Vec<Colour>> {
    hands.iter().map(|hand| Vec::from(*hand)).collect()
}
