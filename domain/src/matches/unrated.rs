//! Why a match does not count for ratings.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Match, Origin, Visibility};
use crate::text::Text;

/// Why a match does not change ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = UnratedReason)]
pub enum Unrated {
    /// All players left before the match started.
    Abandoned,
    /// The match continues another match from the middle.
    Fork,
    /// The match is generated demonstration data.
    Demo,
    /// The match is private: ratings would tell others about it.
    Private,
    /// A bot played a seat.
    Bot,
    /// Players could ask for hints.
    Hints,
    /// A seat was played automatically, because its player had resigned while others played on, or had run out of time.
    AutomaticSeat,
    /// A player had no account when the match started.
    Guest,
    /// There is no opponent to be compared with; leaderboards go by the best result.
    Solo,
}

impl Unrated {
    /// Every reason. If several apply, the first one counts.
    pub const ALL: [Self; 9] = [
        Self::Abandoned,
        Self::Fork,
        Self::Demo,
        Self::Private,
        Self::Bot,
        Self::Hints,
        Self::AutomaticSeat,
        Self::Guest,
        Self::Solo,
    ];

    /// The reason as it is written in JSON and in the store.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Abandoned => "abandoned",
            Self::Fork => "fork",
            Self::Demo => "demo",
            Self::Private => "private",
            Self::Bot => "bot",
            Self::Hints => "hints",
            Self::AutomaticSeat => "automatic_seat",
            Self::Guest => "guest",
            Self::Solo => "solo",
        }
    }

    /// The reason with this id.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.id() == id)
    }

    /// The reason in words.
    #[must_use]
    pub const fn text(self) -> Text {
        match self {
            Self::Abandoned => Text::new(
                "The match was abandoned before it started.",
                "La partida se abandonó antes de empezar.",
            ),
            Self::Fork => Text::new(
                "The match continues another one from the middle.",
                "La partida continúa otra desde la mitad.",
            ),
            Self::Demo => {
                Text::new("The match is demonstration data.", "La partida es de demostración.")
            }
            Self::Private => Text::new("The match is private.", "La partida es privada."),
            Self::Bot => Text::new("A bot played a seat.", "Un bot jugó un puesto."),
            Self::Hints => {
                Text::new("Players could ask for hints.", "En la partida se podían pedir pistas.")
            }
            Self::AutomaticSeat => Text::new(
                "A seat was played automatically because its player ran out of time or resigned.",
                "Un puesto se jugó de forma automática porque a su jugador se le acabó el tiempo o se rindió.",
            ),
            Self::Guest => Text::new(
                "A player had no account when the match started.",
                "Alguien jugaba sin cuenta cuando empezó la partida.",
            ),
            Self::Solo => Text::new(
                "A match with one player has no opponent to be compared with.",
                "En una partida para una persona no hay rival con quien compararse.",
            ),
        }
    }
}

impl Match {
    /// Why the match will not change ratings, as far as is certain already while it is being played.
    #[must_use]
    pub fn unrated(&self) -> Option<Unrated> {
        match self.origin() {
            Some(Origin::Fork(_)) => Some(Unrated::Fork),
            Some(Origin::Demo) => Some(Unrated::Demo),
            None if self.visibility() == Visibility::Private => Some(Unrated::Private),
            None if self.has_bots() => Some(Unrated::Bot),
            None if self.setup.hints => Some(Unrated::Hints),
            None => self.automatic.then_some(Unrated::AutomaticSeat),
        }
    }

    /// Why the match, which is over, does not change ratings. `has_account` says whether a player had an account when the
    /// match started, which is not in its log.
    #[must_use]
    pub fn unrated_at_end(&self, has_account: impl Fn(Uuid) -> bool) -> Option<Unrated> {
        if self.outcome().is_none() {
            return Some(Unrated::Abandoned);
        }
        if let Some(reason) = self.unrated() {
            return Some(reason);
        }
        if !self.seats().iter().flatten().all(|sitter| has_account(sitter.player)) {
            return Some(Unrated::Guest);
        }
        (self.seat_count() < 2).then_some(Unrated::Solo)
    }
}
