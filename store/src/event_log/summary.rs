//! Summaries: what is known of a match without reading its log. A move changes none of it, unless the
//! match has deadlines or bots.

use domain::{
    matches::{Match, Visibility},
    seat::Seat,
    time::Timestamp,
};
use uuid::Uuid;

/// What a commit changes besides the log.
#[derive(Debug, Clone)]
pub(super) struct Summary {
    /// The seats that the match waits for after the commit, one bit each.
    pub(super) waiting: i16,
    /// The row of the match, if it has changed.
    pub(super) row: Option<MatchRow>,
    /// The rows of seats that have changed.
    pub(super) seats: Vec<SeatRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MatchRow {
    pub(super) game: &'static str,
    pub(super) status: &'static str,
    pub(super) public: bool,
    pub(super) seats: i16,
    pub(super) resigned: i16,
    /// When the server has to act unless somebody else does before, in microseconds.
    pub(super) due_at: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeatRow {
    pub(super) seat: i16,
    pub(super) player: Option<Uuid>,
    pub(super) over: bool,
}

impl MatchRow {
    fn of(m: &Match) -> Self {
        Self {
            game: m.game().info().key,
            status: m.status().id(),
            public: m.visibility() == Visibility::Public,
            seats: m.seat_count().into(),
            resigned: m.resigned().bits().into(),
            due_at: m.server_due_at().map(Timestamp::micros),
        }
    }
}

impl SeatRow {
    fn of(m: &Match, seat: Seat) -> Self {
        Self {
            seat: seat.number().into(),
            player: m.sitter(seat).map(|sitter| sitter.player),
            over: m.status().is_over(),
        }
    }
}

impl Summary {
    /// What differs between two states of a match; everything if there was none before.
    pub(super) fn of(before: Option<&Match>, after: &Match) -> Self {
        let row = MatchRow::of(after);
        Self {
            waiting: after.to_act().bits().into(),
            row: (before.map(MatchRow::of).as_ref() != Some(&row)).then_some(row),
            seats: Seat::all(after.seat_count())
                .filter_map(|seat| {
                    let row = SeatRow::of(after, seat);
                    let old = before.map(|before| SeatRow::of(before, seat));
                    (old.as_ref() != Some(&row)).then_some(row)
                })
                .collect(),
        }
    }

    /// Whether nothing has changed besides the log.
    pub(super) fn is_unchanged(&self) -> bool {
        self.row.is_none() && self.seats.is_empty()
    }

    /// For a commit in the middle of a log that is written whole: only the last one has a summary.
    pub(super) fn unchanged() -> Self {
        Self { waiting: 0, row: None, seats: Vec::new() }
    }
}
