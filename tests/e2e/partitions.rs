//! Partitions of the log by month: nobody notices them, the server creates them ahead of time, and archived ones go.

use std::{collections::BTreeSet, path::Path, time::Duration};

use domain::time::Timestamp;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::json;
use service::archive;
use store::{Archive, Db, EventLog, months::Month, partitions};
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    history::{self, Cast},
    open_log,
    random_play::{Plan, play},
    server::{Server, Store, frozen_clock},
};
use uuid::Uuid;

async fn tables(db: &Db) -> BTreeSet<String> {
    partitions::list(db).await.unwrap().into_iter().map(|partition| partition.table).collect()
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

async fn rows(db: &Db, table: &str) -> i64 {
    let sql = format!("SELECT count(*) AS rows FROM {table}");
    let row = db.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
    row.unwrap().try_get("", "rows").unwrap()
}

async fn played(url: &str, game: &str, seed: u64) -> String {
    let game = game.to_owned();
    let plan = Plan { game, seats: 2, options: json!({}), seed, look_every: 40, replays: 2 };
    play(url, &plan).await.id
}

fn cast() -> Cast {
    Cast { accounts: (1..=6).map(Uuid::from_u128).collect(), guests: Vec::new() }
}

/// A time in a month.
fn in_month(month: &str) -> Timestamp {
    month.parse::<Month>().unwrap().start().plus_micros(3_600_000_000)
}

#[actix_web::test]
async fn a_log_is_divided_while_it_is_used_and_new_months_are_created_ahead() {
    // The clock shows the beginning of 2026.
    let clock = frozen_clock();
    let server = Server::start_at_with(Store::Postgres, clock.clone(), |_| {}).await;
    let db = server.matches().log().database().clone();
    let first = played(&server.url, "qwinto", 1).await;
    let begun = Client::guest(&server.url, "Ana").await;
    let open = begun.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let before = rows(&db, "commits").await;
    let division = partitions::divide(&db, clock.now()).await.unwrap();
    assert_eq!(division.before.as_deref(), Some("commits_before_2026_02"));
    let expected = ["commits_2026_02", "commits_2026_03", "commits_2026_04"];
    assert_eq!(division.created, expected);
    assert_eq!(rows(&db, "commits").await, before);
    assert_eq!(rows(&db, "commits_before_2026_02").await, before);
    // The server goes on as if nothing had happened.
    let ben = Client::guest(&server.url, "Ben").await;
    ben.post(&format!("/v1/matches/{open}/seats"), &json!({})).await.expect(201);
    begun.post(&format!("/v1/matches/{open}/resign"), &json!({})).await.expect(200);
    played(&server.url, "trama", 2).await;
    assert_eq!(rows(&db, "commits_default").await, 0);
    // Repeating it changes nothing.
    let again = partitions::divide(&db, clock.now()).await.unwrap();
    assert_eq!((again.before, again.created), (None, Vec::new()));
    // A month passes, and the server creates the next partition by itself.
    clock.advance(Duration::from_hours(24 * 40));
    eventually("the next partition", PATIENCE, async || {
        tables(&db).await.contains("commits_2026_05").then_some(())
    })
    .await;
    let later = played(&server.url, "qwinto", 3).await;
    assert!(rows(&db, "commits_2026_02").await > 0);
    let server = server.restart().await;
    let anybody = Client::anonymous(&server.url);
    for id in [first, later] {
        anybody.get(&format!("/v1/matches/{id}/proof")).await.expect(200);
    }
    server.stop().await;
}

#[actix_web::test]
async fn ids_that_fit_nowhere_go_to_the_default_and_move_when_their_month_comes() {
    let server = Server::start_at_with(Store::Postgres, frozen_clock(), |_| {}).await;
    let log = open_log(&server.config).await;
    let db = log.database().clone();
    let old = in_month("2025-06");
    // An empty log: everything from this month on has a partition of its own.
    let division = partitions::divide(&db, old).await.unwrap();
    assert_eq!(division.before.as_deref(), Some("commits_before_2025_06"));
    assert_eq!(division.created.len(), 4);
    assert_eq!(rows(&db, "commits_before_2025_06").await, 0);
    // Matches of the first months of 2026, for which there are no partitions yet.
    history::write(&log, &cast(), 0..25).await;
    let all = rows(&db, "commits").await;
    assert_eq!(rows(&db, "commits_default").await, all);
    let created = partitions::extend(&db, in_month("2026-02")).await.unwrap();
    assert_eq!(created.first().map(String::as_str), Some("commits_2026_02"));
    assert!(rows(&db, "commits_2026_02").await > 0);
    // January was never created, because it had passed: its matches stay in the default, and are found there.
    assert!(rows(&db, "commits_default").await > 0);
    assert_eq!(rows(&db, "commits").await, all);
    for m in (0..25).map(|number| history::play(&cast(), number)) {
        assert_eq!(log.load(m.end.id(), 0).await.unwrap(), m.commits);
    }
    server.stop().await;
}

/// Archives what ended before a month.
async fn archive_before(log: &EventLog, directory: &Path, month: &str) -> archive::Summary {
    let times = (month.parse::<Month>().unwrap().start(), in_month("2026-11"));
    archive::run(log, directory, times, |_| {}).await.unwrap()
}

#[actix_web::test]
async fn a_partition_goes_when_everything_in_it_is_archived() {
    let server = Server::start_at_with(Store::Postgres, frozen_clock(), |_| {}).await;
    let directory = server.config.data_dir.join("archive");
    let log = open_log(&server.config).await.with_archive(Archive::new(Some(directory.clone())));
    let db = log.database().clone();
    partitions::divide(&db, in_month("2026-01")).await.unwrap();
    partitions::extend(&db, in_month("2026-03")).await.unwrap();
    history::write(&log, &cast(), 0..25).await;
    let months = ["commits_2026_01", "commits_2026_02", "commits_2026_03", "commits_2026_04"];
    for table in months {
        assert!(rows(&db, table).await > 0, "{table}");
    }
    let unfinished = (0..25).map(|number| history::play(&cast(), number).end);
    let unfinished: Vec<_> = unfinished.filter(|m| !m.status().is_over()).collect();
    assert!(!unfinished.is_empty());
    let has_unfinished = |table: &str| {
        let month: Month = table.trim_start_matches("commits_").replace('_', "-").parse().unwrap();
        unfinished.iter().any(|m| Month::of_id(m.id()) == Some(month))
    };
    let summary = archive_before(&log, &directory, "2026-05").await;
    assert!(summary.matches > 10 && summary.busy.is_empty(), "{summary:?}");
    let left = tables(&db).await;
    for table in months {
        // A match that goes on keeps its partition, and nothing else is left in it.
        assert_eq!(left.contains(table), has_unfinished(table), "{table}");
    }
    assert!(summary.dropped.contains(&"commits_before_2026_01".to_owned()), "{summary:?}");
    assert!(left.is_superset(&names(&["commits_default", "commits_2026_05", "commits_2026_06"])));
    for m in (0..25).map(|number| history::play(&cast(), number)) {
        assert_eq!(log.load(m.end.id(), 0).await.unwrap(), m.commits);
    }
    // An old match that is imported now is archived already; another one of the same time goes to the default.
    let late = history::play(&cast(), 60);
    let id = late.end.id();
    log.import(vec![late]).await.unwrap();
    assert!(log.load(id, 0).await.unwrap().len() > 1);
    server.stop().await;
}
