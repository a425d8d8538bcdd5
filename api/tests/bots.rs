//! Bots whose replica is killed while they think.

use std::path::Path;

use domain::proof::Proof;
use reqwest::Method;
use serde_json::json;
use tests::{
    bot_play::{random_move, turn},
    client::Client,
    postgres::new_database,
    process::Telar,
};

fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_telar"))
}

/// The replica that thinks is killed right after the turn of the bots has begun. The other one moves for them: everybody who
/// waits for a move gets one, and the log can be verified, so no decision was made twice.
#[actix_web::test]
async fn the_bots_of_a_replica_that_died_move_once() {
    let database = new_database().await;
    let variables = [("TELAR_BOT_THREADS", "1")];
    let mut replicas = vec![
        Telar::start(binary(), &database, &variables),
        Telar::start(binary(), &database, &variables),
    ];
    let mut ana = Client::guest(&replicas[0].url, "Ana").await;
    let body = json!({ "game": "trama", "seats": 3, "bots": ["expert", "expert"] });
    let created = ana.post("/v1/matches", &body).await.expect(201);
    let id = created["id"].as_str().expect("an id").to_owned();
    for seed in 0..2 {
        // The turn of the bots begins, or goes on, with a commit of this replica.
        turn(&ana, &id, 0).await;
        random_move(&ana, &id, seed).await;
        replicas.remove(0).kill();
        ana = ana.at(&replicas[0].url);
        let document = turn(&ana, &id, 0).await;
        assert_eq!(document["seats"][0]["to_act"], true, "{document}");
        replicas.push(Telar::start(binary(), &database, &variables));
    }
    ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let proof = ana.request(Method::GET, &format!("/v1/matches/{id}/proof"));
    let proof = proof.send().await.expect("an answer").bytes().await.expect("a proof");
    Proof::from_text(&proof).expect("a proof").verify().expect("a sound log");
}
