//! Who has a turn and who waits for one. Addresses take turns, however much each of them asks for.

use std::{
    collections::{HashMap, VecDeque},
    net::IpAddr,
};

use super::{BulkheadLimits, Busy};

/// The state of a bulkhead. `W` is what wakes somebody who waits.
#[derive(Debug)]
pub(super) struct Queue<W> {
    limits: BulkheadLimits,
    running: usize,
    waiting: usize,
    clients: HashMap<IpAddr, Client<W>>,
    /// The addresses that wait, in the order in which they are next.
    order: VecDeque<IpAddr>,
}

#[derive(Debug)]
struct Client<W> {
    running: usize,
    waiting: VecDeque<W>,
}

impl<W> Queue<W> {
    pub(super) fn new(limits: BulkheadLimits) -> Self {
        let (clients, order) = (HashMap::new(), VecDeque::new());
        Self { limits, running: 0, waiting: 0, clients, order }
    }

    /// Begins a turn at once, if one is free. Nobody is overtaken: as long as a turn is free, nobody waits who may have it.
    pub(super) fn begin(&mut self, who: IpAddr) -> bool {
        let is_free = self.running < self.limits.at_once;
        let client = self.clients.get(&who);
        if !is_free || client.is_some_and(|client| client.running >= self.limits.each) {
            return false;
        }
        self.client(who).running += 1;
        self.running += 1;
        true
    }

    /// Waits for a turn. `is_gone` says who has given up since.
    pub(super) fn wait(
        &mut self,
        who: IpAddr,
        waiter: W,
        is_gone: impl Fn(&W) -> bool,
    ) -> Result<(), Busy> {
        let BulkheadLimits { queue, queue_each, .. } = self.limits;
        if self.waiting >= queue {
            for client in self.clients.values_mut() {
                self.waiting -= forget(&mut client.waiting, &is_gone);
            }
        }
        let client = self.clients.entry(who).or_insert_with(Client::new);
        if client.waiting.len() >= queue_each {
            self.waiting -= forget(&mut client.waiting, &is_gone);
        }
        if client.waiting.len() >= queue_each {
            return Err(Busy::Client);
        }
        if self.waiting >= queue {
            self.tidy(who);
            return Err(Busy::Server);
        }
        if client.waiting.is_empty() && !self.order.contains(&who) {
            self.order.push_back(who);
        }
        client.waiting.push_back(waiter);
        self.waiting += 1;
        Ok(())
    }

    /// Ends a turn.
    pub(super) fn end(&mut self, who: IpAddr) {
        self.running -= 1;
        self.client(who).running -= 1;
        self.tidy(who);
    }

    /// Begins the turn of the one who is next, if one is free.
    pub(super) fn next(&mut self, is_gone: impl Fn(&W) -> bool) -> Option<(IpAddr, W)> {
        if self.running >= self.limits.at_once {
            return None;
        }
        for _ in 0..self.order.len() {
            let who = self.order.pop_front()?;
            let Some(client) = self.clients.get_mut(&who) else { continue };
            if client.running >= self.limits.each {
                self.order.push_back(who);
                continue;
            }
            self.waiting -= forget(&mut client.waiting, &is_gone);
            let waiter = client.waiting.pop_front();
            if !client.waiting.is_empty() {
                self.order.push_back(who);
            }
            if let Some(waiter) = waiter {
                client.running += 1;
                self.running += 1;
                self.waiting -= 1;
                return Some((who, waiter));
            }
            self.tidy(who);
        }
        None
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    fn client(&mut self, who: IpAddr) -> &mut Client<W> {
        self.clients.entry(who).or_insert_with(Client::new)
    }

    /// Forgets an address that has no turn and waits for none.
    fn tidy(&mut self, who: IpAddr) {
        if self.clients.get(&who).is_some_and(|it| it.running == 0 && it.waiting.is_empty()) {
            self.clients.remove(&who);
        }
    }
}

impl<W> Client<W> {
    const fn new() -> Self {
        Self { running: 0, waiting: VecDeque::new() }
    }
}

/// Removes those who have given up, and returns how many they were.
fn forget<W>(waiting: &mut VecDeque<W>, is_gone: impl Fn(&W) -> bool) -> usize {
    let before = waiting.len();
    waiting.retain(|waiter| !is_gone(waiter));
    before - waiting.len()
}

#[cfg(test)]
mod tests {
    use std::{net::Ipv4Addr, time::Duration};

    use super::*;

    const LIMITS: BulkheadLimits = BulkheadLimits {
        at_once: 2,
        each: 1,
        queue: 5,
        queue_each: 3,
        patience: Duration::from_secs(1),
    };

    fn address(number: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(192, 0, 2, number))
    }

    /// Somebody who waits; negative numbers have given up.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the queue asks by reference")]
    fn is_gone(waiter: &i32) -> bool {
        *waiter < 0
    }

    #[test]
    fn an_address_with_much_to_do_leaves_a_turn_to_others_and_waits_its_turn() {
        let (greedy, patient) = (address(1), address(2));
        let mut queue = Queue::new(LIMITS);
        assert!(queue.begin(greedy));
        assert!(!queue.begin(greedy), "one turn each");
        for waiter in 10..13 {
            queue.wait(greedy, waiter, is_gone).unwrap();
        }
        assert_eq!(queue.wait(greedy, 13, is_gone), Err(Busy::Client));
        assert_eq!(queue.next(is_gone), None, "the free turn is for others");
        assert!(queue.begin(patient));
        queue.wait(patient, 20, is_gone).unwrap();
        queue.wait(address(3), 30, is_gone).unwrap();
        assert_eq!(queue.wait(address(4), 40, is_gone), Err(Busy::Server));
        queue.end(patient);
        assert_eq!(queue.next(is_gone), Some((patient, 20)));
        queue.end(greedy);
        assert_eq!(queue.next(is_gone), Some((address(3), 30)), "waited before 11 and 12");
        queue.end(patient);
        assert_eq!(queue.next(is_gone), Some((greedy, 10)));
        queue.end(address(3));
        queue.end(greedy);
        assert_eq!(queue.next(is_gone), Some((greedy, 11)));
        assert_eq!(queue.next(is_gone), None);
        assert_eq!(queue.waiting(), 1);
    }

    #[test]
    fn those_who_have_given_up_are_skipped_and_forgotten() {
        let mut queue = Queue::new(LIMITS);
        assert!(queue.begin(address(1)) && queue.begin(address(2)));
        for waiter in [-1, -2, 3] {
            queue.wait(address(1), waiter, is_gone).unwrap();
        }
        queue.wait(address(1), 4, is_gone).expect("the first two make room");
        queue.wait(address(3), -5, is_gone).unwrap();
        queue.end(address(1));
        assert_eq!(queue.next(is_gone), Some((address(1), 3)));
        queue.end(address(2));
        assert_eq!(queue.next(is_gone), None, "only one who has given up is left");
        queue.end(address(1));
        assert_eq!(queue.next(is_gone), Some((address(1), 4)));
        queue.end(address(1));
        assert_eq!(queue.waiting(), 0);
        assert!(queue.clients.is_empty(), "nothing is remembered: {queue:?}");
        assert!(queue.order.is_empty());
    }
}
