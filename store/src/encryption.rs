//! Encryption at rest: the seeds of matches and the secrets of webhooks are encrypted with a key that is not in the store.
//!
//! An encrypted text is `encrypted:1:`, the id of the key, a colon, and the base64 of nonce and ciphertext (ChaCha20-Poly1305). The
//! row that it belongs to is authenticated with it, so that it cannot be moved to another row. The nonce is derived from the row
//! and the text: a batch that is sent again has the same bytes, and nothing here needs randomness.

use std::{fmt, sync::Arc};

use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use ring::{
    aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hkdf, hmac,
};
use sea_orm::EntityTrait;
use uuid::Uuid;

use crate::{
    Db, OpenError, begin, commit,
    entities::storage_key::{ActiveModel, Entity, Model},
    error::{Error, Result},
    take_turn,
};

/// How every encrypted text begins.
pub(crate) const PREFIX: &str = "encrypted:1:";

/// The keys of a store: the first one encrypts, all of them decrypt.
#[derive(Debug, Clone)]
pub struct StorageKeys(Arc<[StorageKey]>);

struct StorageKey {
    /// Public: says which key a text needs.
    id: String,
    cipher: LessSafeKey,
    nonces: hmac::Key,
    link: LinkKey,
}

/// A key by which the replicas of a store recognise each other. It follows from a storage key, and says nothing about it.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkKey {
    /// Public: says which key is meant.
    pub id: [u8; 8],
    /// The secret.
    pub secret: [u8; 32],
}

impl fmt::Debug for LinkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LinkKey({})", String::from_utf8_lossy(&self.id))
    }
}

impl fmt::Debug for StorageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StorageKey({})", self.id)
    }
}

impl StorageKeys {
    /// Keys of 32 random bytes each.
    ///
    /// # Panics
    /// If there are none.
    #[must_use]
    pub fn new(keys: &[[u8; 32]]) -> Self {
        assert!(!keys.is_empty(), "a store needs a key");
        Self(keys.iter().map(StorageKey::new).collect())
    }

    /// Encrypts a text that belongs to the row `row` of `table`.
    #[must_use]
    pub fn encrypt(&self, text: &str, table: &str, row: Uuid) -> String {
        let key = &self.0[0];
        let context = context(table, row);
        let nonce = key.nonce(&context, text);
        let mut sealed = text.as_bytes().to_vec();
        key.cipher
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(&context),
                &mut sealed,
            )
            .expect("a short text can be encrypted");
        let bytes = [nonce.as_slice(), &sealed].concat();
        format!("{PREFIX}{}:{}", key.id, BASE64_STANDARD_NO_PAD.encode(bytes))
    }

    /// Decrypts a text that belongs to the row `row` of `table`. A text that is not encrypted is returned as it is.
    pub fn decrypt(&self, text: &str, table: &str, row: Uuid) -> Result<String> {
        let Some(rest) = text.strip_prefix(PREFIX) else { return Ok(text.to_owned()) };
        let damaged =
            || Error::Failed(format!("{table} {row}: what is encrypted there is damaged"));
        let (id, encoded) = rest.split_once(':').ok_or_else(damaged)?;
        let key = self.0.iter().find(|key| key.id == id).ok_or_else(|| {
            Error::Failed(format!(
                "{table} {row} needs the storage key {id}, which is not configured"
            ))
        })?;
        let mut bytes = BASE64_STANDARD_NO_PAD.decode(encoded).map_err(|_| damaged())?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN).ok_or_else(damaged)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| damaged())?;
        let opened = key.cipher.open_in_place(nonce, Aad::from(context(table, row)), sealed);
        let opened = opened.map_err(|_| damaged())?;
        String::from_utf8(opened.to_vec()).map_err(|_| damaged())
    }

    /// The keys by which replicas recognise each other: the first one is used, all of them are accepted.
    #[must_use]
    pub fn link_keys(&self) -> Vec<LinkKey> {
        self.0.iter().map(|key| key.link.clone()).collect()
    }

    fn has(&self, id: &str) -> bool {
        self.0.iter().any(|key| key.id == id)
    }

    /// Checks that the store needs no key that is not among these.
    pub async fn check(&self, db: &Db) -> Result<(), OpenError> {
        self.have_all(&Entity::find().all(db).await?)
    }

    fn have_all(&self, needed: &[Model]) -> Result<(), OpenError> {
        match needed.iter().find(|key| !self.has(&key.id)) {
            Some(missing) => Err(OpenError::KeyMissing(missing.id.clone())),
            None => Ok(()),
        }
    }

    /// Registers the first key, unless the store needs a key that is not among these. So a server with the wrong key, or a replica
    /// with a key of its own, does not start instead of writing what others cannot read.
    pub async fn register(&self, db: &Db) -> Result<(), OpenError> {
        let work = begin(db).await?;
        take_turn(&work, Uuid::nil()).await?;
        let known = Entity::find().all(&work).await?;
        self.have_all(&known)?;
        let id = self.0[0].id.clone();
        if known.iter().all(|key| key.id != id) {
            let row = ActiveModel { id: sea_orm::Set(id) };
            Entity::insert(row).exec_without_returning(&work).await?;
        }
        Ok(commit(work).await?)
    }
}

