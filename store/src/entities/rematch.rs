//! The rematch of a match.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rematches")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub lane: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub match_id: Uuid,
    pub rematch_id: Uuid,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
