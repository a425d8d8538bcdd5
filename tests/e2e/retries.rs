//! Retries at the same time under one `Idempotency-Key`: all get the first result.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{
    client::{Client, Reply},
    server::{Server, Store},
};

on_both_stores!(
    guests_at_the_same_time_are_one,
    registrations_at_the_same_time_are_one,
    matches_at_the_same_time_are_one,
    seats_at_the_same_time_are_one,
    moves_at_the_same_time_are_one,
    resignations_at_the_same_time_are_one,
    pauses_at_the_same_time_are_one,
    forks_at_the_same_time_are_one,
    rematches_at_the_same_time_are_one,
    tokens_at_the_same_time_are_one,
    webhooks_at_the_same_time_are_one,
    the_last_token_that_fits_can_be_retried,
    a_nul_is_refused_wherever_it_stands,
);

const KEY: &str = "0d1f5a3e-8c3b-4b8e-9d53-5b9f6a0c7e11";

/// The same request sixteen times at once.
async fn at_once(clients: &[&Client], path: &str, body: &Value) -> Vec<Reply> {
    times(16, clients, path, body).await
}

/// The same request several times at once, spread over servers.
async fn times(count: usize, clients: &[&Client], path: &str, body: &Value) -> Vec<Reply> {
    let send = |number: usize| {
        let client = clients[number % clients.len()];
        let request = client.request(Method::POST, path).header("idempotency-key", KEY);
        client.send(request.json(body))
    };
    join_all((0..count).map(send)).await
}

/// The result that all of them have.
#[track_caller]
fn the_one(replies: Vec<Reply>, status: u16, shown: impl Fn(&Value) -> Value) -> Value {
    let results: Vec<Value> = replies.into_iter().map(|reply| reply.expect(status)).collect();
    for result in &results {
        assert_eq!(shown(result), shown(&results[0]));
    }
    results[0].clone()
}

fn whole(result: &Value) -> Value {
    result.clone()
}

fn player(result: &Value) -> Value {
    result["player"].clone()
}

async fn guests_at_the_same_time_are_one(server: Server) {
    let client = Client::anonymous(&server.url);
    let replies = at_once(&[&client], "/v1/guests", &json!({ "name": "Gus" })).await;
    the_one(replies, 201, player);
}

/// Also with the limit of wrong passwords that servers have by default.
async fn registrations_at_the_same_time_are_one(server: Server) {
    let server = server.restart_with(|config| config.rates.failures = 5).await;
    let client = Client::anonymous(&server.url);
    let body = json!({ "name": "Ana", "password": "correct horse" });
    let replies = at_once(&[&client], "/v1/players", &body).await;
    the_one(replies, 201, player);
}

/// Two players in a match of Qwinto: the active one first.
async fn table(server: &Server) -> (String, Client, Client) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}");
    let started = ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
    if started["view"]["active"] == 0 { (path, ana, ben) } else { (path, ben, ana) }
}

async fn matches_at_the_same_time_are_one(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "game": "qwinto", "seats": 2, "visibility": "private" });
    the_one(at_once(&[&ana], "/v1/matches", &body).await, 201, whole);
    let listed = ana.get("/v1/matches?mine=true").await.expect(200);
    assert_eq!(listed["matches"].as_array().unwrap().len(), 1);
}

async fn seats_at_the_same_time_are_one(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}/seats");
    the_one(at_once(&[&ben], &path, &json!({})).await, 201, whole);
}

async fn moves_at_the_same_time_are_one(server: Server) {
    let (path, active, _) = table(&server).await;
    let roll = json!({ "move": { "type": "roll", "dice": ["orange", "yellow"] } });
    the_one(at_once(&[&active], &format!("{path}/moves"), &roll).await, 200, whole);
}

async fn resignations_at_the_same_time_are_one(server: Server) {
    let (path, active, _) = table(&server).await;
    the_one(at_once(&[&active], &format!("{path}/resign"), &json!({})).await, 200, whole);
}

async fn pauses_at_the_same_time_are_one(server: Server) {
    let (path, active, other) = table(&server).await;
    the_one(at_once(&[&active], &format!("{path}/pause"), &json!({})).await, 200, whole);
    other.post(&format!("{path}/pause"), &json!({})).await.expect(200);
    let replies = join_all((0..16).map(|_| {
        let request = active.request(Method::POST, &format!("{path}/resume"));
        active.send(request.header("idempotency-key", "resume").json(&json!({})))
    }));
    the_one(replies.await, 200, whole);
}

async fn forks_at_the_same_time_are_one(server: Server) {
    let (path, active, _) = table(&server).await;
    active.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    let replies = at_once(&[&active], &format!("{path}/forks"), &json!({ "at": 5 })).await;
    the_one(replies, 201, whole);
}

/// A rematch needs no key: there is only one.
async fn rematches_at_the_same_time_are_one(server: Server) {
    let (path, active, _) = table(&server).await;
    active.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    let replies = at_once(&[&active], &format!("{path}/rematch"), &json!({})).await;
    let first = replies[0].body["id"].clone();
    for reply in replies {
        assert!(reply.status == 201 || reply.status == 200, "{}", reply.body);
        assert_eq!(reply.body["id"], first);
    }
}

