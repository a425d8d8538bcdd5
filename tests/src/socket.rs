//! Raw connections, for what no decent client does: requests that are never finished, from an address of one's choice.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpSocket, TcpStream},
};

use crate::eventually::PATIENCE;

/// An address of this machine that no other client uses. On Linux, all of 127.0.0.0/8 is this machine.
pub const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 66));

/// A connection.
#[derive(Debug)]
pub struct Socket(TcpStream);

impl Socket {
    /// Connects to a server from an address.
    pub async fn open(url: &str, from: IpAddr) -> Self {
        let server: SocketAddr = url.trim_start_matches("http://").parse().expect("an address");
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((from, 0).into()).expect("a local address");
        Self(socket.connect(server).await.expect("a connection"))
    }

    /// Sends bytes. A server that has closed the connection already is not an error.
    pub async fn send(&mut self, bytes: &str) {
        let _ = self.0.write_all(bytes.as_bytes()).await;
    }

    /// The first line of an answer; empty if the server closes the connection instead.
    pub async fn first_line(&mut self) -> String {
        let mut line = String::new();
        let mut reader = BufReader::new(&mut self.0);
        let reading = tokio::time::timeout(PATIENCE, reader.read_line(&mut line));
        // A connection that is reset is closed as well.
        let _ = reading.await.expect("an answer");
        line
    }

    /// Everything until the server closes the connection, however long that takes.
    pub async fn until_closed(&mut self) -> String {
        let mut bytes = Vec::new();
        // A connection that is reset is closed as well.
        let _ = self.0.read_to_end(&mut bytes).await;
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Everything until the server closes the connection; fails if it does not.
    pub async fn rest(&mut self) -> String {
        let closed = tokio::time::timeout(PATIENCE, self.until_closed()).await;
        closed.expect("the connection is closed")
    }

    /// The status and the problem of the last response on this connection.
    pub async fn last_problem(&mut self) -> (u16, Value) {
        let text = self.rest().await;
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("a status"), serde_json::from_str(body).unwrap_or(Value::Null))
    }
}

/// The beginning of a request whose body does not arrive: 100 bytes are announced and three are sent.
#[must_use]
pub fn half_a_request(method: &str, path: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: telar\r\ncontent-type: application/json\r\n\
         content-length: 100\r\n\r\n{{\"n"
    )
}

/// The same without saying how long the body is.
#[must_use]
pub fn half_a_chunked_request(method: &str, path: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: telar\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\n3\r\n{{\"n\r\n"
    )
}
