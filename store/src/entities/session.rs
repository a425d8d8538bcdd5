//! A player who is logged in somewhere.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "sessions")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub player_id: Uuid,
    pub created_at: i64,
    pub ended_at: Option<i64>,
    /// What the client calls itself, and its address; cleared when the session ends.
    pub device: Option<String>,
    pub address: Option<String>,
    pub last_used_at: i64,
    /// The hash of the refresh token that was last used.
    #[sea_orm(column_type = "Blob", nullable)]
    pub last_refresh: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
