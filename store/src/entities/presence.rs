//! Which seats of which match have a stream open at which replica; good until it expires.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "presence")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub lane: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub match_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub seat: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub replica: Uuid,
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
