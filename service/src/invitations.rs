//! Invitations to matches that have not started. They are not part of the log: they lapse when the match starts.

use std::sync::Arc;

use domain::matches::{Match, MatchRefusal, Status};
use domain::time::Timestamp;
use store::{
    Db, blocks,
    invitations::{self, Added, Invitation},
    players,
};
use uuid::Uuid;

use crate::{
    error::{Error, Result},
    live::{Consistency, Matches},
    streams::Hub,
    webhooks::{self, Webhooks},
};

/// The number of open invitations that a match may have.
pub const MAX_INVITATIONS: usize = 50;

/// Invites players, and knows who is invited.
#[derive(Debug)]
pub struct Invitations {
    matches: Matches,
    webhooks: Arc<Webhooks>,
    hub: Arc<Hub>,
}

/// Why a player was not invited.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    /// The rules of every match refuse it.
    #[error("refused: {refusal:?}")]
    Refused {
        /// The rule.
        refusal: MatchRefusal,
        /// The key of the game.
        game: &'static str,
    },
    /// The player sits in the match already.
    #[error("the player sits in the match already")]
    AlreadySeated,
    /// There is no such player, or one of the two has blocked the other.
    #[error("there is no such player to invite")]
    NoSuchPlayer,
    /// The match has [`MAX_INVITATIONS`] already.
    #[error("the match has too many invitations")]
    TooMany,
    /// Something below failed.
    #[error(transparent)]
    Service(#[from] Error),
}

impl From<store::Error> for InviteError {
    fn from(error: store::Error) -> Self {
        Self::Service(error.into())
    }
}

impl Invitations {
    /// The invitations in the store of these matches.
    #[must_use]
    pub fn new(matches: Matches, webhooks: Arc<Webhooks>, hub: Arc<Hub>) -> Self {
        Self { matches, webhooks, hub }
    }

    fn db(&self) -> &Db {
        self.matches.log().database()
    }

    /// Invites one player on behalf of another, who has to sit in the match. Inviting somebody again changes nothing.
    pub async fn invite(
        &self,
        m: &Match,
        invited_by: Uuid,
        player: Uuid,
        now: Timestamp,
    ) -> Result<Invitation, InviteError> {
        check(m, invited_by, player)?;
        let is_blocked = blocks::are_between(self.db(), invited_by, &[player]).await?;
        if is_blocked || players::find(self.db(), player).await?.is_none() {
            return Err(InviteError::NoSuchPlayer);
        }
        if self.add(m.id(), invited_by, &[player], now).await? == Added::TooMany {
            return Err(InviteError::TooMany);
        }
        let invitation = invitations::find(self.db(), m.id(), player).await?;
        // Somebody may have deleted the player or the invitation meanwhile.
        invitation.ok_or(InviteError::NoSuchPlayer)
    }

    /// Invites players without asking who may; those who are invited already stay so.
    pub async fn add(
        &self,
        match_id: Uuid,
        invited_by: Uuid,
        players: &[Uuid],
        now: Timestamp,
    ) -> Result<Added> {
        let m = self.matches.get(match_id, Consistency::Local).await?;
        let pair = (match_id, invited_by);
        let most = MAX_INVITATIONS;
        let adding = invitations::add(self.db(), pair, players, most, now, async |work, new| {
            if let Some(m) = &m {
                webhooks::queue_invitations(work, m, invited_by, new, now).await?;
            }
            Ok::<(), Error>(())
        });
        let added = adding.await?;
        if added == Added::Invited {
            self.webhooks.nudge();
            self.hub.nudge();
        }
        Ok(added)
    }

    /// Whether a player is invited to a match.
    pub async fn is_invited(&self, match_id: Uuid, player: Uuid) -> Result<bool> {
        Ok(invitations::find(self.db(), match_id, player).await?.is_some())
    }

    /// The open invitations of a player, newest matches first; with `before`, only those to older matches.
    pub async fn open(
        &self,
        player: Uuid,
        before: Option<Uuid>,
        limit: u64,
    ) -> Result<Vec<Invitation>> {
        Ok(invitations::open(self.db(), player, before, limit).await?)
    }

    /// Declines the invitation of a player, and says whether there was one.
    pub async fn decline(&self, match_id: Uuid, player: Uuid) -> Result<bool> {
        Ok(invitations::delete(self.db(), match_id, player, None).await?)
    }

    /// Withdraws an invitation that a player has sent to another, and says whether there was one.
    pub async fn withdraw(&self, match_id: Uuid, invited_by: Uuid, player: Uuid) -> Result<bool> {
        Ok(invitations::delete(self.db(), match_id, player, Some(invited_by)).await?)
    }
}

/// Whether one player may invite another to a match.
fn check(m: &Match, invited_by: Uuid, player: Uuid) -> Result<(), InviteError> {
    let refuse = |refusal| Err(InviteError::Refused { refusal, game: m.game().info().key });
    if m.seat_of(invited_by).is_none() {
        return refuse(MatchRefusal::NotSeated);
    }
    match m.status() {
        Status::Open => {}
        Status::Playing => return refuse(MatchRefusal::AlreadyStarted),
        Status::Finished | Status::Abandoned => return refuse(MatchRefusal::MatchOver),
    }
    if m.seat_of(player).is_some() { Err(InviteError::AlreadySeated) } else { Ok(()) }
}
