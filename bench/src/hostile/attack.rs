//! The attacks, all from one address.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
    time::Duration,
};

use bench::http::Connection;
use clap::{Args, ValueEnum};
use reqwest::Method;
use serde_json::{Value, json};
use tests::{
    client::Client,
    socket::{ELSEWHERE, Socket, half_a_request},
};
use tokio::{
    sync::Mutex,
    time::{Instant, timeout_at},
};

/// Where the attacks come from.
const ADDRESS: Ipv4Addr = match ELSEWHERE {
    IpAddr::V4(address) => address,
    IpAddr::V6(_) => Ipv4Addr::LOCALHOST,
};

/// What the attacker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Sends half a body on each of 1,200 connections, again and again.
    Bodies,
    /// Opens as many streams of running matches as it can.
    Streams,
    /// Exports everything, eight times at once.
    Exports,
    /// Begins exports and goes away, again and again.
    Deserted,
    /// Asks for frames, replays, luck, proofs and pictures on 64 connections.
    Records,
    /// Asks for statistics that nobody asked for before on 64 connections.
    Statistics,
    /// Changes its password on 32 connections.
    Passwords,
    /// Registers webhooks with names that have to be looked up on 64 connections.
    Lookups,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Bodies,
        Self::Streams,
        Self::Exports,
        Self::Deserted,
        Self::Records,
        Self::Statistics,
        Self::Passwords,
        Self::Lookups,
    ];

    /// The name of an attack.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Bodies => "bodies",
            Self::Streams => "streams",
            Self::Exports => "exports",
            Self::Deserted => "deserted",
            Self::Records => "records",
            Self::Statistics => "statistics",
            Self::Passwords => "passwords",
            Self::Lookups => "lookups",
        }
    }
}

/// Attacks a server for a while.
#[derive(Debug, Args)]
pub struct Attack {
    #[arg(long)]
    host: String,
    #[arg(long, value_enum)]
    kind: Kind,
    #[arg(long)]
    seconds: u64,
}

/// What the server answered, by status; 0 for closed connections.
type Answers = Arc<Mutex<BTreeMap<u16, u32>>>;

/// An attack in progress.
#[derive(Clone)]
struct Assault {
    host: String,
    until: Instant,
    answers: Answers,
}

impl Attack {
    /// Attacks, and prints what the server answered.
    pub async fn run(&self) {
        let until = Instant::now() + Duration::from_secs(self.seconds);
        let assault = Assault { host: self.host.clone(), until, answers: Answers::default() };
        let seconds = self.seconds;
        match self.kind {
            Kind::Bodies => assault.each(1_200, |it, _| it.half_bodies()).await,
            Kind::Streams => assault.streams().await,
            Kind::Exports => assault.each(8, |it, _| it.exports()).await,
            Kind::Deserted => assault.each(16, |it, _| it.deserted_exports()).await,
            Kind::Records => assault.records().await,
            Kind::Statistics => assault.each(64, Assault::statistics).await,
            Kind::Passwords => assault.passwords().await,
            Kind::Lookups => assault.lookups().await,
        }
        let answers = assault.answers.lock().await;
        let answers: Vec<String> = answers
            .iter()
            .map(|(status, count)| match status {
                0 => format!("closed: {count}"),
                status => format!("{status}: {count}"),
            })
            .collect();
        println!("in {seconds} s {}", answers.join(", "));
    }
}

