//! Statistics, ratings and leaderboards, all derived from the log and rebuilt by `telar rebuild`. Rows of different
//! generations coexist; requests read the generation that `projections` names.

use sea_orm_migration::{
    prelude::*,
    schema::{
        big_integer, big_integer_null, binary, boolean, double, double_null, integer,
        small_integer, string, string_null, text, uuid,
    },
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // When the player became an account.
        manager
            .alter_table(
                Table::alter()
                    .table("players")
                    .add_column(big_integer_null("account_since"))
                    .to_owned(),
            )
            .await?;
        manager
            .exec_stmt(
                Query::update()
                    .table("players")
                    .value("account_since", Expr::col("created_at"))
                    .and_where(Expr::col("password_hash").is_not_null())
                    .to_owned(),
            )
            .await?;
        for table in tables() {
            manager.create_table(table).await?;
        }
        manager
            .exec_stmt(
                Query::insert()
                    .into_table("projections")
                    .columns(["name", "generation", "pos", "counted", "last_generation"])
                    .values_panic(["statistics".into(), 1.into(), "0".into(), 0.into(), 1.into()])
                    .to_owned(),
            )
            .await?;
        for (name, table, columns) in [
            ("boards_by_score", "boards", ["generation", "board", "score", "player_id"]),
            ("ratings_by_game", "rating_history", ["generation", "player_id", "game", "number"]),
        ] {
            let mut index = Index::create();
            index.name(name).table(table);
            for column in columns {
                index.col(column);
            }
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            "board_ranks",
            "boards",
            "rating_history",
            "player_pairs",
            "player_days",
            "player_games",
            "stat_cells",
            "match_results",
            "projections",
        ] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        manager
            .alter_table(Table::alter().table("players").drop_column("account_since").to_owned())
            .await
    }
}

fn tables() -> impl Iterator<Item = TableCreateStatement> {
    tables_of_games().into_iter().chain(tables_of_players()).chain(tables_of_boards())
}

fn tables_of_games() -> [TableCreateStatement; 3] {
    [
        Table::create()
            .table("projections")
            .col(string("name").primary_key())
            // The generation that requests read.
            .col(big_integer("generation"))
            // The last position of the feed that has been counted.
            .col(text("pos"))
            // The number of matches counted.
            .col(big_integer("counted"))
            // The newest generation; a rebuild of an older one has been superseded.
            .col(big_integer("last_generation"))
            .to_owned(),
        Table::create()
            .table("match_results")
            .col(small_integer("lane"))
            .col(big_integer("generation"))
            .col(uuid("match_id"))
            .col(big_integer("number"))
            .col(string_null("unrated_because"))
            // The changes of ratings, one entry per seat, in JSON.
            .col(text("changes"))
            .primary_key(Index::create().col("lane").col("generation").col("match_id"))
            .to_owned(),
        Table::create()
            .table("stat_cells")
            .col(big_integer("generation"))
            .col(string("game"))
            // `a` for all time, `m2026-11` a month, `w2026-11-16` a week, `d2026-11-16` a day.
            .col(string("period"))
            // 0 for any number of seats; then the version is 0 too.
            .col(small_integer("seats"))
            .col(integer("rules_version"))
            .col(text("cell"))
            // The smallest hashes of player ids, 8 bytes each.
            .col(binary("players"))
            .primary_key(
                Index::create()
                    .col("generation")
                    .col("game")
                    .col("period")
                    .col("seats")
                    .col("rules_version"),
            )
            .to_owned(),
    ]
}

fn tables_of_players() -> [TableCreateStatement; 4] {
    [
        Table::create()
            .table("player_games")
            .col(big_integer("generation"))
            .col(uuid("player_id"))
            // Empty for all games together.
            .col(string("game"))
            .col(text("tally"))
            .col(double("rating"))
            .col(double("uncertainty"))
            .col(big_integer("rated"))
            .primary_key(Index::create().col("generation").col("player_id").col("game"))
            .to_owned(),
        Table::create()
            .table("player_days")
            .col(big_integer("generation"))
            .col(uuid("player_id"))
            // Days since 1970-01-01.
            .col(integer("day"))
            .col(string("game"))
            .col(big_integer("played"))
            .col(big_integer("won"))
            .primary_key(Index::create().col("generation").col("player_id").col("day").col("game"))
            .to_owned(),
        Table::create()
            .table("player_pairs")
            .col(big_integer("generation"))
            // The smaller of the two ids.
            .col(uuid("one"))
            .col(uuid("two"))
            .col(string("game"))
            .col(big_integer("played"))
            .col(big_integer("one_ahead"))
            .col(big_integer("two_ahead"))
            .col(big_integer("one_won"))
            .col(big_integer("two_won"))
            .primary_key(Index::create().col("generation").col("one").col("two").col("game"))
            .to_owned(),
        Table::create()
            .table("rating_history")
            .col(big_integer("generation"))
            .col(uuid("player_id"))
            // Matches are numbered in the order in which they are counted.
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
            .to_owned(),
    ]
}

fn tables_of_boards() -> [TableCreateStatement; 2] {
    [
        Table::create()
            .table("boards")
            .col(big_integer("generation"))
            // Game, kind and period, as in `qwinto/wins/2026-11`.
            .col(string("board"))
            .col(uuid("player_id"))
            // Higher is better.
            .col(big_integer("score"))
            .col(big_integer("at"))
            .col(double_null("rating"))
            .col(double_null("uncertainty"))
            .primary_key(Index::create().col("generation").col("board").col("player_id"))
            .to_owned(),
        // The number of entries of a leaderboard with a score in `bucket * 64^level ..= bucket * 64^level + 64^level - 1`.
        Table::create()
            .table("board_ranks")
            .col(big_integer("generation"))
            .col(string("board"))
            .col(small_integer("level"))
            .col(big_integer("bucket"))
            .col(big_integer("entries"))
            .primary_key(Index::create().col("generation").col("board").col("level").col("bucket"))
            .to_owned(),
    ]
}
