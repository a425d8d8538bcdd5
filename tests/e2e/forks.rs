//! Forks: a new match from the middle of a finished one.

use std::time::Duration;

use domain::games;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{
    client::Client,
    random_play::{Plan, carry_on, play},
    server::Server,
};

on_both_stores!(
    a_fork_of_every_game_begins_as_the_match_stood_and_comes_to_its_end,
    a_fork_has_open_seats_like_any_match,
    only_a_finished_match_is_forked_and_only_while_it_was_played,
    the_clock_of_a_fork_starts_at_zero_and_a_pause_does_not_stop_it,
);

/// The view, apart from the clock of the game: in a fork it starts at zero.
fn without_clock(mut document: Value) -> Value {
    if let Some(clock) = document["view"].get_mut("elapsed_ms") {
        *clock = Value::Null;
    }
    document["view"].take()
}

fn id(document: &Value) -> String {
    document["id"].as_str().unwrap().to_owned()
}

/// A match of Qwinto that its creator gave up after a roll.
async fn given_up(ana: &Client, ben: &Client, body: &Value) -> String {
    let created = ana.post("/v1/matches", body).await.expect(201);
    let id = id(&created);
    let seat = json!({ "invite_code": created["invite_code"] });
    let started = ben.post(&format!("/v1/matches/{id}/seats"), &seat).await.expect(201);
    let active = if started["view"]["active"] == 0 { ana } else { ben };
    active.make_move(&id, &json!({ "type": "roll", "dice": ["orange"] })).await.expect(200);
    ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    id
}

async fn a_fork_of_every_game_begins_as_the_match_stood_and_comes_to_its_end(server: Server) {
    for (index, game) in games::all().enumerate() {
        let info = game.info();
        let plan = Plan {
            game: info.key.to_owned(),
            seats: info.min_seats.into(),
            options: json!({}),
            seed: 40 + u64::try_from(index).unwrap(),
            look_every: 1_000,
            replays: 3,
        };
        let first = play(&server.url, &plan).await;
        let last = first.finished["version"].as_u64().unwrap();
        let mut seats = Vec::new();
        for seat in 0..plan.seats {
            seats.push(Client::guest(&server.url, &format!("Fork {seat}")).await);
        }
        // In the second half, so that there is something before and after it.
        let at = last / 2 + (plan.seed * 7919) % (last / 2 - 1);
        let forks = format!("/v1/matches/{}/forks", first.id);
        let opened = seats[0].post(&forks, &json!({ "at": at })).await.expect(201);
        let (new, version) = (id(&opened), opened["origin"]["version"].as_u64().unwrap());
        assert!(version <= at && version > 0);
        assert_eq!(
            opened["origin"],
            json!({ "type": "fork", "match": first.id, "version": version })
        );
        assert_eq!(opened["unrated"], "fork");
        for seat in &seats[1..] {
            seat.post(&format!("/v1/matches/{new}/seats"), &json!({})).await.expect(201);
        }
        for (number, seat) in seats.iter().enumerate() {
            let path = format!("/v1/matches/{}/replay?at={version}&as={number}", first.id);
            let then = seat.get(&path).await.expect(200);
            let now = seat.get(&format!("/v1/matches/{new}")).await.expect(200);
            assert_eq!(now["status"], "playing");
            let seen = [now, then].map(without_clock);
            assert_eq!(seen[0], seen[1], "{} at {version}", info.key);
        }
        let second = carry_on(&server.url, &seats, &new, &plan).await;
        assert_eq!(second.finished["outcome"]["ending"], "rules");
        assert_eq!(second.finished["origin"]["match"], first.id);
    }
}

