//! A client for streams: reads server-sent events or lines of JSON as they arrive.

use std::collections::VecDeque;

use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;

use crate::{
    client::{Client, Reply},
    eventually::PATIENCE,
};

/// The format of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Server-sent events.
    Sse,
    /// Lines of JSON.
    Ndjson,
}

impl Framing {
    fn media_type(self) -> &'static str {
        match self {
            Self::Sse => "text/event-stream",
            Self::Ndjson => "application/x-ndjson",
        }
    }
}

/// A message of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Its kind.
    pub kind: String,
    /// The id to resume after; only SSE has it outside the data.
    pub id: Option<String>,
    /// Its data.
    pub data: Value,
}

/// An open stream.
#[derive(Debug)]
pub struct Stream {
    response: Response,
    framing: Framing,
    buffer: String,
    ready: VecDeque<Message>,
    /// The id of the last message that had one.
    pub last_id: Option<String>,
}

impl Stream {
    /// A request for a stream.
    pub fn request(
        client: &Client,
        path: &str,
        framing: Framing,
        after: Option<&str>,
    ) -> RequestBuilder {
        let request = client.request(Method::GET, path).header("accept", framing.media_type());
        match after {
            Some(id) => request.header("last-event-id", id),
            None => request,
        }
    }

    /// Opens a stream; panics if that fails.
    pub async fn open(client: &Client, path: &str, framing: Framing) -> Self {
        Self::resume(client, path, framing, None).await.expect("a stream opens")
    }

    /// Opens a stream after a message; fails if the server refuses or cannot be reached.
    pub async fn resume(
        client: &Client,
        path: &str,
        framing: Framing,
        after: Option<&str>,
    ) -> Result<Self, String> {
        let response = Self::request(client, path, framing, after).send().await;
        let response = response.map_err(|error| error.to_string())?;
        if response.status() != 200 {
            return Err(response.text().await.unwrap_or_default());
        }
        let content_type = response.headers()["content-type"].to_str().unwrap().to_owned();
        assert_eq!(content_type, framing.media_type());
        let last_id = after.map(str::to_owned);
        Ok(Self { response, framing, buffer: String::new(), ready: VecDeque::new(), last_id })
    }

    /// The refusal of a stream.
    pub async fn refused(client: &Client, path: &str) -> Reply {
        client.send(Self::request(client, path, Framing::Sse, None)).await
    }

    /// The next message; `None` if the stream has ended or the connection is lost.
    pub async fn next(&mut self) -> Option<Message> {
        // Keep-alives are no messages: they do not prolong the wait.
        tokio::time::timeout(PATIENCE, self.read()).await.expect("a message in time")
    }

    async fn read(&mut self) -> Option<Message> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                self.last_id = message.id.clone().or(self.last_id.take());
                return Some(message);
            }
            let chunk = self.response.chunk().await.ok()??;
            self.buffer.push_str(std::str::from_utf8(&chunk).expect("UTF-8"));
            self.parse();
        }
    }

    /// The next message; panics unless it is of this kind.
    pub async fn expect(&mut self, kind: &str) -> Value {
        let message = self.next().await.expect("a message");
        assert_eq!(message.kind, kind, "{}", message.data);
        message.data
    }

    /// The next message of this kind, skipping others.
    pub async fn until(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.unwrap_or_else(|| panic!("{kind} does not come"));
            if message.kind == kind {
                return message.data;
            }
        }
    }

    /// All messages up to the end.
    pub async fn rest(&mut self) -> Vec<Message> {
        let mut messages = Vec::new();
        while let Some(message) = self.next().await {
            messages.push(message);
        }
        messages
    }

    fn parse(&mut self) {
        let separator = match self.framing {
            Framing::Sse => "\n\n",
            Framing::Ndjson => "\n",
        };
        while let Some((frame, rest)) = self.buffer.split_once(separator) {
            self.ready.extend(match self.framing {
                Framing::Sse => sse(frame),
                Framing::Ndjson => ndjson(frame),
            });
            self.buffer = rest.to_owned();
        }
    }
}

fn sse(frame: &str) -> Option<Message> {
    let field = |name: &str| {
        let lines = frame.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned()).next()
    };
    let data = serde_json::from_str(&field("data")?).expect("JSON");
    Some(Message { kind: field("event").expect("a name"), id: field("id"), data })
}

fn ndjson(line: &str) -> Option<Message> {
    if line.is_empty() {
        return None;
    }
    let data: Value = serde_json::from_str(line).expect("JSON");
    let id = match &data["id"] {
        Value::Null => None,
        Value::String(id) => Some(id.clone()),
        id => Some(id.to_string()),
    };
    Some(Message { kind: data["type"].as_str().expect("a type").to_owned(), id, data })
}
