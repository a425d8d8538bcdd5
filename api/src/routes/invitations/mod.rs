//! Invitations to matches that have not started. They live outside the log of a match: they lapse when it starts.

use domain::time::Timestamp;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect,
    sea_query::OnConflict,
};
use uuid::Uuid;

use service::{live::Consistency, webhooks};
use store::entities::invitation;

use crate::{app::App, error::ApiResult};

pub mod create;
pub mod delete;
pub mod list;

/// How many invitations to one match may be open.
pub const MOST: u64 = 50;

/// Invites players; who is invited already stays so.
pub async fn invite(
    app: &App,
    match_id: Uuid,
    invited_by: Uuid,
    players: &[Uuid],
    now: Timestamp,
) -> ApiResult<()> {
    let work = store::begin(&app.db).await?;
    let known: Vec<Uuid> = invitation::Entity::find()
        .select_only()
        .column(invitation::Column::PlayerId)
        .filter(invitation::Column::MatchId.eq(match_id))
        .into_tuple()
        .all(&work)
        .await?;
    let new: Vec<Uuid> = players.iter().filter(|id| !known.contains(id)).copied().collect();
    if new.is_empty() {
        return Ok(());
    }
    let rows = new.iter().map(|player| invitation::ActiveModel {
        match_id: Set(match_id),
        player_id: Set(*player),
        invited_by: Set(invited_by),
        created_at: Set(now.micros()),
    });
    invitation::Entity::insert_many(rows)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(&work)
        .await?;
    if let Some(table) = app.matches.get(match_id, Consistency::Local).await? {
        webhooks::queue_invitations(&work, &table, invited_by, &new, now).await?;
    }
    work.commit().await?;
    app.webhooks.nudge();
    app.hub.nudge();
    Ok(())
}

/// How many invitations to a match there are.
async fn count(app: &App, match_id: Uuid) -> ApiResult<u64> {
    let rows = invitation::Entity::find().filter(invitation::Column::MatchId.eq(match_id));
    Ok(rows.count(&app.db).await?)
}
