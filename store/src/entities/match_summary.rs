//! What is known of a match without reading its log; written when that changes.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "matches")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub lane: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub game: String,
    pub status: String,
    pub public: bool,
    pub seats: i16,
    pub resigned: i16,
    pub due_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
