//! What a player has done in a game, or in all of them.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "player_games")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub generation: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub player_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub game: String,
    #[sea_orm(column_type = "Text")]
    pub tally: String,
    pub rating: f64,
    pub uncertainty: f64,
    pub rated: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
