//! A streaming standby that answers reads, and servers that only read. Nobody notices which server has answered.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use api::{config::Config, openapi, startup};
use reqwest::{
    Method,
    header::{ACCEPT_LANGUAGE, CONTENT_TYPE},
};
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};
use service::Clock;
use tests::{
    application::Application,
    client::Client,
    eventually::{PATIENCE, eventually},
    postgres::{Postgres, new_database},
    proxy::Proxy,
    random_play::{Plan, carry_on},
    server::{Server, Store},
    stream::{Framing, Stream},
};

/// A primary, its standby, and a database on both.
struct Pair {
    primary: Postgres,
    standby: Postgres,
    database: String,
}

impl Pair {
    async fn start() -> Self {
        let primary = Postgres::start_primary();
        let url = primary.create_database().await;
        let database = url.rsplit('/').next().unwrap().to_owned();
        let standby = primary.start_standby();
        Self { primary, standby, database }
    }

    fn primary_url(&self) -> String {
        self.primary.url(&self.database)
    }

    fn standby_url(&self) -> String {
        self.standby.url(&self.database)
    }

    /// The standby receives what is committed, and shows none of it.
    async fn pause_replay(&self) {
        self.tell_standby("SELECT pg_wal_replay_pause()").await;
        eventually("replay is paused", PATIENCE, async || {
            let state = self.tell_standby("SELECT pg_get_wal_replay_pause_state() AS state").await;
            (state == "paused").then_some(())
        })
        .await;
    }

    async fn resume_replay(&self) {
        self.tell_standby("SELECT pg_wal_replay_resume()").await;
    }

    /// Runs a statement on the standby; returns its first column if that is a text.
    async fn tell_standby(&self, sql: &str) -> String {
        let admin = Database::connect(self.standby_url()).await.unwrap();
        let backend = sea_orm::DbBackend::Postgres;
        let row = admin.query_one_raw(sea_orm::Statement::from_string(backend, sql)).await.unwrap();
        admin.close().await.unwrap();
        row.unwrap().try_get("", "state").unwrap_or_default()
    }
}

/// A server on a primary, with a standby that answers reads.
async fn server(primary: String, standby: String) -> Server {
    let server = Server::start_with(Store::Sqlite, |config| {
        config.database_url = Some(primary);
        config.read_url = Some(standby);
    });
    server.await
}

/// A proxy in front of a Postgres, and the URL of a database through it.
async fn proxied(postgres: &Postgres, database: &str) -> (Proxy, String) {
    let proxy = Proxy::start(SocketAddr::from(([127, 0, 0, 1], postgres.port))).await;
    let url = format!("postgres://telar@127.0.0.1:{}/{database}", proxy.address().port());
    (proxy, url)
}

/// Waits until the server says this about its standby, and is ready all the time.
async fn until_standby_is(server: &Server, state: &str) {
    let anybody = Client::anonymous(&server.url);
    eventually(&format!("the standby is {state}"), PATIENCE, async || {
        let ready = anybody.get("/readyz").await.expect(200);
        (ready["standby"] == state).then_some(())
    })
    .await;
}

/// A figure of the process, added up over its labels.
async fn figure(server: &Server, name: &str) -> u64 {
    let request = Client::anonymous(&server.url).request(Method::GET, "/metrics");
    let page = request.send().await.unwrap().text().await.unwrap();
    let values = page.lines().filter(|line| line.starts_with(name)).map(|line| {
        let value = line.rsplit(' ').next().unwrap();
        value.parse::<u64>().unwrap_or_else(|_| panic!("{line}"))
    });
    values.sum()
}

/// Ana and Ben play a match of Qwinto to its end; returns its id.
async fn play(server: &Server, ana: &Client, ben: &Client) -> String {
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let plan = Plan {
        game: "qwinto".to_owned(),
        seats: 2,
        options: json!({}),
        seed: 7,
        look_every: 1_000,
        replays: 1,
    };
    let seats = [ana.clone(), ben.clone()];
    carry_on(&server.url, &seats, &id, &plan).await;
    let result = format!("/v1/matches/{id}/result");
    eventually("the match is counted", PATIENCE, async || {
        (ana.get(&result).await.expect(200)["counted"] == true).then_some(())
    })
    .await;
    id
}

