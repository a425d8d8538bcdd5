//! The replicas that run, and which of them is the home.

use std::sync::Arc;

use uuid::Uuid;

use super::Peer;

/// The replicas that run, as far as one of them knows.
#[derive(Debug)]
pub(super) struct Members {
    here: Uuid,
    others: Vec<Arc<Peer>>,
}

impl Members {
    pub(super) const fn alone(here: Uuid) -> Self {
        Self { here, others: Vec::new() }
    }

    pub(super) const fn new(here: Uuid, others: Vec<Arc<Peer>>) -> Self {
        Self { here, others }
    }

    pub(super) fn peers(&self) -> impl Iterator<Item = &Arc<Peer>> {
        self.others.iter()
    }

    /// How many links are up.
    pub(super) fn linked(&self) -> usize {
        self.others.iter().filter(|peer| peer.is_linked()).count()
    }

    /// The home, if it is another replica: the one that has run for longest, as its id says. So it changes only when the home goes.
    pub(super) fn home(&self) -> Option<&Arc<Peer>> {
        let oldest = self.others.iter().min_by_key(|peer| peer.id())?;
        (oldest.id() < self.here).then_some(oldest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(here: u128, others: &[u128]) -> Members {
        let others = others.iter().map(|id| Arc::new(Peer::new(Uuid::from_u128(*id))));
        Members::new(Uuid::from_u128(here), others.collect())
    }

    #[test]
    fn replicas_agree_on_a_home_that_stays_while_others_come_and_go() {
        let home =
            |here, others: &[u128]| members(here, others).home().map(|peer| peer.id().as_u128());
        assert_eq!(
            [home(1, &[2, 3]), home(2, &[3, 1]), home(3, &[1, 2])],
            [None, Some(1), Some(1)]
        );
        assert_eq!([home(1, &[3]), home(1, &[2, 3, 4]), home(3, &[2])], [None, None, Some(2)]);
        assert!(Members::alone(Uuid::nil()).home().is_none());
    }
}
