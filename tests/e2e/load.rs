//! Clients that ask for too much: unfinished requests, connections, streams, exports, costly work.

use std::time::Duration;

use api::config::{Config, Rates};
use futures_util::{StreamExt, future::join_all, stream::FuturesUnordered};
use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    server::{Server, Store},
    socket::{ELSEWHERE, Socket, half_a_chunked_request, half_a_request},
    stream::{Framing, Stream},
};
use tokio::time::Instant;

const HERE: std::net::IpAddr = std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

on_both_stores!(
    an_export_ends_with_its_client,
    costly_work_waits_in_a_queue_that_ends,
    streams_are_limited_by_player_and_by_address,
);

#[actix_web::test]
async fn a_body_has_to_arrive_in_time() {
    let server = Server::start_with(Store::Sqlite, |config| config.request_seconds = 1).await;
    for (request, code) in [
        (half_a_request("POST", "/v1/guests"), "body_timeout"),
        (half_a_chunked_request("POST", "/v1/guests"), "body_timeout"),
        (half_a_chunked_request("GET", "/v1/games"), "body_timeout"),
    ] {
        let mut socket = Socket::open(&server.url, HERE).await;
        socket.send(&request).await;
        let (status, problem) = socket.last_problem().await;
        assert_eq!((status, problem["code"].as_str()), (408, Some(code)), "{request}");
        assert_eq!(problem["title"], "Too slow");
    }
    // Where no body is read, nobody waits for it, and the connection is closed.
    let mut socket = Socket::open(&server.url, HERE).await;
    socket.send(&half_a_request("GET", "/healthz")).await;
    assert!(socket.rest().await.starts_with("HTTP/1.1 200"));
    let mut socket = Socket::open(&server.url, HERE).await;
    socket.send("GET /healthz HTTP/1.1\r\nhost: te").await;
    assert!(socket.rest().await.starts_with("HTTP/1.1 408"), "a head that does not arrive");
    socket = Socket::open(&server.url, HERE).await;
    socket.send("GET /healthz HTTP/1.1\r\nhost: telar\r\n\r\n").await;
    assert!(socket.response().await.starts_with("HTTP/1.1 200"));
    socket.send("GET /healthz HTTP/1.1\r\nhost: te").await;
    let (status, problem) = socket.last_problem().await;
    assert_eq!((status, &problem["code"]), (408, &json!("request_timeout")), "a second head");
}

#[actix_web::test]
async fn a_request_that_has_arrived_may_take_its_time() {
    let server = Server::start_with(Store::Sqlite, |config| config.request_seconds = 1).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let mut socket = Socket::open(&server.url, HERE).await;
    for wait in ["wait=3", "wait=2"] {
        let path = format!("/v1/matches/{id}/events?after=1000&{wait}");
        socket.send(&format!("GET {path} HTTP/1.1\r\nhost: telar\r\n\r\n")).await;
        assert!(socket.response().await.starts_with("HTTP/1.1 200"), "{wait}");
    }
}

#[actix_web::test]
async fn a_chunked_body_is_as_good_as_any() {
    let server = Server::start(Store::Sqlite).await;
    let mut socket = Socket::open(&server.url, HERE).await;
    socket.send(&half_a_chunked_request("POST", "/v1/guests")).await;
    socket.send("d\r\name\":\"Chunky\"\r\n").await;
    socket.send("1\r\n}\r\n0\r\n\r\n").await;
    socket.send("GET /v1/games HTTP/1.1\r\nhost: telar\r\nconnection: close\r\n\r\n").await;
    let text = socket.rest().await;
    assert!(text.starts_with("HTTP/1.1 201"), "{text}");
    assert!(text.contains("\"name\":\"Chunky\""), "{text}");
    assert!(text.contains("HTTP/1.1 200"), "the connection is used again: {text}");
    let mut socket = Socket::open(&server.url, HERE).await;
    socket.send(&half_a_chunked_request("POST", "/v1/guests")).await;
    socket.send(&format!("11000\r\n{}\r\n", "a".repeat(0x11000))).await;
    assert_eq!(socket.last_problem().await.0, 413);
}

