//! A minimal HTTP/1.1 client over one persistent connection, so that the client takes as little processor time as possible.

use std::{fmt::Write, net::Ipv4Addr};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};
use uuid::Uuid;

/// A persistent connection.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    host: String,
    /// Additional header lines.
    pub besides: &'static str,
    buffer: Vec<u8>,
}

/// A response.
#[derive(Debug)]
pub struct Reply<'a> {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: &'a [u8],
}

impl Reply<'_> {
    /// The body as JSON, if the status is the expected one.
    pub fn json<'b, T: serde::Deserialize<'b>>(&'b self, status: u16) -> T {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(self.body));
        serde_json::from_slice(self.body).expect("JSON")
    }
}

impl Connection {
    /// Connects to `host:port`.
    pub async fn open(host: &str) -> Self {
        Self::open_from(host, Ipv4Addr::LOCALHOST).await
    }

    /// Connects to `host:port` from an address of this machine.
    pub async fn open_from(host: &str, from: Ipv4Addr) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((from, 0).into()).expect("an address of this machine");
        let server = host.parse().expect("an address");
        let stream = socket.connect(server).await.expect("the server listens");
        stream.set_nodelay(true).expect("a socket");
        Self { stream, host: host.to_owned(), besides: "", buffer: Vec::with_capacity(64 * 1024) }
    }

    /// Sends a request and waits for the response.
    pub async fn send(&mut self, method: &str, path: &str, token: &str, body: &str) -> Reply<'_> {
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n{}", self.host, self.besides);
        if !token.is_empty() {
            head.push_str("authorization: Bearer ");
            head.push_str(token);
            head.push_str("\r\n");
        }
        if !body.is_empty() {
            head.push_str("content-type: application/json\r\n");
        }
        let _ = write!(head, "content-length: {}\r\n\r\n{body}", body.len());
        self.stream.write_all(head.as_bytes()).await.expect("the server reads");
        self.buffer.clear();
        let (status, start, length) = loop {
            let read = self.stream.read_buf(&mut self.buffer).await.expect("the server answers");
            assert!(read > 0, "the server closed the connection");
            if let Some(head) = parse_head(&self.buffer) {
                break head;
            }
        };
        while self.buffer.len() < start + length {
            let read = self.stream.read_buf(&mut self.buffer).await.expect("the server answers");
            assert!(read > 0, "the server closed the connection");
        }
        Reply { status, body: &self.buffer[start..start + length] }
    }

    /// A new guest: its id and its access token.
    pub async fn guest(&mut self) -> (Uuid, String) {
        let session: Value = self.send("POST", "/v1/guests", "", "{}").await.json(201);
        let id = session["player"]["id"].as_str().expect("an id");
        let token = session["access_token"].as_str().expect("a token");
        (id.parse().expect("an id"), token.to_owned())
    }
}

/// The status, the start of the body and its length; `None` while the head is incomplete.
fn parse_head(bytes: &[u8]) -> Option<(u16, usize, usize)> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let length = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .map_or(Some(0), |(_, value)| value.trim().parse().ok())?;
    Some((status, end, length))
}

/// The legal moves, unparsed.
#[derive(Debug, serde::Deserialize)]
pub struct Listing {
    /// The moves.
    pub moves: Vec<serde::de::IgnoredAny>,
}
