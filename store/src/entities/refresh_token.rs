//! A refresh token, by its hash.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "refresh_tokens")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false, column_type = "Blob")]
    pub token_hash: Vec<u8>,
    pub session_id: Uuid,
    pub expires_at: i64,
    /// The hash of the token that it was exchanged for; the first one of a session has none.
    #[sea_orm(column_type = "Blob", nullable)]
    pub parent: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
