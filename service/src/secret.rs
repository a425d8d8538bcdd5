//! The only place that draws luck from the operating system: seeds, tokens, invite codes.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::Rng;
use sha2::{Digest, Sha256};

/// Random bytes from a cryptographic generator that the system seeds.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is where luck comes in")]
pub fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}

/// A token with 256 bits of entropy.
#[must_use]
pub fn token() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes::<32>())
}

/// A code that people can read to one another: no letters that look alike.
#[must_use]
pub fn invite_code() -> String {
    const LETTERS: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
    bytes::<10>().iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// What is stored of a token.
#[must_use]
pub fn hash(text: &[u8]) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// Digits and letters, in the order in which they stand for numbers.
pub const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Random letters and digits: nothing that a double click would not select.
#[must_use]
pub fn letters(count: usize) -> String {
    let mut letters = String::with_capacity(count);
    while letters.len() < count {
        // Four times 62: the rest would make some letters likelier than others.
        let fair = bytes::<64>().into_iter().filter(|byte| *byte < 248);
        let wanted = count - letters.len();
        letters.extend(fair.take(wanted).map(|byte| char::from(ALPHABET[usize::from(byte % 62)])));
    }
    letters
}
