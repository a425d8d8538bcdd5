//! What the players were told: the reference for everything that is checked afterwards.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use uuid::Uuid;

use super::invariants::{Breaches, Invariant};

/// What the players did and were told.
#[derive(Debug, Default)]
pub struct Ledger {
    /// The matches whose creation was acknowledged.
    pub matches: BTreeMap<Uuid, Record>,
    /// The number of matches that each player tried to create.
    pub creations: BTreeMap<Uuid, usize>,
    /// The names of the players.
    pub names: BTreeMap<Uuid, Names>,
    /// Acknowledged commands.
    pub acknowledged: usize,
    /// Responses.
    pub answers: usize,
    /// Requests without a response: the connection was lost or refused, or the response took too long.
    pub unanswered: usize,
    /// What was wrong already while they played.
    pub breaches: Breaches,
}

/// What is known about a match.
#[derive(Debug, Default)]
pub struct Record {
    /// The number of commands that were sent, not counting repetitions.
    pub sent: usize,
    /// The acknowledged commands: who sent them, and the version after them.
    pub acknowledged: Vec<(Uuid, u64)>,
    /// Whether its start was acknowledged.
    pub is_started: bool,
    /// Whether its end was acknowledged.
    pub is_over: bool,
}

impl Record {
    /// The last version that was acknowledged.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.acknowledged.iter().map(|(_, version)| *version).max().unwrap_or_default()
    }
}

/// The names that a player may have.
#[derive(Debug, Default)]
pub struct Names {
    /// The last one that was acknowledged.
    pub acknowledged: Option<String>,
    /// Names of requests that failed. They may be carried out late, by a server that was frozen at the time.
    pub possible: BTreeSet<String>,
}

/// What a response means to the player.
#[derive(Debug)]
pub enum Verdict {
    /// Success.
    Done(Value),
    /// No response, or one that asks to try again.
    Later,
    /// The access token has expired.
    Expired,
    /// The request will never succeed.
    Refused,
}

/// A response: its status, its content type and its body.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The content type.
    pub content_type: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Ledger {
    /// Counts a response, checks its form and says what it means. `what` is the request.
    pub fn judge(&mut self, what: &str, answer: Option<Answer>) -> Verdict {
        let Some(Answer { status, content_type, body }) = answer else {
            self.unanswered += 1;
            return Verdict::Later;
        };
        self.answers += 1;
        let json: Option<Value> = serde_json::from_slice(&body).ok();
        let told = || format!("{what}: {status} {content_type} {}", String::from_utf8_lossy(&body));
        match (status, json) {
            (200..300, Some(json)) => Verdict::Done(json),
            (400.., Some(json)) if is_problem(status, &content_type, &json) => match status {
                503 => Verdict::Later,
                401 if json["code"] == "token_expired" => Verdict::Expired,
                500.. => {
                    self.breaches.add(Invariant::Internal, told());
                    Verdict::Later
                }
                _ => {
                    self.breaches.add(Invariant::Refused, told());
                    Verdict::Refused
                }
            },
            _ => {
                self.breaches.add(Invariant::Malformed, told());
                Verdict::Later
            }
        }
    }

    /// A command on a match is about to be sent for the first time.
    pub fn sending(&mut self, id: Uuid) {
        self.matches.entry(id).or_default().sent += 1;
    }

    /// A command on a match was acknowledged to a player.
    pub fn acknowledge(&mut self, id: Uuid, player: Uuid, result: &Value) {
        let Some(version) = result["version"].as_u64() else {
            self.breaches.add(Invariant::Malformed, format!("no version: {result}"));
            return;
        };
        self.acknowledged += 1;
        let record = self.matches.entry(id).or_default();
        let before = record.version();
        if version <= before {
            let what = format!("{id}: version {version} was acknowledged after {before}");
            self.breaches.add(Invariant::Repeated, what);
        }
        record.acknowledged.push((player, version));
        record.is_started |= result["status"] != "open";
        record.is_over |= result["status"] == "finished";
    }
}

/// Whether this is a problem document as RFC 9457 and our own documentation describe it.
fn is_problem(status: u16, content_type: &str, json: &Value) -> bool {
    let is_text = |field: &str| json[field].as_str().is_some_and(|text| !text.is_empty());
    content_type == "application/problem+json"
        && json["status"] == status
        && ["type", "title", "code", "detail"].into_iter().all(is_text)
}
