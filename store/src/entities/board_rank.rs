//! How many entries of a leaderboard have a score in a range, so that ranks need no counting.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "board_ranks")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub generation: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub board: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub level: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub bucket: i64,
    pub entries: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
