//! Players whom other players have blocked.

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, sea_query::OnConflict,
};
use uuid::Uuid;

use crate::{
    Db, Result, begin, commit,
    entities::{
        block::{self, Column},
        player,
    },
    players,
};

pub use crate::entities::block::Model as Block;

/// What became of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocked {
    /// The player is blocked.
    Done,
    /// The player to block does not exist.
    NoSuchPlayer,
    /// The blocking player does not exist any more.
    Deleted,
    /// The player has blocked too many others; nobody was blocked.
    TooMany,
}

/// Blocks a player on behalf of another, who can block `most` players. Blocking somebody again changes nothing.
pub async fn add(
    db: &Db,
    player: Uuid,
    blocked: Uuid,
    most: u64,
    now: Timestamp,
) -> Result<Blocked> {
    let work = begin(db).await?;
    // Simultaneous blocks of one player are counted one after the other.
    if players::lock(&work, player).await?.is_none() {
        return Ok(Blocked::Deleted);
    }
    if block::Entity::find_by_id((player, blocked)).one(&work).await?.is_some() {
        return Ok(Blocked::Done);
    }
    if player::Entity::find_by_id(blocked).one(&work).await?.is_none() {
        return Ok(Blocked::NoSuchPlayer);
    }
    let theirs = block::Entity::find().filter(Column::PlayerId.eq(player));
    if theirs.count(&work).await? >= most {
        return Ok(Blocked::TooMany);
    }
    let row = Block { player_id: player, blocked_id: blocked, created_at: now.micros() };
    block::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(&work)
        .await?;
    commit(work).await?;
    Ok(Blocked::Done)
}

/// Unblocks a player on behalf of another, and says whether there was a block.
pub async fn delete(db: &Db, player: Uuid, blocked: Uuid) -> Result<bool> {
    Ok(block::Entity::delete_by_id((player, blocked)).exec(db).await?.rows_affected > 0)
}

/// The blocks of a player by descending id of the blocked player; with `before`, only those of smaller ids.
pub async fn list(db: &Db, player: Uuid, before: Option<Uuid>, limit: u64) -> Result<Vec<Block>> {
    let mut theirs = block::Entity::find().filter(Column::PlayerId.eq(player));
    if let Some(before) = before {
        theirs = theirs.filter(Column::BlockedId.lt(before));
    }
    Ok(theirs.order_by_desc(Column::BlockedId).limit(limit).all(db).await?)
}

/// The players whom a player has blocked.
pub async fn of(db: &Db, player: Uuid) -> Result<Vec<Uuid>> {
    let blocked = block::Entity::find()
        .select_only()
        .column(Column::BlockedId)
        .filter(Column::PlayerId.eq(player));
    Ok(blocked.into_tuple().all(db).await?)
}

/// The pairs among these players of whom the first has blocked the second.
pub async fn among(db: &Db, players: &[Uuid]) -> Result<Vec<(Uuid, Uuid)>> {
    let pairs = block::Entity::find()
        .select_only()
        .columns([Column::PlayerId, Column::BlockedId])
        .filter(Column::PlayerId.is_in(players.iter().copied()))
        .filter(Column::BlockedId.is_in(players.iter().copied()));
    Ok(pairs.into_tuple().all(db).await?)
}

/// Whether a player has blocked one of the others, or one of them the player.
pub async fn are_between(db: &Db, player: Uuid, others: &[Uuid]) -> Result<bool> {
    let all: Vec<Uuid> = others.iter().copied().chain([player]).collect();
    let pairs = among(db, &all).await?;
    Ok(pairs.iter().any(|(first, second)| [first, second].contains(&&player)))
}
