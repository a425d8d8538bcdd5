//! Somebody who plays: a guest, or an account with a name and a password.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "players")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    #[sea_orm(unique)]
    pub name_key: Option<String>,
    /// The same for all names that look alike.
    #[sea_orm(unique)]
    pub look_key: Option<String>,
    pub email: Option<String>,
    pub password_hash: Option<String>,
    pub created_at: i64,
    /// Since when there has been a password, or somebody who vouches for the player.
    pub account_since: Option<i64>,
    /// The application that the player belongs to, and its id for the player.
    pub application_id: Option<Uuid>,
    pub external_id: Option<String>,
    /// The language that the player reads.
    pub language: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
