//! Calls for bots: the matches in which a bot has to move. They are hints: what is lost is found again by its deadline.

use std::collections::{HashSet, VecDeque};

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
    /// Those in the queue, and those that are being answered.
    known: HashSet<Uuid>,
}

impl BotCalls {
    /// Calls for the bots of a match. Nothing changes if they have been called already.
    pub fn call(&self, id: Uuid) {
        let mut calls = self.calls.lock();
        if calls.order.len() < MOST && calls.known.insert(id) {
            calls.order.push_back(id);
            drop(calls);
            self.called.notify_one();
        }
    }

    /// Waits for the next call. It counts as being answered until [`Self::answered`]. There should be one task that waits.
    pub async fn next(&self) -> Uuid {
        loop {
            let called = self.called.notified();
            if let Some(id) = self.calls.lock().order.pop_front() {
                return id;
            }
            called.await;
        }
    }

    /// Notes that a call has been answered, so that the bots of the match can be called again.
    pub fn answered(&self, id: Uuid) {
        self.calls.lock().known.remove(&id);
    }

    /// How many wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.calls.lock().order.len()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_match_is_called_for_once_until_it_is_answered() {
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
        calls.call(one);
        assert_eq!(calls.next().now_or_never(), Some(one));
    }
}
