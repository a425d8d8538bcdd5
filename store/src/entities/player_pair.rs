//! Two players who have met in a game.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "player_pairs")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub generation: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub one: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub two: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub game: String,
    pub played: i64,
    pub one_ahead: i64,
    pub two_ahead: i64,
    pub one_won: i64,
    pub two_won: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
