//! Access tokens: short-lived JWTs (`at+jwt`), signed with Ed25519, checked without the store.

use std::path::Path;

use domain::time::Timestamp;
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode,
    jwk::{Jwk, JwkSet, PublicKeyUse, ThumbprintHash},
};
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Caller, Scopes, crypto};
use crate::{
    keys::{self, KeyError},
    secret,
};

/// How long an access token is valid, in seconds.
pub const LIFETIME: u32 = 15 * 60;
const AUDIENCE: &str = "telar";
const TYPE: &str = "at+jwt";
/// The number of verified tokens that are cached, so that a busy client's signature is verified once.
const REMEMBERED: usize = 50_000;

/// Signs and checks access tokens.
#[derive(Debug)]
pub struct AccessTokens {
    issuer: String,
    keys: Vec<Key>,
    personal: [u8; 32],
    checked: Cache<[u8; 32], Caller>,
}

struct Key {
    id: String,
    signing: EncodingKey,
    checking: DecodingKey,
    public: Jwk,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Key({})", self.id)
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: Uuid,
    sid: Uuid,
    guest: bool,
    iat: i64,
    exp: i64,
}

/// Why a token is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    /// It has expired.
    Expired,
    /// It was not issued by this server, or it was revoked.
    Invalid,
}

impl AccessTokens {
    /// Keys from the configuration, or a generated one in the data directory.
    pub fn new(issuer: &str, signing_key: Option<&str>, data_dir: &Path) -> Result<Self, KeyError> {
        crypto::install();
        let seeds = keys::read(signing_key, "TELAR_SIGNING_KEY", &data_dir.join("signing.key"))?;
        let keys =
            seeds.iter().map(Key::new).collect::<Result<Vec<_>, _>>().map_err(|error| {
                KeyError(format!("TELAR_SIGNING_KEY: not a usable key: {error}"))
            })?;
        let personal = secret::derived(&seeds[0], b"personal access tokens");
        Ok(Self { issuer: issuer.to_owned(), keys, personal, checked: Cache::new(REMEMBERED) })
    }

    /// The key from which the secrets of personal access tokens are derived.
    #[must_use]
    pub const fn personal_key(&self) -> [u8; 32] {
        self.personal
    }

    /// Signs a token for a player.
    #[must_use]
    pub fn sign(&self, player: Uuid, session: Uuid, guest: bool, now: Timestamp) -> String {
        let now = now.micros() / 1_000_000;
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: AUDIENCE.to_owned(),
            sub: player,
            sid: session,
            guest,
            iat: now,
            exp: now + i64::from(LIFETIME),
        };
        let key = &self.keys[0];
        let header = Header {
            typ: Some(TYPE.to_owned()),
            kid: Some(key.id.clone()),
            ..Header::new(Algorithm::EdDSA)
        };
        encode(&header, &claims, &key.signing)
            .expect("a key that was accepted at start-up can sign")
    }

    /// The caller whom a token authenticates.
    pub fn check(&self, token: &str, now: Timestamp) -> Result<Caller, TokenError> {
        let digest = secret::hash(token.as_bytes());
        if let Some(caller) = self.checked.get(&digest) {
            return in_time(caller, now);
        }
        let header = decode_header(token).map_err(|_| TokenError::Invalid)?;
        let key = self.keys.iter().find(|key| header.kid.as_deref() == Some(&key.id));
        let key = key.filter(|_| header.typ.as_deref() == Some(TYPE)).ok_or(TokenError::Invalid)?;
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // The expiry is compared below, with the injected time.
        validation.validate_exp = false;
        let claims = decode::<Claims>(token, &key.checking, &validation)
            .map_err(|_| TokenError::Invalid)?
            .claims;
        let caller = Caller {
            player: claims.sub,
            session: claims.sid,
            guest: claims.guest,
            scopes: Scopes::SESSION,
            expires: Timestamp::from_micros(claims.exp.saturating_mul(1_000_000)),
        };
        self.checked.insert(digest, caller);
        in_time(caller, now)
    }

    /// The public halves of the keys.
    #[must_use]
    pub fn public_keys(&self) -> JwkSet {
        JwkSet { keys: self.keys.iter().map(|key| key.public.clone()).collect() }
    }
}

fn in_time(caller: Caller, now: Timestamp) -> Result<Caller, TokenError> {
    if caller.expires.micros() > now.micros() { Ok(caller) } else { Err(TokenError::Expired) }
}

impl Key {
    fn new(seed: &[u8; 32]) -> Result<Self, jsonwebtoken::errors::Error> {
        // PKCS #8 of an Ed25519 key: a fixed frame around the seed.
        let mut der = hex::decode("302e020100300506032b657004220420").expect("hexadecimal digits");
        der.extend_from_slice(seed);
        let signing = EncodingKey::from_ed_der(&der);
        let mut public = Jwk::from_encoding_key(&signing, Algorithm::EdDSA)?;
        let id = public.thumbprint(ThumbprintHash::SHA256)?;
        public.common.key_id = Some(id.clone());
        public.common.public_key_use = Some(PublicKeyUse::Signature);
        let checking = DecodingKey::from_jwk(&public)?;
        Ok(Self { id, signing, checking, public })
    }
}
