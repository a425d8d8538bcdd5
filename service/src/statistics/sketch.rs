//! Sketches: an estimate of how many different players there are, in bounded memory. A sketch keeps the smallest hashes of
//! their ids, and sketches can be merged.

use uuid::Uuid;

/// How many hashes are kept. Fewer players are counted exactly; for more, the standard error is 3 %.
const CAPACITY: usize = 1_024;

/// A set of players that can only be counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sketch(Vec<u64>);

impl Sketch {
    /// Adds a player.
    pub fn add(&mut self, player: Uuid) {
        let hash = hash(player);
        if let Err(index) = self.0.binary_search(&hash)
            && index < CAPACITY
        {
            self.0.insert(index, hash);
            self.0.truncate(CAPACITY);
        }
    }

    /// Adds the players of another sketch.
    pub fn merge(&mut self, other: &Self) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
            return;
        }
        self.0.extend_from_slice(&other.0);
        self.0.sort_unstable();
        self.0.dedup();
        self.0.truncate(CAPACITY);
    }

    /// The number of players: exact below 1,024, an estimate above.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    pub fn count(&self) -> u64 {
        match self.0.last() {
            Some(largest) if self.0.len() == CAPACITY => {
                let share = (*largest as f64 + 1.0) / (u64::MAX as f64);
                ((CAPACITY - 1) as f64 / share).round() as u64
            }
            _ => self.0.len() as u64,
        }
    }

    /// The sketch as it is stored.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|hash| hash.to_be_bytes()).collect()
    }

    /// The sketch from its stored form; nothing if the bytes are not one.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (hashes, rest) = bytes.as_chunks::<8>();
        let hashes = hashes.iter().map(|hash| u64::from_be_bytes(*hash)).collect();
        rest.is_empty().then_some(Self(hashes))
    }
}

/// Spreads ids evenly.
fn hash(player: Uuid) -> u64 {
    let (high, low) = player.as_u64_pair();
    mix(mix(high) ^ low)
}

/// The finaliser of `SplitMix64`.
const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(players: std::ops::Range<u128>) -> Sketch {
        let mut set = Sketch::default();
        players.for_each(|player| set.add(Uuid::from_u128(player)));
        set
    }

    #[test]
    fn few_players_are_counted_exactly_and_many_nearly() {
        assert_eq!(set(0..1_000).count(), 1_000);
        for many in [5_000_u64, 50_000, 200_000] {
            let counted = set(0..many.into()).count();
            assert!(counted.abs_diff(many) < many / 10, "{counted} of {many}");
        }
    }

    #[test]
    fn merged_sets_count_everybody_once() {
        let mut merged = set(0..600);
        merged.merge(&set(300..900));
        assert_eq!(merged, set(0..900));
        let mut large = set(0..3_000);
        large.merge(&set(1_000..4_000));
        assert_eq!(large, set(0..4_000));
        assert_eq!(Sketch::from_bytes(&large.to_bytes()).as_ref(), Some(&large));
    }
}
