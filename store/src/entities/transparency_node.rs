//! A complete subtree of the transparency log.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "transparency_nodes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub level: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i64,
    pub hash: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
