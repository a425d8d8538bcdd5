//! SQLite when the disk is full, and when there is space again. A limit on the number of pages stands in for the disk.

use std::path::Path;

use domain::time::Timestamp;
use sea_orm::{ConnectionTrait, EntityTrait, IntoActiveModel};
use uuid::Uuid;

use super::{
    AppendError, Appended, EventLog,
    writer_tests::{KEY, append, create, spawn_writer},
};
use crate::{
    Db, Error, Outage, Settings, StorageKeys, Transaction, begin, commit, connect,
    entities::player,
    heartbeat, migrate,
    players::{self, Player},
};

/// A store with one connection, so that every statement meets the one that failed.
async fn open(directory: &Path) -> Db {
    let data_dir = directory.to_owned();
    let settings =
        Settings { database_url: None, read_url: None, read_only: false, data_dir, connections: 1 };
    let db = connect(&settings).await.expect("a store");
    migrate(&db, None).await.expect("a schema");
    db
}

fn new_player(number: u128) -> Player {
    let name = format!("Player {number}").repeat(100);
    Player::guest(Uuid::from_u128(number), name, Timestamp::from_micros(0))
}

async fn insert(work: &Transaction, number: u128) -> Result<(), Error> {
    let row = new_player(number).into_active_model();
    player::Entity::insert(row).exec_without_returning(work).await?;
    Ok(())
}

async fn exists(db: &Db, number: u128) -> bool {
    players::find(db, Uuid::from_u128(number)).await.expect("an answer").is_some()
}

/// Leaves no space beyond what is in use, and writes more than that in a transaction.
async fn overfill(db: &Db) -> Error {
    db.execute_unprepared("PRAGMA max_page_count = 1").await.expect("a limit");
    let work = begin(db).await.expect("a transaction");
    for number in 1_000..2_000 {
        if let Err(error) = insert(&work, number).await {
            return error;
        }
    }
    panic!("there is space left")
}

/// Makes space again, on whatever connection is in use now.
async fn clear(db: &Db) {
    db.execute_unprepared("PRAGMA max_page_count = 1000000").await.expect("a limit");
}

#[tokio::test]
async fn after_a_full_disk_what_is_acknowledged_is_kept() {
    let directory = tempfile::tempdir().expect("a directory");
    let (db, elsewhere) = (open(directory.path()).await, open(directory.path()).await);
    players::insert(&db, new_player(1)).await.expect("a player");
    for round in [10, 20] {
        let error = overfill(&db).await;
        assert!(matches!(error, Error::Unavailable(Outage::Full, _)), "{error}");
        assert!(exists(&db, 1).await, "reading goes on");
        clear(&db).await;
        // One transaction that is given up, one that is committed, and one statement without any.
        drop(begin(&db).await.expect("a transaction"));
        let work = begin(&db).await.expect("a transaction");
        insert(&work, round).await.expect("a player");
        commit(work).await.expect("a commit");
        players::insert(&db, new_player(round + 1)).await.expect("a player");
        heartbeat::beat(&db, Timestamp::from_micros(1)).await.expect("a heartbeat");
        assert!(exists(&elsewhere, round).await && exists(&elsewhere, round + 1).await);
    }
}

#[tokio::test]
async fn after_a_full_disk_commits_are_written_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let db = open(directory.path()).await;
    let log = EventLog::new(db.clone(), StorageKeys::new(&[KEY]));
    let _writer = spawn_writer(&log);
    for round in 0..3 {
        overfill(&db).await;
        db.execute_unprepared("PRAGMA max_page_count = 1").await.expect("a limit");
        let mut next = 100 * round;
        let refused = loop {
            next += 1;
            match append(&log, &create(next, 1)).await {
                Ok(appended) => assert_eq!(appended, Appended::Written),
                Err(error) => break error,
            }
        };
        assert!(matches!(refused, AppendError::Unavailable(_)), "{refused}");
        clear(&db).await;
        let written = append(&log, &create(next, 1)).await;
        assert_eq!(written.expect("there is space"), Appended::Written);
    }
}