impl Assault {
    /// Does something on this many connections at once until the time is up.
    async fn each<F: Future<Output = ()> + 'static>(
        &self,
        count: usize,
        act: impl Fn(Self, usize) -> F,
    ) {
        let acting: Vec<_> =
            (0..count).map(|number| actix_web::rt::spawn(act(self.clone(), number))).collect();
        for act in acting {
            let _ = timeout_at(self.until + Duration::from_secs(1), act).await;
        }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    async fn count(&self, status: u16) {
        *self.answers.lock().await.entry(status).or_default() += 1;
    }

    fn client(&self) -> Client {
        Client::from_address(&format!("http://{}", self.host), ELSEWHERE)
    }

    async fn half_bodies(self) {
        let url = format!("http://{}", self.host);
        while !self.is_over() {
            let mut socket = Socket::open(&url, ELSEWHERE).await;
            socket.send(&half_a_request("POST", "/v1/sessions/refresh")).await;
            let Ok(rest) = timeout_at(self.until, socket.rest()).await else { return };
            self.count(rest.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0)).await;
        }
    }

    /// Streams of the matches that are being played, so that every move is told to all of them.
    async fn streams(&self) {
        let mut open = Vec::new();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let list = self.client().get("/v1/matches?status=playing&limit=200").await.body;
        let ids: Vec<String> = list["matches"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|listed| listed["id"].as_str().map(str::to_owned))
            .collect();
        let client = self.client();
        for number in 0..1_500 {
            let path = format!("/v1/matches/{}/events", ids[number % ids.len().clamp(1, 6)]);
            let request = client.request(Method::GET, &path);
            let Ok(response) = request.header("accept", "text/event-stream").send().await else {
                self.count(0).await;
                continue;
            };
            self.count(response.status().as_u16()).await;
            if response.status() == 200 {
                open.push(actix_web::rt::spawn(response.bytes()));
            }
        }
        tokio::time::sleep_until(self.until).await;
        drop(open);
    }

    async fn exports(self) {
        let client = self.client();
        while !self.is_over() {
            self.count(client.get("/v1/exports/matches").await.status.as_u16()).await;
        }
    }

    async fn deserted_exports(self) {
        while !self.is_over() {
            let request = self.client().request(Method::GET, "/v1/exports/matches");
            let Ok(mut response) = request.header("accept-encoding", "br").send().await else {
                self.count(0).await;
                continue;
            };
            let _ = response.chunk().await;
            self.count(response.status().as_u16()).await;
        }
    }

    async fn records(&self) {
        let path = "/v1/matches?status=finished&limit=200";
        let listed: Value = self.client().get(path).await.expect(200);
        let ids: Vec<String> = listed["matches"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|listed| listed["id"].as_str().map(str::to_owned))
            .collect();
        let ids = Arc::new(ids);
        self.each(64, |it, number| {
            let ids = Arc::clone(&ids);
            it.get(number, move |number| {
                let id = &ids[number % ids.len()];
                let what = match number % 5 {
                    0 => "frames?limit=200",
                    1 => "luck",
                    2 => "proof",
                    3 => "board.svg",
                    _ => "replay",
                };
                format!("/v1/matches/{id}/{what}")
            })
        })
        .await;
    }

    async fn statistics(self, number: usize) {
        let path = |number: usize| {
            let (year, day) = (1_990 + number / 28 % 30, 1 + number % 28);
            match number % 2 {
                0 => format!("/v1/games/qwinto/stats?since={year}-01-{day:02}"),
                _ => format!("/v1/games/trama/charts/measure.score.svg?since={year}-02-{day:02}"),
            }
        };
        self.get(number, path).await;
    }

    /// Asks for one path after another on one connection.
    async fn get(self, start: usize, path: impl Fn(usize) -> String) {
        let mut connection = Connection::open_from(&self.host, ADDRESS).await;
        let mut number = start;
        while !self.is_over() {
            number += 67;
            let status = connection.send("GET", &path(number), "", "").await.status;
            self.count(status).await;
        }
    }

    async fn passwords(&self) {
        let client = self.client();
        let account = json!({ "name": "Mallory", "password": "correct horse" });
        let created = client.post("/v1/players", &account).await;
        let session = match created.status.as_u16() {
            201 => created.body,
            _ => client.post("/v1/sessions", &account).await.expect(201),
        };
        let token = session["access_token"].as_str().expect("a token").to_owned();
        let body = || json!({ "password": "correct horse", "current_password": "correct horse" });
        self.each(32, |it, _| it.repeat(Method::PATCH, "/v1/me", token.clone(), move |_| body()))
            .await;
    }

    async fn lookups(&self) {
        let session = self.client().post("/v1/guests", &json!({})).await.expect(201);
        let token = session["access_token"].as_str().expect("a token").to_owned();
        self.each(64, |it, connection| {
            it.repeat(Method::POST, "/v1/webhooks", token.clone(), move |number| {
                let url = format!("https://silent-{connection}-{number}.example.com/");
                json!({ "url": url, "events": ["match.turn"] })
            })
        })
        .await;
    }

    /// Sends one body after another.
    async fn repeat(
        self,
        method: Method,
        path: &'static str,
        token: String,
        body: impl Fn(usize) -> Value,
    ) {
        let client = self.client().with_token(&token);
        for number in 0.. {
            if self.is_over() {
                return;
            }
            let request = client.request(method.clone(), path).json(&body(number));
            let response = request.send().await;
            self.count(response.map_or(0, |response| response.status().as_u16())).await;
        }
    }
}
