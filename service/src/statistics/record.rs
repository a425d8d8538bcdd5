//! Records: what is counted of a match that is over.

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

/// What is counted of a match that is over.
#[derive(Debug)]
pub struct Record {
    pub(super) match_id: Uuid,
    pub(super) game: &'static dyn AnyGame,
    pub(super) rules_version: u16,
    pub(super) seats: u8,
    pub(super) public: bool,
    /// Whether bots played.
    pub(super) bots: bool,
    pub(super) started_at: Timestamp,
    pub(super) ended_at: Timestamp,
    pub(super) players: Vec<Option<Uuid>>,
    pub(super) resigned: SeatSet,
    /// None if everybody left before the start.
    pub(super) outcome: Option<Outcome>,
    pub(super) unrated: Option<Unrated>,
}

/// The result of one seat of a match that was played.
pub(super) struct SeatResult<'a> {
    pub(super) player: Uuid,
    pub(super) seat: Seat,
    pub(super) standing: &'a Standing,
}

impl Record {
    /// The record of a match that is over.
    #[must_use]
    pub fn of(m: &Match, accounts: &Accounts) -> Self {
        Self {
            match_id: m.id(),
            game: m.game(),
            rules_version: m.rules_version(),
            seats: m.seat_count(),
            public: m.visibility() == Visibility::Public,
            bots: m.has_bots(),
            started_at: m.started_at().unwrap_or(m.updated_at()),
            ended_at: m.updated_at(),
            players: m
                .seats()
                .iter()
                .map(|sitter| sitter.as_ref().map(|sitter| sitter.player))
                .collect(),
            resigned: m.resigned(),
            outcome: m.outcome().cloned(),
            unrated: unrated(m, accounts),
        }
    }

    /// The key of the game.
    pub(super) fn key(&self) -> &'static str {
        self.game.info().key
    }

    /// Whether it counts on leaderboards. All of them but the one by rating make sense for a single player too.
    pub(super) fn counts_on_boards(&self) -> bool {
        matches!(self.unrated, None | Some(Unrated::Solo))
    }

    /// Whether it counts for its players. Whatever is shown of a player would tell others that, when and with whom the player
    /// plays in private, and the first part of a fork was counted with the match that it was forked from. Matches with bots say
    /// little about a player: anybody can have as many as they like, against whom they like.
    pub(super) fn counts_for_players(&self) -> bool {
        self.public && !self.bots && self.unrated != Some(Unrated::Fork)
    }

    /// The duration in milliseconds.
    pub(super) fn duration(&self) -> i64 {
        self.ended_at.millis_since(self.started_at)
    }

    /// The results of all seats, in order; none if the match was not played.
    pub(super) fn results(&self) -> impl Iterator<Item = SeatResult<'_>> {
        let standings = self.outcome.iter().flat_map(|outcome| &outcome.seats);
        let seats = Seat::all(self.seats).zip(&self.players).zip(standings);
        seats.filter_map(|((seat, player), standing)| {
            Some(SeatResult { player: (*player)?, seat, standing })
        })
    }

    /// Whether the game was played to its end.
    pub(super) fn is_complete(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.ending == Ending::Rules)
    }

    /// Whether the result of a seat counts for measures: its player played it to the end of the game.
    pub(super) fn is_measured(&self, seat: Seat) -> bool {
        self.is_complete() && !self.resigned.contains(seat)
    }

    /// Whether the win, if there is one, is shared.
    pub(super) fn is_shared(&self) -> bool {
        self.results().filter(|result| result.standing.won).count() > 1
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
fn unrated(m: &Match, accounts: &Accounts) -> Option<Unrated> {
    let started_at = m.started_at().unwrap_or(m.updated_at());
    m.unrated_at_end(|player| accounts.get(&player).is_some_and(|since| *since <= started_at))
}
