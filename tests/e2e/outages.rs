//! Stores that go away: connections that are silent or cut, a database that only allows reading.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};
use sqlx::Connection;
use tests::{
    client::{Client, Reply},
    eventually::{PATIENCE, eventually},
    postgres::new_database,
    proxy::Proxy,
    server::{Server, Store},
};

/// Within this time after connections have gone silent, moves are acknowledged again.
const RECOVERY: Duration = Duration::from_secs(15);

/// A server whose connections to Postgres go through a proxy, and the URL of the database without it.
async fn behind_a_proxy() -> (Server, Proxy, String) {
    let direct = new_database().await;
    let (start, database) = direct.rsplit_once('/').unwrap();
    let (start, port) = start.rsplit_once(':').unwrap();
    let target = SocketAddr::from(([127, 0, 0, 1], port.parse().unwrap()));
    let proxy = Proxy::start(target).await;
    let url = format!("{start}:{}/{database}", proxy.address().port());
    let server = Server::start_with(Store::Sqlite, |config| config.database_url = Some(url)).await;
    (server, proxy, direct)
}

/// A player in a match of their own.
struct Solo {
    client: Client,
    id: String,
    moves: usize,
}

impl Solo {
    async fn start(server: &Server, number: usize) -> Self {
        let client = Client::guest(&server.url, &format!("Player {number}")).await;
        let id = client.create_match("tapestry", 1).await["id"].as_str().unwrap().to_owned();
        Self { client, id, moves: 0 }
    }

    /// Makes a move, again and again with the same key until it is acknowledged; returns how long that took.
    async fn make_move(&mut self) -> Duration {
        let started = Instant::now();
        self.moves += 1;
        let key = format!("{}-{}", self.id, self.moves);
        let moves = eventually("legal moves", PATIENCE, async || {
            let reply = self.client.get(&format!("/v1/matches/{}/legal-moves", self.id)).await;
            (reply.status == 200).then(|| reply.body["moves"][0]["move"].clone())
        });
        let body = json!({ "move": moves.await });
        eventually("the move is acknowledged", PATIENCE, async || {
            let path = format!("/v1/matches/{}/moves", self.id);
            let request = self.client.request(Method::POST, &path).header("idempotency-key", &key);
            let reply = self.client.send(request.json(&body)).await;
            if reply.status != 200 {
                assert_eq!(reply.status, 503, "{}", reply.body);
                assert!(reply.header("retry-after").is_some());
            }
            (reply.status == 200).then_some(())
        })
        .await;
        started.elapsed()
    }
}

/// Neither a reset nor an end of the stream: the packets just vanish.
#[actix_web::test]
async fn moves_are_acknowledged_again_soon_after_connections_have_gone_silent() {
    let (server, proxy, direct) = behind_a_proxy().await;
    let mut players = join_all((0..8).map(|number| Solo::start(&server, number))).await;
    for _ in 0..2 {
        join_all(players.iter_mut().map(Solo::make_move)).await;
    }
    for _ in 0..2 {
        proxy.silence();
        let times = join_all(players.iter_mut().map(Solo::make_move)).await;
        let slowest = times.into_iter().max().unwrap();
        println!("acknowledged again after {slowest:?}");
        assert!(slowest < RECOVERY, "{slowest:?}");
        let next = join_all(players.iter_mut().map(Solo::make_move)).await;
        assert!(next.into_iter().max().unwrap() < Duration::from_secs(5));
    }
    // Nothing was lost or done twice.
    let mut config = server.config.clone();
    config.database_url = Some(direct);
    let log = tests::open_log(&config).await;
    for player in &players {
        let commits = log.load(player.id.parse().unwrap(), 0).await.unwrap();
        assert_eq!(commits.len(), 1 + player.moves);
    }
    eventually("the server is ready", PATIENCE, async || {
        (server.get_ready().await.status == 200).then_some(())
    })
    .await;
}

trait Ready {
    async fn get_ready(&self) -> Reply;
}

impl Ready for Server {
    async fn get_ready(&self) -> Reply {
        Client::anonymous(&self.url).get("/readyz").await
    }
}

/// Ends all sessions in a database but its own.
async fn end_sessions(direct: &str) {
    let admin = Database::connect(direct).await.unwrap();
    let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    admin.execute_unprepared(sql).await.unwrap();
    admin.close().await.unwrap();
}

async fn rename(client: &Client, name: &str) -> Reply {
    client.send(client.request(Method::PATCH, "/v1/me").json(&json!({ "name": name }))).await
}

