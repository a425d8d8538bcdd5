//! Players, their sessions, and the idempotency keys of creations.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, binary, string, string_null, uuid},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("players")
                    .col(uuid("id").primary_key())
                    .col(string("name"))
                    // Account names are unique regardless of case; names of guests need not be unique.
                    .col(string_null("name_key").unique_key())
                    .col(string_null("email"))
                    .col(string_null("password_hash"))
                    .col(big_integer("created_at"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("sessions")
                    .col(uuid("id").primary_key())
                    .col(uuid("player_id"))
                    .col(big_integer("created_at"))
                    .col(big_integer_null("ended_at"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_index(
                Index::create()
                    .name("sessions_by_player")
                    .table("sessions")
                    .col("player_id")
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("refresh_tokens")
                    .col(binary("token_hash").primary_key())
                    .col(uuid("session_id"))
                    .col(big_integer("expires_at"))
                    .col(big_integer_null("used_at"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("creations")
                    .col(string("scope"))
                    .col(string("key"))
                    .col(binary("fingerprint"))
                    .col(uuid("created_id"))
                    .col(big_integer("created_at"))
                    .primary_key(Index::create().col("scope").col("key"))
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["creations", "refresh_tokens", "sessions", "players"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
