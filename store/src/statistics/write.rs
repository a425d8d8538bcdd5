//! Writing many rows at once.

use sea_orm::{
    ActiveModelTrait, EntityTrait, IdenStatic, IntoActiveModel, Iterable, PrimaryKeyToColumn,
    sea_query::{Alias, Expr, ExprTrait, OnConflict},
};

use super::{BoardEntry, BoardRank, CellRow, PlayerDay, PlayerGame, PlayerPair, PlayerResult};
use uuid::Uuid;

use crate::{
    Connection,
    entities::{
        board_entry, board_rank, match_result, player_day, player_game, player_pair, player_result,
        stat_cell,
    },
    error::Result,
    lane::Lanes,
};

/// SQLite binds at most 32,766 values per statement.
const VALUES: usize = 30_000;

/// A match that has been counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchResult {
    /// The generation that the row belongs to.
    pub generation: i64,
    /// The match.
    pub match_id: Uuid,
    /// Why it is not rated.
    pub unrated_because: Option<String>,
}

impl From<match_result::Model> for MatchResult {
    fn from(row: match_result::Model) -> Self {
        let match_result::Model { generation, match_id, unrated_because, .. } = row;
        Self { generation, match_id, unrated_because }
    }
}

impl MatchResult {
    fn into_row(self, lanes: Lanes) -> match_result::Model {
        let Self { generation, match_id, unrated_because } = self;
        let lane = lanes.of(match_id).column();
        match_result::Model { lane, generation, match_id, unrated_because }
    }
}

/// Rows that are appended, and counts that are added to those in the store.
#[derive(Debug, Default)]
pub struct AppendedRows {
    /// Results of matches.
    pub results: Vec<MatchResult>,
    /// Results of players.
    pub player_results: Vec<PlayerResult>,
    /// Counts by player and day.
    pub days: Vec<PlayerDay>,
    /// Counts by pair of players.
    pub pairs: Vec<PlayerPair>,
}

/// Rows that replace those in the store, and the changes of ranks that go with them.
#[derive(Debug, Default)]
pub struct ReplacedRows {
    /// Statistics of games.
    pub cells: Vec<CellRow>,
    /// Statistics of players.
    pub players: Vec<PlayerGame>,
    /// Results of players that have been worked out again.
    pub player_results: Vec<PlayerResult>,
    /// Entries on boards.
    pub boards: Vec<BoardEntry>,
    /// Changes of the number of entries per bucket, added to the numbers in the store.
    pub ranks: Vec<BoardRank>,
}

/// Appends rows and adds counts.
pub async fn append(db: &impl Connection, rows: AppendedRows) -> Result<()> {
    let lanes = db.lanes();
    let results = rows.results.into_iter().map(|result| result.into_row(lanes)).collect();
    insert::<match_result::Entity>(db, results, None).await?;
    insert::<player_result::Entity>(db, rows.player_results, None).await?;
    insert::<player_day::Entity>(db, rows.days, Some(added::<player_day::Entity>())).await?;
    insert::<player_pair::Entity>(db, rows.pairs, Some(added::<player_pair::Entity>())).await
}

/// Replaces rows and changes ranks.
pub async fn replace(db: &impl Connection, rows: ReplacedRows) -> Result<()> {
    insert::<stat_cell::Entity>(db, rows.cells, Some(replaced::<stat_cell::Entity>())).await?;
    let players = Some(replaced::<player_game::Entity>());
    insert::<player_game::Entity>(db, rows.players, players).await?;
    let results = Some(replaced::<player_result::Entity>());
    insert::<player_result::Entity>(db, rows.player_results, results).await?;
    let boards = Some(replaced::<board_entry::Entity>());
    insert::<board_entry::Entity>(db, rows.boards, boards).await?;
    insert::<board_rank::Entity>(db, rows.ranks, Some(added::<board_rank::Entity>())).await
}

/// Inserts rows; `conflict` says what to do with rows whose key is taken.
async fn insert<E>(
    db: &impl Connection,
    rows: Vec<E::Model>,
    conflict: Option<OnConflict>,
) -> Result<()>
where
    E: EntityTrait,
    E::Model: IntoActiveModel<E::ActiveModel>,
    E::ActiveModel: ActiveModelTrait<Entity = E>,
{
    let size = VALUES / E::Column::iter().count().max(1);
    let mut rows = rows.into_iter();
    loop {
        let chunk: Vec<E::ActiveModel> =
            rows.by_ref().take(size).map(IntoActiveModel::into_active_model).collect();
        if chunk.is_empty() {
            return Ok(());
        }
        let mut insert = E::insert_many(chunk);
        if let Some(conflict) = &conflict {
            insert = insert.on_conflict(conflict.clone());
        }
        insert.exec_without_returning(db).await?;
    }
}

/// The columns outside the primary key.
fn values<E: EntityTrait>() -> impl Iterator<Item = E::Column> {
    let keys: Vec<_> = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column).collect();
    E::Column::iter().filter(move |column| keys.iter().all(|key| key.as_str() != column.as_str()))
}

/// The new row replaces the old one.
fn replaced<E: EntityTrait>() -> OnConflict {
    OnConflict::columns(E::PrimaryKey::iter()).update_columns(values::<E>()).to_owned()
}

/// The counts of the new row are added to those of the old one.
fn added<E: EntityTrait>() -> OnConflict {
    let table = Alias::new(E::default().table_name());
    let sums = values::<E>().map(|column| {
        let old = Expr::col((table.clone(), column));
        let new = Expr::col((Alias::new("excluded"), column));
        (column, old.add(new))
    });
    OnConflict::columns(E::PrimaryKey::iter()).values(sums).to_owned()
}
