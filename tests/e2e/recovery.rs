//! Recovery codes: how guests come back on a new device.

use std::time::Duration;

use api::config::Rates;
use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::EntityTrait;
use serde_json::{Value, json};
use store::entities::recovery_code;
use tests::{
    application::store_of,
    client::{Client, Reply},
    server::Server,
};

on_both_stores!(
    a_code_brings_a_guest_back_once,
    a_lost_response_can_be_asked_for_again,
    simultaneous_recoveries_get_the_same_next_code,
    a_retried_creation_shows_the_same_code,
    an_account_has_no_code_any_more,
    a_deleted_guest_leaves_no_code_behind,
    guessing_is_slowed_down,
);

async fn guest(server: &Server) -> (Client, String) {
    let mut client = Client::anonymous(&server.url);
    let session = client.post("/v1/guests", &json!({ "name": "Ana" })).await.expect(201);
    client.enter(&session);
    (client, code_of(&session))
}

fn code_of(session: &Value) -> String {
    session["recovery_code"].as_str().expect("a code").to_owned()
}

async fn recover(server: &Server, code: &str) -> Reply {
    let body = json!({ "recovery_code": code });
    Client::anonymous(&server.url).post("/v1/guests/recover", &body).await
}

async fn a_code_brings_a_guest_back_once(server: Server) {
    let (ana, code) = guest(&server).await;
    assert_eq!(code.len(), 23, "{code}");
    ana.create_match("qwinto", 2).await;
    let typed = code.to_lowercase().replace('-', " ");
    let session = recover(&server, &typed).await.expect(201);
    assert_eq!(session["player"]["id"].as_str(), ana.player.as_deref());
    let mut phone = Client::anonymous(&server.url);
    phone.enter(&session);
    let mine = phone.get("/v1/me").await.expect(200);
    assert_eq!(mine["name"], "Ana");
    ana.get("/v1/me").await.expect(200);
    let next = code_of(&session);
    assert_ne!(next, code);
    let third = code_of(&recover(&server, &next).await.expect(201));
    recover(&server, &code).await.problem(401, "wrong_recovery_code");
    recover(&server, &third).await.expect(201);
    for wrong in ["", "nonsense", "22222-22222-22222-22222"] {
        recover(&server, wrong).await.problem(401, "wrong_recovery_code");
    }
    // Refreshing and logging in show no code.
    let refresh = json!({ "refresh_token": phone.refresh_token });
    let refreshed = phone.post("/v1/sessions/refresh", &refresh).await.expect(200);
    assert!(refreshed.get("recovery_code").is_none());
    let db = store_of(&server).await;
    let stored = recovery_code::Entity::find().all(&db).await.unwrap();
    assert_eq!(stored.len(), 1);
    assert!(!format!("{stored:?}").contains(&third));
}

async fn a_lost_response_can_be_asked_for_again(server: Server) {
    let server = server.restart_frozen().await;
    let (_, code) = guest(&server).await;
    let next = code_of(&recover(&server, &code).await.expect(201));
    assert_eq!(code_of(&recover(&server, &code).await.expect(201)), next);
    server.clock.advance(Duration::from_mins(15));
    recover(&server, &code).await.problem(401, "wrong_recovery_code");
    recover(&server, &next).await.expect(201);
}

async fn simultaneous_recoveries_get_the_same_next_code(server: Server) {
    let (_, code) = guest(&server).await;
    let replies = join_all((0..8).map(|_| recover(&server, &code))).await;
    let codes: Vec<String> = replies.into_iter().map(|reply| code_of(&reply.expect(201))).collect();
    assert!(codes.iter().all(|next| *next == codes[0]));
}

async fn a_retried_creation_shows_the_same_code(server: Server) {
    let anybody = Client::anonymous(&server.url);
    let create = async || {
        let request = anybody
            .request(Method::POST, "/v1/guests")
            .header("idempotency-key", "7b8f4a52-5b9d-4c8e-9a44-2d6a0a3f5c11");
        anybody.send(request.json(&json!({}))).await.expect(201)
    };
    let (first, second) = (create().await, create().await);
    assert_eq!(code_of(&first), code_of(&second));
    recover(&server, &code_of(&first)).await.expect(201);
    assert!(create().await.get("recovery_code").is_none(), "it has been used");
}

async fn an_account_has_no_code_any_more(server: Server) {
    let (ana, code) = guest(&server).await;
    let change = json!({ "password": "correct horse" });
    ana.send(ana.request(Method::PATCH, "/v1/me").json(&change)).await.expect(200);
    recover(&server, &code).await.problem(401, "wrong_recovery_code");
}

async fn a_deleted_guest_leaves_no_code_behind(server: Server) {
    let (ana, code) = guest(&server).await;
    ana.delete("/v1/me").await.expect(204);
    recover(&server, &code).await.problem(401, "wrong_recovery_code");
    let db = store_of(&server).await;
    assert!(recovery_code::Entity::find().all(&db).await.unwrap().is_empty());
}

async fn guessing_is_slowed_down(server: Server) {
    let rates = Rates { failures: 2, sign_ins: 6, ..Rates::UNLIMITED };
    let server = server.restart_with(|config| config.rates = rates).await;
    let (_, code) = guest(&server).await;
    for _ in 0..2 {
        recover(&server, "22222-22222-22222-22222").await.problem(401, "wrong_recovery_code");
    }
    let refused = recover(&server, &code).await;
    assert!(refused.header("retry-after").is_some());
    refused.problem(429, "too_many_failures");
    for _ in 0..2 {
        recover(&server, &code).await.problem(429, "too_many_failures");
    }
    recover(&server, &code).await.problem(429, "rate_limited");
}
