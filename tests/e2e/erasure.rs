//! Deleting a player: no personal data is left, and matches continue.

use std::fmt::Write;

use reqwest::Method;
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbBackend, EntityTrait, Statement};
use serde_json::{Value, json};
use store::entities::erasure;
use tests::{
    client::{Client, Reply},
    eventually::{PATIENCE, eventually},
    server::{Server, Store},
};

on_both_stores!(
    name_and_credentials_are_gone_at_once,
    nothing_personal_is_left_in_the_store,
    matches_keep_an_anonymous_seat_and_go_on,
    what_was_left_half_way_is_finished,
);

async fn erase(client: &Client, body: &Value) -> Reply {
    client.send(client.request(Method::DELETE, "/v1/me").json(body)).await
}

async fn account(server: &Server, name: &str) -> Client {
    let mut client = Client::anonymous(&server.url);
    let body = json!({ "name": name, "password": "correct horse", "email": "zenobia@example.com" });
    let request = client.request(Method::POST, "/v1/players").header("idempotency-key", name);
    let session = client.send(request.json(&body)).await.expect(201);
    client.enter(&session);
    client
}

/// Everything that the store holds, as text.
async fn dump(db: &store::Db) -> String {
    let backend = db.get_database_backend();
    let query =
        async |sql: String| db.query_all_raw(Statement::from_string(backend, sql)).await.unwrap();
    let tables = match backend {
        DbBackend::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table'",
        _ => "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    };
    let mut text = String::new();
    for table in query(tables.to_owned()).await {
        let table: String = table.try_get("", "name").unwrap();
        let row = match backend {
            DbBackend::Sqlite => {
                let columns = query(format!("SELECT name FROM pragma_table_info('{table}')")).await;
                let quoted = columns.iter().map(|column| {
                    let name: String = column.try_get("", "name").unwrap();
                    format!("quote(\"{name}\")")
                });
                quoted.collect::<Vec<_>>().join(" || ' ' || ")
            }
            _ => "t::text".to_owned(),
        };
        for row in query(format!("SELECT {row} AS line FROM \"{table}\" AS t")).await {
            writeln!(text, "{table}: {}", row.try_get::<String>("", "line").unwrap()).unwrap();
        }
    }
    text
}

async fn name_and_credentials_are_gone_at_once(server: Server) {
    let zoe = account(&server, "Zenobia").await;
    let body = json!({ "name": "bot", "scopes": ["account:read"] });
    let token = zoe.post("/v1/me/tokens", &body).await.expect(201);
    let bot = zoe.with_token(token["secret"].as_str().unwrap());
    bot.get("/v1/me").await.expect(200);
    assert_eq!(erase(&zoe, &json!({})).await.problem(403, "wrong_password")["field"], "password");
    erase(&zoe, &json!({ "password": "wrong horse" })).await.problem(403, "wrong_password");
    zoe.get("/v1/me").await.expect(200);

    let farewell = json!({ "password": "correct horse" });
    erase(&zoe, &farewell).await.expect(204);
    erase(&zoe, &farewell).await.expect(204);
    zoe.get("/v1/me").await.problem(401, "player_gone");
    zoe.get("/v1/matches").await.problem(401, "player_gone");
    zoe.post("/v1/matches", &json!({ "game": "qwinto", "seats": 2 }))
        .await
        .problem(401, "player_gone");
    let refresh = json!({ "refresh_token": zoe.refresh_token });
    let anybody = Client::anonymous(&server.url);
    anybody.post("/v1/sessions/refresh", &refresh).await.problem(401, "invalid_refresh_token");
    let login = json!({ "name": "Zenobia", "password": "correct horse" });
    anybody.post("/v1/sessions", &login).await.problem(401, "wrong_credentials");
    assert_eq!(bot.get("/v1/me").await.status, 401);
    anybody
        .get(&format!("/v1/players/{}", zoe.player.as_deref().unwrap()))
        .await
        .problem(404, "not_found");

    let heir = account(&server, "Zenobia").await;
    assert_ne!(heir.player, zoe.player, "the name is free again");
}

async fn nothing_personal_is_left_in_the_store(server: Server) {
    let zoe = account(&server, "Zenobia").await;
    let id = zoe.player.clone().unwrap();
    let body = json!({ "name": "Zenobia's bot", "scopes": ["match:read"] });
    zoe.post("/v1/me/tokens", &body).await.expect(201);
    zoe.create_match("qwinto", 2).await;
    let hook = json!({ "url": "https://1.1.1.1/zenobia", "events": ["match.turn"] });
    zoe.post("/v1/webhooks", &hook).await.expect(201);
    let db = store::connect(&server.config.store()).await.unwrap();
    let before = dump(&db).await;
    assert!(before.contains("Zenobia") && before.contains("zenobia@example.com"));
    assert!(before.lines().any(|line| line.starts_with("creations:")), "fingerprints of requests");
    erase(&zoe, &json!({ "password": "correct horse" })).await.expect(204);
    let after = dump(&db).await;
    assert!(!after.to_lowercase().contains("zenobia"), "{after}");
    for table in [
        "players",
        "sessions",
        "refresh_tokens",
        "access_tokens",
        "creations",
        "webhooks",
        "webhook_deliveries",
    ] {
        assert!(
            !after.lines().any(|line| line.starts_with(&format!("{table}:"))),
            "{table}: {after}"
        );
    }
    let bytes = id.replace('-', "");
    let named = |line: &str| line.to_lowercase().replace('-', "").contains(&bytes);
    assert!(
        after.lines().any(|line| line.starts_with("commits:") && named(line)),
        "the log keeps the id"
    );
}

async fn matches_keep_an_anonymous_seat_and_go_on(server: Server) {
    let zoe = Client::guest(&server.url, "Zenobia").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let eve = Client::guest(&server.url, "Eve").await;
    let seats = async |seats: usize, others: &[&Client]| {
        let created = zoe.create_match("qwinto", seats).await;
        let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
        for other in others {
            other.post(&format!("{path}/seats"), &json!({})).await.expect(201);
        }
        path
    };
    let alone = seats(2, &[]).await;
    let open = seats(3, &[&ben]).await;
    let two = seats(2, &[&ben]).await;
    let three = seats(3, &[&ben, &eve]).await;
    let over = seats(2, &[&ben]).await;
    ben.post(&format!("{over}/resign"), &json!({})).await.expect(200);
    let before = ben.get(&over).await;
    assert_eq!(before.body["seats"][0]["player"]["name"], "Zenobia");

    erase(&zoe, &json!({})).await.expect(204);
    let look = async |path: &str| ben.get(path).await.expect(200);
    assert_eq!(look(&alone).await["status"], "abandoned");
    assert_eq!(look(&open).await["seats"][0]["player"], Value::Null);
    assert_eq!(look(&open).await["status"], "open");
    let won = look(&two).await;
    assert_eq!(
        (&won["status"], &won["outcome"]["ending"]),
        (&json!("finished"), &json!("resignation"))
    );
    assert_eq!(won["outcome"]["seats"][1]["won"], true);
    let going_on = look(&three).await;
    assert_eq!(going_on["status"], "playing");
    assert_eq!(going_on["seats"][0]["resigned"], true);
    for path in [&two, &three, &over] {
        let document = look(path).await;
        assert_eq!(document["seats"][0]["player"]["name"], Value::Null, "{document}");
        assert_eq!(document["seats"][0]["player"]["id"].as_str(), zoe.player.as_deref());
        ben.get(&format!("{path}/replay")).await.expect(200);
    }
    let after = ben.get(&over).await;
    assert_ne!(before.header("etag"), after.header("etag"));
    assert_eq!(before.body["outcome"], after.body["outcome"], "what was won is won");
    let listed = ben.get("/v1/matches?mine=true").await.expect(200);
    assert!(!listed.to_string().contains("Zenobia"));
}

/// As after a crash half-way, or a seat taken through another replica in the same second.
async fn what_was_left_half_way_is_finished(server: Server) {
    let zoe = Client::guest(&server.url, "Zenobia").await;
    let path =
        format!("/v1/matches/{}", zoe.create_match("qwinto", 2).await["id"].as_str().unwrap());
    let db = store::connect(&server.config.store()).await.unwrap();
    erasure::Entity::insert(erasure::ActiveModel {
        player_id: Set(zoe.player.as_deref().unwrap().parse().unwrap()),
        account: Set(false),
        account_since: Set(None),
        erased_at: Set(1),
        settled: Set(false),
    })
    .exec_without_returning(&db)
    .await
    .unwrap();
    let server = server.restart().await;
    let anybody = Client::anonymous(&server.url);
    assert_eq!(anybody.get(&path).await.expect(200)["status"], "abandoned");
    assert!(!dump(&db).await.contains("Zenobia"));
    assert!(erasure::Entity::find().one(&db).await.unwrap().expect("a trace").settled);
}

/// Access tokens and names of a deleted player are gone at the other replica, too, within about a second.
#[actix_web::test]
async fn an_erased_player_is_gone_at_the_other_replica_too() {
    let one = Server::start(Store::Postgres).await;
    let two = one.replica().await;
    let zoe = Client::guest(&one.url, "Zenobia").await;
    let path =
        format!("/v1/matches/{}", zoe.create_match("tapestry", 1).await["id"].as_str().unwrap());
    let there = zoe.at(&two.url);
    assert_eq!(there.get(&path).await.expect(200)["seats"][0]["player"]["name"], "Zenobia");
    erase(&zoe, &json!({})).await.expect(204);
    eventually("the access token is refused", PATIENCE, async || {
        (there.get("/v1/matches").await.status == 401).then_some(())
    })
    .await;
    let anybody = Client::anonymous(&two.url);
    assert_eq!(anybody.get(&path).await.expect(200)["seats"][0]["player"]["name"], Value::Null);
    erase(&there, &json!({})).await.expect(204);
}
