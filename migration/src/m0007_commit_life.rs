//! Which commits hold more than moves, so that statistics find them without reading payloads.

use sea_orm_migration::{prelude::*, schema::boolean};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Older commits count as if they held more than moves, which is slower but never wrong.
        manager
            .alter_table(
                Table::alter()
                    .table("commits")
                    .add_column(boolean("life").default(true))
                    .to_owned(),
            )
            .await
    }
}
