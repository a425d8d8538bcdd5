//! What is secret is encrypted in the store, and its files are closed to other users.

use api::startup::{self, StartError};
use domain::proof::Proof;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use service::Clock;
use tests::{
    client::Client,
    receiver::Receiver,
    server::{Server, Store},
};

on_both_stores!(
    seeds_and_secrets_are_not_in_the_store,
    matches_from_before_encryption_can_be_played_on,
    a_store_is_not_opened_without_its_key,
    a_key_can_be_replaced,
);

const OTHER_KEY: &str = "dGVsYXIgdGVsYXIgdGVsYXIgdGVsYXIgdGVsYXIgdCE=";

/// The values of a column, as text.
async fn column(server: &Server, table: &str, column: &str) -> Vec<String> {
    let db = store::connect(&server.config.store()).await.unwrap();
    let sql = format!("SELECT CAST({column} AS TEXT) AS value FROM {table}");
    let statement = Statement::from_string(db.get_database_backend(), sql);
    let rows = db.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| row.try_get("", "value").unwrap()).collect()
}

async fn run(server: &Server, sql: &str) {
    let db = store::connect(&server.config.store()).await.unwrap();
    db.execute_unprepared(sql).await.unwrap();
}

/// The path of a match of two players that goes on.
async fn playing(ana: &Client, ben: &Client) -> String {
    let created = ana.create_match("qwinto", 2).await;
    let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
    ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
    path
}

/// Ends a match and returns its seed.
async fn seed(client: &Client, path: &str) -> String {
    client.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    let proof = client.get(&format!("{path}/proof")).await.expect(200);
    proof["seed"].as_str().expect("the match is over").to_owned()
}

async fn seeds_and_secrets_are_not_in_the_store(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let path = playing(&ana, &ben).await;
    let solo = ana.create_match("tapestry", 1).await;
    let solo = format!("/v1/matches/{}", solo["id"].as_str().unwrap());
    let hook = json!({ "url": "https://8.8.8.8/", "events": ["match.turn"] });
    let hook = ana.post("/v1/webhooks", &hook).await.expect(201);
    let payloads = column(&server, "commits", "payload").await.join("\n");
    let secrets = column(&server, "webhooks", "secret").await.join("\n");
    assert_eq!(payloads.matches(r#""seed":"encrypted:1:"#).count(), 2, "{payloads}");
    for payload in payloads.lines() {
        assert!(serde_json::from_str::<Value>(payload).is_ok(), "{payload}");
    }
    let secret = hook["secret"].as_str().unwrap();
    assert!(!secrets.contains(secret.strip_prefix("whsec_").unwrap()), "{secrets}");
    // A server without anything in memory reads them again.
    let server = server.restart().await;
    let (ana, ben) = (ana.at(&server.url), ben.at(&server.url));
    for (client, path) in [(&ben, &path), (&ana, &solo)] {
        let seed = seed(client, path).await;
        assert_eq!(seed.len(), 64);
        assert!(!payloads.contains(&seed), "{payloads}");
        let proof = client.request(Method::GET, &format!("{path}/proof")).send().await.unwrap();
        let proof = Proof::from_text(&proof.bytes().await.unwrap()).unwrap();
        proof.verify().expect("hashes are those of plain payloads");
    }
}

async fn matches_from_before_encryption_can_be_played_on(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let path = playing(&ana, &ben).await;
    let log = startup::open_store(&server.config).await.unwrap();
    let id = path.rsplit('/').next().unwrap();
    let plain = log.load(id.parse().unwrap(), 0).await.unwrap()[0].payload.clone();
    assert!(!plain.contains('\''));
    run(&server, &format!("UPDATE commits SET payload = '{plain}' WHERE seq = 0")).await;
    let server = server.restart().await;
    let ana = ana.at(&server.url);
    assert!(plain.contains(&seed(&ana, &path).await));
}

async fn a_store_is_not_opened_without_its_key(server: Server) {
    Client::guest(&server.url, "Ana").await.create_match("tapestry", 1).await;
    let mut config = server.config.clone();
    config.storage_key = Some(OTHER_KEY.to_owned());
    let refused = startup::build(&config, Clock::system()).await.expect_err("another key");
    assert!(matches!(refused, StartError::Store(_)), "{refused}");
    let text = refused.to_string();
    assert!(text.contains("storage key") && text.contains("TELAR_STORAGE_KEY"), "{text}");
    assert!(!text.contains('\n'), "{text}");
    config.storage_key = Some("short".to_owned());
    let refused = startup::build(&config, Clock::system()).await.expect_err("not a key");
    assert!(refused.to_string().contains("TELAR_STORAGE_KEY: expected 32 bytes"), "{refused}");
}

async fn a_key_can_be_replaced(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let old = playing(&ana, &ben).await;
    let key = std::fs::read_to_string(server.config.data_dir.join("storage.key")).unwrap();
    let server =
        server.restart_with(|config| config.storage_key = Some(format!("{OTHER_KEY},{key}"))).await;
    let (ana, ben) = (ana.at(&server.url), ben.at(&server.url));
    let new = playing(&ana, &ben).await;
    let payloads = column(&server, "commits", "payload").await.join("\n");
    let ids: std::collections::BTreeSet<&str> = payloads
        .split("encrypted:1:")
        .skip(1)
        .map(|rest| rest.split(':').next().unwrap())
        .collect();
    assert_eq!(ids.len(), 2, "{payloads}");
    for path in [&old, &new] {
        assert_eq!(seed(&ana, path).await.len(), 64);
    }
}

/// A signature with an encrypted secret is the same as with a plain one.
#[actix_web::test]
async fn a_webhook_with_a_plain_secret_still_signs() {
    let server = Server::start_with(Store::Sqlite, |config| {
        config.webhook_allow_http = true;
        config.webhook_allow_private = true;
    })
    .await;
    let mut receiver = Receiver::start(|_| 200);
    let ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "url": receiver.url, "events": ["match.turn"] });
    let hook = ana.post("/v1/webhooks", &body).await.expect(201);
    let secret = hook["secret"].as_str().unwrap();
    let test = format!("/v1/webhooks/{}/test", hook["id"].as_str().unwrap());
    ana.post(&test, &json!({})).await.expect(202);
    assert!(receiver.next().await.signature.starts_with("v1,"));
    run(&server, &format!("UPDATE webhooks SET secret = '{secret}'")).await;
    ana.post(&test, &json!({})).await.expect(202);
    assert!(receiver.next().await.signature.starts_with("v1,"));
}

#[cfg(unix)]
#[actix_web::test]
async fn the_files_of_a_store_are_closed_to_other_users() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("data");
    // As an earlier version left it.
    std::fs::create_dir(&directory).unwrap();
    for file in ["telar.db", "signing.key"] {
        std::fs::write(directory.join(file), if file == "telar.db" { "" } else { OTHER_KEY })
            .unwrap();
    }
    let open = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    open(&directory, 0o755);
    open(&directory.join("telar.db"), 0o644);
    open(&directory.join("signing.key"), 0o644);
    let server =
        Server::start_with(Store::Sqlite, |config| config.data_dir = directory.clone()).await;
    Client::guest(&server.url, "Ana").await.create_match("tapestry", 1).await;
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory), 0o700);
    let files: Vec<_> = std::fs::read_dir(&directory).unwrap().map(Result::unwrap).collect();
    assert_eq!(files.len(), 5, "{files:?}");
    for file in files {
        assert_eq!(mode(&file.path()), 0o600, "{file:?}");
    }
}
