//! The cases: requests that are broken in many ways.

use rand_chacha::{ChaCha8Rng, rand_core::Rng};

use super::Target;

/// What to send.
#[derive(Debug)]
pub struct Case {
    /// Its kind.
    pub kind: &'static str,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The size of the pieces in which they are sent.
    pub part: usize,
    /// Whether the connection is closed in our direction afterwards.
    pub closes: bool,
}

type Make = fn(&mut Luck, &Target) -> Vec<u8>;

const KINDS: [(&str, Make); 12] = [
    ("random bytes", random_bytes),
    ("request line", request_line),
    ("headers", headers),
    ("huge headers", huge_headers),
    ("lengths", lengths),
    ("chunks", chunks),
    ("pipeline", pipeline),
    ("half a request", half),
    ("mutation", mutation),
    ("target", target_form),
    ("body", body),
    ("expectation", expectation),
];

/// Makes a case.
pub fn make(luck: &mut ChaCha8Rng, target: &Target) -> Case {
    let mut luck = Luck(luck);
    let (kind, make) = *luck.pick(&KINDS);
    let bytes = make(&mut luck, target);
    Case { kind, bytes, part: *luck.pick(&[usize::MAX, usize::MAX, 1_000, 50]), closes: luck.is(2) }
}

struct Luck<'a>(&'a mut ChaCha8Rng);

