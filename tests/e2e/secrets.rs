//! Hidden information cannot be obtained over HTTP.

use base64::{
    Engine,
    prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD},
};
use reqwest::Method;
use serde_json::{Value, json};
use tests::{
    client::Client,
    server::Server,
    stream::{Framing, Stream},
};

on_both_stores!(
    an_answer_is_seen_by_nobody_else_until_all_are_in,
    the_seed_is_in_nothing_that_clients_get,
    a_private_match_is_there_for_its_players_only,
);

/// A match of Qwinto in which everybody writes; seat 0 has answered.
async fn writing(url: &str) -> (String, Client, Client, Value) {
    let ana = Client::guest(url, "Ana").await;
    let ben = Client::guest(url, "Ben").await;
    let created = ana.create_match("qwinto", 2).await;
    let id = created["id"].as_str().unwrap().to_owned();
    let started = ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let active = if started["view"]["active"] == 0 { &ana } else { &ben };
    active.make_move(&id, &json!({ "type": "roll", "dice": ["orange"] })).await.expect(200);
    active.make_move(&id, &json!({ "type": "keep" })).await.expect(200);
    let mv = json!({ "type": "write", "row": "orange", "box": 4 });
    let answer = ana.make_move(&id, &mv).await.expect(200);
    (id, ana, ben, answer)
}

