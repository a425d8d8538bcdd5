//! What statistics need to know of a match that is over.

use std::collections::HashMap;

use domain::{
    erased::AnyGame,
    matches::{self, Match, Visibility},
    outcome::{Ending, MeasureInfo, Measured, Outcome, Standing},
    seat::{Seat, SeatSet},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Why a match does not change ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = UnratedReason)]
pub enum Unrated {
    /// Everybody left before it started.
    Abandoned,
    /// It goes on from the middle of another match.
    Fork,
    /// It was made up, to fill a server with something to look at.
    Demo,
    /// A seat was played automatically, because its player had resigned while others played on, or had run out of time.
    AutomaticSeat,
    /// A player had no account when the match started.
    Guest,
    /// There is nobody to be compared with; leaderboards go by the best result.
    Solo,
}

impl Unrated {
    const ALL: [Self; 6] =
        [Self::Abandoned, Self::Fork, Self::Demo, Self::AutomaticSeat, Self::Guest, Self::Solo];

    /// The reason as it is written in JSON and in the store.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Abandoned => "abandoned",
            Self::Fork => "fork",
            Self::Demo => "demo",
            Self::AutomaticSeat => "automatic_seat",
            Self::Guest => "guest",
            Self::Solo => "solo",
        }
    }

    /// The reason from its id.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.id() == id)
    }
}

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

/// Why a match does not change ratings; the one place that decides it.
fn unrated(table: &Match, accounts: &Accounts) -> Option<Unrated> {
    if table.outcome().is_none() {
        return Some(Unrated::Abandoned);
    }
    if let Some(reason) = table.unrated() {
        return Some(match reason {
            matches::Unrated::Fork => Unrated::Fork,
            matches::Unrated::Demo => Unrated::Demo,
            matches::Unrated::AutomaticSeat => Unrated::AutomaticSeat,
        });
    }
    let is_account = |player: Uuid| {
        let started_at = table.started_at().unwrap_or(table.updated_at());
        accounts.get(&player).is_some_and(|since| *since <= started_at)
    };
    if !table.seats().iter().flatten().all(|sitter| is_account(sitter.player)) {
        return Some(Unrated::Guest);
    }
    (table.seat_count() < 2).then_some(Unrated::Solo)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_found_by_their_ids() {
        for reason in Unrated::ALL {
            assert_eq!(Unrated::find(reason.id()), Some(reason));
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.id());
        }
        assert_eq!(Unrated::find("mood"), None);
    }
}