async fn tokens_at_the_same_time_are_one(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "name": "bot", "scopes": ["account:read"] });
    let created = the_one(at_once(&[&ana], "/v1/me/tokens", &body).await, 201, whole);
    ana.with_token(created["secret"].as_str().unwrap()).get("/v1/me").await.expect(200);
    let listed = ana.get("/v1/me/tokens").await.expect(200);
    assert_eq!(listed["tokens"].as_array().unwrap().len(), 1);
}

async fn webhooks_at_the_same_time_are_one(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "url": "https://1.1.1.1/hook", "events": ["match.turn"] });
    let created = the_one(at_once(&[&ana], "/v1/webhooks", &body).await, 201, whole);
    assert!(created["secret"].as_str().is_some_and(|secret| secret.starts_with("whsec_")));
    let listed = ana.get("/v1/webhooks").await.expect(200);
    assert_eq!(listed["webhooks"].as_array().unwrap().len(), 1);
    assert!(listed["webhooks"][0].get("secret").is_none_or(Value::is_null));
}

async fn the_last_token_that_fits_can_be_retried(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "name": "bot", "scopes": ["account:read"] });
    for _ in 0..49 {
        ana.post("/v1/me/tokens", &body).await.expect(201);
    }
    the_one(at_once(&[&ana], "/v1/me/tokens", &body).await, 201, whole);
    ana.post("/v1/me/tokens", &body).await.problem(409, "too_many_tokens");
}

async fn a_nul_is_refused_wherever_it_stands(server: Server) {
    let (path, active, _) = table(&server).await;
    let (moves, seats) = (format!("{path}/moves"), format!("{path}/seats"));
    for (path, body, field) in [
        ("/v1/guests", json!({ "name": "A\0a" }), "name"),
        ("/v1/players", json!({ "name": "Ana", "password": "correct\0horse" }), "password"),
        ("/v1/sessions", json!({ "name": "A\0a", "password": "correct horse" }), "name"),
        ("/v1/sessions/refresh", json!({ "refresh_token": "\0" }), "refresh_token"),
        ("/v1/me/tokens", json!({ "name": "b\0t", "scopes": ["match:read"] }), "name"),
        ("/v1/me/tokens", json!({ "name": "bot", "scopes": ["match\0read"] }), "scopes[0]"),
        ("/v1/matches", json!({ "game": "qwinto\0", "seats": 2 }), "game"),
        ("/v1/matches", json!({ "game": "qwinto", "seats": 2, "entropy": "\0" }), "entropy"),
        (
            "/v1/matches",
            json!({ "game": "qwinto", "seats": 2, "options": { "a": "\0" } }),
            "options.a",
        ),
        ("/v1/webhooks", json!({ "url": "https://1.1.1.1/\0", "events": ["match.turn"] }), "url"),
        (seats.as_str(), json!({ "invite_code": "\0" }), "invite_code"),
        (moves.as_str(), json!({ "move": { "type": "ro\0ll" } }), "move.type"),
    ] {
        let refused = active.post(path, &body).await.problem(400, "invalid_field");
        assert_eq!(refused["field"], field, "{path}");
    }
    // A backslash before the digits is text like any other.
    let body = json!({ "name": "\\u0000", "scopes": ["match:read"] });
    let named = active.post("/v1/me/tokens", &body).await.expect(201);
    assert_eq!(named["name"], "\\u0000");
    for query in
        ["/v1/matches?game=%00", "/v1/matches?limit=5&cursor=%00", "/v1/exports/matches?game=a%00"]
    {
        assert_eq!(active.get(query).await.status, 400, "{query}");
    }
    for path in ["/v1/games/%00", "/v1/games/qwinto%00/leaderboard", "/v1/players/%00"] {
        assert_eq!(active.get(path).await.status, 404, "{path}");
    }
}

/// Retries that reach different replicas.
#[actix_web::test]
async fn retries_at_several_replicas_are_one() {
    let one = Server::start(Store::Postgres).await;
    let two = one.replica().await;
    let anybody = Client::anonymous(&one.url);
    let body = json!({ "name": "Cleo", "password": "correct horse" });
    // Hashing keeps both servers busy.
    let replies = times(4, &[&anybody, &anybody.at(&two.url)], "/v1/players", &body).await;
    the_one(replies, 201, player);
    let ana = Client::guest(&one.url, "Ana").await;
    let there = ana.at(&two.url);
    let both = [&ana, &there];
    let body = json!({ "name": "bot", "scopes": ["account:read"] });
    the_one(at_once(&both, "/v1/me/tokens", &body).await, 201, whole);
    let body = json!({ "url": "https://1.1.1.1/hook", "events": ["match.turn"] });
    the_one(at_once(&both, "/v1/webhooks", &body).await, 201, whole);
    let body = json!({ "game": "tapestry", "seats": 1 });
    the_one(at_once(&both, "/v1/matches", &body).await, 201, whole);
    let created = ana.create_match("tapestry", 1).await;
    let id = created["id"].as_str().unwrap();
    let mv = json!({ "move": ana.legal_moves(id).await[0] });
    the_one(at_once(&both, &format!("/v1/matches/{id}/moves"), &mv).await, 200, whole);
}
