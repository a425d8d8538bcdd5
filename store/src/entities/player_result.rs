//! The result of a player in a match, with the rating and the streaks after it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "player_results")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub generation: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub ended_at: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub match_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub seat: i16,
    pub player_id: Uuid,
    pub game: String,
    pub seats: i16,
    pub place: i16,
    pub won: bool,
    pub rated: bool,
    pub rating_before: Option<f64>,
    pub uncertainty_before: Option<f64>,
    pub rating: Option<f64>,
    pub uncertainty: Option<f64>,
    pub streak: i64,
    pub longest_streak: i64,
    pub overall_streak: i64,
    pub overall_longest_streak: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
