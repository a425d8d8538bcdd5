//! Views of a match over HTTP, next to a bare actix-web handler that returns the same bytes.

use bench::{http::Connection, telar::Telar};
use clap::Args;
use domain::games;
use serde_json::Value;
use tests::postgres::{Disk, Postgres};

use crate::{
    bare::Reference,
    readers::{Asked, Readers},
};

/// Measures reads of views.
#[derive(Debug, Args)]
pub struct Reads {
    #[command(flatten)]
    readers: Readers,
}

impl Reads {
    /// Measures and prints a table.
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
            let bare = Reference::start(["--body", file.path().to_str().expect("a path")]);
            let ours = Asked {
                host: &telar.host,
                pid: telar.pid(),
                path: &path,
                token: &token,
                same: true,
            };
            let theirs = Asked { host: &bare.host, pid: bare.pid(), ..ours };
            let [ours, theirs] = self.readers.compare([ours, theirs]).await;
            let ratio = ours.0 / theirs.0;
            ratios.push(ratio);
            println!(
                "{:<10} {:>7} {:>10.0} {:>10.0} {ratio:>6.2}   {:.0} {:.0}",
                game.info().key,
                body.len(),
                ours.0,
                theirs.0,
                ours.1,
                theirs.1
            );
        }
        let count = f64::from(u32::try_from(ratios.len()).unwrap_or(1));
        println!("on average {:.2} (target: 0.7)", ratios.iter().sum::<f64>() / count);
    }
}

/// A match that has begun: its path, a player's token, and that player's view.
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
