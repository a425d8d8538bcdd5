//! Players whom other players have blocked.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, uuid},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("blocks")
                    .col(uuid("player_id"))
                    .col(uuid("blocked_id"))
                    .col(big_integer("created_at"))
                    .primary_key(Index::create().col("player_id").col("blocked_id"))
                    .to_owned(),
            )
            .await?;
        let mut blocked = Index::create();
        blocked.name("blocks_by_blocked").table("blocks").col("blocked_id");
        manager.create_index(blocked).await
    }
}
