//! Webhooks: every message is delivered at least once, signed, and never to a forbidden address.

use std::collections::BTreeSet;

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    receiver::{Received, Receiver},
    server::{Server, Store},
    stream::{Framing, Stream},
};

on_both_stores!(where_a_webhook_must_not_lead_is_refused, a_webhook_belongs_to_its_owner);

const ALL: [&str; 6] = [
    "match.seat_taken",
    "match.seat_left",
    "match.started",
    "match.turn",
    "match.moved",
    "match.finished",
];

/// A server that may call webhooks on this machine, with short retry delays.
async fn server(store: Store) -> Server {
    Server::start_with(store, |config| {
        config.webhook_allow_http = true;
        config.webhook_allow_private = true;
        config.webhook_retry_millis = 20;
    })
    .await
}

async fn hook(client: &Client, url: &str, events: &[&str]) -> Value {
    client.post("/v1/webhooks", &json!({ "url": url, "events": events })).await.expect(201)
}

fn path(hook: &Value) -> String {
    format!("/v1/webhooks/{}", hook["id"].as_str().unwrap())
}

/// An independent implementation of the standard.
#[track_caller]
fn assert_signed(received: &Received, secret: &str) {
    use base64::{Engine, prelude::BASE64_STANDARD};
    let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{}.{}.{}", received.id, received.timestamp, received.body).as_bytes());
    let expected = format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()));
    assert_eq!(received.signature, expected);
    let now = service::Clock::system().now().micros() / 1_000_000;
    assert!(now.abs_diff(received.timestamp.parse().unwrap()) < 60);
}

/// A receiver that fails a third of the time still gets everything that concerns its owner.
async fn everything_arrives(store: Store) {
    let server = server(store).await;
    let mut receiver = Receiver::start(|nth| if nth % 3 == 1 { 503 } else { 200 });
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let hook = hook(&ana, &receiver.url, &ALL).await;
    let secret = hook["secret"].as_str().unwrap();
    let mut mine = Stream::open(&ana, "/v1/me/stream", Framing::Sse).await;
    mine.expect("snapshot").await;
    let mut expected = BTreeSet::new();
    for _ in 0..3 {
        let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
        ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
        for turn in 0..6 {
            let document = ana.get(&format!("/v1/matches/{id}")).await.expect(200);
            let seat = (0..2).find(|seat| document["seats"][seat]["to_act"] == true).unwrap();
            let player = [&ana, &ben][seat];
            let moves = player.legal_moves(&id).await;
            let answer = player.make_move(&id, &moves[turn % moves.len()]).await.expect(200);
            if seat == 1 {
                expected.insert((
                    "match.moved".to_owned(),
                    id.clone(),
                    answer["version"].as_u64().unwrap(),
                ));
            }
        }
        let answer = ben.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
        expected.insert((
            "match.moved".to_owned(),
            id.clone(),
            answer["version"].as_u64().unwrap(),
        ));
        // The webhook delivers the same as the stream.
        loop {
            let notice = mine.next().await.unwrap();
            expected.insert(key(&notice.data));
            if notice.kind == "match.finished" {
                break;
            }
        }
    }
    let (mut delivered, mut ids) = (BTreeSet::new(), BTreeSet::new());
    while delivered != expected {
        let message = receiver.next().await;
        assert_signed(&message, secret);
        let payload = message.json();
        assert!(expected.contains(&key(&payload)), "{payload}");
        if message.status == 200 {
            assert!(ids.insert(message.id), "what was taken is not sent again");
            delivered.insert(key(&payload));
        }
    }
    assert_eq!(ids.len(), expected.len(), "every message has an id of its own");
    let log = eventually("every delivery is logged as delivered", PATIENCE, async || {
        let log = ana.get(&format!("{}/deliveries?limit=200", path(&hook))).await.expect(200);
        let log = log["deliveries"].as_array().unwrap().clone();
        assert_eq!(log.len(), expected.len());
        log.iter().all(|delivery| delivery["state"] == "delivered").then_some(log)
    })
    .await;
    assert!(log.iter().any(|delivery| delivery["attempts"][0]["status"] == 503));
    assert!(log.iter().all(|delivery| delivery["next_attempt_at"].is_null()));
}

fn key(payload: &Value) -> (String, String, u64) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (
        text(&payload["type"]),
        text(&payload["data"]["match"]),
        payload["data"]["version"].as_u64().unwrap(),
    )
}

#[actix_web::test]
async fn a_receiver_that_fails_a_third_of_the_time_gets_everything_on_sqlite() {
    everything_arrives(Store::Sqlite).await;
}

#[actix_web::test]
async fn a_receiver_that_fails_a_third_of_the_time_gets_everything_on_postgres() {
    everything_arrives(Store::Postgres).await;
}

/// Waits until a delivery is in this state.
async fn becomes(client: &Client, hook: &Value, state: &str) -> Value {
    let deliveries = format!("{}/deliveries?state={state}", path(hook));
    eventually(&format!("a delivery becomes {state}"), PATIENCE, async || {
        let page = client.get(&deliveries).await.expect(200);
        page["deliveries"].as_array().unwrap().first().cloned()
    })
    .await
}

