//! Commands that are executed by the home of their match: another replica, which may be killed, frozen or unreachable at any moment.

#![expect(clippy::unwrap_used, reason = "a test that cannot be carried out has failed")]

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use api::config::Config;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{
    client::{Client, Reply},
    detour,
    eventually::{PATIENCE, eventually},
    postgres::new_database,
    process::{KEY, Telar},
    proxy::Proxy,
    stream::{Framing, Stream},
};
use tokio::task::JoinHandle;

/// No move may take longer, whatever happens to the home.
const LONGEST: Duration = Duration::from_secs(5);

fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_telar"))
}

/// The value of a metric, added up over its labels.
async fn metric(telar: &Telar, name: &str) -> f64 {
    let text = reqwest::get(format!("{}/metrics", telar.url)).await.unwrap().text().await.unwrap();
    let lines = text.lines().filter(|line| line.starts_with(name));
    lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
}

/// The commands that a replica has sent to the home, by what became of them.
async fn forwarded(telar: &Telar, outcome: &str) -> f64 {
    metric(telar, &format!("telar_forwarded_total{{outcome=\"{outcome}\"}}")).await
}

/// Two replicas, of which the first is the home. What the second one sends to it goes through a proxy.
struct Pair {
    one: Telar,
    two: Telar,
    proxy: Proxy,
    database: String,
}

impl Pair {
    async fn start() -> Self {
        let database = new_database().await;
        let one = Telar::start(binary(), &database, &[]);
        let proxy = detour::before_the_replica(&database).await;
        let two = Telar::start(binary(), &database, &[]);
        for replica in [&one, &two] {
            eventually("the replicas are linked", PATIENCE, async || {
                (metric(replica, "telar_links ").await > 0.0).then_some(())
            })
            .await;
        }
        Self { one, two, proxy, database }
    }
}

