//! Growth (R5).

use super::{Stage, day};
use crate::{
    games::brotando::{
        cards::Card,
        components::Lines,
        events::Event,
        refusal::Refusal,
        sprout::Segment,
        state::{Plot, State},
    },
    seat::Seat,
    time::Timestamp,
};

pub(super) fn grow(
    state: &State,
    seat: Seat,
    segments: &[Segment],
    at: Timestamp,
) -> Result<Vec<Event>, Refusal> {
    let plot = state.plot(seat);
    check(plot, segments)?;
    let crossed = Lines::crossed_by(Segment::all_squares(segments)); // R5.8
    let crossed = crossed.without(plot.crossed).iter().collect();
    let mut staged = Stage::new(state, at);
    staged.emit(Event::SproutGrown { seat, segments: segments.to_vec(), crossed });
    day::end(&mut staged);
    Ok(staged.into_events())
}

fn check(plot: &Plot, segments: &[Segment]) -> Result<(), Refusal> {
    if segments.is_empty() || segments.len() != usize::from(plot.due()) {
        return Err(Refusal::WrongSegmentCount); // R5.2, R5.5, R5.6
    }
    if !segments.iter().all(|segment| segment.is_on_board()) {
        return Err(Refusal::OffBoard); // R5.3
    }
    let body = plot.sprout.body();
    let mut taken = body;
    for squares in segments.iter().map(|segment| segment.squares()) {
        if squares.meets(taken) {
            return Err(Refusal::SquareTaken); // R5.3
        }
        taken = taken | squares;
    }
    match plot.card {
        Some(Card::Growth(figure)) => figure.shape().check(segments, body)?,
        Some(Card::Wind(_)) | None => {}
    }
    if !plot.sprout.is_joined_by(segments) {
        return Err(Refusal::NotJoined); // R5.4, R5.5, R5.6
    }
    Ok(())
}

pub(super) fn skip(state: &State, seat: Seat, at: Timestamp) -> Result<Vec<Event>, Refusal> {
    if !state.plot(seat).growths().is_empty() {
        return Err(Refusal::GrowthPossible); // R5.7
    }
    let mut staged = Stage::new(state, at);
    staged.emit(Event::GrowthSkipped { seat });
    day::end(&mut staged);
    Ok(staged.into_events())
}
