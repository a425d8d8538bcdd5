//! What cases are made of.

use rand_chacha::{ChaCha8Rng, rand_core::Rng};

use super::Target;

/// Choices that follow from the seed.
pub struct Luck<'a>(&'a mut ChaCha8Rng);

impl<'a> Luck<'a> {
    /// Luck from this generator.
    pub fn new(generator: &'a mut ChaCha8Rng) -> Self {
        Self(generator)
    }

    /// A number below this one.
    pub fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.0.next_u64() % count.max(1) as u64).unwrap_or_default()
    }

    /// True in one of this many cases.
    pub fn is(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    /// One of these.
    pub fn pick<'b, T>(&mut self, list: &'b [T]) -> &'b T {
        &list[self.below(list.len())]
    }

    /// One of these pieces.
    pub fn piece(&mut self, list: &[&'static [u8]]) -> &'static [u8] {
        list[self.below(list.len())]
    }

    /// Random bytes, fewer than this many.
    pub fn bytes(&mut self, most: usize) -> Vec<u8> {
        let mut bytes = vec![0; self.below(most)];
        self.0.fill_bytes(&mut bytes);
        bytes
    }
}

/// A request that is complete and mostly valid.
pub fn valid(luck: &mut Luck<'_>, target: &Target) -> Vec<u8> {
    let (id, over) = (&target.match_id, &target.finished);
    let player = target.client.player.as_deref().unwrap_or_default();
    let (method, path, body) = match luck.below(14) {
        0 => ("GET", "/healthz".to_owned(), ""),
        1 => ("GET", format!("/v1/matches/{id}"), ""),
        2 => ("GET", format!("/v1/matches/{id}/legal-moves?limit=3"), ""),
        3 => ("POST", format!("/v1/matches/{id}/moves"), r#"{"move":{"type":"weave","slot":1}}"#),
        4 => ("POST", "/v1/guests".to_owned(), r#"{"name":"Ana"}"#),
        5 => ("PATCH", "/v1/me".to_owned(), r#"{"name":"Ana"}"#),
        6 => ("GET", format!("/v1/matches/{over}/replay?at=3"), ""),
        7 => ("GET", format!("/v1/matches/{over}/events?after=0&limit=5"), ""),
        8 => ("POST", "/v1/matches".to_owned(), r#"{"game":"tapestry","seats":1}"#),
        9 => ("GET", format!("/v1/matches/{over}/frames?limit=2"), ""),
        10 => ("GET", format!("/v1/players/{player}/stats"), ""),
        11 => ("GET", "/v1/games/qwinto/leaderboard?limit=2".to_owned(), ""),
        12 => {
            ("POST", "/v1/sessions".to_owned(), r#"{"email":"a@example.com","password":"no such"}"#)
        }
        _ => ("GET", format!("/v1/matches/{over}/board.svg"), ""),
    };
    let token = target.client.token.as_deref().unwrap_or_default();
    let key = luck.below(1_000_000);
    format!(
        "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         idempotency-key: {key}\r\ncontent-length: {}\r\n\r\n{body}",
        target.host,
        body.len()
    )
    .into_bytes()
}

/// A request with this target, these additional header lines and this body.
pub fn request(line: &[u8], headers: &[u8], body: &[u8]) -> Vec<u8> {
    [line, b"\r\nhost: localhost\r\n", headers, b"\r\n", body].concat()
}

/// Pieces that parsers stumble over.
pub const TRAPS: [&[u8]; 24] = [
    b"",
    b" ",
    b"\t",
    b"\r",
    b"\n",
    b"\r\n",
    b"\0",
    b"\x7f",
    b"\xff\xfe",
    b"\xc3\x28",
    b"%00",
    b"%",
    b"%zz",
    b"%c3%28",
    b"..",
    b"//",
    b"?",
    b"#",
    b"\"",
    b"{",
    b":",
    b"-1",
    b"18446744073709551616",
    b"\xf0\x9f\xa7\xb5",
];
