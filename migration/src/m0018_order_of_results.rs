//! The results of players in the order in which matches ended, with what follows from that order: ratings and streaks. They
//! replace the rating history, which followed the feed. Statistics are counted again from the beginning of the feed.

use sea_orm_migration::{
    prelude::*,
    schema::{
        big_integer, big_integer_null, boolean, double, double_null, small_integer, string, text,
        uuid,
    },
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// The tables of statistics that stay.
const TABLES: [&str; 7] = [
    "match_results",
    "stat_cells",
    "player_games",
    "player_days",
    "player_pairs",
    "boards",
    "board_ranks",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        count_again(manager).await?;
        manager.drop_table(Table::drop().table("rating_history").to_owned()).await?;
        for column in ["number", "changes"] {
            let table = Table::alter().table("match_results").drop_column(column).to_owned();
            manager.alter_table(table).await?;
        }
        manager
            .alter_table(
                Table::alter()
                    .table("projections")
                    // What depends on the order is not worked out yet for matches that ended at this time or later.
                    .add_column(big_integer_null("unsettled_since"))
                    .to_owned(),
            )
            .await?;
        manager.create_table(player_results()).await?;
        let mut index = Index::create();
        index.name("results_by_player").table("player_results");
        for column in ["generation", "player_id", "game", "ended_at", "match_id", "rated"] {
            index.col(column);
        }
        manager.create_index(index).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        count_again(manager).await?;
        manager.drop_table(Table::drop().table("player_results").to_owned()).await?;
        let column = Table::alter().table("projections").drop_column("unsettled_since").to_owned();
        manager.alter_table(column).await?;
        for column in [big_integer("number").default(0), text("changes").default("[]")] {
            let table = Table::alter().table("match_results").add_column(column).to_owned();
            manager.alter_table(table).await?;
        }
        manager.create_table(rating_history()).await?;
        let mut index = Index::create();
        index.name("ratings_by_game").table("rating_history");
        for column in ["generation", "player_id", "game", "number"] {
            index.col(column);
        }
        manager.create_index(index).await
    }
}

/// Removes all statistics. A server counts them again from the log.
async fn count_again(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in TABLES {
        manager.exec_stmt(Query::delete().from_table(table).to_owned()).await?;
    }
    let start =
        Query::update().table("projections").value("pos", "0").value("counted", 0).to_owned();
    manager.exec_stmt(start).await
}

fn player_results() -> TableCreateStatement {
    Table::create()
        .table("player_results")
        .col(big_integer("generation"))
        .col(big_integer("ended_at"))
        .col(uuid("match_id"))
        .col(small_integer("seat"))
        .col(uuid("player_id"))
        .col(string("game"))
        .col(small_integer("seats"))
        .col(small_integer("place"))
        .col(boolean("won"))
        .col(boolean("rated"))
        // The rating in this game before and after the match; null until it has been worked out.
        .col(double_null("rating_before"))
        .col(double_null("uncertainty_before"))
        .col(double_null("rating"))
        .col(double_null("uncertainty"))
        // Wins in a row after the match, and the most until then: in this game and in all.
        .col(big_integer("streak"))
        .col(big_integer("longest_streak"))
        .col(big_integer("overall_streak"))
        .col(big_integer("overall_longest_streak"))
        .primary_key(Index::create().col("generation").col("ended_at").col("match_id").col("seat"))
        .to_owned()
}

fn rating_history() -> TableCreateStatement {
    Table::create()
        .table("rating_history")
        .col(big_integer("generation"))
        .col(uuid("player_id"))
        .col(big_integer("number"))
        .col(string("game"))
        .col(uuid("match_id"))
        .col(boolean("public"))
        .col(big_integer("at"))
        .col(small_integer("place"))
        .col(small_integer("seats"))
        .col(double("rating_before"))
        .col(double("rating"))
        .col(double("uncertainty"))
        .primary_key(Index::create().col("generation").col("player_id").col("number"))
        .to_owned()
}
