//! Personal access tokens and deleted players.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, binary, boolean, string, uuid},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Name, table and column of each index.
const INDEXES: [(&str, &str, &str); 4] = [
    ("access_tokens_by_player", "access_tokens", "player_id"),
    ("erasures_by_time", "erasures", "erased_at"),
    // A player's rows have to be found when the player is deleted.
    ("refresh_tokens_by_session", "refresh_tokens", "session_id"),
    ("creations_by_id", "creations", "created_id"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("access_tokens")
                    .col(uuid("id").primary_key())
                    .col(binary("token_hash").unique_key())
                    .col(uuid("player_id"))
                    .col(string("name"))
                    // Separated by spaces, as OAuth writes them.
                    .col(string("scopes"))
                    .col(big_integer("created_at"))
                    .col(big_integer("expires_at"))
                    .col(big_integer_null("last_used_at"))
                    .to_owned(),
            )
            .await?;
        // No personal data: the id remains in the log anyway.
        manager
            .create_table(
                Table::create()
                    .table("erasures")
                    .col(uuid("player_id").primary_key())
                    .col(boolean("account"))
                    // Past matches stay rated.
                    .col(big_integer_null("account_since"))
                    .col(big_integer("erased_at"))
                    // Whether rows that were written during the deletion have been cleared, too.
                    .col(boolean("settled"))
                    .to_owned(),
            )
            .await?;
        for (name, table, column) in INDEXES {
            let index = Index::create().name(name).table(table).col(column).to_owned();
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, table, _) in INDEXES {
            manager.drop_index(Index::drop().name(name).table(table).to_owned()).await?;
        }
        for table in ["erasures", "access_tokens"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
