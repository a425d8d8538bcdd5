//! A client as a third party would write one: it knows URLs and JSON, but none of the server's types.

use std::net::IpAddr;

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

/// A client of a server, logged in or not.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    /// The access token.
    pub token: Option<String>,
    /// The refresh token.
    pub refresh_token: Option<String>,
    /// The id of the player.
    pub player: Option<String>,
    /// The player on whose behalf an application acts.
    on_behalf: Option<String>,
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: reqwest::header::HeaderMap,
    /// The body; `null` if it is not JSON.
    pub body: Value,
}

impl Reply {
    /// The body; panics unless the status is the expected one.
    #[track_caller]
    #[expect(clippy::must_use_candidate, reason = "often only the status matters")]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self.body
    }

    /// The problem document; panics unless it has this status and code.
    #[track_caller]
    #[expect(clippy::must_use_candidate, reason = "often only the status matters")]
    pub fn problem(self, status: u16, code: &str) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(self.body["code"], code, "{}", self.body);
        assert_eq!(self.body["status"], status);
        assert!(self.body["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
        self.body
    }

    /// A header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

impl Client {
    /// A client that is not logged in.
    #[must_use]
    pub fn anonymous(url: &str) -> Self {
        Self::connecting_from(url, None)
    }

    /// The same at this local address.
    #[must_use]
    pub fn from_address(url: &str, address: IpAddr) -> Self {
        Self::connecting_from(url, Some(address))
    }

    fn connecting_from(url: &str, address: Option<IpAddr>) -> Self {
        let http = reqwest::Client::builder()
            .no_proxy()
            .local_address(address)
            .pool_idle_timeout(std::time::Duration::from_secs(30))
            .build()
            .expect("a client");
        Self {
            http,
            url: url.to_owned(),
            token: None,
            refresh_token: None,
            player: None,
            on_behalf: None,
        }
    }

    /// A new guest.
    pub async fn guest(url: &str, name: &str) -> Self {
        let mut client = Self::anonymous(url);
        let session = client.post("/v1/guests", &json!({ "name": name })).await.expect(201);
        client.enter(&session);
        client
    }

    /// The same player at another server.
    #[must_use]
    pub fn at(&self, url: &str) -> Self {
        Self { url: url.to_owned(), ..self.clone() }
    }

    /// The same player with another token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), refresh_token: None, ..self.clone() }
    }

    /// The same application, on behalf of a player.
    #[must_use]
    pub fn acting_for(&self, player: &str) -> Self {
        let player = Some(player.to_owned());
        Self { player: player.clone(), on_behalf: player, ..self.clone() }
    }

    /// Switches to the tokens of a session.
    pub fn enter(&mut self, session: &Value) {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        self.token = text(&session["access_token"]);
        self.refresh_token = text(&session["refresh_token"]);
        self.player = text(&session["player"]["id"]);
    }

    /// A request, with the token if this client is logged in.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let mut request = self.http.request(method, format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(player) = &self.on_behalf {
            request = request.header("telar-player", player);
        }
        request
    }

    /// Sends a request.
    pub async fn send(&self, request: RequestBuilder) -> Reply {
        let response: Response = request.send().await.expect("an answer");
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.bytes().await.expect("a body");
        Reply { status, headers, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) }
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Reply {
        self.send(self.request(Method::GET, path)).await
    }

    /// POST with a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Reply {
        self.send(self.request(Method::DELETE, path)).await
    }

    /// Creates a match and returns its document.
    pub async fn create_match(&self, game: &str, seats: usize) -> Value {
        self.post("/v1/matches", &json!({ "game": game, "seats": seats })).await.expect(201)
    }

    /// Makes a move.
    pub async fn make_move(&self, id: &str, mv: &Value) -> Reply {
        self.post(&format!("/v1/matches/{id}/moves"), &json!({ "move": mv })).await
    }

    /// The listed legal moves, even if another replica made the last move.
    pub async fn legal_moves(&self, id: &str) -> Vec<Value> {
        let path = format!("/v1/matches/{id}/legal-moves");
        let request = self.request(Method::GET, &path).header("cache-control", "no-cache");
        let listing = self.send(request).await.expect(200);
        let moves = listing["moves"].as_array().expect("a list of moves");
        moves.iter().map(|listed| listed["move"].clone()).collect()
    }
}
