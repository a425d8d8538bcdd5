//! Ratings and streaks follow the order in which matches ended, in whatever order they arrive.

use std::{collections::BTreeMap, time::Duration};

use domain::games;
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use sea_orm::{ActiveValue::Set, EntityTrait};
use serde_json::Value;
use service::{
    feed::Progress,
    statistics::{rebuild, step_in_stretches},
};
use store::{
    EventLog,
    entities::{board_entry, player, player_game, player_result},
    event_log::WholeMatch,
};
use tests::{
    counted::{everything, place},
    history,
    postgres::new_database,
    server::Store,
};
use uuid::Uuid;

use crate::statistics::recount::{History, Played};

/// 2026-03-31T23:59:30Z: half a minute before another month and another season.
const START: i64 = 1_775_001_570_000_000;
const SECOND: i64 = 1_000_000;
const MATCHES: u128 = 120;

struct Luck(ChaCha8Rng);

impl Luck {
    fn below(&mut self, end: usize) -> usize {
        self.0.next_u32() as usize % end
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A log on its own store, six players with accounts and one without.
async fn log(kind: Store) -> (EventLog, Vec<Uuid>, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let database = match kind {
        Store::Sqlite => None,
        Store::Postgres => Some(new_database().await),
    };
    let config = api::config::Config::for_directory(directory.path().to_owned(), database);
    let log = tests::open_log(&config).await;
    let ids: Vec<Uuid> = (1..=7).map(Uuid::from_u128).collect();
    let rows = ids.iter().map(|id| player::ActiveModel {
        id: Set(*id),
        name: Set(format!("Player {}", id.as_u128())),
        name_key: Set(None),
        look_key: Set(None),
        email: Set(None),
        password_hash: Set(None),
        created_at: Set(0),
        account_since: Set((id.as_u128() <= 6).then_some(0)),
        ..Default::default()
    });
    player::Entity::insert_many(rows).exec_without_returning(log.database()).await.unwrap();
    (log, ids, directory)
}

/// Matches of two games with two or three seats. Many of them end at the same time.
fn matches(players: &[Uuid], luck: &mut Luck) -> Vec<WholeMatch> {
    let mut ids: Vec<u128> = (1_000..1_000 + MATCHES).collect();
    luck.shuffle(&mut ids);
    let matches = ids.into_iter().map(|id| {
        let game = games::find(["qwinto", "ettana"][luck.below(2)]).unwrap();
        let mut players = players.to_vec();
        luck.shuffle(&mut players);
        players.truncate(2 + luck.below(2));
        let end = START + SECOND * i64::try_from(luck.below(60)).unwrap();
        history::resigned(Uuid::from_u128(id), game, &players, (START - SECOND, end))
    });
    matches.collect()
}

/// How matches arrive.
#[derive(Debug, Clone, Copy)]
enum Arrival {
    InOrder,
    NearlyInOrder,
    Backwards,
    AtRandom,
}

impl Arrival {
    fn arrange(self, matches: &mut [WholeMatch], luck: &mut Luck) {
        matches.sort_by_key(|it| (it.end.updated_at(), it.end.id()));
        match self {
            Self::InOrder => {}
            Self::NearlyInOrder => {
                for first in (0..matches.len().saturating_sub(3)).step_by(2) {
                    matches.swap(first, first + 1 + luck.below(3));
                }
            }
            Self::Backwards => matches.reverse(),
            Self::AtRandom => luck.shuffle(matches),
        }
    }
}

/// The rating of every player in every game, from the rows that show it.
async fn check_that_histories_end_with_the_rating(store: &EventLog) {
    let generation = place(store).await.generation;
    let mut last: BTreeMap<(Uuid, String), (i64, Uuid, f64, f64)> = BTreeMap::new();
    let mut counts: BTreeMap<(Uuid, String), i64> = BTreeMap::new();
    for row in player_result::Entity::find().all(store.database()).await.unwrap() {
        let (Some(rating), Some(uncertainty)) = (row.rating, row.uncertainty) else { continue };
        if row.generation == generation && row.rated {
            let key = (row.player_id, row.game);
            let point = (row.ended_at, row.match_id, rating, uncertainty);
            let newest = last.entry(key.clone()).or_insert(point);
            if (newest.0, newest.1) <= (point.0, point.1) {
                *newest = point;
            }
            *counts.entry(key).or_default() += 1;
        }
    }
    let players = player_game::Entity::find().all(store.database()).await.unwrap();
    for row in players.iter().filter(|row| row.generation == generation && row.rated > 0) {
        let key = (row.player_id, row.game.clone());
        let (_, _, rating, uncertainty) = last.remove(&key).expect("a history");
        assert_eq!((row.rating, row.uncertainty, row.rated), (rating, uncertainty, counts[&key]));
        let board = format!("{}/rating/all", row.game);
        let entry = board_entry::Entity::find_by_id((generation, board, row.player_id));
        let entry = entry.one(store.database()).await.unwrap().expect("an entry");
        assert_eq!((entry.rating, entry.uncertainty), (Some(rating), Some(uncertainty)));
    }
    assert!(last.is_empty(), "{last:?}");
}

/// Wins in a row at the end, and the most.
fn streaks(history: &History, player: Uuid, game: &str) -> (usize, usize) {
    let is_mine =
        |it: &&Played| it.seat_of(player).is_some() && (game.is_empty() || game == it.game);
    let mine: Vec<&Played> = history.played.iter().filter(is_mine).collect();
    let runs = mine.split(|it| !it.standing(player).unwrap().won).map(<[&Played]>::len);
    let runs: Vec<usize> = runs.collect();
    (*runs.last().unwrap(), *runs.iter().max().unwrap())
}

/// Compares the rows of players with a recount from the logs.
async fn check_players(store: &EventLog, accounts: &[Uuid]) {
    let history = History::read(store, accounts).await;
    assert_eq!(history.played.len() as u128, MATCHES);
    let ratings = history.ratings();
    assert!(ratings.len() > 20, "{} rated matches", ratings.len());
    let generation = place(store).await.generation;
    for row in player_game::Entity::find().all(store.database()).await.unwrap() {
        assert_eq!(row.generation, generation);
        let tally: Value = serde_json::from_str(&row.tally).unwrap();
        let (current, longest) = streaks(&history, row.player_id, &row.game);
        assert_eq!(
            (&tally["streak"], &tally["longest_streak"]),
            (&current.into(), &longest.into())
        );
        let last = history.played.iter().rev().find(|it| {
            it.game == row.game
                && ratings.contains_key(&it.id)
                && it.seat_of(row.player_id).is_some()
        });
        let Some(last) = last else { continue };
        let (_, (mu, sigma)) = ratings[&last.id][last.seat_of(row.player_id).unwrap()];
        assert!((row.rating - mu).abs() < 1e-9 && (row.uncertainty - sigma).abs() < 1e-9);
    }
}

async fn matches_in_any_order_give_the_same_rows(kind: Store) {
    for (seed, arrival) in (0_u64..).zip([
        Arrival::InOrder,
        Arrival::NearlyInOrder,
        Arrival::Backwards,
        Arrival::AtRandom,
        Arrival::AtRandom,
    ]) {
        let mut luck = Luck(ChaCha8Rng::seed_from_u64(seed));
        let (store, players, _directory) = log(kind).await;
        let mut waiting = matches(&players, &mut luck);
        arrival.arrange(&mut waiting, &mut luck);
        let mut unsettled = 0;
        while !waiting.is_empty() {
            let batch = waiting.drain(..waiting.len().min(1 + luck.below(20))).collect();
            store.import(batch).await.unwrap();
            for _ in 0..luck.below(4) {
                let stretch = [1, 7, 40, 1_000][luck.below(4)];
                step_in_stretches(&store, stretch).await.unwrap();
                check_that_histories_end_with_the_rating(&store).await;
                unsettled += usize::from(place(&store).await.unsettled_since.is_some());
            }
        }
        while step_in_stretches(&store, 7).await.unwrap() != Progress::Idle {
            check_that_histories_end_with_the_rating(&store).await;
        }
        assert_eq!(unsettled > 0, !matches!(arrival, Arrival::InOrder), "{arrival:?}");
        check_players(&store, &players[..6]).await;
        let live = everything(&store).await;
        rebuild(&store, Duration::ZERO).await.unwrap();
        let rebuilt = everything(&store).await;
        let differences: Vec<_> =
            live.iter().zip(&rebuilt).filter(|(one, two)| one != two).take(3).collect();
        assert!(differences.is_empty(), "{arrival:?}: {differences:#?}");
        assert_eq!(live.len(), rebuilt.len());
        assert_eq!(place(&store).await.unsettled_since, None);
    }
}

mod matches_in_any_order_give_the_same_rows {
    #[actix_web::test]
    async fn sqlite() {
        super::matches_in_any_order_give_the_same_rows(super::Store::Sqlite).await;
    }

    #[actix_web::test]
    async fn postgres() {
        super::matches_in_any_order_give_the_same_rows(super::Store::Postgres).await;
    }
}
