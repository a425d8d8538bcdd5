//! Retries and stale decisions: `Idempotency-Key`, `If-Match`, `ETag`, `dry_run`.

use api::http::address::TrustedProxies;
use reqwest::{Method, RequestBuilder};
use sea_orm::EntityTrait;
use serde_json::{Value, json};
use store::entities::{creation, player};
use tests::{
    client::{Client, Reply},
    server::Server,
};

on_both_stores!(
    a_retried_move_gets_the_first_answer,
    who_wants_no_view_gets_everything_else,
    a_retry_after_a_restart_gets_the_first_answer,
    a_retried_creation_finds_what_the_first_created,
    a_key_opens_nobody_elses_session,
    a_retried_registration_needs_the_current_password,
    nothing_of_a_password_is_stored_but_its_hash,
    keys_have_a_shape,
    a_stale_decision_is_412_but_simultaneous_answers_are_not_stale,
    a_view_that_the_client_has_is_not_sent_again,
    a_dry_run_shows_what_would_happen_and_changes_nothing,
);

/// A match of Qwinto with two seats: the active one first.
async fn table(url: &str) -> (String, Client, Client) {
    let ana = Client::guest(url, "Ana").await;
    let ben = Client::guest(url, "Ben").await;
    let created = ana.create_match("qwinto", 2).await;
    let id = created["id"].as_str().unwrap().to_owned();
    let started = ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    if started["view"]["active"] == 0 { (id, ana, ben) } else { (id, ben, ana) }
}

fn a_move(client: &Client, id: &str, body: &Value) -> RequestBuilder {
    client.request(Method::POST, &format!("/v1/matches/{id}/moves")).json(body)
}

async fn a_retried_move_gets_the_first_answer(server: Server) {
    let (id, active, other) = table(&server.url).await;
    let roll = json!({ "move": { "type": "roll", "dice": ["orange", "yellow"] } });
    let keyed = |body: &Value| a_move(&active, &id, body).header("idempotency-key", "roll-1");
    let first = active.send(keyed(&roll)).await.expect(200);
    active.make_move(&id, &json!({ "type": "keep" })).await.expect(200);
    let again = active.send(keyed(&roll)).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.expect(200), first);
    // The same move in another spelling is accepted; a different one is refused.
    let spelled = json!({ "move": { "dice": ["yellow", "orange"], "type": "roll" } });
    assert_eq!(active.send(keyed(&spelled)).await.expect(200), first);
    let another = json!({ "move": { "type": "roll", "dice": ["purple"] } });
    active.send(keyed(&another)).await.problem(422, "idempotency_key_reused");
    // Keys belong to their player.
    let theirs = a_move(&other, &id, &json!({ "move": { "type": "pass" } }))
        .header("idempotency-key", "roll-1");
    other.send(theirs).await.expect(200);
}

async fn who_wants_no_view_gets_everything_else(server: Server) {
    let (id, active, _) = table(&server.url).await;
    let roll = json!({ "move": { "type": "roll", "dice": ["orange"] } });
    let keyed = || a_move(&active, &id, &roll).header("idempotency-key", "roll-1");
    let brief = active.send(keyed().header("prefer", "respond-async, return=minimal")).await;
    assert_eq!(brief.header("preference-applied"), Some("return=minimal"));
    let brief = brief.expect(200);
    // The same move, seen in full.
    let full = active.send(keyed()).await;
    assert_eq!(full.header("preference-applied"), None);
    let full = full.expect(200);
    assert_eq!(full["view"], active.get(&format!("/v1/matches/{id}")).await.expect(200)["view"]);
    let mut without = full;
    without["view"] = Value::Null;
    assert_eq!(brief, without);
}

async fn a_retry_after_a_restart_gets_the_first_answer(server: Server) {
    let (id, active, _) = table(&server.url).await;
    let roll = json!({ "move": { "type": "roll", "dice": ["purple"] } });
    let keyed = |client: &Client| a_move(client, &id, &roll).header("idempotency-key", "k");
    let first = active.send(keyed(&active)).await.expect(200);
    let server = server.restart().await;
    let active = active.at(&server.url);
    active.get(&format!("/v1/matches/{id}")).await.expect(200);
    assert_eq!(active.send(keyed(&active)).await.expect(200), first);
}

