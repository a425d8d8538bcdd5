//! Calls for bots: the matches in which a bot has to move. They are hints: what is lost is found again by its deadline.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;
use tokio::sync::Notify;
use uuid::Uuid;

/// The most matches that wait here. Further ones are found by their deadlines.
const MOST: usize = 10_000;

/// The matches in which bots have to move, the first call first.
#[derive(Debug, Default)]
pub struct BotCalls {
    calls: Mutex<Calls>,
    called: Notify,
}

#[derive(Debug, Default)]
struct Calls {
    order: VecDeque<Uuid>,
    known: HashMap<Uuid, Stage>,
}

/// How far a call has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It is in the queue.
    Waiting,
    /// It is being answered.
    Answering,
    /// It came again while it was being answered: the answer may have seen an older position.
    CalledAgain,
}

impl BotCalls {
    /// Calls for the bots of a match. Nothing changes if they have been called already.
    pub fn call(&self, id: Uuid) {
        let mut calls = self.calls.lock();
        match calls.known.get_mut(&id) {
            Some(Stage::Waiting) => {}
            Some(stage) => *stage = Stage::CalledAgain,
            None => self.enqueue(&mut calls, id),
        }
    }

    fn enqueue(&self, calls: &mut Calls, id: Uuid) {
        if calls.order.len() < MOST {
            calls.known.insert(id, Stage::Waiting);
            calls.order.push_back(id);
            self.called.notify_one();
        }
    }

    /// Waits for the next call. It counts as being answered until [`Self::answered`]. There should be one task that waits.
    pub async fn next(&self) -> Uuid {
        loop {
            let called = self.called.notified();
            if let Some(id) = self.calls.lock().begin() {
                return id;
            }
            called.await;
        }
    }

    /// Notes that a call has been answered. If the bots were called again in the meantime, the match is back in the queue.
    pub fn answered(&self, id: Uuid) {
        let mut calls = self.calls.lock();
        if calls.known.remove(&id) == Some(Stage::CalledAgain) {
            self.enqueue(&mut calls, id);
        }
    }

    /// How many wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.calls.lock().order.len()
    }
}

impl Calls {
    /// Takes the first match out of the queue, to be answered.
    fn begin(&mut self) -> Option<Uuid> {
        let id = self.order.pop_front()?;
        self.known.insert(id, Stage::Answering);
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_match_is_called_for_once_and_again_if_that_came_during_the_answer() {
        let calls = BotCalls::default();
        let [one, two] = [1, 2].map(Uuid::from_u128);
        for id in [one, two, one] {
            calls.call(id);
        }
        assert_eq!(calls.next().now_or_never(), Some(one));
        calls.call(one);
        assert_eq!(calls.next().now_or_never(), Some(two));
        assert_eq!(calls.next().now_or_never(), None, "one is being answered");
        calls.answered(one);
        assert_eq!(calls.next().now_or_never(), Some(one));
        calls.answered(one);
        assert_eq!(calls.next().now_or_never(), None, "nobody has called since");
        calls.call(one);
        assert_eq!(calls.next().now_or_never(), Some(one));
    }
}
