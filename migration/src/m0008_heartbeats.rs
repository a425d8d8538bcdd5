//! A row that is written to find out whether the store can be written to.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, small_integer},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("heartbeats")
                    .col(small_integer("id").primary_key())
                    .col(big_integer("at"))
                    .to_owned(),
            )
            .await
    }
}
