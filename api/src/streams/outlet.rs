//! How messages reach the client: framed as SSE or NDJSON, through a bounded queue.

use std::{
    convert::Infallible,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use actix_web::{HttpResponse, http::header, web::Bytes};
use futures_util::{FutureExt, Stream, future::BoxFuture};
use parking_lot::Mutex;
use serde::Serialize;
use tokio::{sync::mpsc, time::Instant};

use service::tasks::Shutdown;

use crate::documents::EndReason;

/// The most messages that may wait for a client.
const QUEUE: usize = 64;
/// How long a client may leave its queue full.
const PATIENCE: Duration = Duration::from_secs(20);
/// The time after which a silent stream sends a keep-alive.
pub const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How messages are framed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// `text/event-stream`
    Sse,
    /// `application/x-ndjson`
    Ndjson,
}

impl Framing {
    /// The media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Sse => "text/event-stream",
            Self::Ndjson => "application/x-ndjson",
        }
    }

    fn frame(self, message: &Message) -> Bytes {
        let Message { kind, id, json } = message;
        match (self, id) {
            // Compact JSON contains no line breaks: in strings they are escaped.
            (Self::Sse, Some(id)) => format!("id: {id}\nevent: {kind}\ndata: {json}\n\n").into(),
            (Self::Sse, None) => format!("event: {kind}\ndata: {json}\n\n").into(),
            (Self::Ndjson, _) => format!("{json}\n").into(),
        }
    }

    fn keep_alive(self) -> Bytes {
        Bytes::from_static(match self {
            Self::Sse => b": keep-alive\n\n",
            Self::Ndjson => b"\n",
        })
    }
}

/// A message of a stream.
#[derive(Debug, Clone)]
pub struct Message {
    kind: &'static str,
    id: Option<String>,
    json: String,
}

impl Message {
    /// A message of a type, with the id to resume after it.
    #[must_use]
    pub fn new(kind: &'static str, id: Option<String>, body: &impl Serialize) -> Self {
        Self { kind, id, json: serde_json::to_string(body).expect("messages are plain data") }
    }
}

/// Where a stream writes its messages.
pub struct Outlet {
    framing: Framing,
    queue: mpsc::Sender<Bytes>,
    last: Arc<Mutex<Option<Bytes>>>,
    closing: Shutdown,
    /// Never locked: the mutex only makes the outlet `Sync`, which spawned tasks require.
    expiry: Mutex<BoxFuture<'static, EndReason>>,
    last_sent: Instant,
    patience: Duration,
}

/// Why a stream is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// The client has closed the connection.
    Client,
    /// The stream ends with a last message.
    Because(EndReason),
}

impl Outlet {
    /// An outlet, and the response that sends what is written to it. The stream ends when the server shuts down or its token
    /// expires.
    #[must_use]
    pub fn open(
        framing: Framing,
        closing: Shutdown,
        expiry: impl Future<Output = EndReason> + Send + 'static,
    ) -> (Self, HttpResponse) {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let last = Arc::default();
        let body =
            StreamBody { framing, waiting, last: Arc::clone(&last), silent: false, probe: None };
        let response = HttpResponse::Ok()
            .insert_header((header::CONTENT_TYPE, framing.media_type()))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            // Compression would delay messages.
            .insert_header((header::CONTENT_ENCODING, "identity"))
            .insert_header(("X-Accel-Buffering", "no"))
            .insert_header((header::VARY, "Accept, Authorization"))
            .streaming(body);
        let last_sent = Instant::now();
        let expiry = Mutex::new(expiry.fuse().boxed());
        let outlet = Self { framing, queue, last, closing, expiry, last_sent, patience: PATIENCE };
        (outlet, response)
    }

    /// Waits until the stream has to end, and sends keep-alives meanwhile.
    pub async fn over(&mut self) -> Gone {
        loop {
            let next = self.last_sent + KEEP_ALIVE;
            let expiry = self.expiry.get_mut();
            tokio::select! {
                biased;
                () = self.queue.closed() => return Gone::Client,
                () = self.closing.requested() => return Gone::Because(EndReason::ServerClosing),
                reason = expiry => return Gone::Because(reason),
                () = tokio::time::sleep_until(next) => {}
            }
            self.last_sent = Instant::now();
            // With a full queue, no keep-alive is needed.
            let _ = self.queue.try_send(self.framing.keep_alive());
        }
    }

