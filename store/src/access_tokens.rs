//! Personal access tokens, stored by their hash.

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QueryOrder,
    sea_query::{Expr, OnConflict},
};
use uuid::Uuid;

use crate::{Db, Result, Transaction, entities::access_token};

pub use crate::entities::access_token::Model as AccessToken;

/// The token with this hash.
pub async fn find_by_hash(db: &Db, hash: &[u8; 32]) -> Result<Option<AccessToken>> {
    let token = access_token::Entity::find()
        .filter(access_token::Column::TokenHash.eq(hash.to_vec()))
        .one(db)
        .await?;
    Ok(token)
}

/// The token with this id.
pub async fn find(db: &impl ConnectionTrait, id: Uuid) -> Result<Option<AccessToken>> {
    Ok(access_token::Entity::find_by_id(id).one(db).await?)
}

/// Whether there is a token with this id.
pub async fn exists(db: &Db, id: Uuid) -> Result<bool> {
    Ok(find(db, id).await?.is_some())
}

/// The tokens of a player, newest first.
pub async fn list(db: &Db, player: Uuid) -> Result<Vec<AccessToken>> {
    let tokens = access_token::Entity::find()
        .filter(access_token::Column::PlayerId.eq(player))
        .order_by_desc(access_token::Column::Id)
        .all(db)
        .await?;
    Ok(tokens)
}

/// The number of tokens of a player.
pub async fn count(db: &impl ConnectionTrait, player: Uuid) -> Result<u64> {
    let tokens = access_token::Entity::find().filter(access_token::Column::PlayerId.eq(player));
    Ok(tokens.count(db).await?)
}

/// Adds a token. If its id exists already, that token gets the new hash and expiry.
pub async fn insert_or_renew(db: &impl ConnectionTrait, token: AccessToken) -> Result<()> {
    let renew = OnConflict::column(access_token::Column::Id)
        .update_columns([access_token::Column::TokenHash, access_token::Column::ExpiresAt])
        .to_owned();
    access_token::Entity::insert(token.into_active_model())
        .on_conflict(renew)
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// Stores when a token was last used.
pub async fn note_use(db: &Db, id: Uuid, now: Timestamp) -> Result<()> {
    access_token::Entity::update_many()
        .col_expr(access_token::Column::LastUsedAt, Expr::value(now.micros()))
        .filter(access_token::Column::Id.eq(id))
        .exec(db)
        .await?;
    Ok(())
}

/// Deletes a token of a player, and says whether there was one.
pub async fn delete(db: &Db, player: Uuid, id: Uuid) -> Result<bool> {
    let deleted = access_token::Entity::delete_many()
        .filter(access_token::Column::Id.eq(id))
        .filter(access_token::Column::PlayerId.eq(player))
        .exec(db)
        .await?;
    Ok(deleted.rows_affected > 0)
}

/// Deletes all tokens of a player except these.
pub async fn delete_others(work: &Transaction, player: Uuid, kept: &[Uuid]) -> Result<()> {
    access_token::Entity::delete_many()
        .filter(access_token::Column::PlayerId.eq(player))
        .filter(access_token::Column::Id.is_not_in(kept.iter().copied()))
        .exec(work)
        .await?;
    Ok(())
}
