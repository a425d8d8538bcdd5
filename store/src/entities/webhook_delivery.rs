//! A message to a webhook, and the attempts to deliver it.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_deliveries")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub webhook_id: Uuid,
    pub kind: String,
    #[sea_orm(column_type = "Text")]
    pub payload: String,
    pub state: String,
    pub due_at: Option<i64>,
    pub tries: i16,
    #[sea_orm(column_type = "Text")]
    pub attempts: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
