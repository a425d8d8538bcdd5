//! Players who play on whatever happens: every request is sent again, under the same key, until it is answered. They run on a
//! thread of their own, so that a fault can take its time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use domain::games;
use futures_util::future::join_all;
use parking_lot::{Mutex, RwLock};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{runtime::Runtime, task::JoinHandle};
use uuid::Uuid;

use super::{
    invariants::Invariant,
    ledger::{Answer, Ledger, Verdict},
};
use crate::{client::Client, eventually::PATIENCE, random_play::choose};

/// How long a player waits for a response before trying elsewhere.
const TIMEOUT: Duration = Duration::from_secs(3);

/// How long a player waits before asking again.
const PAUSE: Duration = Duration::from_millis(50);

/// The number of moves in a match before its seats resign.
const MOVES: usize = 40;

/// The number of moves between two changes of a player's name.
const RENAMING: usize = 8;

/// The players and what they share.
#[derive(Debug)]
pub struct Crowd {
    world: Arc<World>,
    runtime: Option<Runtime>,
    playing: Vec<JoinHandle<Vec<Client>>>,
}

#[derive(Debug)]
struct World {
    replicas: RwLock<Vec<String>>,
    copies: AtomicUsize,
    is_over: AtomicBool,
    /// When each member last sent a command that was acknowledged.
    moved: Mutex<Vec<Option<Instant>>>,
    ledger: Mutex<Ledger>,
}

