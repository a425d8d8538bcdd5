//! Views of a match over HTTP, next to a bare actix-web handler that returns the same bytes.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use actix_web::{App, HttpResponse, HttpServer, web};
use bench::{cpu, http::Connection, telar::Telar};
use clap::Args;
use domain::games;
use serde_json::Value;
use tests::postgres::{Disk, Postgres};

/// Measures reads of views.
#[derive(Debug, Args)]
pub struct Reads {
    /// How many clients read at once.
    #[arg(long, default_value_t = 64)]
    clients: usize,
    /// For how many seconds each.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
}

/// Answers every request with the contents of a file, until its standard input ends.
#[derive(Debug, Args)]
pub struct Bare {
    /// The body of every answer.
    file: std::path::PathBuf,
}

impl Bare {
    /// Serves.
    pub async fn run(&self) {
        let body = web::Bytes::from(std::fs::read(&self.file).expect("the body"));
        let server = HttpServer::new(move || {
            let body = body.clone();
            App::new().default_service(web::to(move || {
                let answer = HttpResponse::Ok().content_type("application/json").body(body.clone());
                async { answer }
            }))
        });
        let server = server.bind("127.0.0.1:0").expect("an address");
        println!("{}", server.addrs()[0]);
        server.run().await.expect("a server");
    }
}

impl Reads {
    /// Measures, and prints a table.
    pub async fn run(&self) {
        let postgres = Postgres::start(Disk::Durable);
        let telar = Telar::start(&postgres.create_database().await);
        println!(
            "{:<10} {:>7} {:>10} {:>10} {:>6}   µs of processor a read: telar, bare",
            "game", "bytes", "views/s", "bare/s", "ratio"
        );
        let mut ratios = Vec::new();
        for game in games::all() {
            let (path, token, body) = begin(&telar.host, game.info().key).await;
            let file = tempfile::NamedTempFile::new().expect("a file");
            std::fs::write(file.path(), &body).expect("a file");
            let (mut bare, host) = start_bare(file.path());
            // One after the other, twice, so that neither has the machine's better moment alone.
            let mut rates = [(0.0, 0.0), (0.0, 0.0)];
            for _ in 0..2 {
                for (server, (host, pid)) in
                    [(&telar.host, telar.pid()), (&host, bare.id())].into_iter().enumerate()
                {
                    let (rate, micros) = self.read(host, pid, &path, &token, &body).await;
                    rates[server].0 += rate / 2.0;
                    rates[server].1 += micros / 2.0;
                }
            }
            let _ = bare.kill();
            let _ = bare.wait();
            let ratio = rates[0].0 / rates[1].0;
            ratios.push(ratio);
            println!(
                "{:<10} {:>7} {:>10.0} {:>10.0} {ratio:>6.2}   {:.0} {:.0}",
                game.info().key,
                body.len(),
                rates[0].0,
                rates[1].0,
                rates[0].1,
                rates[1].1
            );
        }
        let count = f64::from(u32::try_from(ratios.len()).unwrap_or(1));
        println!("on average {:.2} (bar: 0.7)", ratios.iter().sum::<f64>() / count);
    }

    /// Reads for a while; how often a second, and how many microseconds of processor each read takes the server.
    async fn read(&self, host: &str, pid: u32, path: &str, token: &str, body: &[u8]) -> (f64, f64) {
        let (reads, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let body: Arc<[u8]> = body.into();
        let mut clients = Vec::new();
        for _ in 0..self.clients {
            let mut connection = Connection::open(host).await;
            let (path, token, body) = (path.to_owned(), token.to_owned(), Arc::clone(&body));
            let (reads, stop) = (Arc::clone(&reads), Arc::clone(&stop));
            clients.push(tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let reply = connection.send("GET", &path, &token, "").await;
                    assert!(reply.status == 200 && reply.body == &*body, "another view");
                    reads.fetch_add(1, Ordering::Relaxed);
                }
            }));
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        let (before, used, started) = (reads.load(Ordering::Relaxed), cpu::of(pid), Instant::now());
        tokio::time::sleep(Duration::from_secs(self.seconds)).await;
        let count = reads.load(Ordering::Relaxed) - before;
        let (used, elapsed) = (cpu::of(pid) - used, started.elapsed().as_secs_f64());
        stop.store(true, Ordering::Relaxed);
        for client in clients {
            client.await.expect("a client that read on");
        }
        let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        (count / elapsed, used * 1e6 / count)
    }
}

/// A match that has begun; where it is, a player's token, and what that player sees.
async fn begin(host: &str, game: &str) -> (String, String, Vec<u8>) {
    let mut connection = Connection::open(host).await;
    let seats = games::find(game).expect("a game").info().min_seats;
    let (_, token) = connection.guest().await;
    let body = format!(r#"{{"game":"{game}","seats":{seats}}}"#);
    let created: Value = connection.send("POST", "/v1/matches", &token, &body).await.json(201);
    let path = format!("/v1/matches/{}", created["id"].as_str().expect("an id"));
    for _ in 1..seats {
        let (_, other) = connection.guest().await;
        let reply = connection.send("POST", &format!("{path}/seats"), &other, "{}").await;
        assert_eq!(reply.status, 201);
    }
    let view = connection.send("GET", &path, &token, "").await;
    let body = view.body.to_vec();
    (path, token, body)
}

fn start_bare(file: &std::path::Path) -> (Child, String) {
    let mut process = Command::new(std::env::current_exe().expect("our own path"))
        .arg("bare")
        .arg(file)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a bare server");
    let mut line = String::new();
    let mut output = BufReader::new(process.stdout.take().expect("its output"));
    output.read_line(&mut line).expect("an address");
    (process, line.trim().to_owned())
}
