//! What SIGTERM does: the process ends well, and only when its background tasks have stopped.
#![cfg(unix)]

use std::path::Path;

use sea_orm::EntityTrait;
use serde_json::json;
use store::entities::presence;
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    postgres::new_database,
    process::Telar,
    stream::{Framing, Stream},
};

/// Presence at a replica is deleted by its task when that stops.
#[actix_web::test]
async fn a_replica_that_is_told_to_end_lets_its_tasks_stop() {
    let database = new_database().await;
    let telar = Telar::start(Path::new(env!("CARGO_BIN_EXE_telar")), &database, &[]);
    let ana = Client::guest(&telar.url, "Ana").await;
    let created = ana.create_match("qwinto", 2).await;
    let path = format!("/v1/matches/{}/events", created["id"].as_str().expect("an id"));
    let mut watching = Stream::open(&ana, &path, Framing::Sse).await;
    assert_eq!(watching.expect("snapshot").await["presence"], json!([0]));
    let db = sea_orm::Database::connect(&database).await.expect("the database");
    let present = async || presence::Entity::find().all(&db).await.expect("the table").len();
    eventually("presence is written", PATIENCE, async || (present().await == 1).then_some(()))
        .await;
    assert!(telar.terminate().await.success());
    assert_eq!(watching.expect("end").await["reason"], "server_closing");
    assert_eq!(present().await, 0);
}