impl Crowd {
    /// Seats players at these servers, which have to be healthy. The webhooks of the first seats call `hook`.
    pub async fn start(replicas: Vec<String>, count: usize, hook: &str, seed: u64) -> Self {
        let world = Arc::new(World {
            replicas: RwLock::new(replicas),
            copies: AtomicUsize::new(1),
            is_over: AtomicBool::new(false),
            moved: Mutex::new(vec![None; count]),
            ledger: Mutex::default(),
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let games: Vec<_> = games::all().collect();
        let members = (0..count).map(|number| {
            let world = Arc::clone(&world);
            let info = games[number % games.len()].info();
            async move { Member::enter(world, number, info.key, info.min_seats, hook, seed).await }
        });
        let playing = join_all(members).await.into_iter();
        let playing = playing.map(|member| runtime.spawn(member.play())).collect();
        Self { world, runtime: Some(runtime), playing }
    }

    /// Announces that a server is at another address now.
    pub fn moved_to(&self, replica: usize, url: &str) {
        url.clone_into(&mut self.world.replicas.write()[replica]);
    }

    /// From now on every command is sent this many times at once.
    pub fn send_copies(&self, copies: usize) {
        self.world.copies.store(copies, Ordering::Relaxed);
    }

    /// Waits until every player has sent a command after `since` and had it acknowledged; `None` if that takes too long.
    pub async fn all_move_again(&self, since: Instant, limit: Duration) -> Option<Duration> {
        while since.elapsed() < limit {
            let moved = self.world.moved.lock().clone();
            if moved.iter().all(|moved| moved.is_some_and(|moved| moved >= since)) {
                return Some(since.elapsed());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        None
    }

    /// Lets everybody finish, and returns what they know and who they are.
    pub async fn finish(mut self) -> (Ledger, Vec<Client>) {
        self.world.is_over.store(true, Ordering::Relaxed);
        let playing = std::mem::take(&mut self.playing);
        let late = tokio::time::timeout(PATIENCE, join_all(playing)).await;
        let mut ledger = std::mem::take(&mut *self.world.ledger.lock());
        let mut clients = Vec::new();
        match late {
            Err(_) => ledger.breaches.add(Invariant::Stuck, "a player gets no answer"),
            Ok(ends) => {
                for end in ends {
                    clients.extend(end.expect("a player who plays on"));
                }
            }
        }
        (ledger, clients)
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A request.
#[derive(Debug, Clone)]
struct Order {
    seat: usize,
    method: Method,
    path: String,
    /// Present if the request is a command.
    key: Option<String>,
    body: Value,
}

impl Order {
    const fn read(seat: usize, path: String) -> Self {
        Self { seat, method: Method::GET, path, key: None, body: Value::Null }
    }
}

/// Plays all seats of one match after another.
struct Member {
    world: Arc<World>,
    number: usize,
    game: &'static str,
    seats: Vec<Client>,
    luck: ChaCha8Rng,
    /// Numbers keys and names.
    count: usize,
}

impl Member {
    async fn enter(
        world: Arc<World>,
        number: usize,
        game: &'static str,
        seats: u8,
        hook: &str,
        seed: u64,
    ) -> Self {
        let url = world.url(0);
        let names = (0..seats).map(|seat| format!("Player {number}-{seat}"));
        let mut clients = Vec::new();
        for name in names {
            clients.push(Client::guest(&url, &name).await);
        }
        let body = json!({ "url": hook, "events": ["match.started", "match.finished"] });
        clients[0].post("/v1/webhooks", &body).await.expect(201);
        let luck = ChaCha8Rng::seed_from_u64(seed.wrapping_mul(1_000_003) ^ number as u64);
        Self { world, number, game, seats: clients, luck, count: 0 }
    }

    async fn play(mut self) -> Vec<Client> {
        while !self.world.is_over() {
            if self.play_match().await.is_none() {
                tokio::time::sleep(PAUSE).await;
            }
        }
        self.seats
    }

    /// Plays a match; `None` if something was refused.
    async fn play_match(&mut self) -> Option<()> {
        let creator = self.player(0);
        *self.world.ledger.lock().creations.entry(creator).or_default() += 1;
        let body = json!({ "game": self.game, "seats": self.seats.len() });
        let order = self.command(0, "/v1/matches".to_owned(), body);
        let (mut now, _) = self.ask(order).await?;
        let id: Uuid = now["id"].as_str()?.parse().ok()?;
        self.world.ledger.lock().sending(id);
        self.acknowledge(id, 0, &now);
        let path = format!("/v1/matches/{id}");
        for seat in 1..self.seats.len() {
            now = self.act(id, seat, format!("{path}/seats"), json!({})).await?;
        }
        for step in 0..MOVES {
            if now["status"] == "finished" || self.world.is_over() {
                break;
            }
            let seat = self.to_act(&now)?;
            let (listing, _) = self.ask(Order::read(seat, format!("{path}/legal-moves"))).await?;
            let moves = listing["moves"].as_array()?.iter().map(|listed| &listed["move"]);
            let moves: Vec<Value> = moves.cloned().collect();
            let mv = choose(&moves, &mut self.luck);
            let body = json!({ "move": mv });
            now = self.act(id, seat, format!("{path}/moves"), body).await?;
            if step % RENAMING == 0 {
                self.rename(seat).await?;
            }
        }
        // Some matches stay as they are when everything is over.
        if self.world.is_over() && self.number.is_multiple_of(2) {
            return Some(());
        }
        for seat in 0..self.seats.len() {
            if now["status"] == "finished" {
                break;
            }
            now = self.act(id, seat, format!("{path}/resign"), Value::Null).await?;
        }
        Some(())
    }

    /// Sends a command on a match and looks at the match now and then.
    async fn act(&mut self, id: Uuid, seat: usize, path: String, body: Value) -> Option<Value> {
        self.world.ledger.lock().sending(id);
        let order = self.command(seat, path, body);
        let sent = Instant::now();
        let (result, replica) = self.ask(order).await?;
        self.acknowledge(id, seat, &result);
        self.world.moved.lock()[self.number] = Some(sent);
        if self.luck.next_u32().is_multiple_of(4) {
            self.look(id, seat, replica, result["version"].as_u64()?).await;
        }
        Some(result)
    }

    /// The server that acknowledged a command shows it from then on.
    async fn look(&self, id: Uuid, seat: usize, replica: usize, version: u64) {
        let order = Order::read(seat, format!("/v1/matches/{id}"));
        if let Verdict::Done(seen) = self.send(&order, replica).await
            && seen["version"].as_u64() < Some(version)
        {
            let what =
                format!("{id}: version {version} was acknowledged, {} shown", seen["version"]);
            self.world.ledger.lock().breaches.add(Invariant::Unseen, what);
        }
    }

    async fn rename(&mut self, seat: usize) -> Option<()> {
        self.count += 1;
        let (player, name) =
            (self.player(seat), format!("Player {}-{seat} {}", self.number, self.count));
        let order = Order {
            seat,
            method: Method::PATCH,
            path: "/v1/me".to_owned(),
            key: None,
            body: json!({ "name": name }),
        };
        self.ask(order).await?;
        self.world.ledger.lock().names.entry(player).or_default().acknowledged = Some(name);
        Some(())
    }

    /// Sends a request until it is answered, at one server after the other. Returns the result and the server.
    async fn ask(&mut self, order: Order) -> Option<(Value, usize)> {
        for replica in order.seat.. {
            let copies = if order.key.is_some() { self.world.copies() } else { 1 };
            let sending = (0..copies).map(|copy| self.send(&order, replica + copy));
            let verdicts = join_all(sending).await;
            let (mut result, mut is_refused, mut is_expired) = (None, false, false);
            for (replica, verdict) in (replica..).zip(verdicts) {
                match verdict {
                    Verdict::Done(one) => match &result {
                        None => result = Some((one, replica)),
                        Some((first, _)) => self.compare(first, &one),
                    },
                    Verdict::Refused => is_refused = true,
                    Verdict::Expired => is_expired = true,
                    Verdict::Later => {}
                }
            }
            if result.is_some() {
                return result;
            }
            if is_refused {
                return None;
            }
            if order.method == Method::PATCH {
                let name = order.body["name"].as_str().unwrap_or_default().to_owned();
                let mut ledger = self.world.ledger.lock();
                ledger.names.entry(self.player(order.seat)).or_default().possible.insert(name);
            }
            if is_expired {
                self.refresh(order.seat, replica).await;
            } else {
                tokio::time::sleep(PAUSE).await;
            }
        }
        None
    }

    /// All copies of a command get the same result.
    fn compare(&self, first: &Value, other: &Value) {
        if ["id", "version", "events"].iter().any(|field| first[field] != other[field]) {
            let what = format!("two results under one key: {first} and {other}");
            self.world.ledger.lock().breaches.add(Invariant::Repeated, what);
        }
    }

    async fn send(&self, order: &Order, replica: usize) -> Verdict {
        let client = self.seats[order.seat].at(&self.world.url(replica));
        let mut request = client.request(order.method.clone(), &order.path).timeout(TIMEOUT);
        if let Some(key) = &order.key {
            request = request.header("idempotency-key", key);
        } else if order.path.ends_with("/legal-moves") {
            request = request.header("cache-control", "no-cache");
        }
        if !order.body.is_null() {
            request = request.json(&order.body);
        }
        let answer = async {
            let response = request.send().await.ok()?;
            let status = response.status().as_u16();
            let content_type = response.headers().get("content-type");
            let content_type = content_type.and_then(|value| value.to_str().ok());
            let content_type = content_type.unwrap_or_default().to_owned();
            let body = response.bytes().await.ok()?.to_vec();
            Some(Answer { status, content_type, body })
        };
        let answer = answer.await;
        let what = format!("{} {}", order.method, order.path);
        self.world.ledger.lock().judge(&what, answer)
    }

    async fn refresh(&mut self, seat: usize, replica: usize) {
        let body = json!({ "refresh_token": self.seats[seat].refresh_token });
        let path = "/v1/sessions/refresh".to_owned();
        let order = Order { seat, method: Method::POST, path, key: None, body };
        if let Verdict::Done(session) = self.send(&order, replica).await {
            self.seats[seat].enter(&session);
        }
    }

    fn command(&mut self, seat: usize, path: String, body: Value) -> Order {
        self.count += 1;
        let key = format!("{}-{}", self.number, self.count);
        Order { seat, method: Method::POST, path, key: Some(key), body }
    }

    fn acknowledge(&self, id: Uuid, seat: usize, result: &Value) {
        self.world.ledger.lock().acknowledge(id, self.player(seat), result);
    }

    fn player(&self, seat: usize) -> Uuid {
        let player = self.seats[seat].player.as_deref().expect("a player");
        player.parse().expect("an id")
    }

    /// A seat that the match waits for, from its document or from the result of a command.
    fn to_act(&mut self, now: &Value) -> Option<usize> {
        let acts = |seat: &usize| match &now["to_act"] {
            Value::Array(seats) => seats.contains(&json!(seat)),
            _ => now["seats"][seat]["to_act"] == true,
        };
        let waiting: Vec<usize> = (0..self.seats.len()).filter(acts).collect();
        waiting.get(self.luck.next_u32() as usize % waiting.len().max(1)).copied()
    }
}

impl World {
    fn url(&self, replica: usize) -> String {
        let replicas = self.replicas.read();
        replicas[replica % replicas.len()].clone()
    }

    fn copies(&self) -> usize {
        self.copies.load(Ordering::Relaxed)
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
