//! What secrets look like that are shown once: a prefix, 40 letters and digits, and a checksum of 6.
//!
//! The prefix says what leaked. The checksum lets scanners tell a leaked secret from similar text, and lets us refuse most
//! nonsense without asking the store.

use crate::secret;

const RANDOM: usize = 40;
const CHECKSUM: usize = 6;

/// The form of one kind of secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretFormat {
    prefix: &'static str,
}

impl SecretFormat {
    /// Secrets that begin with this prefix.
    #[must_use]
    pub const fn new(prefix: &'static str) -> Self {
        Self { prefix }
    }

    /// Whether a text begins like one of these secrets.
    #[must_use]
    pub fn begins(self, text: &str) -> bool {
        text.starts_with(self.prefix)
    }

    /// A new secret.
    #[must_use]
    pub fn generate(self) -> String {
        self.complete(&secret::letters(RANDOM))
    }

    /// The secret that follows from a key and a text.
    #[must_use]
    pub fn derived(self, key: &[u8; 32], text: &[u8]) -> String {
        self.complete(&secret::derived_letters(RANDOM, key, text))
    }

    /// Whether a text has the form of such a secret and the right checksum.
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        text.len() == self.prefix.len() + RANDOM + CHECKSUM
            && self.begins(text)
            && text
                .split_at_checked(self.prefix.len() + RANDOM)
                .is_some_and(|(body, tail)| checksum(body) == tail)
    }

    fn complete(self, letters: &str) -> String {
        let body = format!("{}{letters}", self.prefix);
        let checksum = checksum(&body);
        body + &checksum
    }
}

/// The first four bytes of the SHA-256 of the rest, as six digits in base 62.
fn checksum(body: &str) -> String {
    let [a, b, c, d, ..] = secret::hash(body.as_bytes());
    let mut number = u32::from_be_bytes([a, b, c, d]);
    let mut digits = [b'0'; CHECKSUM];
    for digit in digits.iter_mut().rev() {
        *digit = secret::ALPHABET[(number % 62) as usize];
        number /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: SecretFormat = SecretFormat::new("telar_pat_");

    #[test]
    fn a_secret_can_be_told_from_a_text_that_looks_like_one() {
        let secret = FORMAT.generate();
        assert_eq!(secret.len(), 56);
        assert!(secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
        assert!(FORMAT.fits(&secret));
        assert!(!SecretFormat::new("telar_app_").fits(&secret));
        for at in FORMAT.prefix.len()..secret.len() {
            let mut typo = secret.clone().into_bytes();
            typo[at] = if typo[at] == b'a' { b'b' } else { b'a' };
            let typo = String::from_utf8(typo).unwrap();
            assert!(!FORMAT.fits(&typo), "{typo}");
        }
        for text in ["", "telar_pat_", &secret[1..], &format!("{secret}0"), &"ñ".repeat(28)] {
            assert!(!FORMAT.fits(text), "{text}");
        }
    }

    #[test]
    fn scanners_may_rely_on_the_checksum() {
        let body = format!("{}{}", FORMAT.prefix, "0".repeat(RANDOM));
        let digest = secret::hash(body.as_bytes());
        let number = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
        let value = checksum(&body).bytes().fold(0_u64, |value, digit| {
            let place = secret::ALPHABET.iter().position(|letter| *letter == digit).unwrap();
            value * 62 + place as u64
        });
        assert_eq!(value, u64::from(number));
    }
}