#[actix_web::test]
async fn unfinished_bodies_of_one_address_stop_nobody() {
    let server = Server::start_with(Store::Sqlite, |config| config.request_seconds = 600).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let mut sockets: Vec<Socket> =
        join_all((0..1_200).map(|_| Socket::open(&server.url, ELSEWHERE))).await;
    let request = half_a_request("POST", "/v1/guests");
    join_all(sockets.iter_mut().map(|socket| socket.send(&request))).await;
    // All but 128 are told that there are too many.
    let mut answers: FuturesUnordered<_> = sockets.iter_mut().map(Socket::until_closed).collect();
    for _ in 128..1_200 {
        let answer = answers.next().await.expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 429"), "{answer}");
    }
    let mut times = Vec::new();
    for _ in 0..21 {
        let started = Instant::now();
        ana.get("/healthz").await.expect(200);
        times.push(started.elapsed());
    }
    times.sort_unstable();
    assert!(times[10] < Duration::from_millis(100), "{times:?}");
    ana.get(&format!("/v1/matches/{id}")).await.expect(200);
    Client::guest(&server.url, "Ben").await;
    let mut another = Socket::open(&server.url, ELSEWHERE).await;
    another.send(&request).await;
    let (status, problem) = another.last_problem().await;
    assert_eq!((status, &problem["code"]), (429, &json!("too_many_unfinished_requests")));
    // What arrives in one piece is served, wherever it comes from.
    let mut whole = Socket::open(&server.url, ELSEWHERE).await;
    whole.send("POST /v1/guests HTTP/1.1\r\nhost: telar\r\nconnection: close\r\n\r\n").await;
    assert!(whole.rest().await.starts_with("HTTP/1.1 201"));
}

#[actix_web::test]
async fn an_address_has_a_limited_number_of_connections() {
    let server = Server::start_with(Store::Sqlite, |config| {
        config.connections = 8;
        config.connections_per_address = 3;
        config.request_seconds = 600;
    })
    .await;
    let answers = async |from| {
        let mut socket = Socket::open(&server.url, from).await;
        socket.send("GET /healthz HTTP/1.1\r\nhost: telar\r\nconnection: close\r\n\r\n").await;
        socket.rest().await.starts_with("HTTP/1.1 200")
    };
    let mut idle = Vec::new();
    for _ in 0..3 {
        // The server counts a connection when a worker has taken it over, and then answers.
        let mut socket = Socket::open(&server.url, ELSEWHERE).await;
        socket.send("GET /healthz HTTP/1.1\r\nhost: telar\r\n\r\n").await;
        assert!(socket.response().await.starts_with("HTTP/1.1 200"));
        idle.push(socket);
    }
    assert!(!answers(ELSEWHERE).await, "the fourth connection is closed");
    assert!(answers(HERE).await, "others may connect");
    idle.pop();
    let served = async || answers(ELSEWHERE).await.then_some(());
    eventually("there is room for another connection", PATIENCE, served).await;
    // A proxy connects for many clients.
    let server =
        server.restart_with(|config| config.trusted_proxies = "127.0.0.0/8".parse().unwrap()).await;
    let mut idle = Vec::new();
    for _ in 0..7 {
        let mut socket = Socket::open(&server.url, ELSEWHERE).await;
        socket.send("GET /healthz HTTP/1.1\r\nhost: telar\r\n\r\n").await;
        idle.push(socket);
    }
    let mut last = Socket::open(&server.url, ELSEWHERE).await;
    last.send("GET /healthz HTTP/1.1\r\nhost: telar\r\nconnection: close\r\n\r\n").await;
    assert!(last.rest().await.starts_with("HTTP/1.1 200"));
}

