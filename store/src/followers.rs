//! How far the tasks that follow the feed have come.

use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, LockBehavior, LockType},
};

use crate::{
    Connection, Transaction,
    entities::follower::{Column, Entity, Model},
    error::{Error, Result},
    event_log::FeedPosition,
};

fn read(name: &str, row: Option<Model>) -> Result<FeedPosition> {
    let row = row.ok_or_else(|| Error::Failed(format!("the follower `{name}` is missing")))?;
    FeedPosition::read(&row.pos)
}

/// The stored position of a follower.
pub async fn position(db: &impl Connection, name: &str) -> Result<FeedPosition> {
    read(name, Entity::find_by_id(name).one(db).await?)
}

/// Locks the position of a follower for this transaction and returns it; nothing if another transaction holds the lock. On
/// SQLite a transaction has the store to itself anyway.
pub async fn try_lock(work: &Transaction, name: &str) -> Result<Option<FeedPosition>> {
    let row = Entity::find_by_id(name)
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
        .one(work)
        .await?;
    row.map(|row| FeedPosition::read(&row.pos)).transpose()
}

/// Stores the position of a follower.
pub async fn advance(work: &Transaction, name: &str, position: &FeedPosition) -> Result<()> {
    Entity::update_many()
        .col_expr(Column::Pos, Expr::value(position.to_string()))
        .filter(Column::Name.eq(name))
        .exec(work)
        .await?;
    Ok(())
}
