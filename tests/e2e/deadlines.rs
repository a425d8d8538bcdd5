//! Deadlines: shown, kept, and acted upon exactly once.

use serde_json::{Value, json};
use tests::{client::Client, server::Server};

on_both_stores!(
    every_pending_decision_shows_its_deadline,
    limits_are_checked,
    a_deadline_passes_by_the_clock_of_the_machine,
);

/// A match of Qwinto for two with a time limit, and its active player.
async fn timed(ana: &Client, ben: &Client, seconds: u32, on_timeout: &str) -> (String, usize) {
    let body =
        json!({ "game": "qwinto", "seats": 2, "move_deadline": seconds, "on_timeout": on_timeout });
    let created = ana.post("/v1/matches", &body).await.expect(201);
    let id = created["id"].as_str().unwrap().to_owned();
    let started = ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let active = usize::try_from(started["view"]["active"].as_u64().unwrap()).unwrap();
    (id, active)
}

async fn every_pending_decision_shows_its_deadline(server: Server) {
    let players =
        [Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await];
    let (id, active) = timed(&players[0], &players[1], 86_400, "forfeit").await;
    let path = format!("/v1/matches/{id}");
    let document = players[0].get(&path).await.expect(200);
    assert_eq!(document["move_deadline"], 86_400);
    assert_eq!(document["on_timeout"], "forfeit");
    assert!(
        document["seats"][active]["deadline"].as_str().unwrap()
            > document["started_at"].as_str().unwrap()
    );
    assert_eq!(document["seats"][1 - active]["deadline"], Value::Null);
    let legal = players[active].get(&format!("{path}/legal-moves")).await.expect(200);
    assert_eq!(legal["deadline"], document["seats"][active]["deadline"]);
    players[active]
        .make_move(&id, &json!({ "type": "roll", "dice": ["orange"] }))
        .await
        .expect(200);
    let answer = players[active].make_move(&id, &json!({ "type": "keep" })).await.expect(200);
    let seats: Vec<&Value> =
        answer["deadlines"].as_array().unwrap().iter().map(|entry| &entry["seat"]).collect();
    assert_eq!(seats, [0, 1], "both are asked to write");
    assert!(answer["deadlines"][0]["deadline"].is_string());
    // A match without a limit waits for ever.
    let solo = players[0].create_match("tapestry", 1).await;
    assert_eq!((&solo["move_deadline"], &solo["on_timeout"]), (&Value::Null, &Value::Null));
    assert_eq!(solo["seats"][0]["deadline"], Value::Null);
}

async fn limits_are_checked(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    for (body, field) in [
        (json!({ "move_deadline": 0 }), "move_deadline"),
        (json!({ "move_deadline": 2_592_001 }), "move_deadline"),
        (json!({ "on_timeout": "forfeit" }), "on_timeout"),
    ] {
        let mut body = body;
        body["game"] = json!("qwinto");
        body["seats"] = json!(2);
        assert_eq!(
            ana.post("/v1/matches", &body).await.problem(400, "invalid_field")["field"],
            field
        );
    }
}

/// Everything else about time is tested in `clock.rs`, on a clock that the test advances.
async fn a_deadline_passes_by_the_clock_of_the_machine(server: Server) {
    let players =
        [Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await];
    let (id, _) = timed(&players[0], &players[1], 1, "forfeit").await;
    let path = format!("/v1/matches/{id}/events?after=5&wait=60");
    let page = players[0].get(&path).await.expect(200);
    let events = page["events"].as_array().unwrap();
    let kinds: Vec<&Value> = events.iter().map(|event| &event["event"]["type"]).collect();
    assert_eq!(kinds, ["seat_timed_out", "seat_resigned", "match_finished"]);
}
