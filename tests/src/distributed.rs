//! Stores as they are on a cluster, on a single Postgres: the tables of matches are partitioned by lane, and each lane has a feed
//! of its own.

use api::config::Config;
use sea_orm::{ConnectionTrait as _, Database};
use store::{Lanes, distribution, lane::LANE_TABLES};

/// The environment variable that makes all new databases of the tests such stores, if it is `distributed`.
pub const LAYOUT: &str = "TELAR_TEST_LAYOUT";

/// The number of lanes, and of partitions: so that some lanes share a partition.
const LANES: u16 = 8;
const PARTITIONS: usize = 3;

/// Whether new databases of the tests are distributed.
#[must_use]
pub fn is_default() -> bool {
    std::env::var(LAYOUT).is_ok_and(|layout| layout == "distributed")
}

/// Makes an empty database a distributed store.
pub async fn prepare(url: &str) {
    let directory = tempfile::tempdir().expect("a directory");
    let config = Config::for_directory(directory.path().to_owned(), Some(url.to_owned()));
    let db = store::connect(&config.store()).await.expect("a database");
    store::migrate(&db, Lanes::new(LANES)).await.expect("a schema");
    partition(url).await;
    distribution::separate_feeds(&db).await.expect("a store that nobody uses");
    store::close(&db).await.expect("a store");
}

/// Replaces the tables of matches by tables that are partitioned by lane.
async fn partition(url: &str) {
    let db = Database::connect(url).await.expect("a database");
    for table in LANE_TABLES {
        let begin = format!(
            "ALTER TABLE {table} RENAME TO {table}_whole; \
             CREATE TABLE {table} (LIKE {table}_whole INCLUDING ALL) PARTITION BY HASH (lane);"
        );
        let partitions = (0..PARTITIONS).map(|number| {
            format!(
                "CREATE TABLE {table}_{number} PARTITION OF {table} \
                 FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number});"
            )
        });
        let end =
            format!("INSERT INTO {table} SELECT * FROM {table}_whole; DROP TABLE {table}_whole;");
        let steps: String = [begin].into_iter().chain(partitions).chain([end]).collect();
        db.execute_unprepared(&steps).await.expect("partitions");
    }
    db.close().await.ok();
}
