//! Personal access tokens: they do what their scopes say, and no more.

use api::openapi;
use reqwest::{Method, StatusCode};
use sea_orm::EntityTrait;
use serde_json::{Value, json};
use service::identity::{Requirement, Scope};
use store::entities::access_token;
use tests::{client::Client, server::Server};

on_both_stores!(
    every_operation_refuses_tokens_without_its_scope_and_no_others,
    a_token_plays_for_its_owner,
    tokens_are_shown_once_listed_and_revoked_at_once,
    only_the_hash_of_a_token_is_stored,
    a_retry_makes_no_second_token,
    wrong_tokens_to_be_are_refused_and_named,
    nobody_hoards_tokens,
);

/// A token of this player: the response, and a client that uses it.
async fn token(owner: &Client, scopes: &[&str]) -> (Value, Client) {
    let body = json!({ "name": "bot", "scopes": scopes });
    let created = owner.post("/v1/me/tokens", &body).await.expect(201);
    let client = owner.with_token(created["secret"].as_str().unwrap());
    (created, client)
}

/// The requirements that operations declare: method, path, requirement.
fn declared() -> Vec<(Method, String, Requirement)> {
    let mut declared = Vec::new();
    for (path, item) in openapi::DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let ways = operation["security"].as_array().expect("who may do this");
            // What applications may do is in `application_access.rs`.
            for way in ways.iter().filter(|way| way.get("bearer").is_some()) {
                let scopes = way["bearer"].as_array().expect("scopes");
                let [scope] = scopes.as_slice() else {
                    panic!(
                        "{method} {path} declares {scopes:?}: say which one scope it needs, see CONTRIBUTING.md"
                    )
                };
                let need = Requirement::from_id(scope.as_str().unwrap());
                let need = need.unwrap_or_else(|| panic!("{method} {path}: {scope} is no scope"));
                let text = operation["description"].as_str().unwrap();
                assert!(
                    text.contains(&format!("Scope: `{}`", need.id())),
                    "{method} {path}: {text}"
                );
                let method = method.to_uppercase().parse().unwrap();
                declared.push((method, path.clone(), need));
            }
        }
    }
    declared
}

