//! Watchers; webhooks and their deliveries.

use sea_orm_migration::{
    prelude::*,
    schema::{
        big_integer, big_integer_null, boolean, small_integer, string, string_null, text, uuid,
        uuid_null,
    },
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in tables() {
            manager.create_table(table).await?;
        }
        for (name, table, columns) in [
            ("webhooks_by_player", "webhooks", ["player_id", "id"]),
            ("webhooks_by_match", "webhooks", ["match_id", "id"]),
            ("webhook_deliveries_by_webhook", "webhook_deliveries", ["webhook_id", "id"]),
            ("webhook_deliveries_due", "webhook_deliveries", ["due_at", "id"]),
        ] {
            let mut index = Index::create();
            index.name(name).table(table);
            for column in columns {
                index.col(column);
            }
            manager.create_index(index).await?;
        }
        manager
            .exec_stmt(
                Query::insert()
                    .into_table("followers")
                    .columns(["name", "pos"])
                    .values_panic(["webhooks".into(), "0".into()])
                    .to_owned(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["followers", "webhook_deliveries", "webhooks", "presence"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

fn tables() -> [TableCreateStatement; 4] {
    [
        Table::create()
            .table("presence")
            .col(small_integer("lane"))
            .col(uuid("match_id"))
            .col(small_integer("seat"))
            .col(uuid("replica"))
            .col(big_integer("expires_at"))
            .primary_key(Index::create().col("lane").col("match_id").col("seat").col("replica"))
            .to_owned(),
        Table::create()
            .table("webhooks")
            .col(uuid("id").primary_key())
            .col(uuid("player_id"))
            .col(text("url"))
            // The subscribed kinds of notifications, separated by commas.
            .col(text("events"))
            .col(string_null("game"))
            .col(uuid_null("match_id"))
            // The signing key, stored in plain text because the server needs it to sign.
            .col(string("secret"))
            .col(boolean("active"))
            // Why it was deactivated, unless its owner did it.
            .col(string_null("notice"))
            .col(big_integer("created_at"))
            .col(big_integer("updated_at"))
            .to_owned(),
        Table::create()
            .table("webhook_deliveries")
            .col(uuid("id").primary_key())
            .col(uuid("webhook_id"))
            // Deliveries are scheduled per host, so that a slow host delays only itself.
            .col(string("host"))
            .col(string("kind"))
            .col(text("payload"))
            // `pending`, `delivered` or `dead`.
            .col(string("state"))
            // When a pending delivery is tried next. A replica moves this forward before it tries: that is its lease.
            .col(big_integer_null("due_at"))
            .col(small_integer("tries"))
            // The result of each attempt, in JSON.
            .col(text("attempts"))
            .col(big_integer("created_at"))
            .to_owned(),
        // The position of each follower of the feed.
        Table::create()
            .table("followers")
            .col(string("name").primary_key())
            .col(text("pos"))
            .to_owned(),
    ]
}
