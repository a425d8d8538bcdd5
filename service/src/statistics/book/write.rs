//! Rows that have changed, to the store: many at once.

use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait, IdenStatic, IntoActiveModel, Iterable,
    PrimaryKeyToColumn,
    sea_query::{Alias, Expr, ExprTrait, OnConflict},
};

use super::{Book, Kept};
use store::entities::{
    board_entry, board_rank, match_result, player_day, player_game, player_pair, rated_match,
    stat_cell,
};

/// SQLite binds at most 32,766 values a statement.
const VALUES: usize = 30_000;

/// Inserts rows; `conflict` says what becomes of those that are there already.
async fn insert<E>(
    db: &impl ConnectionTrait,
    rows: Vec<E::Model>,
    conflict: Option<OnConflict>,
) -> Result<(), DbErr>
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

/// The columns that are no part of the key.
fn values<E: EntityTrait>() -> impl Iterator<Item = E::Column> {
    let keys: Vec<_> = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column).collect();
    E::Column::iter().filter(move |column| keys.iter().all(|key| key.as_str() != column.as_str()))
}

/// The new row takes the place of the old one.
fn replace<E: EntityTrait>() -> OnConflict {
    OnConflict::columns(E::PrimaryKey::iter()).update_columns(values::<E>()).to_owned()
}

/// The counts of the new row are added to those of the old one.
fn add<E: EntityTrait>() -> OnConflict {
    let table = Alias::new(E::default().table_name());
    let sums = values::<E>().map(|column| {
        let standing = Expr::col((table.clone(), column));
        let added = Expr::col((Alias::new("excluded"), column));
        (column, standing.add(added))
    });
    OnConflict::columns(E::PrimaryKey::iter()).values(sums).to_owned()
}

/// A row that has to be written, and is taken for written from now on.
fn changed<'a, K, T>((key, kept): (&'a K, &'a mut Kept<T>)) -> Option<(&'a K, &'a T)> {
    std::mem::take(&mut kept.changed).then_some((key, &kept.row))
}

impl Book {
    /// Rows of which there are only ever more, and counts that are added to those in the store.
    pub(in crate::statistics) async fn write_added(
        &mut self,
        db: &impl ConnectionTrait,
    ) -> Result<(), DbErr> {
        let generation = self.generation;
        insert::<match_result::Entity>(db, std::mem::take(&mut self.results), None).await?;
        insert::<rated_match::Entity>(db, std::mem::take(&mut self.history), None).await?;
        let days = std::mem::take(&mut self.days)
            .into_iter()
            .map(|((player_id, day, game), [played, won])| player_day::Model {
                generation,
                player_id,
                day,
                game: game.to_owned(),
                played,
                won,
            })
            .collect();
        insert::<player_day::Entity>(db, days, Some(add::<player_day::Entity>())).await?;
        let pairs = std::mem::take(&mut self.pairs)
            .into_iter()
            .map(|((one, two, game), [played, one_ahead, two_ahead, one_won, two_won])| {
                player_pair::Model {
                    generation,
                    one,
                    two,
                    game: game.to_owned(),
                    played,
                    one_ahead,
                    two_ahead,
                    one_won,
                    two_won,
                }
            })
            .collect();
        insert::<player_pair::Entity>(db, pairs, Some(add::<player_pair::Entity>())).await
    }

    /// Rows that are written as they are.
    pub(super) async fn write_kept(&mut self, db: &impl ConnectionTrait) -> Result<(), DbErr> {
        let generation = self.generation;
        let cells = self
            .cells
            .iter_mut()
            .filter_map(changed)
            .map(|((game, period, seats, version), cell)| stat_cell::Model {
                generation,
                game: (*game).to_owned(),
                period: period.clone(),
                seats: (*seats).into(),
                rules_version: (*version).into(),
                cell: serde_json::to_string(cell).unwrap_or_default(),
                players: cell.players.to_bytes(),
            })
            .collect();
        insert::<stat_cell::Entity>(db, cells, Some(replace::<stat_cell::Entity>())).await?;
        let players = self
            .players
            .iter_mut()
            .filter_map(changed)
            .map(|((player_id, game), player)| player_game::Model {
                generation,
                player_id: *player_id,
                game: (*game).to_owned(),
                tally: serde_json::to_string(&player.tally).unwrap_or_default(),
                rating: player.rating.rating,
                uncertainty: player.rating.uncertainty,
                rated: player.rated,
            })
            .collect();
        insert::<player_game::Entity>(db, players, Some(replace::<player_game::Entity>())).await?;
        let boards = self
            .boards
            .iter_mut()
            .filter_map(changed)
            .filter_map(|((board, player_id), entry)| {
                let entry = (*entry)?;
                Some(board_entry::Model {
                    generation,
                    board: board.clone(),
                    player_id: *player_id,
                    score: entry.score,
                    at: entry.at.micros(),
                    rating: entry.rating.map(|rating| rating.rating),
                    uncertainty: entry.rating.map(|rating| rating.uncertainty),
                })
            })
            .collect();
        insert::<board_entry::Entity>(db, boards, Some(replace::<board_entry::Entity>())).await?;
        let ranks = std::mem::take(&mut self.ranks)
            .into_iter()
            .filter(|(_, entries)| *entries != 0)
            .map(|((board, level, bucket), entries)| board_rank::Model {
                generation,
                board,
                level,
                bucket,
                entries,
            })
            .collect();
        insert::<board_rank::Entity>(db, ranks, Some(add::<board_rank::Entity>())).await
    }
}
