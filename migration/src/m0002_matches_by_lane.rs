//! The log of all matches, the feed of commits in write order, and the summaries that list matches. All of them are kept by
//! lane: see `store::lane`.

use sea_orm_migration::{
    prelude::*,
    schema::{
        big_integer, big_integer_null, binary, boolean, integer, json, small_integer, string, uuid,
        uuid_null,
    },
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // The key is the compare-and-swap of the log: no other unique key, no trigger, no serial.
        manager
            .create_table(
                Table::create()
                    .table("commits")
                    .col(small_integer("lane"))
                    .col(uuid("match_id"))
                    .col(big_integer("seq"))
                    .col(integer("count"))
                    .col(big_integer("at"))
                    .col(uuid("player_id"))
                    .col(uuid("command_id"))
                    .col(json("payload"))
                    .col(binary("hash"))
                    // The seats that the match is waiting for after this commit, one bit each.
                    .col(small_integer("waiting"))
                    .primary_key(Index::create().col("lane").col("match_id").col("seq"))
                    .to_owned(),
            )
            .await?;
        // Only columns that a move does not change, so that a move writes a single row: its commit.
        manager
            .create_table(
                Table::create()
                    .table("matches")
                    .col(small_integer("lane"))
                    .col(uuid("id"))
                    .col(string("game"))
                    .col(string("status"))
                    .col(boolean("public"))
                    .col(small_integer("seats"))
                    // The seats that have resigned, one bit each.
                    .col(small_integer("resigned"))
                    // The next deadline; matches without one are not in the index of deadlines.
                    .col(big_integer_null("due_at"))
                    .primary_key(Index::create().col("lane").col("id"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("match_seats")
                    .col(small_integer("lane"))
                    .col(uuid("match_id"))
                    .col(small_integer("seat"))
                    .col(uuid_null("player_id"))
                    .col(boolean("over"))
                    .primary_key(Index::create().col("lane").col("match_id").col("seat"))
                    .to_owned(),
            )
            .await?;
        // The feed is gapless and in commit order, because the counter is the last lock that every batch takes.
        manager
            .create_table(
                Table::create()
                    .table("lanes")
                    .col(small_integer("lane").primary_key())
                    .col(big_integer("pos"))
                    .to_owned(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("feed")
                    .col(small_integer("lane"))
                    .col(big_integer("pos"))
                    // Match id and sequence number of each commit of the batch, 24 bytes each.
                    .col(binary("commits"))
                    .primary_key(Index::create().col("lane").col("pos"))
                    .to_owned(),
            )
            .await?;
        // One row: how many lanes there are, and whether each has a feed of its own.
        manager
            .create_table(
                Table::create()
                    .table("store_layout")
                    .col(small_integer("id").primary_key())
                    .col(small_integer("lanes"))
                    // `shared`: the feed of lane 0 names the commits of all lanes. `lanes`: each lane has its own.
                    .col(string("feeds"))
                    // Up to this position, the feed of lane 0 names commits of all lanes.
                    .col(big_integer("shared_until"))
                    .to_owned(),
            )
            .await?;
        for (name, table, columns) in [
            ("matches_by_id", "matches", ["id"].as_slice()),
            ("matches_by_game", "matches", &["game", "id"]),
            ("matches_by_status", "matches", &["status", "id"]),
            ("match_seats_by_player", "match_seats", &["player_id", "match_id"]),
            ("match_seats_going_on", "match_seats", &["player_id", "over", "match_id"]),
        ] {
            let mut index = Index::create();
            index.name(name).table(table);
            for column in columns {
                index.col(*column);
            }
            manager.create_index(index).await?;
        }
        let due = "CREATE INDEX matches_due ON matches (due_at, id) WHERE due_at IS NOT NULL";
        manager.get_connection().execute_unprepared(due).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["store_layout", "feed", "lanes", "match_seats", "matches", "commits"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}
