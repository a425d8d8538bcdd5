//! A projection of the log: its position in the feed, and the generation of its rows that is read.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "projections")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub name: String,
    pub generation: i64,
    #[sea_orm(column_type = "Text")]
    pub pos: String,
    pub counted: i64,
    pub last_generation: i64,
    pub unsettled_since: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