async fn dead_letters(store: Store) {
    let server = Server::start_with(store, |config| {
        config.webhook_allow_http = true;
        config.webhook_allow_private = true;
        config.webhook_retry_millis = 0;
    })
    .await;
    // A redirect counts as a failure and is not followed.
    let mut receiver = Receiver::start(|nth| if nth < 10 { 302 } else { 204 });
    let ana = Client::guest(&server.url, "Ana").await;
    let hook = hook(&ana, &receiver.url, &["match.turn"]).await;
    let ping = ana.post(&format!("{}/test", path(&hook)), &json!({})).await.expect(202);
    assert_eq!(ping["state"], "pending");
    let dead = becomes(&ana, &hook, "dead").await;
    assert_eq!(dead["id"], ping["id"]);
    assert_eq!(dead["type"], "ping");
    assert_eq!(dead["attempts"].as_array().unwrap().len(), 10);
    assert!(dead["attempts"].as_array().unwrap().iter().all(|attempt| attempt["status"] == 302));
    let resend = format!("{}/deliveries/{}/resend", path(&hook), dead["id"].as_str().unwrap());
    ana.post(&resend, &json!({})).await.expect(202);
    let delivered = becomes(&ana, &hook, "delivered").await;
    assert_eq!(delivered["id"], ping["id"]);
    for _ in 0..11 {
        let message = receiver.next().await;
        assert_eq!(message.path, "/hook");
        assert_eq!(message.id, ping["id"].as_str().unwrap());
    }
    let other = Client::guest(&server.url, "Ben").await;
    other.post(&resend, &json!({})).await.problem(404, "not_found");
}

#[actix_web::test]
async fn what_fails_ten_times_is_a_dead_letter_that_can_be_sent_again_on_sqlite() {
    dead_letters(Store::Sqlite).await;
}

#[actix_web::test]
async fn what_fails_ten_times_is_a_dead_letter_that_can_be_sent_again_on_postgres() {
    dead_letters(Store::Postgres).await;
}

#[actix_web::test]
async fn a_receiver_that_is_gone_is_left_alone() {
    let server = server(Store::Sqlite).await;
    let mut receiver = Receiver::start(|nth| if nth == 0 { 410 } else { 200 });
    let ana = Client::guest(&server.url, "Ana").await;
    let hook = hook(&ana, &receiver.url, &["match.turn"]).await;
    assert_eq!(ana.get(&path(&hook)).await.expect(200)["secret"], Value::Null, "shown once");
    ana.post(&format!("{}/test", path(&hook)), &json!({})).await.expect(202);
    let dead = becomes(&ana, &hook, "dead").await;
    assert_eq!(dead["attempts"][0]["status"], 410);
    let disabled = ana.get(&path(&hook)).await.expect(200);
    assert_eq!((&disabled["active"], &disabled["notice"]), (&json!(false), &json!("gone")));
    ana.post(&format!("{}/test", path(&hook)), &json!({})).await.problem(409, "webhook_inactive");
    let change = ana.request(reqwest::Method::PATCH, &path(&hook)).json(&json!({ "active": true }));
    let active = ana.send(change).await.expect(200);
    assert_eq!((&active["active"], &active["notice"]), (&json!(true), &Value::Null));
    ana.post(&format!("{}/test", path(&hook)), &json!({})).await.expect(202);
    becomes(&ana, &hook, "delivered").await;
    assert_eq!(receiver.next().await.status, 410);
    assert_eq!(receiver.next().await.json()["type"], "ping");
}

/// Receivers without TLS or with an invalid certificate get nothing.
#[actix_web::test]
async fn https_means_https() {
    let server = Server::start_with(Store::Sqlite, |config| {
        config.webhook_allow_private = true;
        config.webhook_retry_millis = 0;
    })
    .await;
    let receiver = Receiver::start(|_| 200);
    let ana = Client::guest(&server.url, "Ana").await;
    let hook = hook(&ana, &receiver.url.replace("http:", "https:"), &["match.turn"]).await;
    ana.post(&format!("{}/test", path(&hook)), &json!({})).await.expect(202);
    let dead = becomes(&ana, &hook, "dead").await;
    assert_eq!(dead["attempts"][0]["error"], "tls_failed");
    assert_eq!(dead["attempts"][0]["status"], Value::Null);
}

#[actix_web::test]
async fn a_slow_receiver_holds_up_nobody_else() {
    let server = server(Store::Sqlite).await;
    let mut slow = Receiver::start(|_| 0);
    let mut quick = Receiver::start(|_| 200);
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let stuck = hook(&ana, &slow.url, &["match.turn"]).await;
    for _ in 0..100 {
        ana.post(&format!("{}/test", path(&stuck)), &json!({})).await.expect(202);
    }
    slow.next().await;
    let fine = hook(&ben, &quick.url, &["match.turn"]).await;
    let asked = std::time::Instant::now();
    ben.post(&format!("{}/test", path(&fine)), &json!({})).await.expect(202);
    quick.next().await;
    assert!(asked.elapsed().as_secs() < 8, "before the slow one has timed out");
}

