//! Blocked players. Two players, one of whom has blocked the other, do not come together in a match: neither can invite the
//! other, sit down with the other in an open match, or open a rematch for both. A block changes nothing about matches in which
//! both sit already, and the blocked player is not told.

use domain::{
    matches::{Command, Match},
    time::Timestamp,
};
use store::{
    Db,
    blocks::{self, Block, Blocked},
};
use uuid::Uuid;

use crate::{
    error::{Error, Result},
    live::{CommandContext, Consistency, Executed, Matches},
};

/// The number of players whom a player can block.
pub const MAX_BLOCKS: u64 = 1_000;
/// How often a seat is tried for after somebody else was faster. A match has eight seats, so this is enough even if all of them
/// are taken, left and taken again meanwhile.
const TRIES: usize = 16;

/// Blocks players, and keeps them apart.
#[derive(Debug)]
pub struct Blocks {
    matches: Matches,
}

/// Why a player was not blocked.
#[derive(Debug, thiserror::Error)]
pub enum BlockError {
    /// Players cannot block themselves.
    #[error("players cannot block themselves")]
    Yourself,
    /// There is no such player.
    #[error("there is no such player")]
    NoSuchPlayer,
    /// The player was deleted.
    #[error("the player was deleted")]
    Deleted,
    /// The player has blocked [`MAX_BLOCKS`] others already.
    #[error("the player has blocked too many others")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Blocks {
    /// The blocks in the store of these matches.
    #[must_use]
    pub fn new(matches: Matches) -> Self {
        Self { matches }
    }

    fn db(&self) -> &Db {
        self.matches.log().database()
    }

    /// Blocks a player on behalf of another.
    pub async fn block(
        &self,
        player: Uuid,
        blocked: Uuid,
        now: Timestamp,
    ) -> Result<(), BlockError> {
        if player == blocked {
            return Err(BlockError::Yourself);
        }
        match blocks::add(self.db(), player, blocked, MAX_BLOCKS, now).await? {
            Blocked::Done => Ok(()),
            Blocked::NoSuchPlayer => Err(BlockError::NoSuchPlayer),
            Blocked::Deleted => Err(BlockError::Deleted),
            Blocked::TooMany => Err(BlockError::TooMany),
        }
    }

    /// Unblocks a player on behalf of another, and says whether there was a block.
    pub async fn unblock(&self, player: Uuid, blocked: Uuid) -> Result<bool> {
        Ok(blocks::delete(self.db(), player, blocked).await?)
    }

    /// The blocks of a player by descending id of the blocked player; with `before`, only those of smaller ids.
    pub async fn list(&self, player: Uuid, before: Option<Uuid>, limit: u64) -> Result<Vec<Block>> {
        Ok(blocks::list(self.db(), player, before, limit).await?)
    }

    /// Whether a player has blocked one of the others, or one of them the player.
    pub async fn are_between(&self, player: Uuid, others: &[Uuid]) -> Result<bool> {
        Ok(blocks::are_between(self.db(), player, others).await?)
    }

    /// Executes a command with which a player sits down; nothing if there is no such match, or if a block keeps the player out.
    pub async fn sit(
        &self,
        id: Uuid,
        command: &Command,
        context: &CommandContext,
    ) -> Result<Option<Executed>> {
        let mut consistency = Consistency::Local;
        for _ in 0..TRIES {
            let Some(m) = self.matches.get(id, consistency).await? else { return Ok(None) };
            let player = command.player();
            if m.seat_of(player).is_some() {
                return self.matches.execute(id, command, context).await;
            }
            if self.are_between(player, &seated(&m)).await? {
                return Ok(None);
            }
            // Blocks are not in the log. So the command rests upon those who sat there when the blocks were looked up.
            let upon = CommandContext { if_match: Some(vec![m.version()]), ..*context };
            match self.matches.execute(id, command, &upon).await {
                Err(Error::Stale { .. }) => consistency = Consistency::Store,
                executed => return executed,
            }
        }
        Err(Error::Contended)
    }
}

/// The players who sit in a match.
fn seated(m: &Match) -> Vec<Uuid> {
    m.seats().iter().flatten().map(|sitter| sitter.player).collect()
}