/// A path with a value for every parameter.
fn filled(path: &str) -> String {
    let part = |part: &str| match part {
        "{game}" => "qwinto".to_owned(),
        part if part.starts_with('{') => "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10".to_owned(),
        part => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// The problem if the token is refused; streams are not read.
async fn refusal(client: &Client, method: &Method, path: &str) -> Option<Value> {
    let request = client.request(method.clone(), &filled(path)).json(&json!({}));
    let response = request.send().await.expect("an answer");
    if response.status() != StatusCode::FORBIDDEN {
        return None;
    }
    let challenge = response.headers().get("www-authenticate").cloned();
    let problem: Value = serde_json::from_slice(&response.bytes().await.unwrap()).unwrap();
    let is_scope = problem["code"] == "missing_scope";
    if is_scope {
        let scope = problem["scope"].as_str().unwrap();
        let expected = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
        assert_eq!(challenge.unwrap().to_str().unwrap(), expected);
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
    }
    is_scope.then_some(problem)
}

async fn every_operation_refuses_tokens_without_its_scope_and_no_others(server: Server) {
    let owner = Client::guest(&server.url, "Ana").await;
    let declared = declared();
    assert!(declared.len() >= 17, "{declared:?}");
    let all: Vec<&str> = Scope::ALL.iter().map(|scope| scope.id()).collect();
    let (_, everything) = token(&owner, &all).await;
    for scope in &all {
        let others: Vec<&str> = all.iter().copied().filter(|other| other != scope).collect();
        let (_, with) = token(&owner, &[scope]).await;
        let (_, without) = token(&owner, &others).await;
        for (method, path, _) in declared.iter().filter(|(_, _, need)| need.id() == *scope) {
            let refused = refusal(&without, method, path).await;
            let refused =
                refused.unwrap_or_else(|| panic!("{method} {path} lets in whom it should not"));
            assert_eq!(refused["scope"], *scope);
            assert_eq!(refusal(&with, method, path).await, None, "{method} {path}");
        }
    }
    for (method, path, _) in declared.iter().filter(|(_, _, need)| *need == Requirement::Session) {
        let refused = refusal(&everything, method, path).await;
        let refused = refused.unwrap_or_else(|| panic!("{method} {path} lets in a token"));
        assert_eq!(refused["scope"], "session");
    }
    owner.get("/v1/me").await.expect(200);
}

async fn a_token_plays_for_its_owner(server: Server) {
    let owner = Client::guest(&server.url, "Ana").await;
    let (_, bot) = token(&owner, &["match:read", "match:play"]).await;
    let created = bot.create_match("tapestry", 1).await;
    assert_eq!(created["seats"][0]["player"]["id"].as_str(), owner.player.as_deref());
    let id = created["id"].as_str().unwrap();
    let moves = bot.legal_moves(id).await;
    bot.make_move(id, &moves[0]).await.expect(200);
    let refused = bot.get("/v1/me").await;
    assert_eq!(
        refused.header("www-authenticate"),
        Some("Bearer error=\"insufficient_scope\", scope=\"account:read\"")
    );
    assert_eq!(refused.problem(403, "missing_scope")["scope"], "account:read");
    bot.get("/v1/games").await.expect(200);
}

async fn tokens_are_shown_once_listed_and_revoked_at_once(server: Server) {
    let owner = Client::guest(&server.url, "Ana").await;
    let body = json!({ "name": "  Reader ", "scopes": ["match:read", "account:read"], "expires_in_days": 7 });
    let reply = owner.post("/v1/me/tokens", &body).await;
    let id = reply.body["id"].as_str().unwrap().to_owned();
    let address = format!("/v1/me/tokens/{id}");
    assert_eq!(reply.header("location"), Some(address.as_str()));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    let created = reply.expect(201);
    let secret = created["secret"].as_str().unwrap();
    assert!(secret.starts_with("telar_pat_") && secret.len() == 56, "{secret}");
    assert_eq!(created["name"], "Reader");
    assert_eq!(created["scopes"], json!(["account:read", "match:read"]));
    assert_eq!(created["last_used_at"], Value::Null);

    let bot = owner.with_token(secret);
    assert_eq!(bot.get("/v1/me").await.expect(200)["name"], "Ana");
    let listed = owner.get("/v1/me/tokens").await.expect(200);
    assert!(!listed.to_string().contains(secret));
    assert!(listed["tokens"][0]["last_used_at"].is_string(), "{listed}");
    assert_eq!(listed["tokens"][0]["expires_at"], created["expires_at"]);

    let stranger = Client::guest(&server.url, "Eve").await;
    stranger.delete(&address).await.problem(404, "not_found");
    assert_eq!(stranger.get("/v1/me/tokens").await.expect(200)["tokens"], json!([]));
    bot.get("/v1/me").await.expect(200);
    owner.delete(&address).await.expect(204);
    bot.get("/v1/me").await.problem(401, "invalid_token");
    owner.delete(&address).await.problem(404, "not_found");
    assert_eq!(owner.get("/v1/me/tokens").await.expect(200)["tokens"], json!([]));
}

async fn only_the_hash_of_a_token_is_stored(server: Server) {
    let owner = Client::guest(&server.url, "Ana").await;
    let (created, _) = token(&owner, &["match:read"]).await;
    let db = store::connect(&server.config.store()).await.unwrap();
    let stored = access_token::Entity::find().one(&db).await.unwrap().expect("the token");
    let secret = created["secret"].as_str().unwrap();
    assert_eq!(stored.token_hash, service::secret::hash(secret.as_bytes()));
    assert!(!format!("{stored:?}").contains(&secret[10..]));
}

async fn a_retry_makes_no_second_token(server: Server) {
    let owner = Client::guest(&server.url, "Ana").await;
    let create = async |name: &str| {
        let body = json!({ "name": name, "scopes": ["account:read"] });
        let request =
            owner.request(Method::POST, "/v1/me/tokens").header("idempotency-key", "once");
        owner.send(request.json(&body)).await
    };
    let first = create("bot").await.expect(201);
    let second = create("bot").await.expect(201);
    assert_eq!(first, second);
    create("another").await.problem(422, "idempotency_key_reused");
    let with = |created: &Value| owner.with_token(created["secret"].as_str().unwrap());
    with(&first).get("/v1/me").await.expect(200);
    // A token that was revoked does not come back with its old secret.
    owner.delete(&format!("/v1/me/tokens/{}", first["id"].as_str().unwrap())).await.expect(204);
    let third = create("bot").await.expect(201);
    with(&first).get("/v1/me").await.problem(401, "invalid_token");
    with(&third).get("/v1/me").await.expect(200);
}

async fn wrong_tokens_to_be_are_refused_and_named(server: Server) {
    let owner = Client::guest(&server.url, "Ana").await;
    for (body, field) in [
        (json!({ "scopes": ["match:read"] }), "name"),
        (json!({ "name": "", "scopes": ["match:read"] }), "name"),
        (json!({ "name": "b\u{0}t", "scopes": ["match:read"] }), "name"),
        (json!({ "name": "x".repeat(61), "scopes": ["match:read"] }), "name"),
        (json!({ "name": "bot", "scopes": [] }), "scopes"),
        (json!({ "name": "bot", "scopes": ["session"] }), "scopes"),
        (json!({ "name": "bot", "scopes": "match:read" }), "scopes"),
        (
            json!({ "name": "bot", "scopes": ["match:read"], "expires_in_days": 0 }),
            "expires_in_days",
        ),
        (
            json!({ "name": "bot", "scopes": ["match:read"], "expires_in_days": 367 }),
            "expires_in_days",
        ),
        (
            json!({ "name": "bot", "scopes": ["match:read"], "expires_in_days": -1 }),
            "expires_in_days",
        ),
        (json!({ "name": "bot", "scopes": ["match:read"], "colour": "red" }), "colour"),
    ] {
        let reply = owner.post("/v1/me/tokens", &body).await;
        assert_eq!(reply.status, 400, "{body}");
        let named = reply.body["field"].as_str().unwrap_or_default();
        assert!(named == field || named.starts_with(&format!("{field}[")), "{}", reply.body);
    }
    for bad in ["telar_pat_", "telar_pat_0000000000000000000000000000000000000000000000"] {
        let bot = owner.with_token(bad);
        bot.get("/v1/me").await.problem(401, "invalid_token");
    }
}

async fn nobody_hoards_tokens(server: Server) {
    let owner = Client::guest(&server.url, "Ana").await;
    let body = json!({ "name": "bot", "scopes": ["match:read"] });
    for _ in 0..50 {
        owner.post("/v1/me/tokens", &body).await.expect(201);
    }
    owner.post("/v1/me/tokens", &body).await.problem(409, "too_many_tokens");
}
