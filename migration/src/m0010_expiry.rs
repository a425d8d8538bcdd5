//! Finds rows that have expired, and knows the keys that encrypt the store.

use sea_orm_migration::{prelude::*, schema::string};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Name, table and columns of each index.
const INDEXES: [(&str, &str, &str); 5] = [
    ("refresh_tokens_by_expiry", "refresh_tokens", "(expires_at)"),
    ("sessions_ended", "sessions", "(ended_at, id) WHERE ended_at IS NOT NULL"),
    ("creations_by_time", "creations", "(created_at)"),
    ("invitations_by_time", "invitations", "(created_at)"),
    ("webhook_deliveries_completed", "webhook_deliveries", "(created_at) WHERE due_at IS NULL"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, table, columns) in INDEXES {
            let index = format!("CREATE INDEX {name} ON {table} {columns}");
            manager.get_connection().execute_unprepared(&index).await?;
        }
        // The ids of all keys that ever encrypted something here; the keys themselves are not in the store.
        manager
            .create_table(
                Table::create().table("storage_keys").col(string("id").primary_key()).to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("storage_keys").to_owned()).await?;
        for (name, table, _) in INDEXES {
            manager.drop_index(Index::drop().name(name).table(table).to_owned()).await?;
        }
        Ok(())
    }
}