/// As after a failover, or `pg_terminate_backend`.
#[actix_web::test]
async fn the_first_request_after_sessions_were_ended_succeeds() {
    let server = Server::start(Store::Postgres).await;
    let direct = server.config.database_url.clone().unwrap();
    let mut ana = Solo::start(&server, 0).await;
    for round in 0..3 {
        // A read, a change without a transaction, one with a transaction, and a move.
        end_sessions(&direct).await;
        ana.client
            .get(&format!("/v1/players/{}", ana.client.player.clone().unwrap()))
            .await
            .expect(200);
        end_sessions(&direct).await;
        rename(&ana.client, &format!("Ana {round}")).await.expect(200);
        end_sessions(&direct).await;
        Client::guest(&server.url, "Ben").await;
        end_sessions(&direct).await;
        let moves = ana.client.legal_moves(&ana.id).await;
        end_sessions(&direct).await;
        ana.client.make_move(&ana.id, &moves[0]).await.expect(200);
        ana.moves += 1;
    }
}

/// Threads that serve requests end before background tasks do, which use the same connections.
#[actix_web::test]
async fn connections_outlive_the_thread_that_opened_them() {
    let settings = store::Settings {
        database_url: Some(new_database().await),
        read_url: None,
        read_only: false,
        data_dir: std::env::temp_dir(),
        connections: 4,
    };
    let db = store::connect(&settings).await.unwrap();
    let elsewhere = db.clone();
    let opening = actix_web::rt::task::spawn_blocking(move || {
        actix_web::rt::System::new().block_on(async {
            // All at once, so that each has to open a connection.
            let sleep = || elsewhere.execute_unprepared("SELECT pg_sleep(0.2)");
            let slept = join_all([sleep(), sleep(), sleep(), sleep()]).await;
            let work = store::begin(&elsewhere).await.unwrap();
            work.execute_unprepared("CREATE TABLE changes (change int)").await.unwrap();
            store::commit(work).await.unwrap();
            slept
        })
    });
    for slept in opening.await.unwrap() {
        slept.unwrap();
    }
    let change = || db.execute_unprepared("INSERT INTO changes VALUES (1)");
    for changed in join_all([change(), change(), change(), change()]).await {
        assert_eq!(changed.unwrap().rows_affected(), 1);
    }
}

#[actix_web::test]
async fn reads_are_repeated_when_their_connection_is_cut() {
    let (server, proxy, _) = behind_a_proxy().await;
    let ana = Solo::start(&server, 0).await;
    for path in ["/v1/me", "/v1/matches", "/v1/games/tapestry/leaderboard"] {
        let before = ana.client.get(path).await.status;
        proxy.cut();
        assert_eq!(ana.client.get(path).await.status, before, "{path}");
    }
}

#[actix_web::test]
async fn a_database_that_only_allows_reading_answers_503_to_changes_and_is_not_ready() {
    let server = Server::start(Store::Postgres).await;
    let direct = server.config.database_url.clone().unwrap();
    let ana = Solo::start(&server, 0).await;
    server.get_ready().await.expect(200);
    let database = direct.rsplit('/').next().unwrap();
    let admin = Database::connect(direct.rsplit_once('/').unwrap().0.to_owned() + "/postgres");
    let admin = admin.await.unwrap();
    let set = async |value: &str| {
        let sql = format!("ALTER DATABASE {database} SET default_transaction_read_only = {value}");
        admin.execute_unprepared(&sql).await.unwrap();
        end_sessions(&direct).await;
    };
    set("on").await;
    let moves = ana.client.legal_moves(&ana.id).await;
    let changes = [
        ana.client.make_move(&ana.id, &moves[0]).await,
        rename(&ana.client, "Eve").await,
        ana.client.post("/v1/matches", &json!({ "game": "qwinto", "seats": 2 })).await,
        ana.client.post("/v1/guests", &json!({ "name": "Ben" })).await,
        ana.client
            .post("/v1/players", &json!({ "name": "Ben", "password": "correct horse" }))
            .await,
    ];
    for reply in changes {
        assert!(reply.header("retry-after").is_some(), "{}", reply.body);
        reply.problem(503, "unavailable");
    }
    ana.client.get(&format!("/v1/matches/{}", ana.id)).await.expect(200);
    eventually("the server is not ready", PATIENCE, async || {
        let reply = server.get_ready().await;
        let detail = reply.body["detail"].as_str().unwrap_or_default().to_owned();
        (reply.status == 503 && detail.contains("store (read-only)")).then_some(())
    })
    .await;
    set("off").await;
    ana.client.make_move(&ana.id, &moves[0]).await.expect(200);
    eventually("the server is ready", PATIENCE, async || {
        (server.get_ready().await.status == 200).then_some(())
    })
    .await;
    admin.close().await.unwrap();
}

