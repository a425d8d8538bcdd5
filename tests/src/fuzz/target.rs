//! The server under test, and what a request to it may name.

use serde_json::json;

use crate::client::Client;

/// A server with a player, a match that has started, and one that is over.
#[derive(Debug)]
pub struct Target {
    /// `host:port`
    pub host: String,
    /// A player.
    pub client: Client,
    /// A match with a seat of this player, whose turn it is.
    pub match_id: String,
    /// A finished match of this player.
    pub finished: String,
}

impl Target {
    /// Prepares a server.
    pub async fn new(url: &str) -> Self {
        let client = Client::guest(url, "Fuzzer").await;
        let mut ids = Vec::new();
        for _ in 0..2 {
            let created = client.create_match("tapestry", 1).await;
            ids.push(created["id"].as_str().expect("an id").to_owned());
        }
        let resign = format!("/v1/matches/{}/resign", ids[1]);
        client.post(&resign, &json!({})).await.expect(200);
        let host = url.trim_start_matches("http://").to_owned();
        let [match_id, finished] = ids.try_into().expect("two");
        Self { host, client, match_id, finished }
    }

    /// What another program has to know in order to test this server, as environment variables.
    pub async fn variables(&self) -> [(&'static str, String); 6] {
        let hook = json!({ "url": "http://127.0.0.1:9/hook", "events": ["match.finished"] });
        let hook = self.client.post("/v1/webhooks", &hook).await.expect(201);
        [
            ("TELAR_URL", format!("http://{}", self.host)),
            ("TELAR_TOKEN", self.client.token.clone().unwrap_or_default()),
            ("TELAR_PLAYER", self.client.player.clone().unwrap_or_default()),
            ("TELAR_MATCH", self.match_id.clone()),
            ("TELAR_FINISHED", self.finished.clone()),
            ("TELAR_WEBHOOK", hook["id"].as_str().unwrap_or_default().to_owned()),
        ]
    }

    /// Checks that the server is ready and that an ordinary player can make a move; panics otherwise.
    pub async fn is_well(&self) {
        self.client.get("/readyz").await.expect(200);
        let url = format!("http://{}", self.host);
        let player = Client::guest(&url, "Ordinary player").await;
        let created = player.create_match("tapestry", 1).await;
        let id = created["id"].as_str().expect("an id");
        let moves = player.legal_moves(id).await;
        player.make_move(id, &moves[0]).await.expect(200);
    }
}
