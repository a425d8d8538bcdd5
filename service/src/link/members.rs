//! The replicas that run, and which of them something belongs to.

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

    /// The other replica that something belongs to; nothing if it belongs to this one. Every replica has a weight for everything,
    /// and the heaviest has it. So if one comes or goes, nothing moves between the others.
    pub(super) fn home_of(&self, id: Uuid) -> Option<&Arc<Peer>> {
        let weight = |replica: Uuid| (mix(id, replica), replica);
        let here = weight(self.here);
        let others = self.others.iter().map(|peer| (weight(peer.id()), peer));
        let (heaviest, peer) = others.max_by_key(|(weight, _)| *weight)?;
        (heaviest > here).then_some(peer)
    }
}

/// A number that looks random and is the same on every replica.
fn mix(id: Uuid, replica: Uuid) -> u64 {
    let mut mixed = 0;
    for half in [id.as_u64_pair(), replica.as_u64_pair()].map(|(high, low)| [high, low]).concat() {
        // The finaliser of SplitMix64.
        mixed ^= half;
        mixed = mixed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
    }
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(here: usize, ids: &[Uuid]) -> Members {
        let others = ids.iter().filter(|id| **id != ids[here]);
        Members::new(ids[here], others.map(|id| Arc::new(Peer::new(*id))).collect())
    }

    fn home(members: &Members, id: Uuid) -> Uuid {
        members.home_of(id).map_or(members.here, |peer| peer.id())
    }

    #[test]
    fn replicas_agree_share_evenly_and_move_only_what_they_must() {
        let ids: Vec<Uuid> = (1..=3).map(|n| Uuid::from_u128(n << 80 | 7)).collect();
        let three: Vec<Members> = (0..3).map(|here| members(here, &ids)).collect();
        let two = members(0, &ids[..2]);
        let mut counts = [0; 3];
        for number in 0..3_000_u128 {
            let id = Uuid::from_u128(0x0190_0000_0000 << 80 | number);
            let homes: Vec<Uuid> = three.iter().map(|members| home(members, id)).collect();
            assert!(homes.iter().all(|home| *home == homes[0]));
            counts[ids.iter().position(|replica| *replica == homes[0]).unwrap()] += 1;
            assert!(homes[0] == ids[2] || home(&two, id) == homes[0]);
        }
        assert!(counts.iter().all(|count| (900..1_100).contains(count)), "{counts:?}");
        let alone = Members::alone(ids[0]);
        assert!(alone.home_of(Uuid::nil()).is_none());
    }
}
