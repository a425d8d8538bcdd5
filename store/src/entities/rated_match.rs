//! The rating of a player after a match.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "rating_history")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub generation: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub player_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub number: i64,
    pub game: String,
    pub match_id: Uuid,
    pub public: bool,
    pub at: i64,
    pub place: i16,
    pub seats: i16,
    pub rating_before: f64,
    pub rating: f64,
    pub uncertainty: f64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
