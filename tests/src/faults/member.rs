//! One of the crowd: a client that plays all seats of a match, and repeats every request under the same key until it succeeds.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    crowd::World,
    invariants::Invariant,
    ledger::{Answer, Verdict},
};
use crate::{client::Client, random_play::choose};

/// How long a player waits for a response before trying elsewhere.
const TIMEOUT: Duration = Duration::from_secs(3);

/// How long a player waits before asking again.
const PAUSE: Duration = Duration::from_millis(50);

/// The number of moves in a match before its seats resign.
const MOVES: usize = 40;

/// The number of moves between two changes of a player's name.
const RENAMING: usize = 8;

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
#[derive(Debug)]
pub(super) struct Member {
    world: Arc<World>,
    number: usize,
    game: &'static str,
    seats: Vec<Client>,
    luck: ChaCha8Rng,
    /// Numbers keys and names.
    count: usize,
}

impl Member {
    /// Creates the players and their webhook.
    pub(super) async fn enter(
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

    /// Plays until everything is over, and returns the players.
    pub(super) async fn play(mut self) -> Vec<Client> {
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
            let seat = self.next_seat(&now)?;
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
        let begun = Instant::now();
        let (result, replica) = self.ask(order).await?;
        self.acknowledge(id, seat, &result);
        self.world.moved.lock()[self.number] = Some(begun);
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
    fn next_seat(&mut self, now: &Value) -> Option<usize> {
        let acts = |seat: &usize| match &now["to_act"] {
            Value::Array(seats) => seats.contains(&json!(seat)),
            _ => now["seats"][seat]["to_act"] == true,
        };
        let waiting: Vec<usize> = (0..self.seats.len()).filter(acts).collect();
        waiting.get(self.luck.next_u32() as usize % waiting.len().max(1)).copied()
    }
}
