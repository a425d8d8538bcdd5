//! Codes with which guests come back on a new device.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer_null, binary, binary_null, uuid},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("recovery_codes")
                    .col(uuid("player_id").primary_key())
                    .col(binary("code_hash").unique_key())
                    // The code before this one, which a retry may still use for a while.
                    .col(binary_null("previous_hash"))
                    .col(big_integer_null("replaced_at"))
                    .to_owned(),
            )
            .await?;
        let mut previous = Index::create();
        previous.name("recovery_codes_by_previous").table("recovery_codes").col("previous_hash");
        manager.create_index(previous).await
    }
}
