//! The statistics of a game in one period, for one number of seats and version of the rules or for all, with or without
//! bots.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "stat_cells")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub generation: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub game: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub period: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub seats: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub rules_version: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub bots: bool,
    #[sea_orm(column_type = "Text")]
    pub cell: String,
    #[sea_orm(column_type = "Blob")]
    pub players: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
