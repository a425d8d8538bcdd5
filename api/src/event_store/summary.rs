//! What is known of a match without reading its log: one row a match, and who sits where.

use domain::{
    matches::{Match, Visibility},
    seat::Seat,
};
use uuid::Uuid;

/// What changes in the summary with one commit.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) game: &'static str,
    pub(super) status: &'static str,
    pub(super) public: bool,
    pub(super) seats: i16,
    pub(super) version: i64,
    pub(super) waiting: i16,
    pub(super) resigned: i16,
    /// Seats of which something changed.
    pub(super) changed: Vec<SeatRow>,
}

#[derive(Debug)]
pub(super) struct SeatRow {
    pub(super) seat: i16,
    pub(super) player: Option<Uuid>,
    pub(super) over: bool,
}

impl Summary {
    pub(super) fn of(before: Option<&Match>, after: &Match) -> Self {
        let row = |table: &Match, seat: Seat| {
            (table.sitter(seat).map(|sitter| sitter.player), table.status().is_over())
        };
        let changed = Seat::all(after.seat_count())
            .filter(|seat| before.map(|before| row(before, *seat)) != Some(row(after, *seat)))
            .map(|seat| {
                let (player, over) = row(after, seat);
                SeatRow { seat: seat.number().into(), player, over }
            })
            .collect();
        Self {
            game: after.game().info().key,
            status: after.status().id(),
            public: after.visibility() == Visibility::Public,
            seats: after.seat_count().into(),
            version: super::signed(after.version()),
            waiting: after.to_act().bits().into(),
            resigned: after.resigned().bits().into(),
            changed,
        }
    }
}
