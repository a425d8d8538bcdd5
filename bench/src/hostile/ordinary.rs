//! Ordinary clients: each plays both seats of a match and looks at it after every move.

use std::{
    net::Ipv4Addr,
    thread,
    time::{Duration, Instant},
};

use bench::http::Connection;
use serde_json::Value;

/// The time from one move of a client to the next.
const PACE: Duration = Duration::from_millis(125);

/// The time before measuring begins: matches have begun by then, and so has the attack.
pub const WARM_UP: Duration = Duration::from_secs(3);

/// How long requests took.
#[derive(Debug, Default)]
pub struct Latencies {
    /// `GET /v1/matches/{id}`
    pub views: Vec<Duration>,
    /// `POST /v1/matches/{id}/moves`
    pub moves: Vec<Duration>,
    /// `GET /healthz`, on a new connection
    pub health: Vec<Duration>,
}

/// Plays for a while with this many clients, on a thread that does nothing else. It begins with this call.
pub fn measure(host: &str, clients: u8, time: Duration) -> impl Future<Output = Latencies> {
    let (host, (send, receive)) = (host.to_owned(), tokio::sync::oneshot::channel());
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let measured = runtime.expect("a runtime").block_on(async move {
            let from = Instant::now() + WARM_UP;
            let playing: Vec<_> = (1..=clients)
                .map(|number| tokio::spawn(play(host.clone(), number, from, from + time)))
                .collect();
            let mut all = Latencies::default();
            for client in playing {
                let Latencies { views, moves, health } = client.await.expect("a client");
                all.views.extend(views);
                all.moves.extend(moves);
                all.health.extend(health);
            }
            all
        });
        let _ = send.send(measured);
    });
    async { receive.await.expect("a measurement") }
}

async fn play(host: String, number: u8, from: Instant, until: Instant) -> Latencies {
    let address = Ipv4Addr::new(127, 0, 1, number);
    let mut connection = Connection::open_from(&host, address).await;
    let tokens = [connection.guest().await.1, connection.guest().await.1];
    let mut measured = Latencies::default();
    let mut next = tokio::time::Instant::now() + PACE * u32::from(number) / 8;
    while Instant::now() < until {
        let body = r#"{"game":"qwinto","seats":2}"#;
        let created = connection.send("POST", "/v1/matches", &tokens[0], body).await;
        let created: Value = created.json(201);
        let path = format!("/v1/matches/{}", created["id"].as_str().expect("an id"));
        let seated = connection.send("POST", &format!("{path}/seats"), &tokens[1], "{}").await;
        assert_eq!(seated.status, 201);
        while Instant::now() < until {
            tokio::time::sleep_until(next).await;
            next += PACE;
            let Some((seat, mv)) = legal_move(&mut connection, &path, &tokens).await else { break };
            let token = &tokens[seat];
            let begun = Instant::now();
            let made = connection.send("POST", &format!("{path}/moves"), token, &mv).await;
            assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(made.body));
            let moved = Instant::now();
            let view = connection.send("GET", &path, token, "").await;
            assert_eq!(view.status, 200);
            let seen = Instant::now();
            let mut probe = Connection::open_from(&host, address).await;
            assert_eq!(probe.send("GET", "/healthz", "", "").await.status, 200);
            if begun >= from {
                measured.moves.push(moved - begun);
                measured.views.push(seen - moved);
                measured.health.push(seen.elapsed());
            }
        }
    }
    measured
}

/// A seat that may move, and the body of its first legal move.
async fn legal_move(
    connection: &mut Connection,
    path: &str,
    tokens: &[String; 2],
) -> Option<(usize, String)> {
    for (seat, token) in tokens.iter().enumerate() {
        let legal = connection.send("GET", &format!("{path}/legal-moves"), token, "").await;
        let listing: Value = legal.json(200);
        if let Some(listed) = listing["moves"].get(0) {
            return Some((seat, format!(r#"{{"move":{}}}"#, listed["move"])));
        }
    }
    None
}