/// What everybody can read about a finished match and its players.
fn public_reads(id: &str, player: &str) -> Vec<String> {
    let match_reads = ["", "/replay?at=9", "/frames", "/events", "/export", "/proof", "/luck"];
    let match_reads = match_reads.map(|read| format!("/v1/matches/{id}{read}"));
    let others = [
        "/v1/matches?status=finished".to_owned(),
        "/v1/exports/matches?game=qwinto".to_owned(),
        "/v1/games/qwinto/stats".to_owned(),
        "/v1/games/qwinto/leaderboard".to_owned(),
        "/v1/transparency/tree-head".to_owned(),
        format!("/v1/players/{player}"),
        format!("/v1/players/{player}/stats"),
        format!("/v1/players/{player}/matches"),
    ];
    match_reads.into_iter().chain(others).collect()
}

async fn text(client: &Client, path: &str) -> String {
    let response = client.request(Method::GET, path).send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    response.text().await.unwrap()
}

#[actix_web::test]
async fn a_standby_answers_reads_with_what_the_primary_would_answer() {
    let pair = Pair::start().await;
    let (proxy, primary) = proxied(&pair.primary, &pair.database).await;
    let server = server(primary, pair.standby_url()).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = play(&server, &ana, &ben).await;
    let alone = Server::start_with(Store::Sqlite, |config| {
        config.database_url = Some(pair.primary_url());
        config.data_dir.clone_from(&server.config.data_dir);
    })
    .await;
    // Nothing is in memory after a restart.
    let server = server.restart().await;
    until_standby_is(&server, "current").await;
    let (reader, other) = (Client::anonymous(&server.url), Client::anonymous(&alone.url));
    for path in public_reads(&id, ana.player.as_deref().unwrap()) {
        assert_eq!(text(&reader, &path).await, text(&other, &path).await, "{path}");
    }
    for path in [
        "/v1/matches?status=finished",
        "/v1/exports/matches?game=qwinto",
        "/v1/games/qwinto/stats",
        "/v1/games/qwinto/leaderboard",
        "/v1/transparency/tree-head",
    ] {
        eventually(&format!("the standby answers {path}"), PATIENCE, async || {
            let before = figure(&server, "telar_standby_reads_total").await;
            text(&reader, path).await;
            (figure(&server, "telar_standby_reads_total").await > before).then_some(())
        })
        .await;
    }
    // A finished match is read without the primary.
    let server = server.restart().await;
    let reader = Client::anonymous(&server.url);
    proxy.isolate();
    for read in ["replay?at=9", "frames", "events"] {
        text(&reader, &format!("/v1/matches/{id}/{read}")).await;
    }
    proxy.heal();
}

