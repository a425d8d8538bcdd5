//! Invitations.

use domain::time::Timestamp;
use serde::Serialize;
use service::names::NameCache;
use store::invitations;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{SeatedPlayer, datetime};

/// An invitation to a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct Invitation {
    /// The id of the match.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// The invited player.
    pub player: SeatedPlayer,
    /// The player who sent the invitation.
    pub invited_by: SeatedPlayer,
    /// When it was sent.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
}

impl Invitation {
    /// Invitations with the names of their players.
    pub async fn list(
        invitations: Vec<invitations::Invitation>,
        names: &NameCache,
        now: Timestamp,
    ) -> service::Result<Vec<Self>> {
        let players = invitations.iter().flat_map(|it| [it.player_id, it.invited_by]).collect();
        let names = names.of(players, now).await?;
        let player = |id: Uuid| SeatedPlayer::new(id, &names);
        let document = |invitation: invitations::Invitation| Self {
            match_id: invitation.match_id,
            player: player(invitation.player_id),
            invited_by: player(invitation.invited_by),
            at: datetime(invitation.created_at),
        };
        Ok(invitations.into_iter().map(document).collect())
    }
}
