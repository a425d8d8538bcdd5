//! A signed head of the transparency log.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "transparency_heads")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub size: i64,
    pub at: i64,
    pub root: String,
    pub kid: String,
    pub signature: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
