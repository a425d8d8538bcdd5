//! Statistics of matches with bots are kept apart from those without, so that they can be left out. Statistics are counted
//! again from the beginning of the feed.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, binary, boolean, integer, small_integer, string, text},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// The other tables of statistics.
const TABLES: [&str; 7] = [
    "match_results",
    "player_games",
    "player_days",
    "player_pairs",
    "player_results",
    "boards",
    "board_ranks",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        replace_cells(manager, true).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        replace_cells(manager, false).await
    }
}

/// Replaces the table of cells by an empty one, and lets a server count everything again.
async fn replace_cells(manager: &SchemaManager<'_>, by_bots: bool) -> Result<(), DbErr> {
    for table in TABLES {
        manager.exec_stmt(Query::delete().from_table(table).to_owned()).await?;
    }
    let start = Query::update()
        .table("projections")
        .value("pos", "0")
        .value("counted", 0)
        .value("unsettled_since", Option::<i64>::None)
        .to_owned();
    manager.exec_stmt(start).await?;
    manager.drop_table(Table::drop().table("stat_cells").to_owned()).await?;
    manager.create_table(cells(by_bots)).await
}

fn cells(by_bots: bool) -> TableCreateStatement {
    let mut key = Index::create();
    for column in ["generation", "game", "period", "seats", "rules_version"] {
        key.col(column);
    }
    let mut table = Table::create();
    table
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
        .col(binary("players"));
    if by_bots {
        // Whether bots played in these matches.
        table.col(boolean("bots"));
        key.col("bots");
    }
    table.primary_key(&mut key).to_owned()
}
