//! Players: guests, and accounts with a name of their own and a password.

use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, IntoActiveModel,
    QueryFilter, QuerySelect, sea_query::OnConflict,
};
use uuid::Uuid;

use crate::{Db, Result, Transaction, entities::player};

pub use crate::entities::player::Model as Player;

/// The number of players that are written with one statement.
const CHUNK: usize = 2_000;

impl Player {
    /// Whether the player has no password.
    #[must_use]
    pub const fn is_guest(&self) -> bool {
        self.password_hash.is_none()
    }
}

/// The player with this id.
pub async fn find(db: &Db, id: Uuid) -> Result<Option<Player>> {
    Ok(player::Entity::find_by_id(id).one(db).await?)
}

/// The player with this id, whom nobody else changes or deletes before the transaction ends.
pub async fn lock(work: &Transaction, id: Uuid) -> Result<Option<Player>> {
    Ok(player::Entity::find_by_id(id).lock_exclusive().one(work).await?)
}

/// The account whose name has this key.
pub async fn find_by_name_key(db: &Db, key: &str) -> Result<Option<Player>> {
    Ok(player::Entity::find().filter(player::Column::NameKey.eq(key)).one(db).await?)
}

/// Whether an account has a name with one of these keys.
pub async fn is_taken(db: &impl ConnectionTrait, name_key: &str, look_key: &str) -> Result<bool> {
    let either = player::Column::NameKey.eq(name_key).or(player::Column::LookKey.eq(look_key));
    Ok(player::Entity::find().filter(either).one(db).await?.is_some())
}

/// The names of these players, as far as they exist, and since when each has had an account.
pub async fn names(db: &Db, ids: Vec<Uuid>) -> Result<Vec<(Uuid, String, Option<i64>)>> {
    let names = player::Entity::find()
        .select_only()
        .columns([player::Column::Id, player::Column::Name, player::Column::AccountSince])
        .filter(player::Column::Id.is_in(ids))
        .into_tuple()
        .all(db)
        .await?;
    Ok(names)
}

/// Adds a player; fails with [`Error::Taken`](crate::Error::Taken) if its name belongs to another account.
pub async fn insert(db: &Db, player: Player) -> Result<()> {
    player::Entity::insert(player.into_active_model()).exec_without_returning(db).await?;
    Ok(())
}

/// Adds the players that do not exist yet.
pub async fn insert_missing(db: &Db, players: Vec<Player>) -> Result<()> {
    for players in players.chunks(CHUNK) {
        let rows = players.iter().cloned().map(IntoActiveModel::into_active_model);
        player::Entity::insert_many(rows)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(db)
            .await?;
    }
    Ok(())
}

/// Writes what differs between two states of a player. Fails with [`Error::Taken`](crate::Error::Taken) if the name belongs to
/// another account.
pub async fn update(work: &Transaction, before: Player, after: Player) -> Result<Player> {
    let mut row = before.into_active_model();
    row.name.set_if_not_equals(after.name);
    row.name_key.set_if_not_equals(after.name_key);
    row.look_key.set_if_not_equals(after.look_key);
    row.email.set_if_not_equals(after.email);
    row.password_hash.set_if_not_equals(after.password_hash);
    row.account_since.set_if_not_equals(after.account_since);
    Ok(row.update(work).await?)
}
