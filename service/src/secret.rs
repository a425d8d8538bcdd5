//! The only place that draws luck from the operating system: seeds, tokens, invite codes.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
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

/// Compares two hashes in a time that does not depend on where they differ.
#[must_use]
pub fn equal(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |found, (a, b)| found | (a ^ b));
    one.len() == other.len() && std::hint::black_box(differences) == 0
}

/// Digits and letters, in the order in which they stand for numbers.
pub const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Random letters and digits: nothing that a double click would not select.
#[must_use]
pub fn letters(count: usize) -> String {
    letters_from(count, bytes::<32>)
}

/// Letters and digits that follow from a key and a text. Without the key nobody can tell them from random ones.
#[must_use]
pub fn derived_letters(count: usize, key: &[u8; 32], text: &[u8]) -> String {
    let mut block = 0_u8;
    letters_from(count, || {
        block += 1;
        derived(key, &[text, &[block]].concat())
    })
}

/// Bytes that follow from a key and a text. Without the key nobody can tell them from random ones.
#[must_use]
pub fn derived(key: &[u8; 32], text: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

fn letters_from(count: usize, mut more: impl FnMut() -> [u8; 32]) -> String {
    let mut letters = String::with_capacity(count);
    while letters.len() < count {
        // Four times 62: the rest would make some letters likelier than others.
        let fair = more().into_iter().filter(|byte| *byte < 248);
        let wanted = count - letters.len();
        letters.extend(fair.take(wanted).map(|byte| char::from(ALPHABET[usize::from(byte % 62)])));
    }
    letters
}