impl StorageKey {
    fn new(key: &[u8; 32]) -> Self {
        let secret = hkdf::Salt::new(hkdf::HKDF_SHA256, b"telar/storage/1").extract(key);
        let cipher = secret.expand(&[b"cipher"], &CHACHA20_POLY1305).expect("a short key");
        let nonces = secret.expand(&[b"nonces"], hmac::HMAC_SHA256).expect("a short key");
        let mut id = [0; 4];
        let mut link = [0; 32];
        secret.expand(&[b"id"], Length(4)).and_then(|okm| okm.fill(&mut id)).expect("a short id");
        let filled = secret.expand(&[b"link"], Length(32)).and_then(|okm| okm.fill(&mut link));
        filled.expect("a short key");
        let id = format!("{:08x}", u32::from_be_bytes(id));
        let short = id.as_bytes().try_into().expect("eight digits");
        Self {
            id,
            cipher: LessSafeKey::new(UnboundKey::from(cipher)),
            nonces: nonces.into(),
            link: LinkKey { id: short, secret: link },
        }
    }

    fn nonce(&self, context: &str, text: &str) -> [u8; NONCE_LEN] {
        let mut mac = hmac::Context::with_key(&self.nonces);
        // The context ends with an id of fixed length, so no other pair has the same bytes.
        mac.update(context.as_bytes());
        mac.update(text.as_bytes());
        let tag = mac.sign();
        tag.as_ref()[..NONCE_LEN].try_into().expect("a tag of 32 bytes")
    }
}

struct Length(usize);

impl hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn context(table: &str, row: Uuid) -> String {
    format!("{table}/{row}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: [u8; 32] = [1; 32];
    const NEW: [u8; 32] = [2; 32];
    const ROW: Uuid = Uuid::from_u128(7);

    fn keys(keys: &[[u8; 32]]) -> StorageKeys {
        StorageKeys::new(keys)
    }

    #[test]
    fn what_is_encrypted_is_hidden_and_comes_back() {
        let keys = keys(&[OLD]);
        let encrypted = keys.encrypt("whsec_abc", "webhooks", ROW);
        assert!(encrypted.starts_with(PREFIX) && !encrypted.contains("abc"), "{encrypted}");
        assert_eq!(encrypted, keys.encrypt("whsec_abc", "webhooks", ROW));
        assert_ne!(encrypted, keys.encrypt("whsec_abd", "webhooks", ROW));
        assert_eq!(keys.decrypt(&encrypted, "webhooks", ROW).unwrap(), "whsec_abc");
        assert_eq!(keys.decrypt("whsec_abc", "webhooks", ROW).unwrap(), "whsec_abc");
    }

    #[test]
    fn all_keys_decrypt_and_the_first_one_encrypts() {
        let encrypted = keys(&[OLD]).encrypt("secret", "webhooks", ROW);
        let rotated = keys(&[NEW, OLD]);
        assert_eq!(rotated.decrypt(&encrypted, "webhooks", ROW).unwrap(), "secret");
        let new = rotated.encrypt("secret", "webhooks", ROW);
        assert_eq!(keys(&[NEW]).decrypt(&new, "webhooks", ROW).unwrap(), "secret");
        let error = keys(&[NEW]).decrypt(&encrypted, "webhooks", ROW).unwrap_err().to_string();
        assert!(error.contains("storage key") && error.contains("not configured"), "{error}");
    }

    #[test]
    fn a_text_cannot_be_altered_or_moved_to_another_row() {
        let keys = keys(&[OLD]);
        let encrypted = keys.encrypt("secret", "webhooks", ROW);
        assert!(keys.decrypt(&encrypted, "commits", ROW).is_err());
        assert!(keys.decrypt(&encrypted, "webhooks", Uuid::from_u128(8)).is_err());
        for at in PREFIX.len()..encrypted.len() {
            let mut altered = encrypted.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert!(keys.decrypt(&altered, "webhooks", ROW).is_err(), "{altered}");
        }
        for cut in 0..encrypted.len() - PREFIX.len() {
            let cut = &encrypted[..encrypted.len() - cut - 1];
            assert!(keys.decrypt(cut, "webhooks", ROW).is_err(), "{cut}");
        }
    }
}
