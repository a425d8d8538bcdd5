//! Two replicas on one Postgres, matches with seats at different replicas, streams that disconnect at random, and a replica
//! that is killed half-way: every stream has to be complete and in order, and every webhook has to be called.

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use parking_lot::RwLock;
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::{
    client::Client,
    eventually::{PATIENCE, eventually},
    process::Telar,
    receiver::Receiver,
    stream::{Framing, Stream},
};

/// The time limit for half of the moves.
const HALF_WAY: Duration = Duration::from_mins(10);

/// What to play.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The number of concurrent matches.
    pub matches: usize,
    /// The number of moves in each, before a seat resigns.
    pub moves: usize,
    /// The seed of all choices.
    pub seed: u64,
}

/// The result.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Events delivered by streams.
    pub events: usize,
    /// How often a stream was resumed.
    pub resumed: usize,
    /// Requests to webhooks, including repetitions and failures.
    pub messages: usize,
}

/// The current replicas, and the progress.
#[derive(Debug)]
struct Fleet {
    urls: RwLock<[String; 2]>,
    moves: AtomicUsize,
    moved: Notify,
}

impl Fleet {
    fn url(&self, home: usize) -> String {
        self.urls.read()[home % 2].clone()
    }

    /// Sends a request until a replica answers: first the home replica, then the other one, and so on. Without an answer it is
    /// unknown whether the request was carried out; the idempotency key makes it safe to repeat.
    async fn ask(
        &self,
        client: &Client,
        home: usize,
        path: &str,
        order: Option<Order<'_>>,
    ) -> Value {
        let mut replicas = home..;
        eventually(&format!("{path} is answered"), PATIENCE, async || {
            let client = client.at(&self.url(replicas.next()?));
            let request = match order {
                Some(Order { key, body }) => {
                    client.request(Method::POST, path).header("idempotency-key", key).json(body)
                }
                None => client.request(Method::GET, path).header("cache-control", "no-cache"),
            };
            let response = request.send().await.ok()?;
            let status = response.status();
            if status.is_server_error() {
                return None;
            }
            let text = response.text().await.ok()?;
            assert!(status.is_success(), "{path}: {text}");
            Some(serde_json::from_str(&text).expect("JSON"))
        })
        .await
    }
}

/// A request to carry out once.
#[derive(Debug, Clone, Copy)]
struct Order<'a> {
    key: &'a str,
    body: &'a Value,
}

/// Plays, kills a replica, and checks the results.
pub async fn run(binary: &Path, database_url: &str, plan: &Plan) -> Report {
    let variables = [
        ("TELAR_WEBHOOK_ALLOW_HTTP", "true"),
        ("TELAR_WEBHOOK_ALLOW_PRIVATE", "true"),
        ("TELAR_WEBHOOK_RETRY_MILLIS", "50"),
    ];
    let one = Telar::start(binary, database_url, &variables);
    let two = Telar::start(binary, database_url, &variables);
    let mut receiver = Receiver::start(|nth| if nth % 3 == 1 { 500 } else { 200 });
    let fleet = Arc::new(Fleet {
        urls: RwLock::new([one.url.clone(), two.url.clone()]),
        moves: AtomicUsize::new(0),
        moved: Notify::new(),
    });
    let tables = join_all((0..plan.matches).map(|number| {
        let (fleet, hook) = (Arc::clone(&fleet), receiver.url.clone());
        async move { set_up(&fleet, number, &hook).await }
    }))
    .await;
    let ids: BTreeSet<String> = tables.iter().map(|table| table.id.clone()).collect();
    let playing = (0..).zip(tables).map(|(number, table)| {
        let (fleet, plan) = (Arc::clone(&fleet), plan.clone());
        actix_web::rt::spawn(async move { play(&fleet, &table, &plan, number).await })
    });
    let playing: Vec<_> = playing.collect();
    let half_way = async {
        while fleet.moves.load(Ordering::Relaxed) < plan.matches * plan.moves / 2 {
            fleet.moved.notified().await;
        }
    };
    tokio::time::timeout(HALF_WAY, half_way).await.expect("half of the moves in time");
    two.kill();
    let three = Telar::start(binary, database_url, &variables);
    three.url.clone_into(&mut fleet.urls.write()[1]);
    let db = Database::connect(database_url).await.expect("the database");
    expire_leases(&db).await;
    let mut report = Report::default();
    for played in join_all(playing).await {
        let (events, resumed) = played.expect("a match is played");
        report.events += events;
        report.resumed += resumed;
    }
    expire_leases(&db).await;
    // The webhooks were told of the start and the end of every match.
    let mut told = BTreeSet::new();
    while told.len() < ids.len() * 2 {
        let message = receiver.next().await;
        report.messages += 1;
        let payload = message.json();
        if message.status == 200 {
            let text = |value: &Value| value.as_str().expect("text").to_owned();
            told.insert((text(&payload["data"]["match"]), text(&payload["type"])));
        }
    }
    report
}

/// Shortens the leases of deliveries, which a killed replica would leave behind for half a minute, by that much.
pub async fn expire_leases(db: &impl ConnectionTrait) {
    let sooner =
        "UPDATE webhook_deliveries SET due_at = due_at - 30000000 WHERE due_at IS NOT NULL";
    db.execute_unprepared(sooner).await.expect("an update");
}

