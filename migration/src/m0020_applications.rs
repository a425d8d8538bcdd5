//! Applications: back ends with a credential of their own, and players under their own ids.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, binary, string, string_null, uuid, uuid_null},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("applications")
                    .col(uuid("id").primary_key())
                    .col(string("name"))
                    // Separated by spaces, as OAuth writes them.
                    .col(string("scopes"))
                    .col(big_integer("created_at"))
                    .col(big_integer_null("revoked_at"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("application_secrets")
                    .col(uuid("id").primary_key())
                    .col(uuid("application_id"))
                    .col(binary("secret_hash"))
                    .col(big_integer("created_at"))
                    // Set when a newer secret replaces this one.
                    .col(big_integer_null("expires_at"))
                    .to_owned(),
            )
            .await?;
        let mut secrets = Index::create();
        secrets.name("application_secrets_by_application").table("application_secrets");
        manager.create_index(secrets.col("application_id").to_owned()).await?;
        // SQLite adds one column at a time.
        for column in
            [uuid_null("application_id"), string_null("external_id"), string_null("language")]
        {
            let add = Table::alter().table("players").add_column(column).to_owned();
            manager.alter_table(add).await?;
        }
        // Players without an application have neither, and nulls are never equal.
        let mut players = Index::create();
        players.name("players_by_external_id").table("players").unique();
        players.col("application_id").col("external_id");
        manager.create_index(players).await
    }
}
