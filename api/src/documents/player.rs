//! Players, as others see them and as they see themselves.

use domain::bot::BotLevel;
use serde::Serialize;
use service::names::{KnownPlayers, PlayerKind};
use store::players::Player;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::datetime;

/// A player as others see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Profile {
    /// The id of the player.
    pub id: Uuid,
    /// The public name.
    #[schema(example = "Ana")]
    pub name: String,
    /// Guest, account or bot.
    pub kind: PlayerKind,
    /// When the player was created. Bots have existed since 1970.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// Your own profile.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyProfile {
    /// The public part.
    #[serde(flatten)]
    pub public: Profile,
    /// Your e-mail address. Only you can see it.
    #[schema(example = "ana@example.com")]
    pub email: Option<String>,
}

/// A player in a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatedPlayer {
    /// The id of the player.
    pub id: Uuid,
    /// The name of the player; `null` for a deleted player.
    #[schema(example = "Ana")]
    pub name: Option<String>,
    /// Guest, account or bot; `null` for a deleted player. A guest may have any name that no account has.
    pub kind: Option<PlayerKind>,
}

impl SeatedPlayer {
    /// A player with its name and kind, if it is known.
    #[must_use]
    pub fn new(id: Uuid, known: &KnownPlayers) -> Self {
        let known = known.get(&id);
        let name = known.map(|player| player.name.clone());
        Self { id, name, kind: known.map(|player| player.kind) }
    }
}

impl From<BotLevel> for Profile {
    fn from(level: BotLevel) -> Self {
        Self {
            id: level.player(),
            name: level.name().to_owned(),
            kind: PlayerKind::Bot,
            created_at: OffsetDateTime::UNIX_EPOCH,
        }
    }
}

impl From<Player> for Profile {
    fn from(player: Player) -> Self {
        Self {
            id: player.id,
            kind: PlayerKind::of(&player),
            name: player.name,
            created_at: datetime(player.created_at),
        }
    }
}

impl From<Player> for MyProfile {
    fn from(player: Player) -> Self {
        let email = player.email.clone();
        Self { public: player.into(), email }
    }
}
