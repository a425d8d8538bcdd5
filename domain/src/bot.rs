//! Bots as players: their levels, and the ids under which they sit in matches.
//!
//! There is one player per level. Its id is the same on every server, so a log tells by itself which seats are played by bots,
//! and a match that is imported elsewhere has the same bots. One bot may sit in several seats of a match.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The id of the first bot, a UUID of version 8; the others follow. Ids of people are UUIDs of version 7.
const FIRST: u128 = 0xb070_0000_0000_8000_8000_0000_0000_0001;

/// How strong a bot is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum BotLevel {
    /// Knows the rules.
    Novice,
    /// Thinks a little.
    Casual,
    /// Plays well.
    Club,
    /// Plays very well.
    Expert,
    /// As strong as it gets.
    Master,
}

impl BotLevel {
    /// All levels, the weakest first.
    pub const ALL: [Self; 5] = [Self::Novice, Self::Casual, Self::Club, Self::Expert, Self::Master];

    /// The level of the bot that stands in for a player who ran out of time (M10).
    pub const STAND_IN: Self = Self::Casual;

    /// The level as it is written in JSON and on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Novice => "novice",
            Self::Casual => "casual",
            Self::Club => "club",
            Self::Expert => "expert",
            Self::Master => "master",
        }
    }

    /// The level with this id.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.id() == id)
    }

    /// The player of this level.
    #[must_use]
    pub const fn player(self) -> Uuid {
        Uuid::from_u128(FIRST + self as u128)
    }

    /// The level of a player, if it is a bot.
    #[must_use]
    pub fn of(player: Uuid) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.player() == player)
    }

    /// The name of the player. Names of people cannot contain parentheses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Novice => "Bot (novice)",
            Self::Casual => "Bot (casual)",
            Self::Club => "Bot (club)",
            Self::Expert => "Bot (expert)",
            Self::Master => "Bot (master)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_a_player_of_its_own() {
        for level in BotLevel::ALL {
            assert_eq!(BotLevel::of(level.player()), Some(level));
            assert_eq!(BotLevel::find(level.id()), Some(level));
            assert_eq!(level.player().get_version_num(), 8);
            assert_eq!(serde_json::to_value(level).unwrap(), level.id());
            assert_eq!(level.name(), format!("Bot ({})", level.id()));
        }
        assert_eq!(BotLevel::Novice.player().to_string(), "b0700000-0000-8000-8000-000000000001");
        assert_eq!(BotLevel::of(Uuid::nil()), None);
    }
}
