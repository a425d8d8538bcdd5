//! Sends the bytes of a case and judges what comes back.

use std::time::Duration;

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::cases::Case;

/// How long to wait for the first response, and for more after it. Some cases are never answered: half a request, or a stream.
const FIRST: Duration = Duration::from_millis(400);
const MORE: Duration = Duration::from_millis(50);

/// More than any ordinary response.
const MOST: usize = 4 << 20;

/// Sends a case and reads until the server closes the connection or says nothing for a while. `None` if it is closed at once.
pub async fn exchange(host: &str, case: &Case) -> Option<Vec<u8>> {
    let mut socket = TcpStream::connect(host).await.ok()?;
    socket.set_nodelay(true).ok()?;
    let (mut from, mut to) = socket.split();
    let sending = async {
        for part in case.bytes.chunks(case.part) {
            if to.write_all(part).await.is_err() {
                // The server may refuse a request before it has read all of it.
                return;
            }
        }
        if case.closes {
            let _ = to.shutdown().await;
        }
    };
    let mut read = Vec::new();
    let reading = async {
        let mut patience = FIRST;
        let mut buffer = vec![0; 64 * 1024];
        while read.len() < MOST {
            match tokio::time::timeout(patience, from.read(&mut buffer)).await {
                Ok(Ok(count @ 1..)) => read.extend_from_slice(&buffer[..count]),
                _ => break,
            }
            patience = MORE;
        }
    };
    let _ = tokio::join!(tokio::time::timeout(FIRST, sending), reading);
    Some(read)
}

/// The statuses of all responses. Each has to be well-formed and below 500, and a problem document from 400 on.
pub fn judge(mut read: &[u8]) -> Result<Vec<String>, String> {
    let mut statuses = Vec::new();
    while !read.is_empty() {
        let end = read.windows(4).position(|window| window == b"\r\n\r\n");
        let end = end.ok_or("half a response")?;
        let head = std::str::from_utf8(&read[..end]).map_err(|_| "a head that is not text")?;
        let status = status(head).ok_or("no status line")?;
        statuses.push(status.to_string());
        read = &read[end + 4..];
        if status >= 500 {
            return Err(format!("status {status}"));
        }
        if status < 200 {
            continue;
        }
        let length = header(head, "content-length").and_then(|length| length.parse().ok());
        let Some(length) = length else {
            // It ends with the connection, or says in between where it ends: what follows cannot be told apart.
            let is_open =
                header(head, "transfer-encoding").is_some() || [204, 304].contains(&status);
            return if is_open { Ok(statuses) } else { Err("no length".to_owned()) };
        };
        if read.len() < length {
            // The answer to HEAD has a length and no body, and we do not read to the end of what is long.
            return Ok(statuses);
        }
        let (body, rest) = read.split_at(length);
        if status >= 400 && !is_problem(status, head, body) {
            return Err(format!("{status} without a problem document"));
        }
        read = rest;
    }
    Ok(statuses)
}

fn status(head: &str) -> Option<u16> {
    let version =
        ["HTTP/1.1 ", "HTTP/1.0 "].into_iter().find(|version| head.starts_with(version))?;
    head.get(version.len()..version.len() + 3)?.parse().ok()
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let fields = head.split("\r\n").skip(1).filter_map(|line| line.split_once(':'));
    let mut named = fields.filter(|(field, _)| field.eq_ignore_ascii_case(name));
    named.next().map(|(_, value)| value.trim())
}

fn is_problem(status: u16, head: &str, body: &[u8]) -> bool {
    let document: Value = serde_json::from_slice(body).unwrap_or_default();
    header(head, "content-type") == Some("application/problem+json")
        && document["status"] == status
        && ["code", "title", "detail"].iter().all(|field| document[field].is_string())
}

/// The beginning of some bytes, readable.
pub fn escape(bytes: &[u8]) -> String {
    const SHOWN: usize = 600;
    let more =
        if bytes.len() > SHOWN { format!("… ({} bytes)", bytes.len()) } else { String::new() };
    format!("\"{}\"{more}", bytes[..bytes.len().min(SHOWN)].escape_ascii())
}
