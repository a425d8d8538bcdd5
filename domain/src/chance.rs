//! Randomness, passed in. The keyed generator is specified in `docs/chance.md`, so that anyone can verify every die.

use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};
use sha2::{Digest, Sha256};

use crate::seat::Seat;

/// A source of random numbers.
pub trait Chance {
    /// A uniformly distributed number from 0 to `n - 1`. `n` must be at least 1.
    fn below(&mut self, n: u32) -> u32;
}

impl dyn Chance + '_ {
    /// An ordinary six-sided die.
    pub fn die(&mut self) -> u8 {
        u8::try_from(self.below(6) + 1).expect("a face from 1 to 6")
    }

    /// One of the seats of a match with `count` seats.
    pub fn seat(&mut self, count: u8) -> Seat {
        Seat::all(count).nth(self.index(count.into())).expect("an index below the number of seats")
    }

    /// An index into a list of `len` elements. `len` must be at least 1.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).expect("fewer than 2^32 elements")) as usize
    }

    /// One of the items. There must be at least one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.index(items.len())]
    }

    /// A Fisher–Yates shuffle from the last position down.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

/// The secret from which all randomness of a match is derived.
///
/// Clients never get it during play: its hash is published at creation, the seed itself when the match is over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The hash that is published when the match is created.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.0).into())
    }

    /// The key of the match: server seed, match id and the entropy of the seats, in seat order.
    #[must_use]
    pub fn match_key(&self, id: uuid::Uuid, entropy: &[Option<&str>]) -> MatchKey {
        let mut hash = Sha256::new();
        hash.update(b"telar/match-key/1");
        hash.update(self.0);
        hash.update(id.as_bytes());
        for entropy in entropy {
            let bytes = entropy.unwrap_or("").as_bytes();
            hash.update(
                u32::try_from(bytes.len()).expect("less than 4 GiB of entropy").to_be_bytes(),
            );
            hash.update(bytes);
        }
        MatchKey(hash.finalize().into())
    }

    /// A commitment to the hash of a commit, published while its contents must not be guessed: it hides the hash as long as
    /// the seed is secret.
    #[must_use]
    pub fn seal(&self, hash: &[u8; 32]) -> String {
        let mut sealed = Sha256::new();
        sealed.update(b"telar/seal/1");
        sealed.update(self.0);
        sealed.update(hash);
        hex::encode(<[u8; 32]>::from(sealed.finalize()))
    }

    /// The seed in hexadecimal, for the store and for the proof after the end.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    /// Parses the output of [`Self::to_hex`].
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let mut seed = [0; 32];
        hex::decode_to_slice(text, &mut seed).ok()?;
        Some(Self(seed))
    }
}

impl From<[u8; 32]> for Seed {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(hidden)")
    }
}

/// SHA-256 of the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Commitment([u8; 32]);

impl std::fmt::Display for Commitment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// The key of a match, from which the generator of each command is derived.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MatchKey([u8; 32]);

impl std::fmt::Debug for MatchKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MatchKey(hidden)")
    }
}

/// One random number: `value` was drawn below `n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// The bound.
    pub n: u32,
    /// The number that was drawn.
    pub value: u32,
}

/// `ChaCha20` keyed by (match key, sequence number of the command's first event).
#[derive(Debug)]
pub struct Keyed {
    stream: Stream,
    draws: Vec<Draw>,
}

/// Started lazily, so that only commands that draw pay for the key schedule.
enum Stream {
    Waiting(MatchKey, u64),
    Running(Box<ChaCha20Rng>),
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stream(hidden)")
    }
}

impl Keyed {
    /// The generator of the command whose first event has this sequence number.
    #[must_use]
    pub fn new(key: MatchKey, seq: u64) -> Self {
        Self { stream: Stream::Waiting(key, seq), draws: Vec::new() }
    }

    /// All numbers drawn so far, in order.
    #[must_use]
    pub fn into_draws(self) -> Vec<Draw> {
        self.draws
    }

    fn word(&mut self) -> u32 {
        if let Stream::Waiting(key, seq) = &self.stream {
            let mut hash = Sha256::new();
            hash.update(b"telar/command-key/1");
            hash.update(key.0);
            hash.update(seq.to_be_bytes());
            self.stream = Stream::Running(Box::new(ChaCha20Rng::from_seed(hash.finalize().into())));
        }
        match &mut self.stream {
            Stream::Running(rng) => rng.next_u32(),
            Stream::Waiting(..) => unreachable!("the stream has just been started"),
        }
    }
}

impl Chance for Keyed {
    fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "no number is below 0");
        // Words at or above the largest multiple of n are rejected, so that all values are equally likely.
        let whole = (1_u64 << 32) / u64::from(n) * u64::from(n);
        let value = loop {
            let word = self.word();
            if u64::from(word) < whole {
                break word % n;
            }
        };
        self.draws.push(Draw { n, value });
        value
    }
}

/// Numbers from a list, for tests and for known dice.
#[derive(Debug)]
pub struct Scripted(std::collections::VecDeque<u32>);

impl Scripted {
    /// These values, in order.
    pub fn new(values: impl IntoIterator<Item = u32>) -> Self {
        Self(values.into_iter().collect())
    }

    /// These faces of six-sided dice, in order.
    pub fn dice(faces: impl IntoIterator<Item = u8>) -> Self {
        Self::new(faces.into_iter().map(|face| u32::from(face) - 1))
    }

    /// The number of values that are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.0.len()
    }
}

impl Chance for Scripted {
    /// # Panics
    /// If the list has run out, or the next value is not below `n`.
    fn below(&mut self, n: u32) -> u32 {
        let value = self.0.pop_front().expect("the script of chance has run out");
        assert!(value < n, "scripted {value} is not below {n}");
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> MatchKey {
        Seed::from([1; 32]).match_key(uuid::Uuid::nil(), &[Some("ana"), None])
    }

    #[test]
    fn the_same_key_and_sequence_give_the_same_luck() {
        let roll = |seq| {
            let mut chance = Keyed::new(key(), seq);
            (0..20).map(|_| (&mut chance as &mut dyn Chance).die()).collect::<Vec<_>>()
        };
        assert_eq!(roll(3), roll(3));
        assert_ne!(roll(3), roll(4));
    }

    #[test]
    fn every_seat_can_change_the_luck() {
        let seed = Seed::from([1; 32]);
        let id = uuid::Uuid::nil();
        assert_ne!(seed.match_key(id, &[Some("a"), None]), seed.match_key(id, &[None, Some("a")]));
        assert_ne!(
            seed.match_key(id, &[Some("ab"), None]),
            seed.match_key(id, &[Some("a"), Some("b")])
        );
    }

    #[test]
    fn the_commitment_is_the_sha256_of_the_seed() {
        assert_eq!(
            Seed::from([0; 32]).commitment().to_string(),
            "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
        );
    }

    #[test]
    fn the_keyed_stream_is_the_documented_one() {
        let mut chance = Keyed::new(key(), 0);
        let values: Vec<u32> = (0..8).map(|_| chance.below(1000)).collect();
        assert_eq!(values, [158, 948, 940, 941, 226, 914, 849, 676]);
    }

    #[test]
    fn every_face_comes_up_about_equally_often() {
        let mut counts = [0_u32; 6];
        let mut chance = Keyed::new(key(), 0);
        for _ in 0..60_000 {
            counts[chance.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
