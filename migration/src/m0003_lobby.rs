//! Invitations and rematches.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, small_integer, uuid},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("invitations")
                    .col(small_integer("lane"))
                    .col(uuid("match_id"))
                    .col(uuid("player_id"))
                    .col(uuid("invited_by"))
                    .col(big_integer("created_at"))
                    .primary_key(Index::create().col("lane").col("match_id").col("player_id"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create()
                    .name("invitations_by_player")
                    .table("invitations")
                    .col("player_id")
                    .col("match_id")
                    .to_owned(),
            )
            .await?;
        // The key allows one rematch per match, even if several players ask for it at once.
        manager
            .create_table(
                Table::create()
                    .table("rematches")
                    .col(small_integer("lane"))
                    .col(uuid("match_id"))
                    .col(uuid("rematch_id"))
                    .col(big_integer("created_at"))
                    .primary_key(Index::create().col("lane").col("match_id"))
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["rematches", "invitations"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
