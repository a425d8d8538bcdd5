//! Players, as others see them and as they see themselves.

use domain::time::Timestamp;
use serde::Serialize;
use service::clock;
use store::entities::player;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

/// Whether a player has an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// Plays without a password.
    Guest,
    /// Has a name of its own and a password.
    Account,
}

/// A player as others see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Profile {
    /// The id of the player.
    pub id: Uuid,
    /// What others see.
    #[schema(example = "Ana")]
    pub name: String,
    /// Guest or account.
    pub kind: PlayerKind,
    /// Since when.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// A player as it sees itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyProfile {
    /// What others see too.
    #[serde(flatten)]
    pub public: Profile,
    /// Seen by nobody else.
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
}

impl From<player::Model> for Profile {
    fn from(player: player::Model) -> Self {
        Self {
            id: player.id,
            kind: if player.password_hash.is_some() {
                PlayerKind::Account
            } else {
                PlayerKind::Guest
            },
            name: player.name,
            created_at: clock::to_datetime(Timestamp::from_micros(player.created_at)),
        }
    }
}

impl From<player::Model> for MyProfile {
    fn from(player: player::Model) -> Self {
        let email = player.email.clone();
        Self { public: player.into(), email }
    }
}
