//! Deadlines: shown, kept, and acted upon exactly once.

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    server::{Server, Store},
};

on_both_stores!(
    every_pending_decision_shows_its_deadline,
    limits_are_checked,
    a_seat_that_runs_out_of_time_forfeits,
    a_seat_that_runs_out_of_time_is_moved_for_and_can_come_back,
    a_restart_forgets_no_deadline,
);

/// Looks at something until it is as wanted.
async fn until(client: &Client, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    eventually(&format!("{path} changes"), PATIENCE, async || {
        Some(client.get(path).await.expect(200)).filter(&wanted)
    })
    .await
}

/// The events after the start of a match of Qwinto for two, as soon as there are any.
async fn first_events(client: &Client, id: &str) -> Value {
    client.get(&format!("/v1/matches/{id}/events?after=5&wait=60")).await.expect(200)
}

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

fn kinds(page: &Value) -> Vec<&str> {
    let events = page["events"].as_array().unwrap();
    events.iter().filter_map(|event| event["event"]["type"].as_str()).collect()
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

async fn a_seat_that_runs_out_of_time_forfeits(server: Server) {
    let players =
        [Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await];
    let (id, active) = timed(&players[0], &players[1], 1, "forfeit").await;
    let path = format!("/v1/matches/{id}");
    let events = first_events(&players[0], &id).await;
    assert_eq!(kinds(&events), ["seat_timed_out", "seat_resigned", "match_finished"]);
    let over = players[0].get(&path).await.expect(200);
    assert_eq!(over["outcome"]["ending"], "resignation");
    assert_eq!(over["outcome"]["seats"][1 - active]["won"], true);
    assert_eq!(over["unrated"], Value::Null);
    players[active].make_move(&id, &json!({ "type": "keep" })).await.problem(409, "match_over");
}

async fn a_seat_that_runs_out_of_time_is_moved_for_and_can_come_back(server: Server) {
    let players =
        [Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await];
    let (id, active) = timed(&players[0], &players[1], 3, "automatic").await;
    let path = format!("/v1/matches/{id}");
    let page = first_events(&players[0], &id).await;
    // The clock of the next decision is already running, and the player is back at once.
    players[active].make_move(&id, &json!({ "type": "keep" })).await.expect(200);
    assert_eq!(kinds(&page)[0], "seat_timed_out");
    let moved = page["events"].as_array().unwrap();
    assert_eq!(moved[0]["automatic"], false);
    assert!(
        moved.len() > 1
            && moved[1..].iter().all(|event| event["automatic"] == true && event["by"] == active)
    );
    let document = players[0].get(&path).await.expect(200);
    assert_eq!(document["seats"][active]["resigned"], false);
    assert_eq!(document["unrated"], "automatic_seat");
}

async fn a_restart_forgets_no_deadline(server: Server) {
    let players =
        [Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await];
    let (id, _) = timed(&players[0], &players[1], 1, "forfeit").await;
    let server = server.restart().await;
    let anybody = Client::anonymous(&server.url);
    // Nobody has read the match since, so only the store knows its deadline.
    until(&anybody, "/v1/matches?status=finished", |page| {
        page["matches"].as_array().unwrap().len() == 1
    })
    .await;
    let events = anybody.get(&format!("/v1/matches/{id}/events?after=5")).await.expect(200);
    assert_eq!(kinds(&events), ["seat_timed_out", "seat_resigned", "match_finished"]);
}

/// Three replicas see every deadline pass; one of them acts.
#[actix_web::test]
async fn of_several_replicas_one_acts_once() {
    let one = Server::start(Store::Postgres).await;
    let replicas = [one.replica().await, one.replica().await];
    let ana = Client::guest(&one.url, "Ana").await;
    let ben = Client::guest(&one.url, "Ben").await;
    let ids = join_all((0..20).map(async |_| timed(&ana, &ben, 1, "automatic").await.0)).await;
    let there = Client::anonymous(&replicas[0].url);
    let checked = join_all(ids.iter().map(async |id| {
        let path = format!("/v1/matches/{id}/events?limit=200");
        let timeouts =
            |page: &Value| kinds(page).iter().filter(|kind| **kind == "seat_timed_out").count();
        until(&there, &path, |page| timeouts(page) >= 3).await
    }))
    .await;
    for page in checked {
        let asked: Vec<&Value> = page["events"].as_array().unwrap().iter().collect();
        // After each timeout the seat has another whole second, so a second action would come too soon.
        let mut last: Vec<Option<time::OffsetDateTime>> = vec![None; 2];
        for event in asked.iter().filter(|event| event["event"]["type"] == "seat_timed_out") {
            let at = event["at"].as_str().unwrap();
            let at =
                time::OffsetDateTime::parse(at, &time::format_description::well_known::Rfc3339)
                    .unwrap();
            let seat = usize::try_from(event["by"].as_u64().unwrap()).unwrap();
            if let Some(before) = last[seat].replace(at) {
                assert!(at - before >= time::Duration::SECOND, "{before} and {at}");
            }
        }
    }
    for replica in replicas {
        replica.stop().await;
    }
}
