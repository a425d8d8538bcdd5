//! Webhooks of many players: silent receivers delay nobody but their owners.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use tests::{
    client::Client,
    receiver::{Receiver, SilentReceiver},
    server::{Server, Store},
};

/// How long a message may take while other receivers are silent. The server promises two seconds and a little; the rest is for
/// slow machines.
const PROMPTLY: Duration = Duration::from_secs(5);

async fn server(store: Store) -> Server {
    Server::start_with(store, |config| {
        config.webhook_allow_http = true;
        config.webhook_allow_private = true;
        config.webhook_retry_millis = 20;
    })
    .await
}

/// Registers a webhook and returns the path of its test messages.
async fn hook(client: &Client, url: &str) -> String {
    let body = json!({ "url": url, "events": ["match.turn"] });
    let hook = client.post("/v1/webhooks", &body).await.expect(201);
    format!("/v1/webhooks/{}/test", hook["id"].as_str().unwrap())
}

/// A guest with 20 silent receivers and three messages for each of them.
async fn silent_guest(url: &str) -> Vec<SilentReceiver> {
    let guest = Client::guest(url, "Silent").await;
    let receivers = join_all((0..20).map(|_| SilentReceiver::start())).await;
    let tests = join_all(receivers.iter().map(|receiver| hook(&guest, &receiver.url))).await;
    for _ in 0..3 {
        let nothing = json!({});
        for queued in join_all(tests.iter().map(|test| guest.post(test, &nothing))).await {
            queued.expect(202);
        }
    }
    receivers
}

/// The longest time that a message to an honest receiver takes while five guests have 100 silent ones.
async fn delay_at(url: &str) -> Duration {
    let silent: Vec<SilentReceiver> =
        join_all((0..5).map(|_| silent_guest(url))).await.into_iter().flatten().collect();
    let guests = silent.iter().step_by(20);
    let open = join_all(guests.map(SilentReceiver::called)).await;
    let mut honest = Receiver::start(|_| 200);
    let ana = Client::guest(url, "Ana").await;
    let test = hook(&ana, &honest.url).await;
    let mut longest = Duration::ZERO;
    for _ in 0..5 {
        let begun = Instant::now();
        ana.post(&test, &json!({})).await.expect(202);
        honest.next().await;
        longest = longest.max(begun.elapsed());
    }
    drop(open);
    longest
}

async fn silent_receivers_delay_nobody_else(store: Store) {
    let server = server(store).await;
    let delay = delay_at(&server.url).await;
    println!("an honest receiver waited for {delay:?} at most");
    assert!(delay < PROMPTLY, "{delay:?}");
}

#[actix_web::test]
async fn silent_receivers_delay_nobody_else_on_sqlite() {
    silent_receivers_delay_nobody_else(Store::Sqlite).await;
}

#[actix_web::test]
async fn silent_receivers_delay_nobody_else_on_postgres() {
    silent_receivers_delay_nobody_else(Store::Postgres).await;
}

#[actix_web::test]
async fn silent_receivers_delay_nobody_else_with_two_replicas() {
    let one = server(Store::Postgres).await;
    let two = one.replica().await;
    let delay = delay_at(&one.url).await;
    println!("an honest receiver waited for {delay:?} at most");
    assert!(delay < PROMPTLY, "{delay:?}");
    two.stop().await;
}
