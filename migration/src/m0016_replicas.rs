//! The replicas that run at the moment, and where the others reach them.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, string, uuid},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("replicas")
            .col(uuid("id").primary_key())
            .col(string("address"))
            // Counts up for as long as the replica runs. Others notice by their own clocks when it stops.
            .col(big_integer("beat"))
            .to_owned();
        manager.create_table(table).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("replicas").to_owned()).await
    }
}
