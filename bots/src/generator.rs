//! The generator of a bot: small, fast, and the same on every machine and for ever.

use domain::chance::Chance;

/// `SplitMix64`, by Steele, Lea and Flood. Good enough to think with; matches draw their luck elsewhere.
#[derive(Debug, Clone)]
pub struct Generator(u64);

impl Generator {
    /// The generator of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Another generator, by number. It does not depend on how often this one was used.
    #[must_use]
    pub const fn branch(&self, number: u64) -> Self {
        Self(mix(self.0 ^ mix(number.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }
}

/// Spreads every bit of a number over all bits.
pub(crate) const fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

impl Chance for Generator {
    /// Multiplies rather than divides. The bias is less than 2⁻³², far below what a search could notice.
    fn below(&mut self, n: u32) -> u32 {
        let wide = u128::from(self.next()) * u128::from(n);
        u32::try_from(wide >> 64).expect("less than n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let numbers = |seed| {
            let mut generator = Generator::new(seed);
            (0..6).map(|_| generator.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
    }

    #[test]
    fn every_number_below_n_comes_up_about_equally_often() {
        let mut counts = [0_u32; 6];
        let mut generator = Generator::new(3).branch(5);
        for _ in 0..60_000 {
            counts[generator.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