async fn a_retried_creation_finds_what_the_first_created(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let keyed = |body: &Value| {
        ana.request(Method::POST, "/v1/matches").json(body).header("idempotency-key", "m")
    };
    let body = json!({ "game": "qwinto", "seats": 2 });
    let first = ana.send(keyed(&body)).await.expect(201);
    let again = ana.send(keyed(&body)).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.expect(201), first);
    ana.send(keyed(&json!({ "game": "qwinto", "seats": 3 })))
        .await
        .problem(422, "idempotency_key_reused");
    assert_eq!(
        ana.get("/v1/matches?mine=true").await.expect(200)["matches"].as_array().unwrap().len(),
        1
    );

    let guest = || {
        ana.request(Method::POST, "/v1/guests")
            .json(&json!({ "name": "Gus" }))
            .header("idempotency-key", "0d1f5a3e-8c3b-4b8e-9d53-5b9f6a0c7e11")
    };
    let (one, two) = (ana.send(guest()).await.expect(201), ana.send(guest()).await.expect(201));
    assert_eq!(one["player"], two["player"]);
    let ben = Client::guest(&server.url, "Ben").await;
    let id = first["id"].as_str().unwrap();
    let sit = || {
        ben.request(Method::POST, &format!("/v1/matches/{id}/seats"))
            .json(&json!({}))
            .header("idempotency-key", "s")
    };
    assert_eq!(ben.send(sit()).await.expect(201), ben.send(sit()).await.expect(201));
}

async fn a_key_opens_nobody_elses_session(server: Server) {
    let server =
        server.restart_with(|config| config.trusted_proxies = TrustedProxies::Hops(1)).await;
    let client = Client::anonymous(&server.url);
    let guest = async |address: &str, key: &str| {
        let request = client.request(Method::POST, "/v1/guests").json(&json!({}));
        client.send(request.header("x-forwarded-for", address).header("idempotency-key", key)).await
    };
    let key = "5e1c0a52-6d0e-4d27-a3f0-0f6f4c5f1b90";
    let ana = guest("203.0.113.1", key).await.expect(201);
    let ben = guest("203.0.113.2", key).await.expect(201);
    assert_ne!(ana["player"]["id"], ben["player"]["id"], "another address is somebody else");
    assert_eq!(guest("203.0.113.1", key).await.expect(201)["player"], ana["player"]);
    // Behind a proxy many share an address, and keys like these: such a key would open a stranger's session.
    for guessed in ["1", "guest-1", "00000000-0000-0000-0000-000000000000", &key[..35]] {
        let refused = guest("203.0.113.1", guessed).await.problem(400, "invalid_field");
        assert_eq!(refused["field"], "Idempotency-Key");
    }
    let owner = client.with_token(ana["access_token"].as_str().unwrap());
    let account = json!({ "name": "Ana", "password": "correct horse" });
    owner.send(owner.request(Method::PATCH, "/v1/me").json(&account)).await.expect(200);
    guest("203.0.113.1", key).await.problem(422, "idempotency_key_reused");
}

/// A registration under the key `r`.
async fn register(client: &Client, name: &str, password: &str) -> Reply {
    let body = json!({ "name": name, "password": password });
    let request = client.request(Method::POST, "/v1/players").header("idempotency-key", "r");
    client.send(request.json(&body)).await
}

async fn a_retried_registration_needs_the_current_password(server: Server) {
    let client = Client::anonymous(&server.url);
    let first = register(&client, "Ana", "correct horse").await.expect(201);
    let again = register(&client, "Ana", "correct horse").await.expect(201);
    assert_eq!(first["player"], again["player"]);
    assert_ne!(first["refresh_token"], again["refresh_token"]);
    register(&client, "Ben", "correct horse").await.problem(422, "idempotency_key_reused");
    register(&client, "Ana", "another horse").await.problem(422, "idempotency_key_reused");
    let ana = client.with_token(first["access_token"].as_str().unwrap());
    let change = json!({ "password": "another horse", "current_password": "correct horse" });
    ana.send(ana.request(Method::PATCH, "/v1/me").json(&change)).await.expect(200);
    // Whoever has seen the request gets in no more.
    register(&client, "Ana", "correct horse").await.problem(422, "idempotency_key_reused");
}

async fn nothing_of_a_password_is_stored_but_its_hash(server: Server) {
    let client = Client::anonymous(&server.url);
    register(&client, "Ana", "correct horse").await.expect(201);
    let db = store::connect(&server.config.store()).await.unwrap();
    let stored = creation::Entity::find().all(&db).await.unwrap();
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].fingerprint, service::secret::hash(b"Ana\n"), "only name and address");
    let player = player::Entity::find().one(&db).await.unwrap().expect("a player");
    assert!(player.password_hash.is_some_and(|hash| hash.starts_with("$argon2id$")));
}

