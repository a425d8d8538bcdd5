//! The codes with which guests come back, stored by their hash: one per guest, and the one before it.

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, IntoActiveModel, QueryFilter,
    sea_query::{Expr, OnConflict},
};
use uuid::Uuid;

use crate::{Db, Result, entities::recovery_code};

pub use crate::entities::recovery_code::Model as RecoveryCode;

/// Gives a guest its first code, and says whether this is the code that the guest has: not if the guest has used it already.
pub async fn insert_missing(db: &Db, player: Uuid, hash: [u8; 32]) -> Result<bool> {
    let row = RecoveryCode {
        player_id: player,
        code_hash: hash.to_vec(),
        previous_hash: None,
        replaced_at: None,
    };
    recovery_code::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(db)
        .await?;
    let stored = recovery_code::Entity::find_by_id(player).one(db).await?;
    Ok(stored.is_some_and(|stored| stored.code_hash == hash))
}

/// The row of the guest with this code, or with this code before the current one.
pub async fn find(db: &Db, hash: [u8; 32]) -> Result<Option<RecoveryCode>> {
    use recovery_code::Column;
    let either = Column::CodeHash.eq(hash.to_vec()).or(Column::PreviousHash.eq(hash.to_vec()));
    Ok(recovery_code::Entity::find().filter(either).one(db).await?)
}

/// Replaces a code by the next one, and says whether it was still the current one.
pub async fn replace(db: &Db, before: [u8; 32], after: [u8; 32], now: Timestamp) -> Result<bool> {
    use recovery_code::Column;
    let replaced = recovery_code::Entity::update_many()
        .col_expr(Column::CodeHash, Expr::value(after.to_vec()))
        .col_expr(Column::PreviousHash, Expr::value(before.to_vec()))
        .col_expr(Column::ReplacedAt, Expr::value(now.micros()))
        .filter(Column::CodeHash.eq(before.to_vec()))
        .exec(db)
        .await?;
    Ok(replaced.rows_affected > 0)
}

/// Deletes the code of a player.
pub async fn delete(db: &impl ConnectionTrait, player: Uuid) -> Result<()> {
    recovery_code::Entity::delete_by_id(player).exec(db).await?;
    Ok(())
}