async fn a_fork_has_open_seats_like_any_match(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let eve = Client::guest(&server.url, "Eve").await;
    let first = given_up(&ana, &ben, &json!({ "game": "qwinto", "seats": 2 })).await;
    let path = format!("/v1/matches/{first}/forks");
    let request = || {
        eve.request(Method::POST, &path)
            .json(&json!({ "at": 6, "seat": 1 }))
            .header("idempotency-key", "f")
    };
    let opened = eve.send(request()).await;
    let location = opened.header("location").unwrap().to_owned();
    let opened = opened.expect(201);
    assert_eq!(location, format!("/v1/matches/{}", id(&opened)));
    assert_eq!((&opened["status"], &opened["my_seat"]), (&json!("open"), &json!(1)));
    let again = eve.send(request()).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(id(&again.expect(201)), id(&opened));
    let other =
        eve.request(Method::POST, &path).json(&json!({ "at": 5 })).header("idempotency-key", "f");
    eve.send(other).await.problem(422, "idempotency_key_reused");

    let started = ben.post(&format!("{location}/seats"), &json!({})).await.expect(201);
    assert_eq!(started["status"], "playing");
    assert_eq!(started["view"]["phase"]["type"], "rolled", "{}", started["view"]);
    assert_eq!(started["seats"][0]["resigned"], false);
    let events = eve.get(&format!("{location}/events")).await.expect(200);
    let said = &events["events"][0]["event"];
    assert_eq!(said["origin"], json!({ "type": "fork", "match": first, "version": 6 }));
}

async fn only_a_finished_match_is_forked_and_only_while_it_was_played(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let eve = Client::guest(&server.url, "Eve").await;
    let open = id(&ana.create_match("qwinto", 2).await);
    ana.post(&format!("/v1/matches/{open}/forks"), &json!({ "at": 1 }))
        .await
        .problem(409, "not_finished");
    let first = given_up(&ana, &ben, &json!({ "game": "qwinto", "seats": 2 })).await;
    let path = format!("/v1/matches/{first}/forks");
    for at in [0, 1, 4, 8, 1_000_000] {
        assert_eq!(
            eve.post(&path, &json!({ "at": at })).await.problem(422, "fork_point")["field"],
            "at"
        );
    }
    eve.post(&path, &json!({})).await.problem(400, "malformed");
    eve.post(&path, &json!({ "at": 6, "seat": 2 })).await.problem(422, "no_such_seat");
    Client::anonymous(&server.url)
        .post(&path, &json!({ "at": 6 }))
        .await
        .problem(401, "token_missing");

    let hidden =
        given_up(&ana, &ben, &json!({ "game": "qwinto", "seats": 2, "visibility": "private" }))
            .await;
    let path = format!("/v1/matches/{hidden}/forks");
    eve.post(&path, &json!({ "at": 6 })).await.problem(404, "not_found");
    let private = ben.post(&path, &json!({ "at": 6, "visibility": "private" })).await.expect(201);
    assert!(private["invite_code"].is_string());
    eve.get(&format!("/v1/matches/{}", id(&private))).await.problem(404, "not_found");
}

async fn the_clock_of_a_fork_starts_at_zero_and_a_pause_does_not_stop_it(server: Server) {
    const MINUTE: Duration = Duration::from_mins(1);
    let server = server.restart_frozen().await;
    let ana = Client::guest(&server.url, "Ana").await;
    let first = id(&ana.create_match("tapestry", 1).await);
    server.clock.advance(MINUTE * 4);
    let draw = json!({ "type": "draw", "slot": 0 });
    let drawn = ana.make_move(&first, &draw).await.expect(200);
    assert_eq!(drawn["view"]["elapsed_ms"], 240_000);
    ana.post(&format!("/v1/matches/{first}/resign"), &json!({})).await.expect(200);
    server.clock.advance(MINUTE * 5);
    let forks = format!("/v1/matches/{first}/forks");
    let fork = ana.post(&forks, &json!({ "at": drawn["version"] })).await.expect(201);
    assert_eq!(fork["view"]["elapsed_ms"], 0);
    let fork = id(&fork);
    ana.post(&format!("/v1/matches/{fork}/pause"), &json!({})).await.expect(200);
    server.clock.advance(MINUTE);
    ana.post(&format!("/v1/matches/{fork}/resume"), &json!({})).await.expect(200);
    let discarded = ana.make_move(&fork, &json!({ "type": "discard" })).await.expect(200);
    assert_eq!(discarded["view"]["elapsed_ms"], 60_000);
}
