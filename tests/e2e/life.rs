//! The life of a match: creating, sitting, leaving, starting, resigning.

use serde_json::{Value, json};
use tests::{client::Client, server::Server};

on_both_stores!(
    a_match_starts_when_its_last_seat_is_taken,
    a_solo_match_starts_at_once,
    seats_are_taken_once_and_left_before_the_start,
    a_match_that_everybody_leaves_is_abandoned,
    with_two_the_other_seat_wins_when_one_resigns,
    with_three_a_resigned_seat_is_played_on,
);

async fn a_match_starts_when_its_last_seat_is_taken(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let created = ana.create_match("qwinto", 2).await;
    assert_eq!(created["status"], "open");
    assert_eq!(created["my_seat"], 0);
    assert_eq!(created["view"], Value::Null);
    assert_eq!(created["commitment"].as_str().map(str::len), Some(64));
    let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
    ana.get(&format!("{path}/legal-moves")).await.expect(200);
    ana.post(&format!("{path}/moves"), &json!({ "move": { "type": "keep" } }))
        .await
        .problem(409, "not_started");

    let started = ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
    assert_eq!(started["status"], "playing");
    assert_eq!(started["my_seat"], 1);
    assert_eq!(started["seats"][0]["player"]["name"], "Ana");
    assert_eq!(started["seats"][1]["player"]["name"], "Ben");
    assert_ne!(started["view"], Value::Null);
    ben.delete(&format!("{path}/seats")).await.problem(409, "already_started");
}

async fn a_solo_match_starts_at_once(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let created = ana.create_match("tapestry", 1).await;
    assert_eq!(created["status"], "playing");
    assert_eq!(created["seats"][0]["to_act"], true);
}

async fn seats_are_taken_once_and_left_before_the_start(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let eve = Client::guest(&server.url, "Eve").await;
    let created = ana.create_match("qwinto", 3).await;
    let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
    let seats = format!("{path}/seats");
    ana.post(&seats, &json!({})).await.problem(409, "already_seated");
    ben.post(&seats, &json!({ "seat": 0 })).await.problem(409, "seat_taken");
    ben.post(&seats, &json!({ "seat": 3 })).await.problem(422, "no_such_seat");
    ben.delete(&seats).await.problem(403, "not_seated");
    ben.post(&seats, &json!({ "seat": 2 })).await.expect(201);
    ben.delete(&seats).await.expect(204);
    assert_eq!(ana.get(&path).await.expect(200)["seats"][2]["player"], Value::Null);
    ben.post(&seats, &json!({})).await.expect(201);
    eve.post(&seats, &json!({})).await.expect(201);
    let full = eve.get(&path).await.expect(200);
    assert_eq!(full["status"], "playing");
    let late = Client::guest(&server.url, "Late").await;
    late.post(&seats, &json!({})).await.problem(409, "already_started");
}

async fn a_match_that_everybody_leaves_is_abandoned(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let created = ana.create_match("qwinto", 2).await;
    let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
    ana.delete(&format!("{path}/seats")).await.expect(204);
    assert_eq!(ana.get(&path).await.expect(200)["status"], "abandoned");
    ana.post(&format!("{path}/seats"), &json!({})).await.problem(409, "match_over");
}

async fn with_two_the_other_seat_wins_when_one_resigns(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let created = ana.create_match("qwinto", 2).await;
    let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
    ana.post(&format!("{path}/resign"), &json!({})).await.problem(409, "not_started");
    ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
    let answer = ana.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    assert_eq!(answer["status"], "finished");
    let finished = ben.get(&path).await.expect(200);
    assert_eq!(finished["outcome"]["ending"], "resignation");
    assert_eq!(finished["outcome"]["seats"][1]["won"], true);
    assert_eq!(finished["outcome"]["seats"][0]["won"], false);
    ben.post(&format!("{path}/resign"), &json!({})).await.problem(409, "match_over");
}

async fn with_three_a_resigned_seat_is_played_on(server: Server) {
    let players = [
        Client::guest(&server.url, "Ana").await,
        Client::guest(&server.url, "Ben").await,
        Client::guest(&server.url, "Eve").await,
    ];
    let created = players[0].create_match("trama", 3).await;
    let id = created["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}");
    for player in &players[1..] {
        player.post(&format!("{path}/seats"), &json!({})).await.expect(201);
    }
    let answer = players[2].post(&format!("{path}/resign"), &json!({})).await.expect(200);
    assert_eq!(answer["status"], "playing");
    players[2].post(&format!("{path}/resign"), &json!({})).await.problem(409, "has_resigned");
    loop {
        let document = players[0].get(&path).await.expect(200);
        if document["status"] == "finished" {
            assert_eq!(document["outcome"]["ending"], "rules");
            assert_eq!(document["outcome"]["seats"][2]["place"], 3);
            break;
        }
        assert_eq!(document["seats"][2]["to_act"], false);
        let seat = usize::from(document["seats"][0]["to_act"] != true);
        let moves = players[seat].legal_moves(&id).await;
        players[seat].make_move(&id, &moves[0]).await.expect(200);
    }
}
