//! Connections below actix-web. Its HTTP parser answers requests that it cannot read by itself, with a bare status and no body:
//! 400 (not HTTP), 408 (too slow) and 431 (too large). No hook lets an application change that, so the connection does: such a
//! response is replaced by a problem document on its way out. The parser also panics at the name of a header that is longer than
//! 65,535 bytes; a connection that sends one is closed before. And it waits for ever for the rest of a second request; a
//! connection waits only as long as for the first.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Weak},
    task::{Context, Poll, ready},
    time::{Duration, SystemTime},
};

use actix_web::{
    http::{StatusCode, header::HttpDate},
    web::{Buf, Bytes},
};
use domain::text::Text;
use service::Clock;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

use crate::error::ApiError;

/// A connection.
#[derive(Debug)]
pub struct Wire<S> {
    stream: S,
    /// What is left to send of a problem document. Nothing follows it: the parser closes the connection.
    problem: Bytes,
    names: HeaderNames,
    patience: Patience,
    /// When to look whether a request that has begun to arrive is being served.
    look: Pin<Box<Sleep>>,
    /// Whether something was received since something was last sent.
    is_receiving: bool,
    /// Whether something was sent since the last look.
    has_sent: bool,
    requests: Arc<Request>,
}

/// How long a connection waits.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For the rest of a request that has begun to arrive.
    pub head: Duration,
    /// For anything at all.
    pub idle: Duration,
}

/// A request of a connection. It exists as long as it is being served.
#[derive(Debug)]
pub struct Request;

/// In the data of a connection: the way from its requests to it.
#[derive(Debug, Clone)]
pub struct Requests(Weak<Request>);

impl Requests {
    /// Says that a request is being served, until the result is dropped.
    #[must_use]
    pub fn begin(&self) -> Option<Arc<Request>> {
        self.0.upgrade()
    }
}

/// The longest name of a header that the parser can read.
const LONGEST_NAME: usize = u16::MAX as usize;

/// Looks for names of headers in what is received. A name begins a line after one that is not blank, and
/// ends with a colon; a blank line ends the headers.
#[derive(Debug, Default)]
struct HeaderNames {
    /// The length of what may be a name so far; nothing in the rest of a line.
    name: Option<usize>,
    /// Whether the line has anything in it.
    is_line_begun: bool,
}

impl HeaderNames {
    /// Returns false if a name is longer than the parser can read.
    fn receive(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes {
            match byte {
                b'\n' => {
                    self.name = self.is_line_begun.then_some(0);
                    self.is_line_begun = false;
                }
                b'\r' => {}
                b':' if self.name.is_some_and(|length| length > LONGEST_NAME) => return false,
                _ => {
                    self.is_line_begun = true;
                    self.name = self.name.filter(|_| is_name_byte(*byte)).map(|length| length + 1);
                }
            }
        }
        true
    }
}

impl<S> Wire<S> {
    /// A connection over this stream.
    pub fn new(stream: S, patience: Patience) -> Self {
        Self {
            stream,
            problem: Bytes::new(),
            names: HeaderNames::default(),
            patience,
            look: Box::pin(sleep(patience.idle)),
            is_receiving: false,
            has_sent: false,
            requests: Arc::new(Request),
        }
    }

    /// Lets requests say that they are being served.
    #[must_use]
    pub fn requests(&self) -> Requests {
        Requests(Arc::downgrade(&self.requests))
    }

    /// Whether a request is being served, or its response was being sent a moment ago.
    fn is_serving(&self) -> bool {
        self.has_sent || Arc::strong_count(&self.requests) > 1
    }

    /// Waits from the first byte of a request on, however many follow.
    fn received(&mut self) {
        if !self.is_receiving {
            self.is_receiving = true;
            self.has_sent = false;
            self.look.as_mut().reset(Instant::now() + self.patience.head);
        }
    }

    fn sent(&mut self) {
        self.is_receiving = false;
        self.has_sent = true;
    }

    /// The stream itself.
    pub const fn stream(&self) -> &S {
        &self.stream
    }
}

impl<S: AsyncWrite + Unpin> Wire<S> {
    /// Ends a connection when it has waited too long.
    fn poll_patience(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.look.as_mut().poll(context).is_ready() {
            if !self.is_serving() {
                return self.refuse(StatusCode::REQUEST_TIMEOUT, io::ErrorKind::TimedOut, context);
            }
            self.has_sent = false;
            self.look.as_mut().reset(Instant::now() + self.patience.idle);
        }
        Poll::Pending
    }

    /// Ends a connection with a problem document.
    fn refuse(
        &mut self,
        status: StatusCode,
        error: io::ErrorKind,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        let date = format!("date: {}\r\n", now());
        self.problem = BareError { start: 0, status, headers: &date }.explained();
        // A client that does not read it at once misses it.
        let _ = self.poll_problem(context)?;
        Poll::Ready(Err(error.into()))
    }

