//! Statistics and leaderboards over HTTP, compared with a bare primary-key lookup over HTTP.

use bench::{http::Connection, telar::Telar};
use serde_json::Value;

use crate::{
    bare::Reference,
    readers::{Asked, Readers},
};

/// Measures on a database whose statistics are up to date, and prints one line per URL.
pub async fn measure(url: &str, stored: &str, game: &str, readers: &Readers) {
    let telar = Telar::start(url);
    let bare = Reference::start(["--database", url]);
    let mut connection = Connection::open(&telar.host).await;
    let path = format!("/v1/games/{game}/leaderboard");
    let board: Value = connection.send("GET", &path, "", "").await.json(200);
    let player = |place: usize| board["entries"][place]["player"]["id"].as_str().expect("a player");
    let (ana, ben) = (player(0), player(1));
    let lookup = format!("/{ana}");
    let paths = [
        format!("/v1/games/{game}/stats"),
        format!("/v1/games/{game}/stats?bucket=week"),
        format!("/v1/games/{game}/leaderboard"),
        format!("/v1/games/{game}/leaderboard?board=wins&period=month&limit=10"),
        format!("/v1/players/{ana}/stats"),
        format!("/v1/players/{ana}/matches"),
        format!("/v1/players/{ana}/versus/{ben}"),
        format!("/v1/players/{ana}/rating-history?game={game}"),
    ];
    for path in &paths {
        let reply = connection.send("GET", path, "", "").await;
        assert_eq!(reply.status, 200, "{path}: {}", String::from_utf8_lossy(reply.body));
        let bytes = reply.body.len();
        let ours = Asked { host: &telar.host, pid: telar.pid(), path, token: "", same: false };
        let theirs =
            Asked { host: &bare.host, pid: bare.pid(), path: &lookup, token: "", same: true };
        let [ours, theirs] = readers.compare([ours, theirs]).await;
        println!(
            "{stored:>9} {:<44} {bytes:>7} {:>8.0} {:>8.0} {:>6.2}   {:.0} {:.0}",
            path.replace(ana, "{id}").replace(ben, "{other}"),
            ours.0,
            theirs.0,
            theirs.0 / ours.0,
            ours.1,
            theirs.1,
        );
    }
}

/// The head of the table.
pub fn head() {
    println!(
        "{:>9} {:<44} {:>7} {:>8} {:>8} {:>6}   µs of processor a request: telar, bare",
        "stored", "address", "bytes", "each/s", "key/s", "cost"
    );
}
