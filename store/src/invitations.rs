//! Invitations to matches that have not started.

use domain::matches::Status;
use sea_orm::{
    ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
};
use uuid::Uuid;

use crate::{
    Result,
    entities::{invitation, match_seat, match_summary},
};

pub use crate::entities::invitation::Model as Invitation;

/// The invitation of a player to a match.
pub async fn find(
    db: &DatabaseConnection,
    match_id: Uuid,
    player: Uuid,
) -> Result<Option<Invitation>> {
    Ok(invitation::Entity::find_by_id((match_id, player)).one(db).await?)
}

/// The open invitations of a player, newest matches first: to matches that have not started and in which the player does not
/// sit. With `before`, only those to older matches.
pub async fn open(
    db: &DatabaseConnection,
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
