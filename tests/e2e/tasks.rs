//! Background tasks that die: they are restarted, nothing that was acknowledged is lost, and nothing is done twice.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use api::config::LinkBind;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use service::tasks::TaskState;
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    receiver::Receiver,
    server::{Server, Store, frozen_clock},
    stream::{Framing, Stream},
};

/// No pause before a restart is longer.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

fn state(server: &Server, name: &str) -> TaskState {
    let states = server.tasks().states();
    states.into_iter().find(|state| state.name == name).expect("a task of this name")
}

/// How often the task was restarted, by the figures of the process. They are shared with servers of other tests.
async fn counted(server: &Server, name: &str) -> u64 {
    let anybody = Client::anonymous(&server.url);
    let page = anybody.request(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
    let start = format!("telar_task_restarts_total{{task=\"{name}\"}} ");
    let line = page.lines().find_map(|line| line.strip_prefix(start.as_str()));
    line.unwrap_or_else(|| panic!("{name} is not counted: {page}")).parse().unwrap()
}

async fn until_running(server: &Server, name: &str, restarts: u64) {
    let what = format!("{name} is restarted");
    eventually(&what, PATIENCE, async || {
        let state = state(server, name);
        (state.running && state.restarts == restarts).then_some(())
    })
    .await;
}

/// Kills every task there is, one after the other.
async fn each_is_restarted(store: Store) {
    let server = Server::start_frozen(store).await;
    let anybody = Client::anonymous(&server.url);
    let tasks = server.tasks().states();
    assert!(tasks.iter().any(|task| task.name == "writer") && tasks.len() >= 10, "{tasks:?}");
    let ready = anybody.get("/readyz").await.expect(200);
    let listed: Vec<&str> = ready["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|task| task["name"].as_str())
        .collect();
    assert_eq!(listed, tasks.iter().map(|task| task.name).collect::<Vec<_>>());
    for TaskState { name, running, restarts } in tasks {
        assert_eq!((running, restarts), (true, 0), "{name}");
        let before = counted(&server, name).await;
        assert!(server.tasks().kill(name));
        let detail = anybody.get("/readyz").await.problem(503, "not_ready")["detail"].clone();
        assert!(detail.as_str().unwrap().contains(name), "{detail}");
        assert!(!state(&server, name).running, "nothing happens while no time passes");
        server.clock.advance(Duration::from_millis(200));
        until_running(&server, name, 1).await;
        assert!(counted(&server, name).await > before);
        let ready = anybody.get("/readyz").await.expect(200);
        let listed = ready["tasks"].as_array().unwrap().iter().find(|task| task["name"] == name);
        assert_eq!(listed, Some(&json!({ "name": name, "running": true, "restarts": 1 })));
    }
    server.stop().await;
}

#[actix_web::test]
async fn each_task_is_restarted_after_a_pause_and_counted_on_sqlite() {
    each_is_restarted(Store::Sqlite).await;
}

#[actix_web::test]
async fn each_task_is_restarted_after_a_pause_and_counted_on_postgres() {
    each_is_restarted(Store::Postgres).await;
}

/// A replica whose match is outdated reads what is new before it decides, with the task that reads for many and without it.
#[actix_web::test]
async fn commands_do_not_depend_on_the_task_that_reads_for_them() {
    let here = Server::start_at_with(Store::Postgres, frozen_clock(), |config| {
        config.link_bind = LinkBind::Off;
    });
    let here = here.await;
    let there = here.replica().await;
    let (ana, ben) =
        (Client::guest(&here.url, "Ana").await, Client::guest(&there.url, "Ben").await);
    assert!(there.tasks().kill("feed"), "it learns nothing by itself");
    for is_killed in [false, true] {
        if is_killed {
            assert!(there.tasks().kill("catch-up"));
        }
        let ids = join_all((0..20).map(async |_| {
            let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
            ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
            ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
            id
        }))
        .await;
        let refused = ids.iter().map(async |id| {
            let stale = ben.get(&format!("/v1/matches/{id}")).await.expect(200);
            assert_eq!(stale["status"], "playing", "it knows nothing of the end");
            ben.post(&format!("/v1/matches/{id}/resign"), &json!({})).await
        });
        for refused in join_all(refused).await {
            refused.problem(409, "match_over");
        }
    }
}

/// Everything but the writer dies. What happens meanwhile is told, sent, counted and timed out when the tasks are back.
async fn followers_catch_up(store: Store) {
    let server = Server::start_at_with(store, frozen_clock(), |config| {
        config.webhook_allow_http = true;
        config.webhook_allow_private = true;
    })
    .await;
    let (ana, ben) =
        (Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await);
    let mut receiver = Receiver::start(|_| 200);
    let events = ["match.seat_taken", "match.started", "match.finished"];
    let hook = json!({ "url": receiver.url, "events": events });
    ana.post("/v1/webhooks", &hook).await.expect(201);
    let mut mine = Stream::open(&ana, "/v1/me/stream", Framing::Sse).await;
    mine.expect("snapshot").await;
    for round in 0..3_u64 {
        let tasks = server.tasks().states();
        for task in tasks.iter().filter(|task| task.name != "writer") {
            assert!(server.tasks().kill(task.name), "{}", task.name);
        }
        let body =
            json!({ "game": "qwinto", "seats": 2, "move_deadline": 60, "on_timeout": "forfeit" });
        let created = ana.post("/v1/matches", &body).await.expect(201);
        let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
        let mut watching = Stream::open(&ana, &format!("{path}/events"), Framing::Ndjson).await;
        watching.expect("snapshot").await;
        ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
        // The tasks come back, and the time of whoever has to move is over.
        server.clock.advance(Duration::from_secs(61));
        for task in tasks.iter().filter(|task| task.name != "writer") {
            until_running(&server, task.name, round + 1).await;
        }
        assert_eq!(watching.until("end").await["reason"], "match_over");
        let kinds = ["match.seat_taken", "match.started", "match.finished"];
        for kind in kinds {
            assert_eq!(mine.until(kind).await["data"]["match"], created["id"], "{kind}");
        }
        let mut sent = HashSet::new();
        while sent.len() < kinds.len() {
            let message = receiver.next().await.json();
            assert_eq!(message["data"]["match"], created["id"], "each is sent once");
            assert!(sent.insert(message["type"].as_str().unwrap().to_owned()));
        }
        eventually("the match is counted", PATIENCE, async || {
            let stats = ana.get("/v1/games/qwinto/stats").await.expect(200);
            (stats["matches"] == round + 1).then_some(())
        })
        .await;
    }
    assert_eq!(state(&server, "writer").restarts, 0);
    server.stop().await;
}

#[actix_web::test]
async fn what_happens_while_the_followers_are_down_is_not_missed_on_sqlite() {
    followers_catch_up(Store::Sqlite).await;
}

#[actix_web::test]
async fn what_happens_while_the_followers_are_down_is_not_missed_on_postgres() {
    followers_catch_up(Store::Postgres).await;
}

/// Somebody who plays a solitary match, and knows what was acknowledged.
struct Soloist {
    client: Client,
    id: String,
    /// Creation is acknowledged, too.
    acknowledged: u64,
    events: Vec<Value>,
    commands: usize,
}

/// What came of a move.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    Acknowledged,
    Unavailable,
    Over,
    /// The server is gone.
    Gone,
}

impl Soloist {
    async fn start(url: &str, name: &str) -> Self {
        let client = Client::guest(url, name).await;
        let created = client.create_match("tapestry", 1).await;
        let id = created["id"].as_str().unwrap().to_owned();
        let acknowledged = created["version"].as_u64().unwrap();
        Self { client, id, acknowledged, events: Vec::new(), commands: 0 }
    }

    /// A legal move, or none if the match is over.
    async fn choose(&self) -> Option<Value> {
        let path = format!("/v1/matches/{}/legal-moves", self.id);
        let listing = self.client.request(Method::GET, &path).send().await.ok()?;
        let listing: Value = listing.json().await.ok()?;
        let moves = listing["moves"].as_array()?;
        moves.get(self.commands * 7 % moves.len().max(1)).map(|listed| listed["move"].clone())
    }

    /// Sends a move under the key of the command whose turn it is, and checks what is said to have happened.
    async fn send(&mut self, mv: &Value) -> Fate {
        let path = format!("/v1/matches/{}/moves", self.id);
        let request = self.client.request(Method::POST, &path);
        let request = request.header("idempotency-key", format!("command-{}", self.commands));
        let Ok(response) = request.json(&json!({ "move": mv })).send().await else {
            return Fate::Gone;
        };
        let status = response.status().as_u16();
        let Ok(answer) = response.json::<Value>().await else { return Fate::Gone };
        if status == 503 {
            return Fate::Unavailable;
        }
        assert_eq!(status, 200, "{answer}");
        let events = answer["events"].as_array().unwrap();
        let versions: Vec<u64> =
            events.iter().filter_map(|event| event["version"].as_u64()).collect();
        let version = answer["version"].as_u64().unwrap();
        let expected: Vec<u64> = (self.acknowledged + 1..=version).collect();
        assert_eq!(versions, expected, "it follows what was acknowledged before");
        self.acknowledged = version;
        self.events.extend(events.iter().cloned());
        self.commands += 1;
        if answer["status"] == "finished" { Fate::Over } else { Fate::Acknowledged }
    }

    /// The events that the server has in its store after this version, as the player sees them.
    async fn stored(&self, client: &Client, after: u64) -> Vec<Value> {
        let mut stored: Vec<Value> = Vec::new();
        loop {
            let after = stored.last().map_or(after, |event| event["version"].as_u64().unwrap());
            let path = format!("/v1/matches/{}/events?after={after}&limit=200", self.id);
            let request = client.request(Method::GET, &path).header("cache-control", "no-cache");
            let page = client.send(request).await.expect(200);
            stored.extend(page["events"].as_array().unwrap().iter().cloned());
            if page["next"].is_null() {
                return stored;
            }
        }
    }

    fn created(&self) -> u64 {
        self.acknowledged - self.events.len() as u64
    }
}

fn kinds(events: &[Value]) -> Vec<(u64, &str)> {
    let kind = |event: &Value| event["event"]["type"].as_str().map(str::len);
    assert!(events.iter().all(|event| kind(event).is_some()), "{events:?}");
    let pairs = events.iter().map(|event| {
        (event["version"].as_u64().unwrap(), event["event"]["type"].as_str().unwrap())
    });
    pairs.collect()
}

/// While nobody writes, the server is not ready, and no move is acknowledged; those that wait are written afterwards.
async fn writer_is_down(store: Store) {
    let server = Server::start_frozen(store).await;
    let anybody = Client::anonymous(&server.url);
    let names = ["Ana", "Ben", "Eva", "Leo"];
    let mut players =
        join_all(names.map(async |name| Soloist::start(&server.url, name).await)).await;
    let moves = join_all(players.iter().map(async |player| player.choose().await.unwrap())).await;
    assert!(server.tasks().kill("writer"));
    let answered = Arc::new(AtomicUsize::new(0));
    let sending = players.iter_mut().zip(&moves).map(|(player, mv)| {
        let answered = Arc::clone(&answered);
        async move {
            let fate = player.send(mv).await;
            answered.fetch_add(1, Ordering::AcqRel);
            fate
        }
    });
    let meanwhile = async {
        for _ in 0..5 {
            let detail = anybody.get("/readyz").await.problem(503, "not_ready")["detail"].clone();
            assert!(detail.as_str().unwrap().contains("writer"), "{detail}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let answered = answered.load(Ordering::Acquire);
        server.clock.advance(Duration::from_millis(200));
        answered
    };
    let (fates, early) = tokio::join!(join_all(sending), meanwhile);
    assert_eq!(early, 0, "they wait");
    assert!(fates.iter().all(|fate| *fate == Fate::Acknowledged), "{fates:?}");
    until_running(&server, "writer", 1).await;
    anybody.get("/readyz").await.expect(200);
    for player in &players {
        let stored = player.stored(&player.client, player.created()).await;
        assert_eq!(stored, player.events, "once, and as it was answered");
    }
    server.stop().await;
}

#[actix_web::test]
async fn nothing_is_acknowledged_while_the_writer_is_down_on_sqlite() {
    writer_is_down(Store::Sqlite).await;
}

#[actix_web::test]
async fn nothing_is_acknowledged_while_the_writer_is_down_on_postgres() {
    writer_is_down(Store::Postgres).await;
}

const SOLOISTS: usize = 8;
const MOVES: usize = 40;
/// Access tokens last for a quarter of an hour, which is thirty of the longest pauses.
const KILLS: u64 = 20;

/// The writer is killed again and again while many play. Whoever gets 503 sends the same again.
async fn writer_is_killed_under_load(store: Store) {
    let server = Server::start_frozen(store).await;
    let names = (0..SOLOISTS).map(|number| format!("Player {number}"));
    let starting = names.map(async |name| Soloist::start(&server.url, &name).await);
    let players = join_all(starting).await;
    let done = &AtomicUsize::new(0);
    let playing = players.into_iter().map(|mut player| async move {
        while player.commands < MOVES {
            let Some(mv) = player.choose().await else { break };
            let mut tries = 0;
            let fate = loop {
                let fate = player.send(&mv).await;
                if fate != Fate::Unavailable {
                    break fate;
                }
                tries += 1;
                assert!(tries < 100, "a move never gets through");
            };
            assert_ne!(fate, Fate::Gone);
            if fate == Fate::Over {
                break;
            }
        }
        done.fetch_add(1, Ordering::AcqRel);
        player
    });
    let killing = async {
        let mut kills = 0;
        while kills < KILLS && done.load(Ordering::Acquire) < SOLOISTS {
            // Whenever it is: in the middle of a batch, most of the time.
            tokio::time::sleep(Duration::from_millis(5 + 3 * (kills % 7))).await;
            if server.tasks().kill("writer") {
                kills += 1;
                server.clock.advance(LONGEST_PAUSE);
            }
        }
        kills
    };
    let (players, kills) = tokio::join!(join_all(playing), killing);
    assert!(kills >= 10, "the writer was killed only {kills} times");
    let mut moves = 0;
    for player in &players {
        let stored = player.stored(&player.client, player.created()).await;
        assert_eq!(kinds(&stored), kinds(&player.events), "once, and in order");
        moves += player.commands;
    }
    assert!(moves > SOLOISTS * 10, "{moves}");
    server.stop().await;
}

#[actix_web::test]
async fn a_writer_that_is_killed_while_many_play_loses_and_repeats_nothing_on_sqlite() {
    writer_is_killed_under_load(Store::Sqlite).await;
}

#[actix_web::test]
async fn a_writer_that_is_killed_while_many_play_loses_and_repeats_nothing_on_postgres() {
    writer_is_killed_under_load(Store::Postgres).await;
}

/// The server stops while many play: whatever was acknowledged is in the store, and at most the one move that was on its way.
async fn stop_under_load(store: Store) {
    let server = Server::start(store).await;
    let names = (0..SOLOISTS).map(|number| format!("Player {number}"));
    let starting = names.map(async |name| Soloist::start(&server.url, &name).await);
    let players = join_all(starting).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let playing: Vec<_> = players
        .into_iter()
        .map(|mut player| {
            let is_over = Arc::clone(&is_over);
            actix_web::rt::spawn(async move {
                while !is_over.load(Ordering::Acquire) {
                    let Some(mv) = player.choose().await else { break };
                    if matches!(player.send(&mv).await, Fate::Gone | Fate::Over) {
                        break;
                    }
                }
                player
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    let asked = Instant::now();
    let server = server.restart().await;
    assert!(asked.elapsed() < Duration::from_secs(30), "within the deadline");
    is_over.store(true, Ordering::Release);
    let mut moves = 0;
    for player in join_all(playing).await {
        let player = player.unwrap();
        let there = player.client.at(&server.url);
        let stored = player.stored(&there, player.created()).await;
        let (kept, on_its_way) = stored.split_at(player.events.len());
        assert_eq!(kept, player.events, "what was acknowledged is there, once");
        let commands: HashSet<&str> =
            on_its_way.iter().filter_map(|event| event["at"].as_str()).collect();
        assert!(commands.len() <= 1, "{on_its_way:?}");
        moves += player.commands;
    }
    assert!(moves > 0);
    server.stop().await;
}

#[actix_web::test]
async fn a_server_that_stops_while_many_play_keeps_what_it_acknowledged_on_sqlite() {
    stop_under_load(Store::Sqlite).await;
}

#[actix_web::test]
async fn a_server_that_stops_while_many_play_keeps_what_it_acknowledged_on_postgres() {
    stop_under_load(Store::Postgres).await;
}
