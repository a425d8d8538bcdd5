//! Sessions know their device and their last refresh token; refresh tokens know the one before them.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, binary_null, string_null},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite adds one column at a time.
        for (table, column) in [
            ("sessions", string_null("device")),
            ("sessions", string_null("address")),
            ("sessions", big_integer("last_used_at").default(0).to_owned()),
            // The hash of the refresh token that was last used, of whose successors one may be used next.
            ("sessions", binary_null("last_refresh")),
            ("refresh_tokens", binary_null("parent")),
        ] {
            let add = Table::alter().table(table).add_column(column).to_owned();
            manager.alter_table(add).await?;
        }
        let db = manager.get_connection();
        for statement in [
            "UPDATE sessions SET last_used_at = created_at",
            "DELETE FROM refresh_tokens WHERE used_at IS NOT NULL",
            // These fingerprints were computed from passwords, too.
            "DELETE FROM creations WHERE scope = 'players' OR scope LIKE 'guests/%'",
        ] {
            db.execute_unprepared(statement).await?;
        }
        let used_at = Table::alter().table("refresh_tokens").drop_column("used_at").to_owned();
        manager.alter_table(used_at).await
    }
}
