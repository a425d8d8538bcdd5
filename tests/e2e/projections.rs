//! Statistics that follow the log equal statistics rebuilt from it, whatever happens in between.

use std::time::Duration;

use api::config::Config;
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use sea_orm::{ActiveValue::Set, EntityTrait};
use service::{
    feed::Progress,
    statistics::{RebuildError, rebuild, step},
};
use store::{
    EventLog,
    entities::{player, stat_cell},
};
use tests::{
    counted::{everything, place},
    history::{self, Cast},
    postgres::new_database,
    server::Store,
};
use uuid::Uuid;

/// A log on its own store, and the players, some of them with accounts.
async fn log(kind: Store) -> (EventLog, Config, Cast, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let database = match kind {
        Store::Sqlite => None,
        Store::Postgres => Some(new_database().await),
    };
    let config = Config::for_directory(directory.path().to_owned(), database);
    let log = tests::open_log(&config).await;
    let ids: Vec<Uuid> = (1..=9).map(Uuid::from_u128).collect();
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
    let cast = Cast { accounts: ids[..6].to_vec(), guests: ids[6..].to_vec() };
    (log, config, cast, directory)
}

#[track_caller]
fn assert_same(one: &[String], two: &[String]) {
    let differences: Vec<_> = one.iter().zip(two).filter(|(one, two)| one != two).take(3).collect();
    assert!(differences.is_empty(), "{differences:#?}");
    assert_eq!(one.len(), two.len());
}

async fn a_crash_at_any_moment_changes_nothing(kind: Store) {
    let (store, _, cast, _directory) = log(kind).await;
    let mut luck = ChaCha8Rng::seed_from_u64(5);
    let mut crashes = 0;
    for part in 0..4 {
        history::write(&store, &cast, part * 25..(part + 1) * 25).await;
        // With growing intervals, so that every part is counted in the end.
        let mut patience = 200;
        loop {
            let micros = u64::from(luck.next_u32()) % patience;
            match tokio::time::timeout(Duration::from_micros(micros), step(&store)).await {
                Ok(stepped) => {
                    if stepped.unwrap() == Progress::Idle {
                        break;
                    }
                }
                Err(_) => crashes += 1,
            }
            patience += patience / 4;
        }
    }
    assert!(crashes > 20, "{crashes} crashes");
    let (before, at) = (everything(&store).await, place(&store).await);
    assert!(before.len() > 500, "{} rows", before.len());
    let rebuilt = rebuild(&store, Duration::ZERO).await.unwrap();
    assert_same(&before, &everything(&store).await);
    let now = place(&store).await;
    assert_eq!((now.pos, now.counted), (at.pos, at.counted));
    assert_eq!(i64::try_from(rebuilt.matches).unwrap(), at.counted);
    assert!(now.generation > at.generation);
    // Nothing is left of the old one.
    let cells = stat_cell::Entity::find().all(store.database()).await.unwrap();
    assert!(cells.iter().all(|cell| cell.generation == now.generation));
}

async fn matches_that_end_during_a_rebuild_are_counted_once(kind: Store) {
    let (store, config, cast, _directory) = log(kind).await;
    history::write(&store, &cast, 0..50).await;
    history::settle(&store).await;
    let other = tests::open_log(&config).await;
    let going_on = async {
        for part in 0..8 {
            history::write(&other, &cast, 100 + part * 10..100 + (part + 1) * 10).await;
            step(&other).await.unwrap();
        }
    };
    let again = async {
        for _ in 0..3 {
            rebuild(&store, Duration::ZERO).await.unwrap();
        }
    };
    tokio::join!(going_on, again);
    history::settle(&store).await;
    let before = everything(&store).await;
    rebuild(&store, Duration::ZERO).await.unwrap();
    assert_same(&before, &everything(&store).await);
}

async fn of_two_rebuilds_the_later_one_wins(kind: Store) {
    let (store, config, cast, _directory) = log(kind).await;
    history::write(&store, &cast, 0..30).await;
    history::settle(&store).await;
    let before = everything(&store).await;
    let other = tests::open_log(&config).await;
    let (one, two) = tokio::join!(rebuild(&store, Duration::ZERO), rebuild(&other, Duration::ZERO));
    for result in [&one, &two] {
        assert!(matches!(result, Ok(_) | Err(RebuildError::Overtaken)), "{result:?}");
    }
    assert!(one.is_ok() || two.is_ok());
    assert_same(&before, &everything(&store).await);
    assert_eq!(place(&store).await.generation, place(&store).await.last_generation);
}

/// Several replicas on one store, each following the feed.
async fn many_followers_count_each_match_once(kind: Store) {
    let (store, config, cast, _directory) = log(kind).await;
    let mut followers = Vec::new();
    for _ in 0..4 {
        followers.push(tests::open_log(&config).await);
    }
    let writing = async {
        for part in 0..5 {
            history::write(&store, &cast, part * 20..(part + 1) * 20).await;
        }
    };
    let following = futures_util::future::join_all(followers.iter().map(async |follower| {
        for _ in 0..40 {
            step(follower).await.unwrap();
            tokio::task::yield_now().await;
        }
    }));
    tokio::join!(writing, following);
    history::settle(&store).await;
    let before = everything(&store).await;
    rebuild(&store, Duration::ZERO).await.unwrap();
    assert_same(&before, &everything(&store).await);
}

macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        $(mod $name {
            #[actix_web::test]
            async fn sqlite() {
                super::$name(super::Store::Sqlite).await;
            }

            #[actix_web::test]
            async fn postgres() {
                super::$name(super::Store::Postgres).await;
            }
        })*
    };
}

on_both!(
    a_crash_at_any_moment_changes_nothing,
    matches_that_end_during_a_rebuild_are_counted_once,
    of_two_rebuilds_the_later_one_wins,
    many_followers_count_each_match_once,
);
