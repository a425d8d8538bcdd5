//! Invalid input: clear errors, nothing lost, no panic.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{client::Client, server::Server};

on_both_stores!(
    a_wrong_shape_is_400_and_names_the_field,
    a_wrong_move_is_400_and_a_forbidden_one_422_with_the_rule,
    problems_are_written_in_the_language_of_the_client,
    bodies_have_limits_and_have_to_be_json,
    parameters_are_checked_and_named,
    unknown_addresses_are_404_and_unknown_methods_405,
    tokens_that_are_not_good_are_401,
);

async fn a_wrong_shape_is_400_and_names_the_field(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    for (body, field) in [
        (json!({ "game": "qwinto", "seats": "two" }), "seats"),
        (json!({ "game": "qwinto", "seats": -1 }), "seats"),
        (json!({ "game": "qwinto" }), "seats"),
        (json!({ "seats": 2 }), "game"),
        (json!({ "game": "chess", "seats": 2 }), "game"),
        (json!({ "game": "qwinto", "seats": 2, "colour": "red" }), "colour"),
        (json!({ "game": "qwinto", "seats": 2, "visibility": "secret" }), "visibility"),
        (json!({ "game": "qwinto", "seats": 2, "options": { "fast": true } }), "options.fast"),
        (json!({ "game": "tapestry", "seats": 1, "options": { "mode": "slow" } }), "options.mode"),
        (json!({ "game": "qwinto", "seats": 2, "entropy": "nul\u{0}" }), "entropy"),
    ] {
        let reply = ana.post("/v1/matches", &body).await;
        assert_eq!(reply.status, 400, "{body}");
        assert_eq!(reply.body["field"], field, "{}", reply.body);
    }
    ana.post("/v1/matches", &json!({ "game": "qwinto", "seats": 9 }))
        .await
        .problem(422, "seat_count");
    assert_eq!(ana.get("/v1/matches").await.expect(200)["matches"], json!([]));
}

async fn a_wrong_move_is_400_and_a_forbidden_one_422_with_the_rule(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let created = ana.create_match("qwinto", 2).await;
    let id = created["id"].as_str().unwrap();
    let started = ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let active = if started["view"]["active"] == 0 { &ana } else { &ben };
    for (mv, field) in [
        (json!({ "type": "roll", "dice": ["green"] }), "move.dice"),
        (json!({ "type": "roll", "dice": ["orange", "orange"] }), "move.dice"),
        (json!({ "type": "roll" }), "move.dice"),
        (json!({ "type": "dance" }), "move.type"),
        (json!({ "type": "keep", "hard": true }), "move.hard"),
        (json!({}), "move.type"),
        (json!(7), "move"),
        (json!(["keep"]), "move"),
        (Value::Null, "move"),
    ] {
        let problem = active.make_move(id, &mv).await.problem(400, "malformed");
        assert_eq!(problem["field"], field, "{problem}");
    }
    let problem =
        active.make_move(id, &json!({ "type": "pass" })).await.problem(422, "qwinto.roll_first");
    assert_eq!(problem["rule"], "R2.2");
    assert_eq!(problem["version"], started["version"]);
    assert_eq!(problem["legal_moves"], format!("/v1/matches/{id}/legal-moves"));
    let now = active.get(&format!("/v1/matches/{id}")).await.expect(200);
    assert_eq!(now["version"], started["version"], "nothing happened");
}

async fn problems_are_written_in_the_language_of_the_client(server: Server) {
    let client = Client::anonymous(&server.url);
    let request = client.request(Method::GET, "/v1/me").header("accept-language", "es");
    let reply = client.send(request).await;
    assert_eq!(reply.header("content-language"), Some("es"));
    let problem = reply.problem(401, "token_missing");
    assert!(problem["detail"].as_str().unwrap().starts_with("Hace falta"));
    assert_eq!(problem["instance"], "/v1/me");
}

async fn bodies_have_limits_and_have_to_be_json(server: Server) {
    let client = Client::anonymous(&server.url);
    let guests = || client.request(Method::POST, "/v1/guests");
    let large = format!(r#"{{"name":"{}"}}"#, "x".repeat(65 * 1024));
    let json = |body: String| guests().header("content-type", "application/json").body(body);
    client.send(json(large)).await.problem(413, "body_too_large");
    client.send(guests().body("name=Ana")).await.problem(415, "not_json");
    client
        .send(guests().header("content-type", "text/plain").body("{}"))
        .await
        .problem(415, "not_json");
    client.send(json("{".to_owned())).await.problem(400, "malformed");
    client.send(json(String::new())).await.problem(400, "malformed");
    client.send(json("\u{feff}{}".to_owned())).await.problem(400, "malformed");
    client
        .send(guests().header("content-type", "application/json").body(vec![0xff, 0xfe]))
        .await
        .problem(400, "malformed");
    client.send(guests()).await.expect(201);
}

async fn parameters_are_checked_and_named(server: Server) {
    let client = Client::anonymous(&server.url);
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=18446744073709551616", "limit"),
        ("limit=ten&game=qwinto", "limit"),
        ("game=chess", "game"),
        ("status=paused", "status"),
        ("player=me", "player"),
        ("since=yesterday", "since"),
        ("since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z", "until"),
        ("cursor=7", "cursor"),
        ("colour=red", "colour"),
        ("mine=perhaps", "mine"),
    ] {
        let reply = client.get(&format!("/v1/matches?{query}")).await;
        assert_eq!(reply.status, 400, "{query}");
        assert_eq!(reply.body["field"], field, "{query}: {}", reply.body);
    }
    client.get("/v1/matches?mine=true").await.problem(401, "token_missing");
}

async fn unknown_addresses_are_404_and_unknown_methods_405(server: Server) {
    let client = Client::guest(&server.url, "Ana").await;
    for path in [
        "/v2",
        "/v1/matches/7",
        "/v1/players/none",
        "/v1/matches/00000000-0000-7000-8000-000000000000",
        "/v1/games/qwinto/charts/measure.score",
    ] {
        client.get(path).await.problem(404, "not_found");
    }
    let head = client.send(client.request(Method::HEAD, "/healthz")).await;
    assert_eq!((head.status.as_u16(), head.header("content-length").is_some()), (200, true));
    let reply = client.delete("/v1/games").await;
    assert_eq!(reply.header("allow"), Some("GET"));
    reply.problem(405, "method_not_allowed");
}

async fn tokens_that_are_not_good_are_401(server: Server) {
    let mut client = Client::guest(&server.url, "Ana").await;
    let token = client.token.clone().unwrap();
    let (head, signature) = token.rsplit_once('.').unwrap();
    let other = Client::guest(&server.url, "Ben").await.token.unwrap();
    let (_, foreign) = other.rsplit_once('.').unwrap();
    for bad in ["", "abc", head, &format!("{head}.{foreign}"), &format!("{head}x.{signature}")] {
        client.token = Some(bad.to_owned());
        client.get("/v1/me").await.problem(401, "invalid_token");
        client.get("/v1/matches").await.problem(401, "invalid_token");
    }
    let request = Client::anonymous(&server.url)
        .request(Method::GET, "/v1/me")
        .header("authorization", "Basic YTpi");
    client.send(request).await.problem(401, "invalid_token");
}
