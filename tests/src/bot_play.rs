//! Matches with bots over HTTP, in which the test plays one seat.

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use reqwest::Method;
use serde_json::Value;

use crate::{client::Client, random_play::choose};

/// The match as the store has it.
async fn look(client: &Client, path: &str) -> Value {
    let request = client.request(Method::GET, path).header("cache-control", "no-cache");
    client.send(request).await.expect(200)
}

/// Waits until the match waits for this seat or is over, and returns the match.
pub async fn turn(client: &Client, id: &str, seat: usize) -> Value {
    let path = format!("/v1/matches/{id}");
    loop {
        let document = look(client, &path).await;
        if document["status"] != "playing" || document["seats"][seat]["to_act"] == true {
            return document;
        }
        let version = &document["version"];
        client.get(&format!("{path}/events?after={version}&limit=1&wait=60")).await.expect(200);
    }
}

/// Makes one random move in a seat whose turn it is.
pub async fn random_move(client: &Client, id: &str, seed: u64) -> Value {
    let moves = client.legal_moves(id).await;
    let mv = choose(&moves, &mut ChaCha8Rng::seed_from_u64(seed));
    client.make_move(id, mv).await.expect(200)
}

/// Plays seat 0 at random until the match is over, or until this many moves were made.
pub async fn play(client: &Client, id: &str, seed: u64, most: usize) -> Value {
    for number in 0..most as u64 {
        let document = turn(client, id, 0).await;
        if document["status"] != "playing" {
            return document;
        }
        random_move(client, id, seed * 1_000_003 + number).await;
    }
    turn(client, id, 0).await
}

/// Plays seat 0 as hints advise until the match is over. Random moves would keep some matches going for thousands of moves.
pub async fn play_by_hints(client: &Client, id: &str) -> Value {
    let path = format!("/v1/matches/{id}");
    loop {
        let document = turn(client, id, 0).await;
        if document["status"] != "playing" {
            return document;
        }
        let hint = client.get(&format!("{path}/hint?level=casual")).await.expect(200);
        let made = match hint["moves"].get(0) {
            Some(best) => client.make_move(id, &best["move"]).await.status.is_success(),
            None => false,
        };
        // A bot may have ended the turn in the meantime, where seats can act at the same time.
        assert!(made || look(client, &path).await["version"] != document["version"], "{hint}");
    }
}
