//! The players of an application, whom it knows by ids of its own.

use domain::{text::Lang, time::Timestamp};
use store::players::{self, Player};
use uuid::Uuid;

use super::Applications;
use crate::{
    clock,
    error::{Error, Result},
    identity::{InvalidProfile, profile::valid_name},
};

/// The longest external id, in characters.
const LONGEST_ID: usize = 128;

/// What an application says about one of its players. What is `None` stays as it is.
#[derive(Debug, Clone, Default)]
pub struct ExternalProfile {
    /// The public name.
    pub name: Option<String>,
    /// The language that the player reads.
    pub language: Option<Lang>,
}

/// A player as an application names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerRef<'a> {
    /// By the id of the player.
    Id(Uuid),
    /// By the application's own id for the player.
    External(&'a str),
}

/// A player who was created or changed.
#[derive(Debug)]
pub struct Put {
    /// The player.
    pub player: Player,
    /// Whether the player is new.
    pub is_new: bool,
}

/// Why a player of an application was not created or changed.
#[derive(Debug, thiserror::Error)]
pub enum ExternalPlayerError {
    /// The name is not valid.
    #[error(transparent)]
    Invalid(#[from] InvalidProfile),
    /// The external id is empty or too long, or has a control character.
    #[error("not a valid external id")]
    ExternalId,
    /// Something below failed.
    #[error(transparent)]
    Service(#[from] Error),
}

impl From<store::Error> for ExternalPlayerError {
    fn from(error: store::Error) -> Self {
        Self::Service(error.into())
    }
}

impl Applications {
    /// Creates a player of an application, or changes the one with this external id.
    pub async fn put_player(
        &self,
        application: Uuid,
        external_id: &str,
        profile: ExternalProfile,
        now: Timestamp,
    ) -> Result<Put, ExternalPlayerError> {
        let length = external_id.chars().count();
        if !(1..=LONGEST_ID).contains(&length) || external_id.chars().any(char::is_control) {
            return Err(ExternalPlayerError::ExternalId);
        }
        let name = profile.name.as_deref().map(valid_name).transpose()?;
        let language = profile.language.map(|lang| lang.tag().to_owned());
        if let Some(player) = players::find_external(&self.db, application, external_id).await? {
            return self.update_player(player, name, language).await;
        }
        let id = clock::new_id(now);
        let name = name.unwrap_or_else(|| default_name(id));
        let player = Player {
            // The application vouches for the player, whose matches count like those of an account.
            account_since: Some(now.micros()),
            application_id: Some(application),
            external_id: Some(external_id.to_owned()),
            language: language.clone(),
            ..Player::guest(id, name.clone(), now)
        };
        match players::insert(&self.db, player.clone()).await {
            Ok(()) => Ok(Put { player, is_new: true }),
            // Another request was faster.
            Err(store::Error::Taken(_)) => {
                let first = players::find_external(&self.db, application, external_id).await?;
                let first = first.ok_or(Error::Contended)?;
                self.update_player(first, profile.name.map(|_| name), language).await
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn update_player(
        &self,
        player: Player,
        name: Option<String>,
        language: Option<String>,
    ) -> Result<Put, ExternalPlayerError> {
        let work = store::begin(&self.db).await?;
        // Deleted in the meantime: as if this request had come first.
        let Some(before) = players::lock(&work, player.id).await? else {
            return Ok(Put { player, is_new: false });
        };
        let after = Player {
            name: name.unwrap_or_else(|| before.name.clone()),
            language: language.or_else(|| before.language.clone()),
            ..before.clone()
        };
        let is_renamed = after.name != before.name;
        let player = players::update(&work, before, after).await?;
        store::commit(work).await?;
        if is_renamed {
            self.names.forget(player.id);
        }
        Ok(Put { player, is_new: false })
    }

    /// A player of an application.
    pub async fn player(&self, application: Uuid, player: PlayerRef<'_>) -> Result<Option<Player>> {
        Ok(match player {
            PlayerRef::External(id) => players::find_external(&self.db, application, id).await?,
            PlayerRef::Id(id) => players::find(&self.db, id)
                .await?
                .filter(|player| player.application_id == Some(application)),
        })
    }

    /// Whether a player belongs to an application.
    pub async fn owns(&self, application: Uuid, player: Uuid, now: Timestamp) -> Result<bool> {
        if let Some(owner) = self.owners.get(&player, now) {
            return Ok(owner == application);
        }
        let owner = players::find(&self.db, player).await?.and_then(|it| it.application_id);
        if let Some(owner) = owner {
            self.owners.put(player, owner, now);
        }
        Ok(owner == Some(application))
    }
}

/// The name of a player whose application does not say one.
pub(crate) fn default_name(id: Uuid) -> String {
    format!("Player {}", &id.simple().to_string()[26..])
}
