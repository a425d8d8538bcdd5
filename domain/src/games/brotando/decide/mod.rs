//! Setup, and the events that a move leads to.

pub(crate) mod auction;
mod day;
mod growth;
pub(crate) mod winds;

use super::{
    Brotando,
    events::Event,
    moves::Move,
    refusal::Refusal,
    state::{Phase, State},
};
use crate::{
    game::{Context, Decide, Staged, Turns},
    seat::Seat,
};

type Stage = Staged<Brotando>;

impl Decide for Brotando {
    fn setup(state: &State, cx: &mut Context<'_>) -> Vec<Event> {
        day::setup(state, cx)
    }

    fn decide(
        state: &State,
        seat: Seat,
        mv: &Move,
        cx: &mut Context<'_>,
    ) -> Result<Vec<Event>, Refusal> {
        match (state.arranging, mv) {
            (Some(arranger), _) if arranger != seat => return Err(Refusal::DeckBeingArranged), // R7.5
            (Some(_), Move::Arrange { order }) => return winds::arrange(state, seat, order),
            (Some(_), _) => return Err(Refusal::ArrangeFirst), // R7.5
            (None, Move::Arrange { .. }) => return Err(Refusal::NothingToArrange),
            (None, _) => {}
        }
        match (&state.phase, mv) {
            (Phase::Setup | Phase::Over, _) => Err(Refusal::NotPlaying), // R2.5
            (_, Move::PlayWind { wind }) => winds::play(state, seat, *wind, cx.at),

            (Phase::Testing, Move::Drop { segment }) => day::drop(state, seat, *segment, cx.at),
            (Phase::Testing, _) if state.plot(seat).debt > 0 => Err(Refusal::DropFirst), // R3.5
            (Phase::Testing, _) => Err(Refusal::TestsBeingPaid),                         // R3.5
            (_, Move::Drop { .. }) => Err(Refusal::NothingOwed),                         // R3.5

            (Phase::Growing, _) if state.plot(seat).grown => Err(Refusal::AlreadyGrown), // R5.1
            (Phase::Growing, Move::Grow { segments }) => {
                growth::grow(state, seat, segments.segments(), cx.at)
            }
            (Phase::Growing, Move::Skip {}) => growth::skip(state, seat, cx.at),
            (Phase::Growing, _) => Err(Refusal::GrowNow), // R5.1

            _ if !Self::to_act(state).contains(seat) => Err(Refusal::NotYourTurn), // R4.1, R4.2
            (Phase::Selecting { .. }, Move::Select { card }) => auction::select(state, seat, *card),
            (Phase::Selecting { .. }, _) => Err(Refusal::SelectFirst), // R4.1
            (Phase::Bidding { .. }, Move::Bid { amount }) => {
                auction::bid(state, seat, *amount, cx.at)
            }
            (Phase::Bidding { .. }, Move::Leave {}) => Ok(auction::leave(state, seat, cx.at)),
            (Phase::Bidding { .. }, _) => Err(Refusal::BidOrLeave), // R4.2
            (Phase::Deciding { card, highest, .. }, Move::Keep {}) => {
                auction::keep(state, seat, *card, *highest, cx.at)
            }
            (Phase::Deciding { card, highest, .. }, Move::Sell {}) => {
                Ok(auction::sell(state, seat, *card, *highest, cx.at))
            }
            (Phase::Deciding { .. }, _) => Err(Refusal::KeepOrSell), // R4.6, R4.7
        }
    }
}
