//! Invitations to matches that have not started.

use domain::matches::Status;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use uuid::Uuid;

use crate::{
    Db, Result,
    entities::{invitation, match_seat, match_summary},
};

pub use crate::entities::invitation::Model as Invitation;

/// How many players go into one statement.
const PLAYERS: usize = 1_000;

/// The invitation of a player to a match.
pub async fn find(db: &Db, match_id: Uuid, player: Uuid) -> Result<Option<Invitation>> {
    Ok(invitation::Entity::find_by_id((match_id, player)).one(db).await?)
}

/// The invitations of these players that were made after a time, in microseconds.
pub async fn recent(db: &Db, players: &[Uuid], since: i64) -> Result<Vec<Invitation>> {
    let mut found = Vec::new();
    for players in players.chunks(PLAYERS) {
        let rows = invitation::Entity::find()
            .filter(invitation::Column::PlayerId.is_in(players.iter().copied()))
            .filter(invitation::Column::CreatedAt.gt(since));
        found.extend(rows.all(db).await?);
    }
    Ok(found)
}

/// The open invitations of a player, newest matches first: to matches that have not started and in which the player does not
/// sit. With `before`, only those to older matches.
pub async fn open(
    db: &Db,
    player: Uuid,
    before: Option<Uuid>,
    limit: u64,
) -> Result<Vec<Invitation>> {
    let not_started = match_summary::Entity::find()
        .select_only()
        .column(match_summary::Column::Id)
        .filter(match_summary::Column::Status.eq(Status::Open.id()));
    let seated = match_seat::Entity::find()
        .select_only()
        .column(match_seat::Column::MatchId)
        .filter(match_seat::Column::PlayerId.eq(player));
    let mut invitations = invitation::Entity::find()
        .filter(invitation::Column::PlayerId.eq(player))
        .filter(invitation::Column::MatchId.in_subquery(not_started.into_query()))
        .filter(invitation::Column::MatchId.not_in_subquery(seated.into_query()));
    if let Some(before) = before {
        invitations = invitations.filter(invitation::Column::MatchId.lt(before));
    }
    Ok(invitations.order_by_desc(invitation::Column::MatchId).limit(limit).all(db).await?)
}
