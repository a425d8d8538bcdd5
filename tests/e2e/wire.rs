//! Requests that never reach the application: they get problem documents, too.

use serde_json::Value;
use tests::server::Server;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

on_both_stores!(
    what_is_not_http_gets_a_problem_document,
    a_head_that_is_too_large_gets_a_problem_document,
    a_head_that_does_not_arrive_gets_a_problem_document,
    unreadable_requests_are_counted,
);

/// Sends bytes and reads everything until the server closes the connection.
async fn exchange(server: &Server, bytes: &[u8]) -> Vec<u8> {
    let address = server.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may answer and close before everything has been sent.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read) = stream.read(&mut buffer).await {
        if read == 0 {
            break;
        }
        answer.extend_from_slice(&buffer[..read]);
    }
    answer
}

#[track_caller]
fn problem(answer: &[u8], status: u16, code: &str) {
    let text = std::str::from_utf8(answer).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
    let mut lines = head.lines();
    assert!(lines.next().unwrap().starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
    let headers: Vec<String> = lines.map(str::to_lowercase).collect();
    for expected in [
        "content-type: application/problem+json",
        "content-language: en",
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "connection: close",
        &format!("content-length: {}", body.len()),
    ] {
        assert!(headers.iter().any(|header| header == expected), "{expected} in {head}");
    }
    let count = |name: &str| headers.iter().filter(|header| header.starts_with(name)).count();
    for name in ["content-length:", "connection:", "date:"] {
        assert_eq!(count(name), 1, "{name} in {head}");
    }
    let problem: Value = serde_json::from_str(body).unwrap();
    assert_eq!((&problem["status"], &problem["code"]), (&status.into(), &code.into()));
    assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
}

async fn what_is_not_http_gets_a_problem_document(server: Server) {
    for request in [
        &b"hello\r\n\r\n"[..],
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 this is TLS",
        b"GET /healthz HTTP/9.9\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nno colon here\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: many\r\n\r\n",
        b"GET /heal thz HTTP/1.1\r\nhost: a\r\n\r\n",
    ] {
        problem(&exchange(&server, request).await, 400, "unreadable_request");
    }
    // After a good request on the same connection.
    let both = b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\nnonsense\r\n\r\n";
    let answer = exchange(&server, both).await;
    assert!(answer.starts_with(b"HTTP/1.1 200 OK\r\n"));
    let second = answer.windows(13).position(|window| window == b"HTTP/1.1 400 ").unwrap();
    problem(&answer[second..], 400, "unreadable_request");
}

async fn a_head_that_is_too_large_gets_a_problem_document(server: Server) {
    let large = format!("GET /healthz HTTP/1.1\r\nhost: a\r\nx-large: {}", "x".repeat(200_000));
    problem(&exchange(&server, large.as_bytes()).await, 431, "headers_too_large");
}

async fn a_head_that_does_not_arrive_gets_a_problem_document(server: Server) {
    problem(&exchange(&server, b"GET /healthz HT").await, 408, "request_timeout");
}

async fn unreadable_requests_are_counted(server: Server) {
    exchange(&server, b"hello\r\n\r\n").await;
    let figures =
        reqwest::get(format!("{}/metrics", server.url)).await.unwrap().text().await.unwrap();
    let line = figures
        .lines()
        .find(|line| line.starts_with("telar_unreadable_requests_total{status=\"400\"}"));
    let count: u64 = line.and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap();
    assert!(count >= 1);
}
