//! Another replica as this one sees it: asked over a link, if there is one and it is not silent.

use std::{
    collections::HashMap,
    io,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use tokio::{
    sync::{mpsc, oneshot},
    time::{self, MissedTickBehavior},
};
use uuid::Uuid;

use super::{
    Handler, KEEP_ALIVE, LARGEST, SILENCE,
    frame::{Frame, HEAD},
    seal::Link,
    send,
};

/// How long to wait for an answer. It waits for the store in turn, so this is far more than it usually takes.
const PATIENCE: Duration = Duration::from_secs(1);
/// For how long a peer that did not answer is not asked; twice as long each time, up to a point.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// How many requests may wait to be sent.
const QUEUE: usize = 8_192;
/// A record is sent when it has become this long.
const FULL: usize = 64 * 1024;

/// Another replica.
#[derive(Debug)]
pub struct Peer {
    id: Uuid,
    state: Mutex<State>,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    /// The peer cannot be asked now, and was not.
    Unasked,
    /// Whether the peer got the request is unknown. It may still act on it later.
    Unanswered,
}

#[derive(Debug, Default)]
struct State {
    /// There while the link is up.
    queue: Option<mpsc::Sender<Ask>>,
    /// After a request without an answer: when to try again, and how long to wait if that fails.
    paused: Option<Paused>,
}

#[derive(Debug, Clone, Copy)]
struct Paused {
    until: Instant,
    next: Duration,
}

/// A request that waits for its answer.
#[derive(Debug)]
struct Ask {
    body: Vec<u8>,
    answer: oneshot::Sender<Vec<u8>>,
}

impl Peer {
    pub(super) fn new(id: Uuid) -> Self {
        Self { id, state: Mutex::default() }
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> Uuid {
        self.id
    }

    /// Whether the link is up.
    #[must_use]
    pub fn is_linked(&self) -> bool {
        self.state.lock().queue.is_some()
    }

    /// Asks the peer.
    pub async fn ask(&self, body: Vec<u8>) -> Result<Vec<u8>, NoAnswer> {
        if body.len() > LARGEST {
            return Err(NoAnswer::Unasked);
        }
        let queue = self.admit(Instant::now()).ok_or(NoAnswer::Unasked)?;
        let (answer, answered) = oneshot::channel();
        queue.try_send(Ask { body, answer }).map_err(|_| NoAnswer::Unasked)?;
        match time::timeout(PATIENCE, answered).await {
            Ok(Ok(answer)) => {
                self.succeeded();
                Ok(answer)
            }
            // The link broke down, and is no longer there for others.
            Ok(Err(_)) => Err(NoAnswer::Unanswered),
            Err(_) => {
                self.pause(Instant::now());
                Err(NoAnswer::Unanswered)
            }
        }
    }

    /// Does not ask this peer for a while: it cannot do what it is asked.
    pub fn failed(&self) {
        self.pause(Instant::now());
    }

    /// The queue, if the peer may be asked. After a pause one request goes first, and the others only if it is answered.
    fn admit(&self, now: Instant) -> Option<mpsc::Sender<Ask>> {
        let mut state = self.state.lock();
        if let Some(paused) = &mut state.paused {
            if now < paused.until {
                return None;
            }
            paused.until = now + PATIENCE;
        }
        state.queue.clone()
    }

    fn succeeded(&self) {
        let mut state = self.state.lock();
        if state.paused.take().is_some() {
            tracing::info!(peer = %self.id, "another replica answers again");
        }
    }

    fn pause(&self, now: Instant) {
        let mut state = self.state.lock();
        let length = match state.paused {
            None => {
                tracing::warn!(peer = %self.id, "another replica does not answer; going on without it for a while");
                FIRST_PAUSE
            }
            // Requests that were sent before the pause do not prolong it.
            Some(paused) if now < paused.until => return,
            Some(paused) => paused.next,
        };
        let next = (length * 2).min(LONGEST_PAUSE);
        state.paused = Some(Paused { until: now + length, next });
    }

    /// Sends requests and hands out answers, until the link breaks down.
    pub(super) async fn run(&self, link: Link, handler: &dyn Handler) -> io::Result<()> {
        let (queue, waiting) = mpsc::channel(QUEUE);
        self.state.lock().queue = Some(queue);
        let _up = Up(self);
        converse(link, waiting, handler).await
    }
}

/// The link is up until this is dropped.
struct Up<'a>(&'a Peer);

impl Drop for Up<'_> {
    fn drop(&mut self) {
        self.0.state.lock().queue = None;
    }
}

async fn converse(
    link: Link,
    mut waiting: mpsc::Receiver<Ask>,
    handler: &dyn Handler,
) -> io::Result<()> {
    let Link { peer, mut reader, mut writer } = link;
    let mut unanswered: HashMap<u64, oneshot::Sender<Vec<u8>>> = HashMap::new();
    let mut number = 0;
    let mut record = Vec::new();
    let mut keep_alive = time::interval(KEEP_ALIVE);
    keep_alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    loop {
        tokio::select! {
            biased;
            ask = waiting.recv(), if record.len() < FULL => {
                let Some(Ask { body, answer }) = ask else { return Ok(()) };
                // The task that asked may have given up already.
                if !answer.is_closed() {
                    number += 1;
                    Frame::Request(number, &body).append_to(&mut record);
                    unanswered.insert(number, answer);
                }
            }
            // Everything that waited is in the record.
            () = std::future::ready(()), if !record.is_empty() => {
                send(&mut writer, &record).await?;
                record.clear();
            }
            heard_now = reader.next() => {
                heard = Instant::now();
                for frame in Frame::all(&heard_now?) {
                    match frame {
                        Some(Frame::Answer(number, body)) => {
                            if let Some(answer) = unanswered.remove(&number) {
                                let _ = answer.send(body.to_vec());
                            }
                        }
                        Some(Frame::News(body)) => handler.hear(peer, body),
                        Some(Frame::Request(..)) | None => return Err(io::ErrorKind::InvalidData.into()),
                    }
                }
            }
            _ = keep_alive.tick() => {
                if heard.elapsed() > SILENCE {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                unanswered.retain(|_, answer| !answer.is_closed());
                send(&mut writer, &[]).await?;
            }
        }
    }
}

const _: () = assert!(FULL + HEAD + LARGEST < super::seal::RECORD);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_peer_is_asked_again_by_one_request_after_a_pause() {
        let peer = Peer::new(Uuid::nil());
        let (queue, _waiting) = mpsc::channel(1);
        peer.state.lock().queue = Some(queue);
        let start = Instant::now();
        let may_ask = |after: Duration| peer.admit(start + after).is_some();
        assert!(may_ask(Duration::ZERO));
        peer.pause(start);
        assert!(!may_ask(FIRST_PAUSE / 2));
        assert!(may_ask(FIRST_PAUSE), "one tries it");
        assert!(!may_ask(FIRST_PAUSE), "the others do not");
        peer.pause(start + FIRST_PAUSE + PATIENCE);
        assert!(!may_ask(FIRST_PAUSE + PATIENCE + FIRST_PAUSE));
        assert!(may_ask(FIRST_PAUSE + PATIENCE + FIRST_PAUSE * 2));
        peer.succeeded();
        assert!(may_ask(Duration::ZERO) && may_ask(Duration::ZERO));
    }
}
