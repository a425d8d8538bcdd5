//! A webhook that a personal access token created reveals no more than that token may read, and ends with it.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    receiver::Receiver,
    server::{Server, Store, frozen_clock},
};

const DAY: Duration = Duration::from_hours(24);

/// A server that may call webhooks on this machine, and whose clock stands still.
async fn server(store: Store) -> Server {
    Server::start_at_with(store, frozen_clock(), |config| {
        config.webhook_allow_http = true;
        config.webhook_allow_private = true;
    })
    .await
}

/// A personal access token that is valid for 30 days, and a client that uses it.
async fn token(owner: &Client, scopes: &[&str]) -> (String, Client) {
    let body = json!({ "name": "bot", "scopes": scopes, "expires_in_days": 30 });
    let created = owner.post("/v1/me/tokens", &body).await.expect(201);
    let bot = owner.with_token(created["secret"].as_str().unwrap());
    (created["id"].as_str().unwrap().to_owned(), bot)
}

async fn hook(client: &Client, url: &str) -> Value {
    let body = json!({ "url": url, "events": ["match.started"] });
    client.post("/v1/webhooks", &body).await.expect(201)
}

fn path(hook: &Value) -> String {
    format!("/v1/webhooks/{}", id(hook))
}

async fn ids(client: &Client) -> BTreeSet<String> {
    let list = client.get("/v1/webhooks").await.expect(200);
    list["webhooks"].as_array().unwrap().iter().map(id).collect()
}

fn id(hook: &Value) -> String {
    hook["id"].as_str().unwrap().to_owned()
}

/// Starts a match and returns its id.
async fn start(client: &Client) -> Value {
    client.create_match("tapestry", 1).await["id"].clone()
}

/// Waits until everything that was sent to a webhook is recorded as delivered.
async fn delivered(client: &Client, hook: &Value) {
    let path = format!("{}/deliveries", path(hook));
    eventually("all messages are delivered", PATIENCE, async || {
        let page = client.get(&path).await.expect(200);
        let deliveries = page["deliveries"].as_array()?;
        deliveries.iter().all(|delivery| delivery["state"] == "delivered").then_some(())
    })
    .await;
}

async fn a_webhook_ends_with_its_token(store: Store) {
    let server = server(store).await;
    let mut ana = Client::guest(&server.url, "Ana").await;
    let (revoked, one) = token(&ana, &["webhook:write", "match:read"]).await;
    let (_, two) = token(&ana, &["webhook:write", "match:read"]).await;
    let mut receivers = [(); 3].map(|()| Receiver::start(|_| 200));
    let of_one = hook(&one, &receivers[0].url).await;
    let of_two = hook(&two, &receivers[1].url).await;
    let of_session = hook(&ana, &receivers[2].url).await;
    let started = start(&ana).await;
    for receiver in &mut receivers {
        assert_eq!(receiver.next().await.json()["data"]["match"], started);
    }
    ana.delete(&format!("/v1/me/tokens/{revoked}")).await.expect(204);
    assert_eq!(ids(&ana).await, BTreeSet::from([id(&of_two), id(&of_session)]));
    ana.get(&path(&of_one)).await.problem(404, "not_found");
    let started = start(&ana).await;
    for receiver in &mut receivers[1..] {
        assert_eq!(receiver.next().await.json()["data"]["match"], started);
    }
    // A message whose delivery is not recorded yet would be sent again when its lease is over.
    for hook in [&of_two, &of_session] {
        delivered(&ana, hook).await;
    }
    server.clock.advance(30 * DAY);
    let refresh = json!({ "refresh_token": ana.refresh_token });
    let session = ana.post("/v1/sessions/refresh", &refresh).await.expect(200);
    ana.enter(&session);
    assert_eq!(ids(&ana).await, BTreeSet::from([id(&of_session)]));
    let started = start(&ana).await;
    assert_eq!(receivers[2].next().await.json()["data"]["match"], started);
    // Messages are sent in the order of their matches, so anything for the others would have arrived by now.
    for receiver in &mut receivers[..2] {
        assert!(receiver.try_next().is_none());
    }
}

async fn a_token_reveals_what_it_may_read(store: Store) {
    let server = server(store).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let receiver = Receiver::start(|_| 200);
    let (_, blind) = token(&ana, &["webhook:write"]).await;
    let body = json!({ "url": receiver.url, "events": ["match.started"] });
    let refused = blind.post("/v1/webhooks", &body).await.problem(403, "missing_scope");
    assert_eq!(refused["scope"], "match:read");
    // Nor can it look at, or redirect, what others have registered.
    let (_, other) = token(&ana, &["webhook:write", "match:read"]).await;
    let of_session = hook(&ana, &receiver.url).await;
    let of_other = hook(&other, &receiver.url).await;
    for hook in [&of_session, &of_other] {
        let path = path(hook);
        blind.get(&path).await.problem(404, "not_found");
        blind.get(&format!("{path}/deliveries")).await.problem(404, "not_found");
        blind.post(&format!("{path}/test"), &json!({})).await.problem(404, "not_found");
        let change = blind.request(reqwest::Method::PATCH, &path);
        let change = change.json(&json!({ "url": "https://8.8.8.8/" }));
        blind.send(change).await.problem(404, "not_found");
        blind.delete(&path).await.problem(404, "not_found");
    }
    assert_eq!(ids(&blind).await, BTreeSet::new());
    assert_eq!(ids(&other).await, BTreeSet::from([id(&of_other)]));
    assert_eq!(ids(&ana).await, BTreeSet::from([id(&of_session), id(&of_other)]));
}

#[actix_web::test]
async fn a_webhook_ends_with_its_token_on_sqlite() {
    a_webhook_ends_with_its_token(Store::Sqlite).await;
}

#[actix_web::test]
async fn a_webhook_ends_with_its_token_on_postgres() {
    a_webhook_ends_with_its_token(Store::Postgres).await;
}

#[actix_web::test]
async fn a_token_reveals_what_it_may_read_on_sqlite() {
    a_token_reveals_what_it_may_read(Store::Sqlite).await;
}

#[actix_web::test]
async fn a_token_reveals_what_it_may_read_on_postgres() {
    a_token_reveals_what_it_may_read(Store::Postgres).await;
}
