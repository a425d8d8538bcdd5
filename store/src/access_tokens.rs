//! Personal access tokens, stored by their hash.

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    sea_query::{Expr, OnConflict},
};
use uuid::Uuid;

use crate::{Db, Result, begin, commit, entities::access_token, take_turn};

pub use crate::entities::access_token::Model as AccessToken;

/// The token with this hash.
pub async fn find_by_hash(db: &Db, hash: &[u8; 32]) -> Result<Option<AccessToken>> {
    let token = access_token::Entity::find()
        .filter(access_token::Column::TokenHash.eq(hash.to_vec()))
        .one(db)
        .await?;
    Ok(token)
}

/// Whether there is a token with this id.
pub async fn exists(db: &Db, id: Uuid) -> Result<bool> {
    Ok(access_token::Entity::find_by_id(id).one(db).await?.is_some())
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

/// Adds a token. If its id exists already, that token gets the new hash and expiry. Says whether there was room: a player has at
/// most `most`.
pub async fn insert_or_renew(db: &Db, token: AccessToken, most: u64) -> Result<bool> {
    let work = begin(db).await?;
    take_turn(&work, token.player_id).await?;
    let theirs =
        access_token::Entity::find().filter(access_token::Column::PlayerId.eq(token.player_id));
    let exists = access_token::Entity::find_by_id(token.id).one(&work).await?.is_some();
    if !exists && theirs.count(&work).await? >= most {
        return Ok(false);
    }
    let renew = OnConflict::column(access_token::Column::Id)
        .update_columns([access_token::Column::TokenHash, access_token::Column::ExpiresAt])
        .to_owned();
    access_token::Entity::insert(token.into_active_model())
        .on_conflict(renew)
        .exec_without_returning(&work)
        .await?;
    commit(work).await?;
    Ok(true)
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
