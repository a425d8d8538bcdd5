//! A player's place on a leaderboard.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "boards")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub generation: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub board: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub player_id: Uuid,
    pub score: i64,
    pub at: i64,
    pub rating: Option<f64>,
    pub uncertainty: Option<f64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