#[actix_web::test]
async fn a_server_whose_store_does_not_answer_says_so_within_two_seconds() {
    let (server, proxy, _) = behind_a_proxy().await;
    server.get_ready().await.expect(200);
    proxy.isolate();
    let mut slowest = Duration::ZERO;
    eventually("the server is not ready", PATIENCE, async || {
        // Many at once, as several load balancers would.
        let replies = join_all((0..8).map(async |_| {
            let asked = Instant::now();
            let reply = server.get_ready().await;
            (asked.elapsed(), reply)
        }));
        let replies = replies.await;
        slowest = replies.iter().map(|(time, _)| *time).max().unwrap().max(slowest);
        replies.into_iter().all(|(_, reply)| reply.status == 503).then_some(())
    })
    .await;
    let detail = server.get_ready().await.problem(503, "not_ready")["detail"].clone();
    assert!(detail.as_str().unwrap().contains("store (unreachable)"), "{detail}");
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    proxy.heal();
    eventually("the server is ready", PATIENCE, async || {
        (server.get_ready().await.status == 200).then_some(())
    })
    .await;
}

/// Another program holds the lock of the file.
#[actix_web::test]
async fn a_file_that_cannot_be_written_to_is_reported_within_two_seconds() {
    let server = Server::start(Store::Sqlite).await;
    let file = format!("sqlite://{}", server.config.data_dir.join("telar.db").display());
    let mut other = sqlx::SqliteConnection::connect(&file).await.unwrap();
    let lock = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let asked = Instant::now();
    let detail = server.get_ready().await.problem(503, "not_ready")["detail"].clone();
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    assert!(detail.as_str().unwrap().contains("store ("), "{detail}");
    lock.rollback().await.unwrap();
    eventually("the server is ready", PATIENCE, async || {
        (server.get_ready().await.status == 200).then_some(())
    })
    .await;
}

/// The store gets the move, but its answer does not arrive.
#[actix_web::test]
async fn a_move_that_is_not_confirmed_is_reported_as_unknown_and_a_retry_finds_it() {
    let (server, proxy, _) = behind_a_proxy().await;
    let mut ana = Solo::start(&server, 0).await;
    let send = async |ana: &Solo, key: &str, mv: &Value| {
        let path = format!("/v1/matches/{}/moves", ana.id);
        let request = ana.client.request(Method::POST, &path).header("idempotency-key", key);
        ana.client.send(request.json(&json!({ "move": mv }))).await
    };
    ana.make_move().await;
    let next = ana.client.legal_moves(&ana.id).await;
    // The connection of the writer was used just now, so it is not tested first.
    proxy.isolate();
    let reply = send(&ana, "unconfirmed", &next[0]).await;
    proxy.heal();
    assert!(reply.header("retry-after").is_some());
    let detail = reply.problem(503, "outcome_unknown")["detail"].clone();
    assert!(detail.as_str().unwrap().contains("may have been carried out"), "{detail}");
    let version = eventually("the retry is acknowledged", PATIENCE, async || {
        let reply = send(&ana, "unconfirmed", &next[0]).await;
        (reply.status == 200).then(|| reply.body["version"].clone())
    });
    let version = version.await;
    let now = ana.client.get(&format!("/v1/matches/{}", ana.id)).await.expect(200);
    assert_eq!(now["version"], version, "it was made once");
}

/// A replica that is frozen in the middle of a batch holds the locks of its transaction.
#[actix_web::test]
async fn a_replica_that_is_frozen_within_a_batch_does_not_stop_the_others() {
    let server = Server::start(Store::Postgres).await;
    let settings = store::Settings {
        database_url: server.config.database_url.clone(),
        read_url: None,
        read_only: false,
        data_dir: std::env::temp_dir(),
        connections: 4,
    };
    let frozen = store::connect(&settings).await.unwrap();
    let batch = store::begin(&frozen).await.unwrap();
    store::statistics::lock(&batch).await.unwrap();
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    ben.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let counted = || ana.get("/v1/games/qwinto/stats");
    assert_eq!(counted().await.expect(200)["matches"], 0, "it is locked");
    eventually("the match is counted", RECOVERY, async || {
        (counted().await.expect(200)["matches"] == 1).then_some(())
    })
    .await;
    assert!(store::commit(batch).await.is_err(), "its session was ended");
}