    fn poll_problem(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.problem.is_empty() {
            let sent = ready!(Pin::new(&mut self.stream).poll_write(context, &self.problem))?;
            if sent == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.problem.advance(sent);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let Poll::Ready(result) = Pin::new(&mut self.stream).poll_read(context, buffer) else {
            return self.poll_patience(context);
        };
        result?;
        self.received();
        if !self.names.receive(&buffer.filled()[before..]) {
            let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            return self.refuse(status, io::ErrorKind::InvalidData, context);
        }
        Poll::Ready(Ok(()))
    }
}

/// The time for a header that the parser would set.
fn now() -> HttpDate {
    let micros = u64::try_from(Clock::system().now().micros()).expect("1970 is over");
    HttpDate::from(SystemTime::UNIX_EPOCH + Duration::from_micros(micros))
}

/// Whether a byte can occur in the name of a header (RFC 9110, `tchar`).
const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'
                | b'$'
                | b'%'
                | b'&'
                | b'\''
                | b'*'
                | b'+'
                | b'-'
                | b'.'
                | b'^'
                | b'_'
                | b'`'
                | b'|'
                | b'~'
        )
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_problem(context))?;
        self.sent();
        match BareError::at_end_of(bytes) {
            Some(bare) if bare.start == 0 => {
                self.problem = bare.explained();
                Poll::Ready(Ok(bytes.len()))
            }
            // Responses to requests that came before it on the same connection.
            Some(bare) => Pin::new(&mut self.stream).poll_write(context, &bytes[..bare.start]),
            None => Pin::new(&mut self.stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_problem(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_problem(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// A response of the parser: a status and no body, at the end of everything that is sent.
#[derive(Debug, PartialEq, Eq)]
struct BareError<'a> {
    start: usize,
    status: StatusCode,
    /// Date and other headers, each with its line break.
    headers: &'a str,
}

/// No response of the parser is longer.
const LONGEST: usize = 256;
/// What a response without a body says first.
const EMPTY: &str = "content-length: 0\r\n";

impl<'a> BareError<'a> {
    fn at_end_of(bytes: &'a [u8]) -> Option<Self> {
        if !bytes.ends_with(b"\r\n\r\n") {
            return None;
        }
        // Only the beginning of the tail can lie within a character.
        let from = bytes.len().saturating_sub(LONGEST);
        let start = from + bytes[from..].windows(7).rposition(|window| window == b"HTTP/1.")?;
        let head = std::str::from_utf8(&bytes[start..]).ok()?.strip_suffix("\r\n")?;
        let (line, headers) = head.split_once("\r\n")?;
        let status = StatusCode::from_bytes(line.split(' ').nth(1)?.as_bytes()).ok()?;
        let headers = headers.strip_prefix(EMPTY)?;
        text(status).map(|_| Self { start, status, headers })
    }

    /// The problem document in its place, with the headers of every problem.
    fn explained(&self) -> Bytes {
        let Some((code, detail)) = text(self.status) else { return Bytes::new() };
        metrics::counter!("telar_unreadable_requests_total", "status" => self.status.as_str().to_owned())
            .increment(1);
        let body = ApiError::new(self.status, code, detail).to_json();
        let reason = self.status.canonical_reason().unwrap_or_default();
        let mut response = format!(
            "HTTP/1.1 {} {reason}\r\ncontent-length: {}\r\ncontent-type: application/problem+json\r\ncontent-language: en\r\n\
             cache-control: no-store\r\nx-content-type-options: nosniff\r\n{}",
            self.status.as_str(),
            body.len(),
            self.headers,
        );
        if !self.headers.contains("connection: ") {
            response.push_str("connection: close\r\n");
        }
        response.push_str("\r\n");
        [response.as_bytes(), &body].concat().into()
    }
}

/// What the parser wants to say.
fn text(status: StatusCode) -> Option<(&'static str, Text)> {
    match status {
        StatusCode::BAD_REQUEST => Some((
            "unreadable_request",
            Text::new(
                "This is not a valid HTTP request; check its first line, its headers and the framing of its body.",
                "Esta no es una petición HTTP válida; revisa la primera línea, las cabeceras y la delimitación del cuerpo.",
            ),
        )),
        StatusCode::REQUEST_TIMEOUT => Some((
            "request_timeout",
            Text::new(
                "The head of the request did not arrive in time; send it at once.",
                "La cabecera de la petición no llegó a tiempo; envíala de una vez.",
            ),
        )),
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => Some((
            "headers_too_large",
            Text::new(
                "The head of the request is too large; send fewer or shorter headers.",
                "La cabecera de la petición es demasiado grande; envía menos cabeceras o más cortas.",
            ),
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const BARE: &str = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\ndate: Tue, 17 Nov 2026 22:00:00 GMT\r\n\r\n";

    const PATIENCE: Patience =
        Patience { head: Duration::from_secs(10), idle: Duration::from_secs(75) };

    async fn sent(chunks: &[&str]) -> String {
        let (ours, mut theirs) = tokio::io::duplex(64);
        let reading = tokio::spawn(async move {
            let mut text = String::new();
            theirs.read_to_string(&mut text).await.expect("text");
            text
        });
        let mut wire = Wire::new(ours, PATIENCE);
        for chunk in chunks {
            wire.write_all(chunk.as_bytes()).await.expect("written");
            wire.flush().await.expect("flushed");
        }
        wire.shutdown().await.expect("shut down");
        drop(wire);
        reading.await.expect("read")
    }

    #[actix_web::test]
    async fn a_bare_error_becomes_a_problem_document() {
        let text = sent(&[BARE]).await;
        let (head, body) = text.split_once("\r\n\r\n").expect("a response");
        assert!(head.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{head}");
        for header in [
            "content-type: application/problem+json",
            "content-language: en",
            "cache-control: no-store",
            "x-content-type-options: nosniff",
            "connection: close",
            "date: Tue, 17 Nov 2026 22:00:00 GMT",
        ] {
            assert!(head.lines().any(|line| line == header), "{header} is missing in {head}");
        }
        assert!(head.contains(&format!("content-length: {}\r\n", body.len())));
        let problem: serde_json::Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(problem["code"], "unreadable_request");
        assert_eq!(problem["status"], 400);
    }

    #[actix_web::test]
    async fn earlier_responses_on_the_same_connection_are_kept() {
        let earlier = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
        let text = sent(&[&format!("{earlier}{BARE}")]).await;
        let rest = text.strip_prefix(earlier).expect("the earlier response comes first");
        assert!(rest.starts_with("HTTP/1.1 400 Bad Request\r\n"));
        assert!(rest.ends_with('}'));
    }

    /// What a connection answers to these bytes, which arrive in pieces of this size; nothing if it reads them all.
    async fn refused(bytes: &[u8], piece: usize) -> Option<String> {
        let (ours, mut theirs) = tokio::io::duplex(piece);
        let mut wire = Wire::new(ours, PATIENCE);
        let reading = tokio::spawn(async move {
            let mut buffer = Vec::with_capacity(200_000);
            loop {
                match wire.read_buf(&mut buffer).await {
                    Ok(0) => return false,
                    Ok(_) => {}
                    Err(_) => return true,
                }
            }
        });
        let (mut incoming, mut outgoing) = tokio::io::split(&mut theirs);
        let (answer, _) = tokio::join!(
            async {
                let mut answer = String::new();
                let _ = incoming.read_to_string(&mut answer).await;
                answer
            },
            async {
                let _ = outgoing.write_all(bytes).await;
                outgoing.shutdown().await
            }
        );
        reading.await.expect("it does not panic").then_some(answer)
    }

    #[actix_web::test]
    async fn a_name_that_the_parser_cannot_read_is_refused() {
        let request = |name: usize| format!("GET / HTTP/1.1\r\n{}: 1\r\n\r\n", "n".repeat(name));
        for piece in [1_000, 65_536, 200_000] {
            assert_eq!(refused(request(LONGEST_NAME).as_bytes(), piece).await, None);
            let answer = refused(request(LONGEST_NAME + 1).as_bytes(), piece).await;
            let answer = answer.expect("it is refused");
            assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
            assert!(answer.contains("headers_too_large"), "{answer}");
        }
        let value = format!("GET / HTTP/1.1\r\nn: {}\r\n\r\n", "v ".repeat(60_000));
        assert_eq!(refused(value.as_bytes(), 1_000).await, None);
        let body = format!("POST / HTTP/1.1\r\nn: 1\r\n\r\n{}", "b".repeat(LONGEST_NAME + 1));
        assert_eq!(refused(body.as_bytes(), 1_000).await, None, "a body is not a name");
        let chunk = format!("POST / HTTP/1.1\r\nn: 1\r\n\r\n11000\r\n{}\r\n", "b".repeat(0x11000));
        assert_eq!(refused(chunk.as_bytes(), 1_000).await, None, "nor is a chunk of one");
    }

    #[actix_web::test]
    async fn everything_else_passes_unchanged() {
        for text in [
            "HTTP/1.1 204 No Content\r\ndate: Tue, 17 Nov 2026 22:00:00 GMT\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 17\r\n\r\n{\"code\":\"broken\"}",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "7\r\nHTTP/1.\r\n0\r\n\r\n",
            "HTTP/1.x\r\n\r\n",
            "",
        ] {
            assert_eq!(sent(&[text]).await, text);
        }
        let long = format!("{}\r\n\r\n", "ñ".repeat(1_000));
        assert_eq!(sent(&[&long, &long]).await, format!("{long}{long}"));
    }
}
