//! Calls for bots: the matches in which a bot has to move. They are hints: what is lost is found again by its deadline.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;
use tokio::sync::Notify;
use uuid::Uuid;

/// The most matches that wait here. Further ones are found by their deadlines.
const MOST: usize = 10_000;

/// The matches in which bots have to move. Their creators take turns, however many matches each of them has.
#[derive(Debug, Default)]
pub struct BotCalls {
    calls: Mutex<Calls>,
    called: Notify,
}

#[derive(Debug, Default)]
struct Calls {
    /// The creators of matches that wait, in the order in which they are next.
    order: VecDeque<Uuid>,
    /// The matches that wait, by creator.
    waiting: HashMap<Uuid, VecDeque<Uuid>>,
    count: usize,
    /// The matches that wait or are being answered.
    known: HashMap<Uuid, Call>,
}

#[derive(Debug, Clone, Copy)]
struct Call {
    creator: Uuid,
    stage: Stage,
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
    pub fn call(&self, id: Uuid, creator: Uuid) {
        let mut calls = self.calls.lock();
        match calls.known.get_mut(&id) {
            Some(Call { stage: Stage::Waiting, .. }) => {}
            Some(call) => call.stage = Stage::CalledAgain,
            None => self.enqueue(&mut calls, id, creator),
        }
    }

    fn enqueue(&self, calls: &mut Calls, id: Uuid, creator: Uuid) {
        if calls.push(id, creator) {
            self.called.notify_one();
        }
    }

    /// Waits for the next call. It counts as being answered until [`Self::answered`]. There should be one task that waits.
    pub async fn next(&self) -> Uuid {
        loop {
            let called = self.called.notified();
            if let Some(id) = self.calls.lock().pop() {
                return id;
            }
            called.await;
        }
    }

    /// Says that a bot has moved while a call was being answered: another one may have to move now.
    pub fn moved(&self, id: Uuid) {
        if let Some(call) = self.calls.lock().known.get_mut(&id) {
            call.stage = Stage::CalledAgain;
        }
    }

    /// Notes that a call has been answered. If the bots were called again in the meantime, the match is back in the queue.
    pub fn answered(&self, id: Uuid) {
        let mut calls = self.calls.lock();
        if let Some(Call { creator, stage: Stage::CalledAgain }) = calls.known.remove(&id) {
            self.enqueue(&mut calls, id, creator);
        }
    }

    /// How many wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.calls.lock().count
    }
}

impl Calls {
    /// Puts a match into the queue of its creator, unless there are too many.
    fn push(&mut self, id: Uuid, creator: Uuid) -> bool {
        if self.count >= MOST {
            return false;
        }
        let queue = self.waiting.entry(creator).or_default();
        if queue.is_empty() {
            self.order.push_back(creator);
        }
        queue.push_back(id);
        self.count += 1;
        self.known.insert(id, Call { creator, stage: Stage::Waiting });
        true
    }

    /// Takes the next match out of the queue, to be answered.
    fn pop(&mut self) -> Option<Uuid> {
        let creator = self.order.pop_front()?;
        let queue = self.waiting.get_mut(&creator)?;
        let id = queue.pop_front()?;
        self.count -= 1;
        if queue.is_empty() {
            self.waiting.remove(&creator);
        } else {
            self.order.push_back(creator);
        }
        self.known.insert(id, Call { creator, stage: Stage::Answering });
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const ANA: Uuid = Uuid::from_u128(100);
    const BEN: Uuid = Uuid::from_u128(101);

    #[test]
    fn a_match_is_called_for_once_and_again_if_that_came_during_the_answer() {
        let calls = BotCalls::default();
        let [one, two] = [1, 2].map(Uuid::from_u128);
        for id in [one, two, one] {
            calls.call(id, ANA);
        }
        assert_eq!(calls.next().now_or_never(), Some(one));
        calls.call(one, ANA);
        assert_eq!(calls.next().now_or_never(), Some(two));
        assert_eq!(calls.next().now_or_never(), None, "one is being answered");
        calls.answered(one);
        assert_eq!(calls.next().now_or_never(), Some(one));
        calls.answered(one);
        assert_eq!(calls.next().now_or_never(), None, "nobody has called since");
        calls.moved(two);
        calls.answered(two);
        assert_eq!(calls.next().now_or_never(), Some(two), "a bot has moved");
    }

    #[test]
    fn somebody_with_many_matches_does_not_hold_up_others() {
        let calls = BotCalls::default();
        for id in 0..100 {
            calls.call(Uuid::from_u128(id), ANA);
        }
        let other = Uuid::from_u128(500);
        calls.call(other, BEN);
        let first = [(); 3].map(|()| calls.next().now_or_never());
        assert_eq!(first, [Uuid::from_u128(0), other, Uuid::from_u128(1)].map(Some));
        assert_eq!(calls.waiting(), 98);
    }
}
