//! What nobody needs any more is removed after its age, on a clock that the test advances.

use std::time::Duration;

use reqwest::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use store::Db;
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    server::{Server, Store},
};

/// Makes two tests of each function, `<function>::sqlite` and `<function>::postgres`, on servers whose clock stands still.
macro_rules! as_time_passes {
    ($($test:ident),+ $(,)?) => {
        $(
            mod $test {
                use tests::server::{Server, Store};

                #[actix_web::test]
                async fn sqlite() {
                    super::$test(Server::start_frozen(Store::Sqlite).await).await;
                }

                #[actix_web::test]
                async fn postgres() {
                    super::$test(Server::start_frozen(Store::Postgres).await).await;
                }
            }
        )+
    };
}

as_time_passes!(
    sessions_are_removed_30_days_after_their_end,
    an_abandoned_guest_is_deleted_and_finished_matches_stay,
    a_guest_whose_match_goes_on_stays,
    an_account_stays_however_long_nobody_logs_in,
    an_idempotency_key_lives_for_seven_days,
    a_match_that_nobody_joins_is_abandoned_after_seven_days,
    invitations_lapse_with_their_match,
    ended_webhooks_are_removed,
);

const DAY: Duration = Duration::from_hours(24);

async fn database(server: &Server) -> Db {
    store::connect(&server.config.store()).await.unwrap()
}

/// The number of rows of a table.
async fn rows(db: &Db, table: &str) -> i64 {
    let sql = format!("SELECT count(*) AS rows FROM {table}");
    let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await;
    row.unwrap().unwrap().try_get("", "rows").unwrap()
}

/// Waits until a table has this many rows.
async fn becomes(db: &Db, table: &str, count: i64) {
    eventually(&format!("{table} has {count} rows"), PATIENCE, async || {
        (rows(db, table).await == count).then_some(())
    })
    .await;
}

async fn refresh(client: &mut Client) {
    let body = json!({ "refresh_token": client.refresh_token });
    let session = client.post("/v1/sessions/refresh", &body).await.expect(200);
    client.enter(&session);
}

async fn account(server: &Server, name: &str) -> Client {
    let mut client = Client::anonymous(&server.url);
    let body = json!({ "name": name, "password": "correct horse" });
    let session = client.post("/v1/players", &body).await.expect(201);
    client.enter(&session);
    client
}

async fn sessions_are_removed_30_days_after_their_end(server: Server) {
    let db = database(&server).await;
    let mut ana = account(&server, "Ana").await;
    let ben = account(&server, "Ben").await;
    ben.delete("/v1/sessions/current").await.expect(204);
    server.clock.advance(59 * DAY);
    becomes(&db, "sessions", 1).await;
    refresh(&mut ana).await;
    // The first token of the session has expired by now; the session goes on with the second.
    server.clock.advance(59 * DAY);
    becomes(&db, "refresh_tokens", 1).await;
    refresh(&mut ana).await;
    server.clock.advance(60 * DAY);
    becomes(&db, "refresh_tokens", 0).await;
    assert_eq!(rows(&db, "sessions").await, 1);
    server.clock.advance(30 * DAY + Duration::from_secs(1));
    becomes(&db, "sessions", 0).await;
}

/// A match in which the first of two players has resigned.
async fn finished(ana: &Client, ben: &Client) -> String {
    let path = playing(ana, ben).await;
    ana.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    path
}

async fn playing(ana: &Client, ben: &Client) -> String {
    let created = ana.create_match("qwinto", 2).await;
    let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
    ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
    path
}

/// Lets 61 days and then 31 days pass: a session that is not used ends, and is removed.
async fn let_sessions_expire(server: &Server, db: &Db) {
    server.clock.advance(61 * DAY);
    becomes(db, "refresh_tokens", 0).await;
    server.clock.advance(31 * DAY);
}

async fn an_abandoned_guest_is_deleted_and_finished_matches_stay(server: Server) {
    let db = database(&server).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = account(&server, "Ben").await;
    Client::guest(&server.url, "Cleo").await;
    let path = finished(&ana, &ben).await;
    let before = ben.get(&path).await.expect(200);
    assert_eq!(before["seats"][0]["player"]["name"], "Ana");
    let_sessions_expire(&server, &db).await;
    becomes(&db, "players", 1).await;
    assert_eq!(rows(&db, "erasures").await, 1, "of somebody who never played, nothing is left");
    let after = Client::anonymous(&server.url).get(&path).await.expect(200);
    assert_eq!(after["seats"][0]["player"]["name"], Value::Null);
    assert_eq!(after["seats"][0]["player"]["id"].as_str(), ana.player.as_deref());
    assert_eq!(after["outcome"], before["outcome"]);
}

