//! Deliveries are scheduled by webhook, and a webhook knows the token that created it.

use sea_orm_migration::{
    prelude::*,
    schema::{string, uuid_null},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Finds the webhooks that wait without reading how much waits for each of them.
        let queues = "CREATE INDEX webhook_deliveries_queues ON webhook_deliveries (webhook_id, due_at, id) \
                      WHERE due_at IS NOT NULL";
        manager.get_connection().execute_unprepared(queues).await?;
        // Where a delivery goes is decided by the URL that its webhook has then.
        manager
            .alter_table(Table::alter().table("webhook_deliveries").drop_column("host").to_owned())
            .await?;
        // The personal access token that created it; none if a session did.
        manager
            .alter_table(
                Table::alter().table("webhooks").add_column(uuid_null("token_id")).to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .alter_table(Table::alter().table("webhooks").drop_column("token_id").to_owned())
            .await?;
        manager
            .alter_table(
                Table::alter()
                    .table("webhook_deliveries")
                    .add_column(string("host").default(""))
                    .to_owned(),
            )
            .await?;
        let index =
            Index::drop().name("webhook_deliveries_queues").table("webhook_deliveries").to_owned();
        manager.drop_index(index).await
    }
}