impl Luck<'_> {
    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.0.next_u64() % count.max(1) as u64).unwrap_or_default()
    }

    fn is(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn pick<'b, T>(&mut self, list: &'b [T]) -> &'b T {
        &list[self.below(list.len())]
    }

    fn piece(&mut self, list: &[&'static [u8]]) -> &'static [u8] {
        list[self.below(list.len())]
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let mut bytes = vec![0; self.below(most)];
        self.0.fill_bytes(&mut bytes);
        bytes
    }
}

/// A request that is complete and mostly valid.
fn valid(luck: &mut Luck<'_>, target: &Target) -> Vec<u8> {
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
fn request(line: &[u8], headers: &[u8], body: &[u8]) -> Vec<u8> {
    [line, b"\r\nhost: localhost\r\n", headers, b"\r\n", body].concat()
}

/// Pieces that parsers stumble over.
const TRAPS: [&[u8]; 24] = [
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

fn random_bytes(luck: &mut Luck<'_>, _: &Target) -> Vec<u8> {
    luck.bytes(4_096)
}

fn request_line(luck: &mut Luck<'_>, target: &Target) -> Vec<u8> {
    let id = target.match_id.as_bytes();
    let methods: [&'static [u8]; 9] =
        [b"GET", b"get", b"BREW", b"", b"G\0T", b"CONNECT", b"TRACE", b"OPTIONS", b"PRI"];
    let versions: [&'static [u8]; 9] = [
        b"HTTP/1.1",
        b"HTTP/1.0",
        b"HTTP/0.9",
        b"HTTP/2.0",
        b"HTTP/9.9",
        b"HTTP/1.",
        b"http/1.1",
        b"",
        b"HTTP/1.1 ",
    ];
    let trap = luck.piece(&TRAPS);
    let paths: [&'static [u8]; 5] =
        [b"/v1/matches/", b"*", b"http://elsewhere/", b"elsewhere:443", b"/"];
    let path = [luck.piece(&paths), id, trap].concat();
    let separator = luck.piece(&[b" ", b"  ", b"\t", b""]);
    let (method, version) = (luck.piece(&methods), luck.piece(&versions));
    let line = [method, separator, &path, separator, version].concat();
    request(&line, b"", b"")
}

fn headers(luck: &mut Luck<'_>, _: &Target) -> Vec<u8> {
    const NAMES: [&str; 16] = [
        "host",
        "authorization",
        "accept",
        "accept-language",
        "accept-encoding",
        "if-match",
        "if-none-match",
        "prefer",
        "idempotency-key",
        "last-event-id",
        "range",
        "origin",
        "x-forwarded-for",
        "forwarded",
        "cookie",
        "te",
    ];
    let mut lines = Vec::new();
    for _ in 0..=luck.below(6) {
        let (before, after) = (luck.piece(&TRAPS), luck.piece(&TRAPS));
        let separator = luck.piece(&[b": ", b":", b" : ", b"", b"=", b":\t"]);
        let value = if luck.is(3) { luck.bytes(40) } else { after.to_vec() };
        let end = luck.piece(&[b"\r\n", b"\r\n", b"\r\n", b"\n", b"\r", b"\r\n folded\r\n"]);
        let name = luck.pick(&NAMES).as_bytes();
        let name = if luck.is(4) { [name, before].concat() } else { name.to_vec() };
        lines.extend([&name, separator, &value, end].concat());
    }
    request(b"GET /v1/games HTTP/1.1", &lines, b"")
}

fn huge_headers(luck: &mut Luck<'_>, _: &Target) -> Vec<u8> {
    let size = 1 << (10 + luck.below(11));
    let lines = match luck.below(3) {
        0 => [b"x-long: ", vec![b'a'; size].as_slice(), b"\r\n"].concat(),
        1 => b"x-many: 1\r\n".repeat(size / 11),
        _ => [vec![b'n'; size].as_slice(), b": 1\r\n"].concat(),
    };
    let path = if luck.is(3) { vec![b'p'; size] } else { b"v1/games".to_vec() };
    request(&[b"GET /", path.as_slice(), b" HTTP/1.1"].concat(), &lines, b"")
}

fn lengths(luck: &mut Luck<'_>, _: &Target) -> Vec<u8> {
    const LENGTHS: [&str; 12] = [
        "0",
        "2",
        "-1",
        "+2",
        "2, 2",
        "2, 3",
        "0x2",
        "99999999999999999999",
        "65537",
        "1000000000",
        "",
        "two",
    ];
    const CODINGS: [&str; 6] = [
        "chunked",
        "gzip, chunked",
        "chunked, gzip",
        "identity",
        "xchunked",
        "chunked\r\ntransfer-encoding: chunked",
    ];
    let mut lines = "content-type: application/json\r\n".to_owned();
    for _ in 0..=luck.below(2) {
        lines += &format!("content-length: {}\r\n", luck.pick(&LENGTHS));
    }
    if luck.is(2) {
        lines += &format!("transfer-encoding: {}\r\n", luck.pick(&CODINGS));
    }
    request(
        b"POST /v1/guests HTTP/1.1",
        lines.as_bytes(),
        luck.piece(&[b"{}", b"", b"0\r\n\r\n", b"2\r\n{}\r\n0\r\n\r\n"]),
    )
}

fn chunks(luck: &mut Luck<'_>, _: &Target) -> Vec<u8> {
    const SIZES: [&str; 12] = [
        "2",
        "02",
        "0x2",
        "g",
        "-1",
        "ffffffffffffffff",
        "fffffffffffffffff",
        "7fffffff",
        "2;a=b",
        "2 ",
        "",
        "10001",
    ];
    let mut body = Vec::new();
    for _ in 0..luck.below(4) {
        let end = luck.piece(&[b"\r\n", b"\r\n", b"\n", b""]);
        body.extend([luck.pick(&SIZES).as_bytes(), end, b"{}", end].concat());
    }
    body.extend_from_slice(luck.piece(&[b"0\r\n\r\n", b"0\r\nx: y\r\n\r\n", b"0\r\n", b""]));
    let lines = b"content-type: application/json\r\ntransfer-encoding: chunked\r\n";
    request(b"POST /v1/guests HTTP/1.1", lines, &body)
}

fn pipeline(luck: &mut Luck<'_>, target: &Target) -> Vec<u8> {
    let mut all = Vec::new();
    for _ in 0..=luck.below(20) {
        let next = if luck.is(6) { mutation(luck, target) } else { valid(luck, target) };
        all.extend(next);
    }
    all
}

fn half(luck: &mut Luck<'_>, target: &Target) -> Vec<u8> {
    let mut bytes = valid(luck, target);
    bytes.truncate(luck.below(bytes.len()));
    bytes
}

fn mutation(luck: &mut Luck<'_>, target: &Target) -> Vec<u8> {
    let mut bytes = valid(luck, target);
    for _ in 0..=luck.below(8) {
        let at = luck.below(bytes.len());
        match luck.below(4) {
            0 => bytes[at] ^= 1 << luck.below(8),
            1 => drop(bytes.splice(at..at, luck.piece(&TRAPS).iter().copied())),
            2 => drop(bytes.remove(at)),
            _ => {
                let end = (at + luck.below(40)).min(bytes.len());
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
        }
    }
    bytes
}

fn target_form(luck: &mut Luck<'_>, target: &Target) -> Vec<u8> {
    const PATHS: [&str; 12] = [
        "/v1/matches",
        "/v1/games/qwinto/stats",
        "/v1/games/qwinto/leaderboard",
        "/v1/exports/matches",
        "/docs",
        "/metrics",
        "/v1/me/stream",
        "/.well-known/jwks.json",
        "/v1/games/{}",
        "/v1/players/{}/matches",
        "/v1/matches/{}/events",
        "/v1/matches/{}/replay",
    ];
    const NAMES: [&str; 10] =
        ["limit", "cursor", "after", "at", "as", "wait", "game", "status", "board", "period"];
    let inner = String::from_utf8_lossy(&luck.bytes(6)).replace(['\r', '\n', ' '], "");
    let id = if luck.is(2) { target.finished.clone() } else { inner };
    let mut path = luck.pick(&PATHS).replace("{}", &id).into_bytes();
    path.push(b'?');
    for _ in 0..luck.below(5) {
        path.extend_from_slice(luck.pick(&NAMES).as_bytes());
        path.push(b'=');
        let trap = luck.piece(&TRAPS);
        path.extend(trap.iter().filter(|byte| !b"\r\n ".contains(byte)));
        path.push(b'&');
    }
    let token =
        format!("authorization: Bearer {}\r\n", target.client.token.as_deref().unwrap_or_default());
    request(&[b"GET ", path.as_slice(), b" HTTP/1.1"].concat(), token.as_bytes(), b"")
}

fn body(luck: &mut Luck<'_>, target: &Target) -> Vec<u8> {
    let types = [
        "application/json",
        "application/json; charset=utf-16",
        "text/plain",
        "multipart/form-data",
        "",
        "\u{7f}",
    ];
    let encodings = [
        "",
        "content-encoding: gzip\r\n",
        "content-encoding: br\r\n",
        "content-encoding: gzip, gzip\r\n",
    ];
    let trap = luck.piece(&TRAPS);
    let body = match luck.below(8) {
        0 => b"[".repeat(luck.below(60_000)),
        1 => br#"{"move":"#.repeat(luck.below(4_000)),
        2 => [b"{\"name\":\"".as_slice(), trap, b"\"}"].concat(),
        3 => br#"{"name":"\u0000","name":"\ud800"}"#.to_vec(),
        4 => format!(
            r#"{{"move":{{"type":"weave","slot":{}}}}}"#,
            ["1e999", "-0", "1.5", "99999999999999999999"][luck.below(4)]
        )
        .into_bytes(),
        5 => vec![b' '; luck.below(200_000)],
        6 => luck.bytes(2_000),
        _ => b"{\"move\":{\"type\":null},\"move\":1}".to_vec(),
    };
    let token = target.client.token.as_deref().unwrap_or_default();
    let lines = format!(
        "authorization: Bearer {token}\r\ncontent-type: {}\r\n{}content-length: {}\r\n",
        luck.pick(&types),
        luck.pick(&encodings),
        body.len()
    );
    let path = [
        format!("/v1/matches/{}/moves", target.match_id),
        "/v1/guests".to_owned(),
        "/v1/matches".to_owned(),
    ];
    let line = format!("POST {} HTTP/1.1", luck.pick(&path));
    request(line.as_bytes(), lines.as_bytes(), &body)
}

fn expectation(luck: &mut Luck<'_>, target: &Target) -> Vec<u8> {
    let lines: [&'static [u8]; 6] = [
        b"expect: 100-continue\r\ncontent-length: 2\r\ncontent-type: application/json\r\n",
        b"expect: the-unexpected\r\n",
        b"connection: upgrade\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
        b"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        b"connection: close, keep-alive\r\n",
        b"proxy-connection: keep-alive\r\nconnection: host\r\n",
    ];
    if luck.is(4) {
        return [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_slice(), &luck.bytes(64)].concat();
    }
    let lines = luck.piece(&lines);
    let next = valid(luck, target);
    [request(b"POST /v1/guests HTTP/1.1", lines, b"{}"), next].concat()
}
