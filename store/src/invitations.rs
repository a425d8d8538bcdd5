//! Invitations to matches that have not started.

use domain::{matches::Status, time::Timestamp};
use sea_orm::{
    ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use uuid::Uuid;

use crate::{
    Connection, Db, Error, Result, Transaction, begin, blocks, commit,
    entities::{invitation, match_seat, match_summary},
    take_turn,
};

pub use crate::entities::invitation::Model as Invitation;

/// How many players go into one statement.
const PLAYERS: usize = 1_000;

/// The invitation of a player to a match.
pub async fn find(db: &Db, match_id: Uuid, player: Uuid) -> Result<Option<Invitation>> {
    Ok(invitation::Entity::find_by_id((db.lanes().of(match_id).column(), match_id, player))
        .one(db)
        .await?)
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
/// sit, and not from players whom the player has blocked. With `before`, only those to older matches.
pub async fn open(
    db: &Db,
    player: Uuid,
    before: Option<Uuid>,
    limit: u64,
) -> Result<Vec<Invitation>> {
    let not_started = match_summary::Entity::find()
        .select_only()
        .columns([match_summary::Column::Lane, match_summary::Column::Id])
        .filter(match_summary::Column::Status.eq(Status::Open.id()));
    let seated = match_seat::Entity::find()
        .select_only()
        .columns([match_seat::Column::Lane, match_seat::Column::MatchId])
        .filter(match_seat::Column::PlayerId.eq(player));
    let key = || {
        let columns = [invitation::Column::Lane, invitation::Column::MatchId];
        Expr::tuple(columns.map(ColumnTrait::into_expr))
    };
    let blocked = blocks::of(db, player).await?;
    let mut invitations = invitation::Entity::find()
        .filter(invitation::Column::PlayerId.eq(player))
        .filter(invitation::Column::InvitedBy.is_not_in(blocked))
        .filter(key().in_subquery(not_started.into_query()))
        .filter(key().not_in_subquery(seated.into_query()));
    if let Some(before) = before {
        invitations = invitations.filter(invitation::Column::MatchId.lt(before));
    }
    Ok(invitations.order_by_desc(invitation::Column::MatchId).limit(limit).all(db).await?)
}

/// What became of invitations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// Somebody is invited who was not before.
    Invited,
    /// All of them were invited already.
    Nobody,
    /// The match would have too many invitations; none was added.
    TooMany,
}

/// Invites players to a match, which has `most` invitations at most. `with_new` writes, in the same transaction, what belongs to
/// the invitations of those who were not invited yet; it is not called if there are none.
pub async fn add<E: From<Error>>(
    db: &Db,
    (match_id, invited_by): (Uuid, Uuid),
    players: &[Uuid],
    most: usize,
    now: Timestamp,
    with_new: impl AsyncFnOnce(&Transaction, &[Uuid]) -> Result<(), E>,
) -> Result<Added, E> {
    let work = begin(db).await?;
    take_turn(&work, match_id).await?;
    let invited = invited(&work, match_id).await?;
    let new: Vec<Uuid> = players.iter().filter(|id| !invited.contains(id)).copied().collect();
    if new.is_empty() {
        return Ok(Added::Nobody);
    }
    if invited.len() + new.len() > most {
        return Ok(Added::TooMany);
    }
    insert(&work, (match_id, invited_by), &new, now).await?;
    with_new(&work, &new).await?;
    commit(work).await?;
    Ok(Added::Invited)
}

/// The players who are invited to a match.
async fn invited(work: &Transaction, match_id: Uuid) -> Result<Vec<Uuid>> {
    let players = invitation::Entity::find()
        .select_only()
        .column(invitation::Column::PlayerId)
        .filter(invitation::Column::Lane.eq(work.lanes().of(match_id).column()))
        .filter(invitation::Column::MatchId.eq(match_id));
    Ok(players.into_tuple().all(work).await?)
}

async fn insert(
    work: &Transaction,
    (match_id, invited_by): (Uuid, Uuid),
    new: &[Uuid],
    now: Timestamp,
) -> Result<()> {
    let lane = work.lanes().of(match_id).column();
    let rows = new.iter().map(|player| {
        let (player_id, created_at) = (*player, now.micros());
        Invitation { lane, match_id, player_id, invited_by, created_at }.into_active_model()
    });
    invitation::Entity::insert_many(rows)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(work)
        .await?;
    Ok(())
}

/// Deletes the invitation of a player, and says whether there was one. With `invited_by`, only one that this player sent.
pub async fn delete(
    db: &Db,
    match_id: Uuid,
    player: Uuid,
    invited_by: Option<Uuid>,
) -> Result<bool> {
    let mut rows = invitation::Entity::delete_many()
        .filter(invitation::Column::Lane.eq(db.lanes().of(match_id).column()))
        .filter(invitation::Column::MatchId.eq(match_id))
        .filter(invitation::Column::PlayerId.eq(player));
    if let Some(invited_by) = invited_by {
        rows = rows.filter(invitation::Column::InvitedBy.eq(invited_by));
    }
    Ok(rows.exec(db).await?.rows_affected > 0)
}
