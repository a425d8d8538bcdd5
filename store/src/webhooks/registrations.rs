//! Webhooks as their owners manage them, and the log of their deliveries.

use domain::time::Timestamp;
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set, Unchanged},
    ColumnTrait, Condition, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect,
    sea_query::OnConflict,
};
use uuid::Uuid;

use crate::{
    Db, Result, begin,
    entities::{webhook, webhook_delivery},
};

pub use crate::entities::{webhook::Model as Webhook, webhook_delivery::Model as Delivery};

/// A change to a webhook. What is `None` stays as it is.
#[derive(Debug, Clone, Default)]
pub struct WebhookChange {
    /// A new URL.
    pub url: Option<String>,
    /// New kinds of notifications, separated by commas.
    pub events: Option<String>,
    /// Switches the webhook on or off; either clears the notice.
    pub active: Option<bool>,
}

/// A webhook of a player.
pub async fn find(db: &Db, player: Uuid, id: Uuid) -> Result<Option<Webhook>> {
    let webhook =
        webhook::Entity::find_by_id(id).filter(webhook::Column::PlayerId.eq(player)).one(db);
    Ok(webhook.await?)
}

/// The webhooks of a player, oldest first.
pub async fn list(db: &Db, player: Uuid) -> Result<Vec<Webhook>> {
    let webhooks = webhook::Entity::find()
        .filter(webhook::Column::PlayerId.eq(player))
        .order_by_asc(webhook::Column::Id)
        .all(db)
        .await?;
    Ok(webhooks)
}

/// The number of webhooks of a player.
pub async fn count(db: &Db, player: Uuid) -> Result<u64> {
    let webhooks = webhook::Entity::find().filter(webhook::Column::PlayerId.eq(player));
    Ok(webhooks.count(db).await?)
}

/// Adds a webhook, unless its id exists already.
pub async fn insert_missing(db: &Db, webhook: Webhook) -> Result<()> {
    webhook::Entity::insert(webhook.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// Changes a webhook and returns it; `None` if it was deleted meanwhile.
pub async fn update(
    db: &Db,
    id: Uuid,
    change: WebhookChange,
    now: Timestamp,
) -> Result<Option<Webhook>> {
    let update = webhook::ActiveModel {
        id: Unchanged(id),
        url: change.url.map_or(NotSet, Set),
        events: change.events.map_or(NotSet, Set),
        active: change.active.map_or(NotSet, Set),
        notice: change.active.map_or(NotSet, |_| Set(None)),
        updated_at: Set(now.micros()),
        ..Default::default()
    };
    updated(update.update(db).await)
}

/// Deletes a webhook and its deliveries.
pub async fn delete(db: &Db, id: Uuid) -> Result<()> {
    let work = begin(db).await?;
    webhook_delivery::Entity::delete_many()
        .filter(webhook_delivery::Column::WebhookId.eq(id))
        .exec(&work)
        .await?;
    webhook::Entity::delete_by_id(id).exec(&work).await?;
    Ok(work.commit().await?)
}

/// The deliveries of a webhook, newest first; with `state`, only those in that state, and with `before`, only older ones.
pub async fn deliveries(
    db: &Db,
    webhook: Uuid,
    state: Option<&str>,
    before: Option<Uuid>,
    limit: u64,
) -> Result<Vec<Delivery>> {
    use webhook_delivery::Column;
    let filter = Condition::all()
        .add(Column::WebhookId.eq(webhook))
        .add_option(state.map(|state| Column::State.eq(state)))
        .add_option(before.map(|id| Column::Id.lt(id)));
    let deliveries = webhook_delivery::Entity::find()
        .filter(filter)
        .order_by_desc(Column::Id)
        .limit(limit)
        .all(db)
        .await?;
    Ok(deliveries)
}

/// Adds a delivery and returns it.
pub async fn insert_delivery(
    db: &Db,
    delivery: impl Into<webhook_delivery::ActiveModel>,
) -> Result<Delivery> {
    Ok(delivery.into().insert(db).await?)
}

/// Puts a delivery of a webhook into a state as if it had never been attempted, due now. `None` if there is no such delivery.
pub async fn requeue(
    db: &Db,
    webhook: Uuid,
    delivery: Uuid,
    state: &str,
    now: Timestamp,
) -> Result<Option<Delivery>> {
    let found = webhook_delivery::Entity::find_by_id(delivery)
        .filter(webhook_delivery::Column::WebhookId.eq(webhook))
        .one(db)
        .await?;
    let Some(found) = found else { return Ok(None) };
    let mut again = found.into_active_model();
    again.state = Set(state.to_owned());
    again.due_at = Set(Some(now.micros()));
    again.tries = Set(0);
    updated(again.update(db).await)
}

/// The updated row; `None` if it no longer exists.
fn updated<T>(result: Result<T, DbErr>) -> Result<Option<T>> {
    match result {
        Ok(row) => Ok(Some(row)),
        Err(DbErr::RecordNotUpdated) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