async fn keys_have_a_shape(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    for key in ["", "two words", &"x".repeat(129)] {
        let request = ana
            .request(Method::POST, "/v1/matches")
            .json(&json!({ "game": "qwinto", "seats": 2 }))
            .header("idempotency-key", key);
        assert_eq!(
            ana.send(request).await.problem(400, "invalid_field")["field"],
            "Idempotency-Key"
        );
    }
}

async fn a_stale_decision_is_412_but_simultaneous_answers_are_not_stale(server: Server) {
    let (id, active, other) = table(&server.url).await;
    let version = |document: Value| document["version"].as_u64().unwrap();
    let path = format!("/v1/matches/{id}");
    let start = version(active.get(&path).await.expect(200));
    let when = |client: &Client, version: u64, mv: Value| {
        a_move(client, &id, &json!({ "move": mv })).header("if-match", format!("\"{version}\""))
    };
    let roll = json!({ "type": "roll", "dice": ["orange"] });
    active.send(when(&active, start, roll.clone())).await.expect(200);
    let problem = active
        .send(when(&active, start, json!({ "type": "keep" })))
        .await
        .problem(412, "stale_version");
    assert_eq!(problem["version"], start + 1);
    active
        .send(when(&active, start + 9, json!({ "type": "keep" })))
        .await
        .problem(412, "stale_version");
    let kept =
        version(active.send(when(&active, start + 1, json!({ "type": "keep" }))).await.expect(200));
    // Both saw the same version, and both answers are accepted.
    active.send(when(&active, kept, json!({ "type": "pass" }))).await.expect(200);
    other.send(when(&other, kept, json!({ "type": "pass" }))).await.expect(200);
    other.send(when(&other, kept, json!({ "type": "pass" }))).await.problem(412, "stale_version");
    let bad = a_move(&other, &id, &json!({ "move": roll })).header("if-match", "17");
    other.send(bad).await.problem(400, "invalid_field");
}

async fn a_view_that_the_client_has_is_not_sent_again(server: Server) {
    let (id, active, _) = table(&server.url).await;
    for path in [format!("/v1/matches/{id}"), format!("/v1/matches/{id}/replay?at=5")] {
        let first = active.get(&path).await;
        let tag = first.header("etag").expect("a tag").to_owned();
        assert!(tag.starts_with("\"5"), "{tag}");
        let again = active.request(Method::GET, &path).header("if-none-match", &tag);
        let again = active.send(again).await;
        assert_eq!(again.status, 304);
        assert_eq!(again.body, Value::Null);
    }
    let tag = active.get(&format!("/v1/matches/{id}")).await.header("etag").unwrap().to_owned();
    // The tag of a view can be sent back with a move as it is.
    let roll = json!({ "move": { "type": "roll", "dice": ["orange"] } });
    active.send(a_move(&active, &id, &roll).header("if-match", tag)).await.expect(200);
}

async fn a_dry_run_shows_what_would_happen_and_changes_nothing(server: Server) {
    let (id, active, _) = table(&server.url).await;
    let path = format!("/v1/matches/{id}");
    let roll = json!({ "move": { "type": "roll", "dice": ["orange"] }, "dry_run": true });
    active.post(&format!("{path}/moves"), &roll).await.problem(422, "not_foreseeable");
    active.make_move(&id, &json!({ "type": "roll", "dice": ["orange"] })).await.expect(200);
    let before = active.get(&path).await.expect(200);
    let keep = json!({ "move": { "type": "keep" }, "dry_run": true });
    let trial = active.post(&format!("{path}/moves"), &keep).await.expect(200);
    assert_eq!(trial["view"]["phase"]["type"], "writing");
    assert_eq!(trial["events"][0]["version"], before["version"].as_u64().unwrap() + 1);
    let brief = active.send(a_move(&active, &id, &keep).header("prefer", "return=minimal")).await;
    assert_eq!(brief.header("preference-applied"), Some("return=minimal"));
    assert_eq!(brief.expect(200)["view"], Value::Null);
    assert_eq!(active.get(&path).await.expect(200), before);
    let wrong = json!({ "move": { "type": "pass" }, "dry_run": true });
    active.post(&format!("{path}/moves"), &wrong).await.problem(422, "qwinto.keep_or_reroll");
}
