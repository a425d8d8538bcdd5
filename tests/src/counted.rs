//! Everything that the statistics have counted, as text that can be compared.

use sea_orm::EntityTrait;
use store::{
    EventLog,
    entities::{
        board_entry, board_rank, match_result, player_day, player_game, player_pair, player_result,
        projection, stat_cell,
    },
};

/// The current generation and how far it has counted.
pub async fn place(store: &EventLog) -> projection::Model {
    projection::Entity::find().one(store.database()).await.unwrap().unwrap()
}

/// Every row of the current generation, sorted.
pub async fn everything(store: &EventLog) -> Vec<String> {
    let read = place(store).await.generation;
    let mut all = Vec::new();
    macro_rules! table {
        ($entity:ident) => {
            for mut row in $entity::Entity::find().all(store.database()).await.unwrap() {
                if row.generation == read {
                    row.generation = 0;
                    all.push(format!("{row:?}"));
                }
            }
        };
    }
    table!(match_result);
    table!(stat_cell);
    table!(player_game);
    table!(player_day);
    table!(player_pair);
    table!(player_result);
    table!(board_entry);
    for mut row in board_rank::Entity::find().all(store.database()).await.unwrap() {
        if row.generation == read && row.entries != 0 {
            row.generation = 0;
            all.push(format!("{row:?}"));
        }
    }
    all.sort();
    all
}