async fn an_answer_is_seen_by_nobody_else_until_all_are_in(server: Server) {
    let (id, ana, ben, answer) = writing(&server.url).await;
    let spectator = Client::anonymous(&server.url);
    let version = answer["version"].as_u64().unwrap();
    assert_eq!(answer["events"][0]["event"]["answer"]["box"], 4);
    let paths = [
        format!("/v1/matches/{id}"),
        format!("/v1/matches/{id}/events?after=5"),
        format!("/v1/matches/{id}/replay?at={version}"),
        format!("/v1/matches/{id}/replay?as=spectator"),
        format!("/v1/matches/{id}/frames?after=5"),
        format!("/v1/matches/{id}/frames?as=spectator"),
        format!("/v1/matches/{id}/proof"),
    ];
    for client in [&ben, &spectator] {
        for path in &paths {
            let shown = client.get(path).await.expect(200).to_string();
            assert!(!shown.contains(r#""box""#), "{path} shows {shown}");
        }
    }
    assert!(ana.get(&paths[2]).await.expect(200).to_string().contains(r#""box":4"#));
    // The view of another seat is available only after the end.
    for path in ["replay", "frames"].map(|end| format!("/v1/matches/{id}/{end}")) {
        ben.get(&format!("{path}?as=0")).await.problem(403, "still_secret");
        ben.get(&format!("{path}?as=archive")).await.problem(403, "still_secret");
        spectator.get(&format!("{path}?as=seat")).await.problem(403, "not_seated");
    }
    assert!(ana.get(&paths[4]).await.expect(200).to_string().contains(r#""box":4"#));
    ben.get(&format!("/v1/matches/{id}/export")).await.problem(409, "not_over");
    let exported = spectator.request(Method::GET, "/v1/exports/matches").send().await.unwrap();
    assert_eq!(exported.text().await.unwrap(), "", "a match that goes on is not exported");
    // The last answer would reveal the others, so it cannot be tried with `dry_run`.
    let trial = json!({ "move": { "type": "pass" }, "dry_run": true });
    let problem = ben.post(&format!("/v1/matches/{id}/moves"), &trial).await;
    problem.problem(422, "not_foreseeable");
    ben.make_move(&id, &json!({ "type": "pass" })).await.expect(200);
    ben.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let told = spectator.get(&paths[1]).await.expect(200).to_string();
    assert!(told.contains(r#""box":4"#), "after the end everything is shown");
    ben.get(&format!("/v1/matches/{id}/replay?as=0&at={version}")).await.expect(200);
}

/// The seed of a match, as its first commit in the store says.
async fn stored_seed(server: &Server, id: &str) -> [u8; 32] {
    let log = api::startup::open_store(&server.config).await.unwrap();
    let commits = log.load(id.parse().unwrap(), 0).await.unwrap();
    let payload: Value = serde_json::from_str(&commits[0].payload).unwrap();
    let seed = payload["events"][0]["life"]["seed"].as_str().expect("a seed");
    hex::decode(seed).unwrap().try_into().unwrap()
}

/// Whether a text contains these bytes, in one of the encodings that the interface uses.
fn tells(text: &str, secret: [u8; 32]) -> bool {
    let text = text.to_lowercase();
    let encodings = [
        hex::encode(secret),
        BASE64_STANDARD_NO_PAD.encode(secret),
        BASE64_URL_SAFE_NO_PAD.encode(secret),
    ];
    encodings.iter().any(|encoded| text.contains(&encoded.to_lowercase()))
}

async fn the_seed_is_in_nothing_that_clients_get(server: Server) {
    let (id, ana, ben, answer) = writing(&server.url).await;
    let seed = stored_seed(&server, &id).await;
    assert!(!tells(&answer.to_string(), seed), "a move's answer: {answer}");
    let spectator = Client::anonymous(&server.url);
    let paths = api::openapi::DOCUMENT["paths"].as_object().unwrap();
    let of_matches = paths.iter().filter(|(path, operations)| {
        operations["get"].is_object()
            && ["/v1/matches", "/v1/exports"].iter().any(|start| path.starts_with(start))
    });
    let paths: Vec<String> = of_matches.map(|(path, _)| path.replace("{id}", &id)).collect();
    assert!(paths.len() >= 10, "{paths:?}");
    for client in [&ana, &ben, &spectator] {
        for path in &paths {
            let answer = client.request(Method::GET, path).send().await.unwrap();
            let shown = answer.text().await.unwrap();
            assert!(!tells(&shown, seed), "{path} shows {shown}");
        }
        for framing in [Framing::Sse, Framing::Ndjson] {
            let path = format!("/v1/matches/{id}/events");
            let snapshot = Stream::open(client, &path, framing).await.expect("snapshot").await;
            assert!(!tells(&snapshot.to_string(), seed), "{path} streams {snapshot}");
        }
    }
    ben.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let proof = spectator.get(&format!("/v1/matches/{id}/proof")).await.expect(200);
    assert!(tells(&proof.to_string(), seed), "the proof reveals it after the end");
}

async fn a_private_match_is_there_for_its_players_only(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let body = json!({ "game": "qwinto", "seats": 2, "visibility": "private" });
    let created = ana.post("/v1/matches", &body).await.expect(201);
    let code = created["invite_code"].as_str().expect("a code for its creator");
    let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
    for path in ["", "/events", "/replay", "/frames", "/proof", "/export", "/legal-moves"]
        .map(|end| format!("{path}{end}"))
    {
        ben.get(&path).await.problem(404, "not_found");
    }
    let seats = format!("{path}/seats");
    ben.post(&seats, &json!({})).await.problem(404, "not_found");
    ben.post(&seats, &json!({ "invite_code": "WRONG" })).await.problem(404, "not_found");
    ben.post(&format!("{path}/moves"), &json!({ "move": {} })).await.problem(404, "not_found");
    ben.post(&format!("{path}/resign"), &json!({})).await.problem(404, "not_found");
    let listed = |page: Value| page["matches"].as_array().unwrap().len();
    assert_eq!(listed(ben.get("/v1/matches").await.expect(200)), 0);
    assert_eq!(listed(ana.get("/v1/matches").await.expect(200)), 1);
    let player = format!("/v1/matches?player={}", ana.player.as_deref().unwrap());
    assert_eq!(listed(ben.get(&player).await.expect(200)), 0);

    ben.post(&seats, &json!({ "invite_code": code })).await.expect(201);
    ben.get(&path).await.expect(200);
    assert_eq!(listed(ben.get(&player).await.expect(200)), 1);
}
