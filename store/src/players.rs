//! Players: guests, and accounts with a name of their own and a password.

use domain::time::Timestamp;
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
    /// A guest.
    #[must_use]
    pub const fn guest(id: Uuid, name: String, created_at: Timestamp) -> Self {
        Self {
            id,
            name,
            name_key: None,
            look_key: None,
            email: None,
            password_hash: None,
            created_at: created_at.micros(),
            account_since: None,
            application_id: None,
            external_id: None,
            language: None,
        }
    }

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

/// The name of a player.
#[derive(Debug, Clone)]
pub struct PlayerName {
    /// The id of the player.
    pub id: Uuid,
    /// The name.
    pub name: String,
    /// Whether no other account may have it.
    pub is_unique: bool,
    /// Since when the player has had an account.
    pub account_since: Option<i64>,
}

/// The names of these players, as far as they exist.
pub async fn names(db: &Db, ids: Vec<Uuid>) -> Result<Vec<PlayerName>> {
    use player::Column;
    let names: Vec<(Uuid, String, Option<String>, Option<i64>)> = player::Entity::find()
        .select_only()
        .columns([Column::Id, Column::Name, Column::NameKey, Column::AccountSince])
        .filter(Column::Id.is_in(ids))
        .into_tuple()
        .all(db)
        .await?;
    let name = |(id, name, key, account_since): (_, _, Option<String>, _)| PlayerName {
        id,
        name,
        is_unique: key.is_some(),
        account_since,
    };
    Ok(names.into_iter().map(name).collect())
}

/// The player of an application with this external id.
pub async fn find_external(
    db: &Db,
    application: Uuid,
    external_id: &str,
) -> Result<Option<Player>> {
    let player = player::Entity::find()
        .filter(player::Column::ApplicationId.eq(application))
        .filter(player::Column::ExternalId.eq(external_id));
    Ok(player.one(db).await?)
}

/// Adds a player; fails with [`Error::Taken`](crate::Error::Taken) if its name belongs to another account, or its external id to
/// another player of the application.
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
    row.language.set_if_not_equals(after.language);
    Ok(row.update(work).await?)
}
