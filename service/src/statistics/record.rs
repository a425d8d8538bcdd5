//! What statistics need to know of a match that is over.

use std::collections::HashMap;

use domain::{
    erased::AnyGame,
    matches::{Match, Unrated, Visibility},
    outcome::{Ending, MeasureInfo, Measured, Outcome, Standing},
    seat::{Seat, SeatSet},
    time::Timestamp,
};
use uuid::Uuid;

/// Since when players have had accounts; guests have none.
pub type Accounts = HashMap<Uuid, Timestamp>;

/// A match that is over.
#[derive(Debug)]
pub struct Record {
    pub(super) match_id: Uuid,
    pub(super) game: &'static dyn AnyGame,
    pub(super) rules_version: u16,
    pub(super) seats: u8,
    pub(super) public: bool,
    pub(super) started_at: Timestamp,
    pub(super) ended_at: Timestamp,
    pub(super) players: Vec<Option<Uuid>>,
    pub(super) resigned: SeatSet,
    /// None if everybody left before the start.
    pub(super) outcome: Option<Outcome>,
    pub(super) unrated: Option<Unrated>,
}

/// A seat of a match that was played.
pub(super) struct Played<'a> {
    pub(super) player: Uuid,
    pub(super) seat: Seat,
    pub(super) standing: &'a Standing,
}

impl Record {
    /// What is to be remembered of a match that is over.
    #[must_use]
    pub fn of(table: &Match, accounts: &Accounts) -> Self {
        Self {
            match_id: table.id(),
            game: table.game(),
            rules_version: table.rules_version(),
            seats: table.seat_count(),
            public: table.visibility() == Visibility::Public,
            started_at: table.started_at().unwrap_or(table.updated_at()),
            ended_at: table.updated_at(),
            players: table
                .seats()
                .iter()
                .map(|sitter| sitter.as_ref().map(|sitter| sitter.player))
                .collect(),
            resigned: table.resigned(),
            outcome: table.outcome().cloned(),
            unrated: unrated(table, accounts),
        }
    }

    /// The key of the game.
    pub(super) fn key(&self) -> &'static str {
        self.game.info().key
    }

    /// Whether leaderboards take it in: everything but ratings is meaningful for one player too.
    pub(super) fn counts_on_boards(&self) -> bool {
        matches!(self.unrated, None | Some(Unrated::Solo))
    }

    /// How many milliseconds it took.
    pub(super) fn duration(&self) -> i64 {
        self.ended_at.millis_since(self.started_at)
    }

    /// The seats of a match that was played, in order.
    pub(super) fn played(&self) -> impl Iterator<Item = Played<'_>> {
        let standings = self.outcome.iter().flat_map(|outcome| &outcome.seats);
        let seats = Seat::all(self.seats).zip(&self.players).zip(standings);
        seats.filter_map(|((seat, player), standing)| {
            Some(Played { player: (*player)?, seat, standing })
        })
    }

    /// Whether the game was played to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.ending == Ending::Rules)
    }

    /// Whether what a seat reached says something: it was played by its player, to the end of the game.
    pub(super) fn is_telling(&self, seat: Seat) -> bool {
        self.is_complete() && !self.resigned.contains(seat)
    }

    /// Whether the win, if there is one, is shared.
    pub(super) fn is_shared(&self) -> bool {
        self.played().filter(|played| played.standing.won).count() > 1
    }

    /// The declarations of these measures, with their values.
    pub(super) fn declared<'a>(
        &self,
        measures: &'a [Measured],
    ) -> impl Iterator<Item = (&'static MeasureInfo, &'a Measured)> + use<'a> {
        let declared = self.game.info().measures;
        measures.iter().filter_map(move |measured| {
            declared.iter().find(|info| info.id == measured.id).map(|info| (info, measured))
        })
    }
}

/// Why a match does not change ratings.
fn unrated(table: &Match, accounts: &Accounts) -> Option<Unrated> {
    let started_at = table.started_at().unwrap_or(table.updated_at());
    table.unrated_at_end(|player| accounts.get(&player).is_some_and(|since| *since <= started_at))
}