#[derive(Debug)]
struct Table {
    id: String,
    players: [Client; 2],
}

/// Two guests, one at each replica, and a webhook for the first of them.
async fn set_up(fleet: &Fleet, number: usize, hook: &str) -> Table {
    let players = [
        Client::guest(&fleet.url(0), &format!("One {number}")).await,
        Client::guest(&fleet.url(1), &format!("Two {number}")).await,
    ];
    let body = json!({ "url": hook, "events": ["match.started", "match.finished"] });
    players[0].post("/v1/webhooks", &body).await.expect(201);
    let id = players[0].create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    players[1].post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    Table { id, players }
}

/// Plays a match while both seats watch it. Returns the number of events delivered and of resumed streams.
async fn play(fleet: &Fleet, table: &Table, plan: &Plan, number: u64) -> (usize, usize) {
    let seed = plan.seed.wrapping_mul(1_000_003).wrapping_add(number);
    let moving = make_moves(fleet, table, plan.moves, seed);
    let watching = join_all((0..2).map(|seat| watch(fleet, table, seat, seed)));
    let ((), watched) = tokio::join!(moving, watching);
    // Every stream delivered every event once and in order.
    let path = format!("/v1/matches/{}/events?limit=200", table.id);
    let mut happened = Vec::new();
    let mut after = Some(json!(0));
    while let Some(Value::Number(version)) = after {
        let page = format!("{path}&after={version}");
        let page = fleet.ask(&table.players[0], 0, &page, None).await;
        for event in page["events"].as_array().expect("events") {
            happened.push(event["event"]["type"].as_str().expect("a type").to_owned());
        }
        after = Some(page["next"].clone());
    }
    let (mut events, mut resumed) = (0, 0);
    for (told, times) in watched {
        assert_eq!(told, happened, "{}", table.id);
        events += told.len();
        resumed += times;
    }
    (events, resumed)
}

async fn make_moves(fleet: &Fleet, table: &Table, moves: usize, seed: u64) {
    let mut luck = ChaCha8Rng::seed_from_u64(seed);
    let path = format!("/v1/matches/{}", table.id);
    let mut done = 0;
    while done < moves {
        let document = fleet.ask(&table.players[0], 0, &path, None).await;
        if document["status"] == "finished" {
            break;
        }
        let seat = (0..2).find(|seat| document["seats"][seat]["to_act"] == true).expect("a seat");
        let player = &table.players[seat];
        let listing = fleet.ask(player, seat, &format!("{path}/legal-moves"), None).await;
        let listed = listing["moves"].as_array().expect("moves");
        let mv = &listed[luck.next_u32() as usize % listed.len()]["move"];
        let (key, body) = (format!("{path}-{done}"), json!({ "move": mv }));
        let order = Order { key: &key, body: &body };
        fleet.ask(player, seat, &format!("{path}/moves"), Some(order)).await;
        done += 1;
        fleet.moves.fetch_add(1, Ordering::Relaxed);
        fleet.moved.notify_one();
    }
    let document = fleet.ask(&table.players[0], 0, &path, None).await;
    if document["status"] != "finished" {
        let resign = Order { key: "resign", body: &json!({}) };
        fleet.ask(&table.players[1], 1, &format!("{path}/resign"), Some(resign)).await;
    }
    // Count the remaining moves as played, because another task waits for half of all moves.
    fleet.moves.fetch_add(moves - done, Ordering::Relaxed);
    fleet.moved.notify_one();
}

/// Watches a match as one of its seats, disconnecting at random. Returns the events and how often the stream was resumed.
async fn watch(fleet: &Fleet, table: &Table, seat: usize, seed: u64) -> (Vec<String>, usize) {
    let mut luck = ChaCha8Rng::seed_from_u64(seed ^ (seat as u64 + 1));
    let path = format!("/v1/matches/{}/events", table.id);
    let framing = [Framing::Sse, Framing::Ndjson][seat];
    let (mut told, mut last, mut home) = (Vec::new(), "0".to_owned(), seat);
    for times in 0..10_000 {
        let mut stream = eventually("a replica opens the stream", PATIENCE, async || {
            let client = table.players[seat].at(&fleet.url(home));
            let stream = Stream::resume(&client, &path, framing, Some(&last)).await.ok();
            home += usize::from(stream.is_none());
            stream
        })
        .await;
        for _ in 0..3 + luck.next_u32() % 30 {
            let Some(message) = stream.next().await else { break };
            match message.kind.as_str() {
                "event" => {
                    let version = usize::try_from(message.data["version"].as_u64().unwrap());
                    assert_eq!(version, Ok(told.len() + 1), "seat {seat} of {}", table.id);
                    told.push(message.data["event"]["type"].as_str().unwrap().to_owned());
                }
                "end" if message.data["reason"] == "match_over" => return (told, times),
                "end" => break,
                _ => {}
            }
        }
        last = stream.last_id.take().expect("an id");
    }
    panic!("seat {seat} of {} never sees the end", table.id);
}