#[actix_web::test]
async fn what_has_not_arrived_at_the_standby_is_read_from_the_primary() {
    let pair = Pair::start().await;
    let server = server(pair.primary_url(), pair.standby_url()).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let early = play(&server, &ana, &ben).await;
    let going_on = ana.create_match("tapestry", 1).await["id"].as_str().unwrap().to_owned();
    until_standby_is(&server, "current").await;
    pair.pause_replay().await;
    let late = play(&server, &ana, &ben).await;
    let moves = ana.legal_moves(&going_on).await;
    ana.make_move(&going_on, &moves[0]).await.expect(200);
    let version = ana.get(&format!("/v1/matches/{going_on}")).await.expect(200)["version"].clone();
    let renamed = ana.request(Method::PATCH, "/v1/me").json(&json!({ "name": "Anabel" }));
    ana.send(renamed).await.expect(200);
    let arrived = "SELECT count(*)::text AS state FROM matches";
    assert_eq!(pair.tell_standby(arrived).await, "2", "the last match is missing there");
    // Nothing is in memory after a restart.
    let server = server.restart().await;
    let ana = ana.at(&server.url);
    let seen = ana.get(&format!("/v1/matches/{late}")).await.expect(200);
    assert_eq!(seen["status"], "finished");
    assert_eq!(seen["seats"][0]["player"]["name"], "Anabel", "{seen}");
    let seen = ana.get(&format!("/v1/matches/{going_on}")).await.expect(200);
    assert_eq!(seen["version"], version);
    let listed = ana.get("/v1/matches?status=finished").await.expect(200);
    let ids: Vec<&Value> = listed["matches"].as_array().unwrap().iter().map(|m| &m["id"]).collect();
    assert_eq!(ids, [&json!(late), &json!(early)]);
    let exported = text(&ana, "/v1/exports/matches?game=qwinto").await;
    assert_eq!(exported.lines().count(), 2);
    let stats = ana.get("/v1/games/qwinto/stats").await.expect(200);
    assert_eq!(stats["matches"], json!(2), "{stats}");
    let player = ana.get(&format!("/v1/players/{}", ana.player.as_deref().unwrap())).await;
    assert_eq!(player.expect(200)["name"], "Anabel");
    until_standby_is(&server, "behind").await;
    assert!(figure(&server, "telar_standby_fallbacks_total{reason=\"behind\"}").await > 0);
    pair.resume_replay().await;
    until_standby_is(&server, "current").await;
}

#[actix_web::test]
async fn a_standby_that_is_silent_or_killed_delays_reads_once() {
    let mut pair = Pair::start().await;
    let (proxy, standby) = proxied(&pair.standby, &pair.database).await;
    let server = server(pair.primary_url(), standby).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = play(&server, &ana, &ben).await;
    let player = ana.player.clone().unwrap();
    let server = server.restart().await;
    let reader = Client::anonymous(&server.url);
    until_standby_is(&server, "current").await;

    proxy.isolate();
    let began = Instant::now();
    for path in public_reads(&id, &player) {
        text(&reader, &path).await;
    }
    let took = began.elapsed();
    println!("the reads took {took:?} although the standby was silent");
    assert!(took < Duration::from_secs(10), "{took:?}");
    until_standby_is(&server, "down").await;
    proxy.heal();
    until_standby_is(&server, "current").await;

    pair.standby.kill();
    let server = server.restart().await;
    let reader = Client::anonymous(&server.url);
    for path in public_reads(&id, &player) {
        text(&reader, &path).await;
    }
    until_standby_is(&server, "down").await;
    pair.standby.restart();
    until_standby_is(&server, "current").await;
}

/// As in a failover that the configuration does not know of yet.
#[actix_web::test]
async fn a_standby_that_is_promoted_is_not_read_any_more() {
    let pair = Pair::start().await;
    let server = server(pair.primary_url(), pair.standby_url()).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let id = ana.create_match("tapestry", 1).await["id"].clone();
    until_standby_is(&server, "current").await;
    pair.tell_standby("SELECT pg_promote()").await;
    pair.tell_standby("DELETE FROM matches RETURNING ''::text AS state").await;
    let listed = ana.get("/v1/matches").await.expect(200);
    assert_eq!(listed["matches"][0]["id"], id, "{listed}");
    until_standby_is(&server, "down").await;
}

/// A path with a value for every parameter.
fn filled(path: &str, ids: &[(&str, &str)]) -> String {
    let with_id = ids.iter().find(|(start, _)| path.starts_with(start));
    let path = with_id.map_or_else(|| path.to_owned(), |(_, id)| path.replace("{id}", id));
    let path = path.replace("{game}", "qwinto").replace("{other}", ids[2].1);
    let chart = if path.contains("/games/") { "measure.score" } else { "activity" };
    let path = path.replace("{chart}", chart);
    match path.as_str() {
        "/v1/transparency/consistency" => format!("{path}?first=0"),
        "/v1/transparency/inclusion" => format!("{path}?match={}", ids[0].1),
        _ => path,
    }
}

