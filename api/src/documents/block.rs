//! Blocked players.

use domain::time::Timestamp;
use serde::Serialize;
use service::names::NameCache;
use store::blocks::Block;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::{SeatedPlayer, datetime};

/// A player whom you have blocked.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlockedPlayer {
    /// The player.
    pub player: SeatedPlayer,
    /// When you blocked the player.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
}

impl BlockedPlayer {
    /// Blocked players with their names.
    pub async fn list(
        blocks: Vec<Block>,
        names: &NameCache,
        now: Timestamp,
    ) -> service::Result<Vec<Self>> {
        let players = blocks.iter().map(|block| block.blocked_id).collect();
        let names = names.of(players, now).await?;
        let document = |block: Block| Self {
            player: SeatedPlayer::new(block.blocked_id, &names),
            at: datetime(block.created_at),
        };
        Ok(blocks.into_iter().map(document).collect())
    }
}