/// Players at one replica, each alone in a match. Their commands have no key, so nobody could tell whether one was executed twice.
struct Soloists {
    playing: Vec<JoinHandle<Played>>,
    moves: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

/// The matches of a player with the number of moves in each, and how long the slowest move took.
struct Played {
    matches: Vec<(String, usize)>,
    slowest: Duration,
}

impl Soloists {
    async fn start(url: &str, count: usize) -> Self {
        let (moves, is_over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let players = (0..count).map(|number| {
            let name = format!("Player {number}");
            async move { Client::guest(url, &name).await }
        });
        let playing = join_all(players)
            .await
            .into_iter()
            .flat_map(|client| (0..2).map(move |_| client.clone()));
        let playing = playing
            .map(|client| tokio::spawn(play(client, Arc::clone(&moves), Arc::clone(&is_over))));
        Self { playing: playing.collect(), moves, is_over }
    }

    /// Waits until this many more moves were made.
    async fn make(&self, moves: usize) {
        let enough = self.moves.load(Ordering::Relaxed) + moves;
        eventually("moves are made", PATIENCE, async || {
            (self.moves.load(Ordering::Relaxed) >= enough).then_some(())
        })
        .await;
    }

    /// Ends the play, and compares what was acknowledged with what is stored.
    async fn check(self, database: &str) {
        self.is_over.store(true, Ordering::Relaxed);
        let mut config = Config::for_directory(std::env::temp_dir(), Some(database.to_owned()));
        config.storage_key = Some(KEY.to_owned());
        let log = tests::open_log(&config).await;
        for played in join_all(self.playing).await {
            let Played { matches, slowest } = played.unwrap();
            assert!(slowest < LONGEST, "{slowest:?}");
            for (id, moves) in matches {
                let commits = log.load(id.parse().unwrap(), 0).await.unwrap();
                assert_eq!(commits.len(), 1 + moves, "every move once: {id}");
            }
        }
    }
}

async fn play(client: Client, moves: Arc<AtomicUsize>, is_over: Arc<AtomicBool>) -> Played {
    let mut played = Played { matches: Vec::new(), slowest: Duration::ZERO };
    while !is_over.load(Ordering::Relaxed) {
        let id = new_match(&client).await;
        let mut made = 0;
        while !is_over.load(Ordering::Relaxed)
            && let Some(mv) = client.legal_moves(&id).await.first()
        {
            let begun = Instant::now();
            client.make_move(&id, mv).await.expect(200);
            played.slowest = played.slowest.max(begun.elapsed());
            made += 1;
            moves.fetch_add(1, Ordering::Relaxed);
        }
        played.matches.push((id, made));
    }
    played
}

async fn new_match(client: &Client) -> String {
    client.create_match("tapestry", 1).await["id"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn a_home_may_be_killed_in_the_middle_of_everything() {
    let Pair { one, two, database, proxy: _proxy } = Pair::start().await;
    let players = Soloists::start(&two.url, 6).await;
    players.make(60).await;
    assert!(forwarded(&two, "executed").await > 0.0);
    one.kill();
    players.make(120).await;
    players.check(&database).await;
}

/// What it was sent and did not read yet is executed when it goes on, if nobody has done so meanwhile.
#[actix_web::test]
async fn a_home_may_freeze_and_go_on() {
    let Pair { one, two, database, proxy: _proxy } = Pair::start().await;
    let players = Soloists::start(&two.url, 6).await;
    for _ in 0..2 {
        players.make(60).await;
        one.freeze();
        eventually("a command gets no answer", PATIENCE, async || {
            (forwarded(&two, "unanswered").await > 0.0).then_some(())
        })
        .await;
        players.make(60).await;
        one.thaw();
    }
    players.make(60).await;
    players.check(&database).await;
}

/// Both replicas reach the store, but not each other: first the connection is silent, then it is cut, then it works again.
#[actix_web::test]
async fn a_home_may_be_unreachable() {
    let Pair { one, two, proxy, database } = Pair::start().await;
    let players = Soloists::start(&two.url, 6).await;
    let others = Soloists::start(&one.url, 2).await;
    players.make(60).await;
    proxy.isolate();
    players.make(60).await;
    proxy.heal();
    players.make(60).await;
    proxy.cut();
    players.make(60).await;
    let executed = async || forwarded(&two, "executed").await;
    let before = executed().await;
    eventually("commands are sent again", PATIENCE, async || {
        (executed().await > before).then_some(())
    })
    .await;
    players.check(&database).await;
    others.check(&database).await;
}

/// Watchers at both replicas see every event once and in order, while the link between them comes and goes.
#[actix_web::test]
async fn watchers_at_both_replicas_see_everything_in_order() {
    let Pair { one, two, proxy, .. } = Pair::start().await;
    let ana = Client::guest(&one.url, "Ana").await;
    let ben = Client::guest(&two.url, "Ben").await;
    let playing = (0..4).map(async |number| {
        let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
        ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
        let watching = [&ana, &ben].map(|client| {
            let (client, id) = (client.clone(), id.clone());
            tokio::spawn(async move { watch(&client, &id).await })
        });
        for turn in 0..40 {
            if number == 0 {
                match turn {
                    10 => proxy.isolate(),
                    20 => proxy.heal(),
                    30 => proxy.cut(),
                    _ => {}
                }
            }
            move_once(&[&ana, &ben], &id, turn).await;
        }
        ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await;
        let [at_one, at_two] = watching;
        let (at_one, at_two) = (at_one.await.unwrap(), at_two.await.unwrap());
        assert!(at_one > 40);
        assert_eq!(at_one, at_two);
    });
    join_all(playing).await;
}

/// Makes one move for each seat that has to act.
async fn move_once(players: &[&Client], id: &str, turn: usize) {
    for player in players {
        let request = player
            .request(Method::GET, &format!("/v1/matches/{id}/legal-moves"))
            .header("cache-control", "no-cache");
        let listing = player.send(request).await.expect(200);
        let moves = listing["moves"].as_array().unwrap();
        if let Some(listed) = moves.get(turn % moves.len().max(1)) {
            player.make_move(id, &listed["move"]).await.expect(200);
            return;
        }
    }
}

/// The number of events that a stream has until the end of the match, each with the next version.
async fn watch(client: &Client, id: &str) -> u64 {
    let path = format!("/v1/matches/{id}/events");
    let mut stream = Stream::resume(client, &path, Framing::Sse, Some("0")).await.unwrap();
    let mut version = 0;
    while let Some(message) = stream.next().await {
        match message.kind.as_str() {
            "event" => {
                version += 1;
                assert_eq!(message.data["version"], version);
            }
            "end" => break,
            _ => {}
        }
    }
    version
}

/// A retry finds the first result at either replica, no matter which of them executed the command.
#[actix_web::test]
async fn a_retry_under_the_same_key_gets_the_first_result_at_every_replica() {
    let Pair { one, two, proxy: _proxy, .. } = Pair::start().await;
    let ana = Client::guest(&two.url, "Ana").await;
    for number in 0..8 {
        let id = new_match(&ana).await;
        let mv = ana.legal_moves(&id).await.remove(0);
        let key = format!("key-{number}");
        let send = async |url: &str, mv: &Value| -> Reply {
            let client = ana.at(url);
            let request = client.request(Method::POST, &format!("/v1/matches/{id}/moves"));
            client.send(request.header("idempotency-key", &key).json(&json!({ "move": mv }))).await
        };
        let first = send(&two.url, &mv).await;
        assert!(first.header("idempotency-replayed").is_none());
        let first = first.expect(200);
        for url in [&two.url, &one.url, &two.url] {
            let again = send(url, &mv).await;
            assert_eq!(again.header("idempotency-replayed"), Some("true"));
            assert_eq!(again.expect(200), first);
        }
        let other = json!({ "type": "something else" });
        send(&one.url, &other).await.problem(422, "idempotency_key_reused");
    }
    assert!(forwarded(&two, "executed").await > 0.0);
}

/// What the home refuses is refused with the same words.
#[actix_web::test]
async fn a_refusal_says_the_same_wherever_the_home_is() {
    let Pair { one, two, proxy: _proxy, .. } = Pair::start().await;
    let ana = Client::guest(&two.url, "Ana").await;
    for _ in 0..8 {
        let id = new_match(&ana).await;
        let path = format!("/v1/matches/{id}/moves");
        let nonsense = json!({ "move": { "type": "nothing" } });
        let [here, there] = [&two.url, &one.url].map(async |url| {
            let mut reply = ana.at(url).post(&path, &nonsense).await;
            reply.body["instance"].take();
            (reply.status, reply.body)
        });
        let (here, there) = (here.await, there.await);
        assert_eq!(here, there);
        assert!(here.0.is_client_error());
        let stale = ana.request(Method::POST, &path).header("if-match", "\"0\"");
        let mv = ana.legal_moves(&id).await.remove(0);
        ana.send(stale.json(&json!({ "move": mv }))).await.problem(412, "stale_version");
    }
}
