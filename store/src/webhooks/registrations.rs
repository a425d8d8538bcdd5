//! Webhooks as their owners manage them, and the log of their deliveries.

use domain::time::Timestamp;
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set, Unchanged},
    ColumnTrait, Condition, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::in_force;
use crate::{
    Db, Result, begin, commit,
    entities::{webhook, webhook_delivery},
    take_turn,
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

/// Whose webhooks are meant.
#[derive(Debug, Clone, Copy)]
pub struct Owner {
    /// The player.
    pub player: Uuid,
    /// If set, only webhooks that this personal access token created.
    pub token: Option<Uuid>,
}

impl Owner {
    /// The webhooks of this owner that have not ended.
    fn webhooks(self, now: Timestamp) -> Condition {
        Condition::all()
            .add(webhook::Column::PlayerId.eq(self.player))
            .add_option(self.token.map(|token| webhook::Column::TokenId.eq(token)))
            .add(in_force(now))
    }
}

/// A webhook of an owner.
pub async fn find(db: &Db, owner: Owner, id: Uuid, now: Timestamp) -> Result<Option<Webhook>> {
    Ok(webhook::Entity::find_by_id(id).filter(owner.webhooks(now)).one(db).await?)
}

/// The webhooks of an owner, oldest first.
pub async fn list(db: &Db, owner: Owner, now: Timestamp) -> Result<Vec<Webhook>> {
    let webhooks = webhook::Entity::find()
        .filter(owner.webhooks(now))
        .order_by_asc(webhook::Column::Id)
        .all(db)
        .await?;
    Ok(webhooks)
}

/// Adds a webhook, unless its id exists already. Says whether there was room: a player has at most `most`.
pub async fn insert_missing(db: &Db, webhook: Webhook, most: u64, now: Timestamp) -> Result<bool> {
    let work = begin(db).await?;
    take_turn(&work, webhook.player_id).await?;
    if webhook::Entity::find_by_id(webhook.id).one(&work).await?.is_some() {
        return Ok(true);
    }
    let owner = Owner { player: webhook.player_id, token: None };
    let theirs = webhook::Entity::find().filter(owner.webhooks(now));
    if theirs.count(&work).await? >= most {
        return Ok(false);
    }
    webhook::Entity::insert(webhook.into_active_model()).exec_without_returning(&work).await?;
    commit(work).await?;
    Ok(true)
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
