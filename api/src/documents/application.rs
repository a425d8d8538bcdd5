//! What applications see of their players.

use domain::text::Lang;
use serde::{Deserialize, Serialize};
use store::players::Player;
use utoipa::ToSchema;

use super::Profile;

/// A player of your application.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApplicationPlayer {
    /// The public part.
    #[serde(flatten)]
    pub public: Profile,
    /// Your own id of the player. Only your application can see it.
    #[schema(example = "user-1042")]
    pub external_id: String,
    /// The language that the player reads, if you have said so.
    pub language: Option<PlayerLanguage>,
}

/// A language that texts are available in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlayerLanguage {
    /// English.
    En,
    /// Spanish.
    Es,
}

impl From<PlayerLanguage> for Lang {
    fn from(language: PlayerLanguage) -> Self {
        match language {
            PlayerLanguage::En => Self::En,
            PlayerLanguage::Es => Self::Es,
        }
    }
}

impl PlayerLanguage {
    fn from_tag(tag: &str) -> Option<Self> {
        [Self::En, Self::Es].into_iter().find(|language| Lang::from(*language).tag() == tag)
    }
}

impl From<Player> for ApplicationPlayer {
    fn from(mut player: Player) -> Self {
        let external_id = player.external_id.take().unwrap_or_default();
        let language = player.language.take();
        let language = language.as_deref().and_then(PlayerLanguage::from_tag);
        Self { public: player.into(), external_id, language }
    }
}