    /// Queues a message.
    pub async fn send(&mut self, message: &Message) -> Result<(), Gone> {
        let bytes = self.framing.frame(message);
        self.last_sent = Instant::now();
        let Err(mpsc::error::TrySendError::Full(bytes)) = self.queue.try_send(bytes) else {
            return if self.queue.is_closed() { Err(Gone::Client) } else { Ok(()) };
        };
        let queue = self.queue.clone();
        tokio::select! {
            biased;
            sent = queue.send(bytes) => sent.map_err(|_| Gone::Client),
            () = self.closing.requested() => Err(Gone::Because(EndReason::ServerClosing)),
            () = tokio::time::sleep(self.patience) => Err(Gone::Because(EndReason::TooSlow)),
        }
    }

    /// Ends the stream with a message that bypasses the queue.
    pub fn end(self, message: &Message) {
        *self.last.lock() = Some(self.framing.frame(message));
    }
}

/// The body of the response: the messages in the queue, and finally the last message.
///
/// A closed connection is noticed only after two writes. Closing it does wake the connection, which then polls this body
/// although nothing was queued. Such a poll is answered with keep-alives, to find out whether the client is still there.
struct StreamBody {
    framing: Framing,
    waiting: mpsc::Receiver<Bytes>,
    last: Arc<Mutex<Option<Bytes>>>,
    /// Whether the last poll found nothing.
    silent: bool,
    /// When to write the second keep-alive.
    probe: Option<Pin<Box<tokio::time::Sleep>>>,
}

/// The time between the two keep-alives.
const PROBE_INTERVAL: Duration = Duration::from_millis(200);

impl Stream for StreamBody {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Poll::Ready(message) = self.waiting.poll_recv(context) {
            self.silent = false;
            let last = || self.last.lock().take();
            return Poll::Ready(message.or_else(last).map(Ok));
        }
        let was_silent = std::mem::replace(&mut self.silent, true);
        let is_due = match &mut self.probe {
            Some(probe) => probe.as_mut().poll(context).is_ready(),
            None if was_silent => {
                self.probe = Some(Box::pin(tokio::time::sleep(PROBE_INTERVAL)));
                self.silent = false;
                return Poll::Ready(Some(Ok(self.framing.keep_alive())));
            }
            None => false,
        };
        if is_due {
            self.probe = None;
            self.silent = false;
            return Poll::Ready(Some(Ok(self.framing.keep_alive())));
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;

    use service::{Clock, Tasks};

    use super::*;

    fn body(response: HttpResponse) -> impl Stream<Item = Bytes> {
        let mut body = Box::pin(response.into_body());
        futures_util::stream::poll_fn(move |context| {
            actix_web::body::MessageBody::poll_next(body.as_mut(), context)
        })
        .map(|chunk| chunk.expect("a chunk"))
    }

    #[actix_web::test]
    async fn a_client_that_does_not_read_is_dropped_with_a_last_message() {
        let tasks = Tasks::new(Clock::system());
        let (mut outlet, response) =
            Outlet::open(Framing::Ndjson, tasks.closing(), std::future::pending());
        outlet.patience = Duration::from_millis(20);
        let mut sent = 0;
        let gone = loop {
            match outlet.send(&Message::new("event", None, &sent)).await {
                Ok(()) => sent += 1,
                Err(gone) => break gone,
            }
        };
        assert_eq!(gone, Gone::Because(EndReason::TooSlow));
        assert_eq!(sent, QUEUE);
        outlet.end(&Message::new("end", None, &"too slow"));
        let lines: Vec<Bytes> = body(response).collect().await;
        let expected: Vec<String> = (0..QUEUE)
            .map(|number| format!("{number}\n"))
            .chain(["\"too slow\"\n".to_owned()])
            .collect();
        assert_eq!(lines, expected);
    }

    #[actix_web::test]
    async fn a_stream_ends_when_the_server_shuts_down() {
        let tasks = Tasks::new(Clock::system());
        let (mut outlet, response) =
            Outlet::open(Framing::Sse, tasks.closing(), std::future::pending());
        tasks.close();
        assert_eq!(outlet.over().await, Gone::Because(EndReason::ServerClosing));
        drop(response);
        assert_eq!(outlet.over().await, Gone::Client);
    }
}