/// A server that only reads, from the standby of the store of another server.
async fn read_only(pair: &Pair, other: &Server) -> Server {
    Server::start_with(Store::Sqlite, |config| {
        config.database_url = Some(pair.standby_url());
        config.data_dir.clone_from(&other.config.data_dir);
        config.read_only = true;
    })
    .await
}

#[actix_web::test]
async fn a_read_only_server_on_a_standby_answers_every_get_and_refuses_every_change() {
    let pair = Pair::start().await;
    let main = Server::start_with(Store::Sqlite, |config| {
        config.database_url = Some(pair.primary_url());
    })
    .await;
    let ana = Client::guest(&main.url, "Ana").await;
    let ben = Client::guest(&main.url, "Ben").await;
    let id = play(&main, &ana, &ben).await;
    eventually("the match is in the transparency log", PATIENCE, async || {
        let path = format!("/v1/transparency/inclusion?match={id}");
        (ana.get(&path).await.status == 200).then_some(())
    })
    .await;
    let hook = json!({ "url": "https://8.8.8.8/", "events": ["match.turn"] });
    let application = Application::create(&main, "Back end").await;
    application.player("user-1", "Eva").await;
    let application = application.client().await;
    let solo = ana.create_match("tapestry", 1).await["id"].as_str().unwrap().to_owned();
    let hook = ana.post("/v1/webhooks", &hook).await.expect(201);
    let server = read_only(&pair, &main).await;
    let (ana_there, application) = (ana.at(&server.url), application.at(&server.url));
    let reader = &ana_there;
    eventually("everything has arrived", PATIENCE, async || {
        let hooks = reader.get("/v1/webhooks").await;
        (hooks.status == 200 && hooks.body["webhooks"][0]["id"] == hook["id"]).then_some(())
    })
    .await;

    let ids = [
        ("/v1/matches/", id.as_str()),
        ("/v1/players/", ana.player.as_deref().unwrap()),
        ("", ben.player.as_deref().unwrap()),
    ];
    let hook_ids = [("/v1/webhooks/", hook["id"].as_str().unwrap()), ids[1], ids[2]];
    let solo_ids = [("/v1/matches/", solo.as_str()), ids[1], ids[2]];
    for (path, item) in openapi::DOCUMENT["paths"].as_object().unwrap() {
        let (ids, reader) = match path.as_str() {
            path if path.starts_with("/v1/webhooks") => (&hook_ids, &ana_there),
            path if path.starts_with("/v1/apps/") => (&ids, &application),
            path if path.ends_with("/hint") => (&solo_ids, &ana_there),
            _ => (&ids, &ana_there),
        };
        let path = filled(path, ids).replace("{external_id}", "user-1");
        for method in item.as_object().unwrap().keys() {
            if method == "get" {
                let response = reader.request(Method::GET, &path).send().await.unwrap();
                let (status, kind) =
                    (response.status(), response.headers().get(CONTENT_TYPE).cloned());
                assert_eq!(status, 200, "GET {path}: {kind:?}");
                continue;
            }
            let method: Method = method.to_uppercase().parse().unwrap();
            for (language, words) in [("en", "read-only"), ("es", "solo lectura")] {
                let request = reader.request(method.clone(), &path).json(&json!({}));
                let reply = reader.send(request.header(ACCEPT_LANGUAGE, language)).await;
                let problem = reply.problem(503, "read_only");
                assert!(problem["detail"].as_str().unwrap().contains(words), "{problem}");
            }
        }
    }
    let ready = reader.get("/readyz").await.expect(200);
    assert_eq!(ready["read_only"], true);
    let tasks: Vec<&str> = ready["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|task| task["name"].as_str().unwrap())
        .collect();
    let reading = [
        "feed",
        "catch-up",
        "presence",
        "notifications",
        "deletions",
        "ended-sessions",
        "rate-limits",
        "metrics",
    ];
    assert_eq!(tasks, reading);
}

#[actix_web::test]
async fn a_read_only_server_accepts_tokens_and_streams_what_others_write() {
    let pair = Pair::start().await;
    let main = Server::start_with(Store::Sqlite, |config| {
        config.database_url = Some(pair.primary_url());
    })
    .await;
    let ana = Client::guest(&main.url, "Ana").await;
    let token = json!({ "name": "bot", "scopes": ["match:read"] });
    let token = ana.post("/v1/me/tokens", &token).await.expect(201);
    let id = ana.create_match("tapestry", 1).await["id"].as_str().unwrap().to_owned();
    let server = read_only(&pair, &main).await;
    let bot = ana.at(&server.url).with_token(token["secret"].as_str().unwrap());
    let path = format!("/v1/matches/{id}");
    let before = eventually("the match has arrived", PATIENCE, async || {
        let reply = bot.get(&path).await;
        (reply.status == 200).then_some(reply.body)
    })
    .await;
    let mut stream = Stream::open(&bot, &format!("{path}/events"), Framing::Sse).await;
    stream.expect("snapshot").await;
    let moves = ana.legal_moves(&id).await;
    let made = ana.make_move(&id, &moves[0]).await.expect(200);
    let seen = stream.until("state").await;
    assert!(made["version"].as_u64() > before["version"].as_u64());
    assert_eq!(seen["version"], made["version"], "{seen}");
    let tokens = ana.get("/v1/me/tokens").await.expect(200);
    assert_eq!(tokens["tokens"][0]["last_used_at"], Value::Null, "{tokens}");
    // A session that ends at the main server ends here, too.
    let reader = ana.at(&server.url);
    reader.get("/v1/me").await.expect(200);
    ana.delete("/v1/sessions/current").await.expect(204);
    eventually("the session has ended", PATIENCE, async || {
        (reader.get("/v1/me").await.status == 401).then_some(())
    })
    .await;
}

/// Why a server with this configuration does not start.
async fn refusal(change: impl FnOnce(&mut Config)) -> String {
    let directory = tempfile::tempdir().unwrap();
    let mut config = Config::for_directory(directory.path().to_owned(), None);
    change(&mut config);
    startup::build(&config, Clock::system()).await.expect_err("a reason").to_string()
}

#[actix_web::test]
async fn settings_that_cannot_work_are_refused_with_the_reason() {
    let key = Some(tests::process::KEY.to_owned());
    let (store, other) = (new_database().await, new_database().await);
    let reason = refusal(|config| {
        config.read_only = true;
        (config.signing_key, config.storage_key) = (key.clone(), key.clone());
    });
    assert!(reason.await.starts_with("--read-only needs a Postgres"));
    let reason = refusal(|config| config.read_url = Some(store.clone()));
    assert!(reason.await.starts_with("TELAR_READ_URL needs a Postgres"));
    let reason = refusal(|config| {
        (config.database_url, config.read_url) = (Some(store.clone()), Some(store.clone()));
        config.read_only = true;
    });
    assert!(reason.await.starts_with("--read-only and --read-url exclude each other"));
    let reason = refusal(|config| {
        config.database_url = Some(store.clone());
        config.read_url = Some("sqlite://telar.db".to_owned());
    });
    assert_eq!(reason.await, "TELAR_READ_URL cannot be read: use postgres://…");
    for foreign in [&store, &other] {
        let reason = refusal(|config| {
            (config.database_url, config.read_url) = (Some(store.clone()), Some(foreign.clone()));
        });
        assert!(reason.await.contains("is not a standby of the database in DATABASE_URL"));
    }
    let read_only = |config: &mut Config| {
        config.database_url = Some(other.clone());
        config.read_only = true;
    };
    let reason = refusal(read_only).await;
    assert_eq!(
        reason,
        "TELAR_SIGNING_KEY: a read-only server needs the key of the servers that write"
    );
    let reason = refusal(|config| {
        read_only(config);
        (config.signing_key, config.storage_key) = (key.clone(), key.clone());
    });
    let reason = reason.await;
    assert!(reason.starts_with("the schema of the store is too old"), "{reason}");
    assert!(reason.contains("telar migrate"), "{reason}");
}