async fn streams_are_limited_by_player_and_by_address(server: Server) {
    let server = server
        .restart_with(|config| {
            config.streams_per_player = 2;
            config.streams_per_address = 3;
        })
        .await;
    let ana = Client::guest(&server.url, "Ana").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let events = format!("/v1/matches/{id}/events");
    let mut open = vec![Stream::open(&ana, "/v1/me/stream", Framing::Sse).await];
    // Another token is the same player.
    let body = json!({ "name": "bot", "scopes": ["match:read"] });
    let created = ana.post("/v1/me/tokens", &body).await.expect(201);
    let bot = ana.with_token(created["secret"].as_str().unwrap());
    open.push(Stream::open(&bot, &events, Framing::Sse).await);
    let refused = Stream::refused(&bot, &events).await;
    assert!(refused.header("retry-after").is_some());
    refused.problem(429, "too_many_streams");
    ana.get(&format!("{events}?after=1000&wait=1")).await.problem(429, "too_many_streams");
    // Another player at the same address has the last one.
    let ben = Client::guest(&server.url, "Ben").await;
    let mut last = Stream::open(&ben, &events, Framing::Sse).await;
    last.expect("snapshot").await;
    Stream::refused(&Client::anonymous(&server.url), &events)
        .await
        .problem(429, "too_many_streams");
    let elsewhere = Client::from_address(&server.url, ELSEWHERE);
    open.push(Stream::open(&elsewhere, &events, Framing::Sse).await);
    drop(open);
    let opened = async || Stream::resume(&ana, &events, Framing::Sse, None).await.ok();
    eventually("closed streams make room", PATIENCE, opened).await;
}

/// Finished matches of a player, enough for several chunks of an export.
async fn finish_matches(player: &Client, count: usize) {
    for _ in 0..count {
        let created = player.create_match("tapestry", 1).await;
        let path = format!("/v1/matches/{}/resign", created["id"].as_str().unwrap());
        player.post(&path, &json!({})).await.expect(200);
    }
}

async fn an_export_ends_with_its_client(server: Server) {
    // Two chunks at once, and the third one after a minute.
    let slow = |config: &mut Config| {
        config.rates = Rates { exported: 1, ..Rates::UNLIMITED };
        config.exports_per_player = 2;
        config.exports_per_address = 3;
    };
    let server = server.restart_with(slow).await;
    let ana = Client::guest(&server.url, "Ana").await;
    finish_matches(&ana, 60).await;
    let export = async |client: &Client, encoding: &str| {
        let request = client.request(Method::GET, "/v1/exports/matches");
        let request = request.header("accept-encoding", encoding);
        request.send().await.expect("a response")
    };
    let mut running = Vec::new();
    for encoding in ["identity", "br"] {
        let mut response = export(&ana, encoding).await;
        assert_eq!(response.status(), StatusCode::OK);
        response.chunk().await.expect("a chunk").expect("more than nothing");
        running.push(response);
    }
    let refused = ana.get("/v1/exports/matches").await;
    assert_eq!(refused.header("retry-after"), Some("30"));
    refused.problem(429, "too_many_exports");
    // Somebody else at the same address has the last place.
    let ben = Client::guest(&server.url, "Ben").await;
    let of_ben = export(&ben, "identity").await;
    assert_eq!(of_ben.status(), StatusCode::OK);
    let anonymous = Client::anonymous(&server.url);
    anonymous.get("/v1/exports/matches").await.problem(429, "too_many_exports");
    Client::from_address(&server.url, ELSEWHERE)
        .get("/v1/exports/matches?limit=1")
        .await
        .expect(200);
    // A place is free again as soon as an export has ended, and these would go on for an hour.
    for response in running {
        drop(response);
        let accepted = async || {
            let response = export(&ana, "identity").await;
            (response.status() == StatusCode::OK).then_some(())
        };
        eventually("the export has ended", PATIENCE, accepted).await;
    }
    drop(of_ben);
}

async fn costly_work_waits_in_a_queue_that_ends(server: Server) {
    let client = Client::anonymous(&server.url);
    let login = json!({ "name": "Nobody", "password": "correct horse" });
    let replies = join_all((0..150).map(|_| client.post("/v1/sessions", &login))).await;
    let count = |status: u16| replies.iter().filter(|reply| reply.status == status).count();
    // Those who waited for too long get 503.
    let (answered, refused, late) = (count(401), count(429), count(503));
    assert_eq!(answered + refused + late, 150);
    assert!(answered > 0 && refused > 0, "{answered} answered, {refused} refused");
    let refused = replies.into_iter().find(|reply| reply.status == 429).unwrap();
    assert_eq!(refused.header("retry-after"), Some("1"));
    refused.problem(429, "too_many_at_once");
    client.post("/v1/sessions", &login).await.problem(401, "wrong_credentials");
}
