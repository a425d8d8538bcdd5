//! The replicas that run, and which of them is the home of which feed.

use std::{cmp::Ordering, sync::Arc};

use uuid::Uuid;

use super::Peer;

/// The replicas that run, as far as one of them knows.
#[derive(Debug)]
pub(super) struct Members {
    here: Uuid,
    /// The oldest first, as their ids say.
    others: Vec<Arc<Peer>>,
}

impl Members {
    pub(super) const fn alone(here: Uuid) -> Self {
        Self { here, others: Vec::new() }
    }

    pub(super) fn new(here: Uuid, mut others: Vec<Arc<Peer>>) -> Self {
        others.sort_unstable_by_key(|peer| peer.id());
        Self { here, others }
    }

    pub(super) fn peers(&self) -> impl Iterator<Item = &Arc<Peer>> {
        self.others.iter()
    }

    /// How many links are up.
    pub(super) fn linked(&self) -> usize {
        self.others.iter().filter(|peer| peer.is_linked()).count()
    }

    /// The home of a feed, if it is another replica. Feeds take turns among the replicas, beginning with the one that has run for
    /// longest. So the home of a single feed changes only when it goes.
    pub(super) fn home(&self, feed: usize) -> Option<&Arc<Peer>> {
        let older = self.others.partition_point(|peer| peer.id() < self.here);
        let home = feed % (self.others.len() + 1);
        match home.cmp(&older) {
            Ordering::Less => Some(&self.others[home]),
            Ordering::Equal => None,
            Ordering::Greater => Some(&self.others[home - 1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(here: u128, others: &[u128]) -> Members {
        let others = others.iter().map(|id| Arc::new(Peer::new(Uuid::from_u128(*id))));
        Members::new(Uuid::from_u128(here), others.collect())
    }

    /// What each of the replicas takes for the home of a feed.
    fn homes(feed: usize, replicas: &[u128]) -> Vec<u128> {
        let home = |here: &u128| {
            let others: Vec<u128> = replicas.iter().copied().filter(|id| id != here).collect();
            members(*here, &others).home(feed).map_or(*here, |peer| peer.id().as_u128())
        };
        replicas.iter().map(home).collect()
    }

    #[test]
    fn replicas_agree_on_a_home_that_stays_while_others_come_and_go() {
        for replicas in [[1].as_slice(), &[2, 1], &[3, 1, 2], &[1, 2, 3, 4]] {
            assert_eq!(homes(0, replicas), vec![1; replicas.len()]);
        }
        assert_eq!(homes(0, &[3, 2]), [2, 2], "the oldest has gone");
    }

    #[test]
    fn feeds_are_spread_over_all_replicas() {
        for (feed, home) in [(0, 1), (1, 2), (2, 3), (3, 1), (64, 2)] {
            assert_eq!(homes(feed, &[2, 3, 1]), [home; 3], "{feed}");
        }
    }
}