async fn where_a_webhook_must_not_lead_is_refused(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    for url in [
        "http://example.com/",
        "ftp://example.com/",
        "nonsense",
        "https://user:word@example.com/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.0.0.1/",
        "https://192.168.0.1:8443/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://0x7f.1/",
        "https://2130706433/",
    ] {
        let body = json!({ "url": url, "events": ["match.turn"] });
        let problem = ana.post("/v1/webhooks", &body).await.problem(400, "invalid_field");
        assert_eq!(problem["field"], "url", "{url}");
    }
    let body = json!({ "url": "https://8.8.8.8/", "events": [] });
    assert_eq!(
        ana.post("/v1/webhooks", &body).await.problem(400, "invalid_field")["field"],
        "events"
    );
    let body = json!({ "url": "https://8.8.8.8/", "events": ["match.nonsense"] });
    ana.post("/v1/webhooks", &body).await.problem(400, "malformed");
    let body = json!({ "url": "https://8.8.8.8/", "events": ["match.turn"], "game": "chess" });
    assert_eq!(
        ana.post("/v1/webhooks", &body).await.problem(400, "invalid_field")["field"],
        "game"
    );
}

async fn a_webhook_belongs_to_its_owner(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let private = json!({ "game": "qwinto", "seats": 2, "visibility": "private" });
    let private = ana.post("/v1/matches", &private).await.expect(201);
    let body = json!({ "url": "https://8.8.8.8/", "events": ["match.moved"], "match": private["id"], "game": "qwinto" });
    ben.post("/v1/webhooks", &body).await.problem(404, "not_found");
    let request =
        || ana.request(reqwest::Method::POST, "/v1/webhooks").header("idempotency-key", "one");
    let hook = ana.send(request().json(&body)).await.expect(201);
    assert!(hook["secret"].as_str().unwrap().starts_with("whsec_"));
    let again = ana.send(request().json(&body)).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.expect(201), hook);
    let hooks = ana.get("/v1/webhooks").await.expect(200)["webhooks"].clone();
    assert_eq!(hooks.as_array().unwrap().len(), 1);
    assert_eq!(hooks[0]["id"], hook["id"]);
    assert_eq!(hooks[0]["secret"], Value::Null);
    assert_eq!(ben.get("/v1/webhooks").await.expect(200)["webhooks"], json!([]));
    let path = path(&hook);
    ben.get(&path).await.problem(404, "not_found");
    ben.delete(&path).await.problem(404, "not_found");
    ben.get(&format!("{path}/deliveries")).await.problem(404, "not_found");
    ben.post(&format!("{path}/test"), &json!({})).await.problem(404, "not_found");
    ana.delete(&path).await.expect(204);
    ana.get(&path).await.problem(404, "not_found");
    let body = json!({ "url": "https://8.8.8.8/", "events": ["match.turn"] });
    for _ in 0..20 {
        ana.post("/v1/webhooks", &body).await.expect(201);
    }
    ana.post("/v1/webhooks", &body).await.problem(409, "too_many_webhooks");
}

#[actix_web::test]
async fn an_invitation_is_told() {
    let server = server(Store::Sqlite).await;
    let mut receiver = Receiver::start(|_| 200);
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    hook(&ben, &receiver.url, &["match.invited"]).await;
    let id = ana.create_match("qwinto", 2).await["id"].clone();
    let path = format!("/v1/matches/{}/invitations", id.as_str().unwrap());
    for _ in 0..2 {
        ana.post(&path, &json!({ "player": ben.player })).await.expect(201);
    }
    let told = receiver.next().await.json();
    assert_eq!(told["type"], "match.invited");
    assert_eq!((&told["data"]["match"], &told["data"]["invited_by"]), (&id, &json!(ana.player)));
}

/// For a single match or game, including a match in which the owner has no seat.
#[actix_web::test]
async fn a_webhook_tells_only_what_it_was_made_for() {
    let server = server(Store::Postgres).await;
    let mut receiver = Receiver::start(|_| 200);
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].clone();
    let body =
        json!({ "url": receiver.url, "events": ["match.started", "match.turn"], "match": id });
    ben.post("/v1/webhooks", &body).await.expect(201);
    let body = json!({ "url": receiver.url, "events": ["match.started"], "game": "tapestry" });
    ana.post("/v1/webhooks", &body).await.expect(201);
    let cleo = Client::guest(&server.url, "Cleo").await;
    cleo.post(&format!("/v1/matches/{}/seats", id.as_str().unwrap()), &json!({})).await.expect(201);
    let told = receiver.next().await.json();
    assert_eq!((&told["type"], &told["data"]["match"]), (&json!("match.started"), &id));
    assert_eq!(told["data"]["my_seat"], Value::Null);
    ana.create_match("tapestry", 1).await;
    let told = receiver.next().await.json();
    assert_eq!(
        (&told["type"], &told["data"]["game"]),
        (&json!("match.started"), &json!("tapestry"))
    );
}
