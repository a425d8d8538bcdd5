//! What a match that is over did to ratings.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "match_results")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub lane: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub generation: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub match_id: Uuid,
    pub number: i64,
    pub unrated_because: Option<String>,
    #[sea_orm(column_type = "Text")]
    pub changes: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