async fn a_guest_whose_match_goes_on_stays(server: Server) {
    let db = database(&server).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = account(&server, "Ben").await;
    let path = playing(&ana, &ben).await;
    Client::guest(&server.url, "Cleo").await;
    let_sessions_expire(&server, &db).await;
    becomes(&db, "players", 2).await;
    let mut ben = Client::anonymous(&server.url);
    let log_in = json!({ "name": "Ben", "password": "correct horse" });
    let session = ben.post("/v1/sessions", &log_in).await.expect(201);
    ben.enter(&session);
    assert_eq!(ben.get(&path).await.expect(200)["seats"][0]["player"]["name"], "Ana");
    ben.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    server.clock.advance(DAY);
    becomes(&db, "players", 1).await;
}

async fn an_account_stays_however_long_nobody_logs_in(server: Server) {
    let db = database(&server).await;
    account(&server, "Ana").await;
    Client::guest(&server.url, "Ben").await;
    for _ in 0..5 {
        let_sessions_expire(&server, &db).await;
        becomes(&db, "sessions", 0).await;
    }
    assert_eq!(rows(&db, "players").await, 1);
    let log_in = json!({ "name": "Ana", "password": "correct horse" });
    Client::anonymous(&server.url).post("/v1/sessions", &log_in).await.expect(201);
}

async fn an_idempotency_key_lives_for_seven_days(server: Server) {
    let db = database(&server).await;
    let mut ana = Client::guest(&server.url, "Ana").await;
    let create = async |ana: &Client| {
        let request = ana.request(Method::POST, "/v1/matches").header("idempotency-key", "one");
        let body = json!({ "game": "tapestry", "seats": 1 });
        ana.send(request.json(&body)).await.expect(201)["id"].clone()
    };
    let first = create(&ana).await;
    server.clock.advance(7 * DAY);
    refresh(&mut ana).await;
    assert_eq!(create(&ana).await, first);
    server.clock.advance(Duration::from_hours(2));
    becomes(&db, "creations", 0).await;
    refresh(&mut ana).await;
    assert_ne!(create(&ana).await, first);
}

async fn a_match_that_nobody_joins_is_abandoned_after_seven_days(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let alone = ana.create_match("qwinto", 2).await;
    let alone = format!("/v1/matches/{}", alone["id"].as_str().unwrap());
    let joined = playing(&ana, &ben).await;
    let anybody = Client::anonymous(&server.url);
    server.clock.advance(6 * DAY);
    assert_eq!(anybody.get(&alone).await.expect(200)["status"], "open");
    server.clock.advance(2 * DAY);
    let closed = eventually("the match is closed", PATIENCE, async || {
        let document = anybody.get(&alone).await.expect(200);
        (document["status"] != "open").then_some(document)
    })
    .await;
    assert_eq!(closed["status"], "abandoned");
    assert_eq!(closed["seats"][0]["player"]["name"], "Ana");
    assert_eq!(anybody.get(&joined).await.expect(200)["status"], "playing");
    let events = anybody.get(&format!("{alone}/events")).await.expect(200);
    let last = events["events"].as_array().unwrap().last().unwrap();
    assert_eq!(last["event"]["type"], "match_abandoned");
    let proof = anybody.get(&format!("{alone}/proof")).await.expect(200);
    let text = serde_json::to_string(&proof).unwrap();
    assert!(text.contains(r#""command":{"type":"expire"}"#), "{text}");
}

async fn invitations_lapse_with_their_match(server: Server) {
    let db = database(&server).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let created = ana.create_match("qwinto", 2).await;
    let path = format!("/v1/matches/{}/invitations", created["id"].as_str().unwrap());
    ana.post(&path, &json!({ "player": ben.player })).await.expect(201);
    assert_eq!(rows(&db, "invitations").await, 1);
    server.clock.advance(8 * DAY);
    becomes(&db, "invitations", 0).await;
}

async fn ended_webhooks_are_removed(server: Server) {
    let db = database(&server).await;
    let mut ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "name": "bot", "scopes": ["webhook:write", "match:read"] });
    let token = ana.post("/v1/me/tokens", &body).await.expect(201);
    let bot = ana.with_token(token["secret"].as_str().unwrap());
    let body = json!({ "url": "https://8.8.8.8/", "events": ["match.turn"] });
    bot.post("/v1/webhooks", &body).await.expect(201);
    ana.post("/v1/webhooks", &body).await.expect(201);
    server.clock.advance(DAY);
    refresh(&mut ana).await;
    let path = format!("/v1/me/tokens/{}", token["id"].as_str().unwrap());
    ana.delete(&path).await.expect(204);
    server.clock.advance(DAY);
    becomes(&db, "webhooks", 1).await;
}

/// Two replicas that sweep the same store at the same time get in nobody's way.
#[actix_web::test]
async fn replicas_may_sweep_at_once() {
    let one = Server::start_frozen(Store::Postgres).await;
    let two = one.replica().await;
    let db = database(&one).await;
    for _ in 0..30 {
        let guest = Client::guest(&one.url, "Ana").await;
        guest.create_match("qwinto", 2).await;
    }
    let_sessions_expire(&one, &db).await;
    becomes(&db, "players", 0).await;
    becomes(&db, "sessions", 0).await;
    for server in [&one, &two] {
        Client::anonymous(&server.url).get("/readyz").await.expect(200);
    }
    two.stop().await;
}
