//! Clients that read the same URL repeatedly.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use bench::{cpu, http::Connection};
use clap::Args;

/// How the clients read.
#[derive(Debug, Args)]
pub struct Readers {
    /// Number of concurrent clients.
    #[arg(long, default_value_t = 64)]
    readers: usize,
    /// Duration of each measurement in seconds.
    #[arg(long, default_value_t = 5)]
    reading_seconds: u64,
}

/// What to read, and where.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// `host:port`.
    pub host: &'a str,
    /// The server's process.
    pub pid: u32,
    /// The path.
    pub path: &'a str,
    /// The token; empty for anonymous requests.
    pub token: &'a str,
    /// Whether every response has to be the same.
    pub same: bool,
}

impl Readers {
    /// Measures two targets alternately, twice, so that neither benefits from a quieter moment. Returns reads per second and
    /// the server's processor time per read, in microseconds.
    pub async fn compare(&self, pair: [Asked<'_>; 2]) -> [(f64, f64); 2] {
        let mut rates = [(0.0, 0.0); 2];
        for _ in 0..2 {
            for (asked, rate) in pair.into_iter().zip(&mut rates) {
                let (reads, micros) = self.read(asked).await;
                rate.0 += reads / 2.0;
                rate.1 += micros / 2.0;
            }
        }
        rates
    }

    async fn read(&self, asked: Asked<'_>) -> (f64, f64) {
        let (reads, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let body = Connection::open(asked.host)
            .await
            .send("GET", asked.path, asked.token, "")
            .await
            .body
            .to_vec();
        let body: Arc<[u8]> = body.into();
        let mut clients = Vec::new();
        for _ in 0..self.readers {
            let mut connection = Connection::open(asked.host).await;
            let (path, token) = (asked.path.to_owned(), asked.token.to_owned());
            let (body, reads, stop) = (Arc::clone(&body), Arc::clone(&reads), Arc::clone(&stop));
            let same = asked.same;
            clients.push(tokio::spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    let reply = connection.send("GET", &path, &token, "").await;
                    assert_eq!(reply.status, 200, "{path}");
                    assert!(!same || reply.body == &*body, "another answer: {path}");
                    reads.fetch_add(1, Ordering::Relaxed);
                }
            }));
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        let (before, used, started) =
            (reads.load(Ordering::Relaxed), cpu::of(asked.pid), Instant::now());
        tokio::time::sleep(Duration::from_secs(self.reading_seconds)).await;
        let count = reads.load(Ordering::Relaxed) - before;
        let (used, elapsed) = (cpu::of(asked.pid) - used, started.elapsed().as_secs_f64());
        stop.store(true, Ordering::Relaxed);
        for client in clients {
            client.await.expect("a client that read on");
        }
        let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        (count / elapsed, used * 1e6 / count)
    }
}
