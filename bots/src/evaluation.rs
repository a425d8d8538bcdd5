//! What a position is worth to each seat.

use domain::{
    erased::AnyState,
    seat::{Seat, SeatSet},
};

/// One number per seat. Seats that do not exist have 0.
pub(crate) type PerSeat = [f64; Seat::MAX as usize];

/// The part of a value that is the margin rather than the win. A bot that is losing should still play well.
const MARGIN: f64 = 0.2;

/// What a position is worth to each seat.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Evaluation {
    /// From 0 to 1: what seats maximise.
    pub(crate) value: PerSeat,
    /// The probability of winning, shared wins in parts.
    pub(crate) win: PerSeat,
    /// The expected place.
    pub(crate) place: PerSeat,
}

impl Evaluation {
    /// The result of a match that is over. `spread` is a margin that makes a difference.
    pub(crate) fn of_result(state: &dyn AnyState, resigned: SeatSet, spread: f64) -> Self {
        let standings = state.standings().seats;
        let seats = standings.len();
        let stays = |index: usize| Seat::new(small(index)).is_some_and(|it| !resigned.contains(it));
        let score = |index: usize| standings[index].score.map(points);
        let winners = (0..seats).filter(|index| stays(*index) && standings[*index].won).count();
        let mut result = Self::default();
        for index in 0..seats {
            let place = standings[index].place;
            let better = (0..seats).filter(|other| {
                stays(*other) && (!stays(index) || standings[*other].place < place)
            });
            result.place[index] = 1.0 + number(better.count());
            if !stays(index) {
                continue;
            }
            let won =
                if resigned.is_empty() { standings[index].won } else { result.place[index] < 1.5 };
            result.win[index] = if won { 1.0 / number(winners.max(1)) } else { 0.0 };
            let rivals = (0..seats).filter(|other| *other != index).filter_map(score);
            let margin = match (score(index), rivals.reduce(f64::max)) {
                (Some(mine), Some(best)) => logistic((mine - best) / spread),
                (Some(mine), None) => logistic(mine / spread),
                (None, _) => result.win[index],
            };
            result.value[index] = (1.0 - MARGIN) * result.win[index] + MARGIN * margin;
        }
        result
    }

    /// An estimate by the points that each seat can expect. `spread` is a margin that makes a difference.
    pub(crate) fn of_scores(scores: &[f64], resigned: SeatSet, spread: f64) -> Self {
        let mut result = Self::default();
        let stays = |index: usize| Seat::new(small(index)).is_some_and(|it| !resigned.contains(it));
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weight = |index: usize| {
            if stays(index) { ((scores[index] - best) / spread * 2.0).exp() } else { 0.0 }
        };
        let total: f64 = (0..scores.len()).map(weight).sum();
        for index in 0..scores.len() {
            let others = (0..scores.len()).filter(|other| *other != index);
            let ahead = |other: usize| {
                if stays(other) && stays(index) {
                    logistic((scores[other] - scores[index]) / spread * 2.0)
                } else {
                    f64::from(u8::from(stays(other)))
                }
            };
            result.place[index] = 1.0 + others.clone().map(ahead).sum::<f64>();
            if !stays(index) {
                continue;
            }
            result.win[index] = if total > 0.0 { weight(index) / total } else { 0.0 };
            let rival = others.map(|other| scores[other]).fold(f64::NEG_INFINITY, f64::max);
            let margin =
                if scores.len() > 1 { logistic((scores[index] - rival) / spread) } else { 0.5 };
            result.value[index] = (1.0 - MARGIN) * result.win[index] + MARGIN * margin;
        }
        result
    }

    /// An estimate for a single seat: its chance to win.
    pub(crate) fn of_solo(win: f64) -> Self {
        let mut result = Self::default();
        (result.value[0], result.win[0], result.place[0]) = (win, win, 1.0);
        result
    }
}

pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn small(index: usize) -> u8 {
    u8::try_from(index).unwrap_or(u8::MAX)
}

/// A count as a number to calculate with.
pub(crate) fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Points as a number to calculate with; games score far less than 2³¹.
pub(crate) fn points(score: i64) -> f64 {
    f64::from(i32::try_from(score).unwrap_or(if score < 0 { i32::MIN } else { i32::MAX }))
}
