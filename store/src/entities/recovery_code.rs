//! The code with which a guest comes back, by its hash.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "recovery_codes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub player_id: Uuid,
    #[sea_orm(unique, column_type = "Blob")]
    pub code_hash: Vec<u8>,
    /// The code before this one, and when it was replaced.
    #[sea_orm(column_type = "Blob", nullable)]
    pub previous_hash: Option<Vec<u8>>,
    pub replaced_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
