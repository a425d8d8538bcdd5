//! Access tokens: short-lived JWTs, signed with Ed25519, checked without the store. Those of players and those of applications
//! differ in type and audience, so that neither is ever taken for the other.

use domain::time::Timestamp;
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode,
    jwk::{Jwk, JwkSet, PublicKeyUse, ThumbprintHash},
};
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::{ApplicationScopes, Caller, Scopes, crypto};
use crate::{keys::KeyError, secret};

/// How long an access token is valid, in seconds.
pub const LIFETIME: u32 = 15 * 60;
/// The type and the audience of players' tokens.
const PLAYER: (&str, &str) = ("at+jwt", "telar");
/// The type and the audience of applications' tokens.
const APPLICATION: (&str, &str) = ("telar-application+jwt", "telar:application");
/// The number of verified tokens that are cached, so that a busy client's signature is verified once.
const REMEMBERED: usize = 50_000;

/// Signs and checks access tokens.
#[derive(Debug)]
pub struct AccessTokens {
    issuer: String,
    keys: Vec<Key>,
    personal: [u8; 32],
    recovery: [u8; 32],
    checked: Cache<[u8; 32], Bearer>,
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

#[derive(Debug, Serialize, Deserialize)]
struct ApplicationClaims {
    iss: String,
    aud: String,
    /// The application.
    sub: Uuid,
    /// The secret that the token was issued for.
    secret: Uuid,
    scope: String,
    iat: i64,
    exp: i64,
}

/// What a valid token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bearer {
    /// A session of a player.
    Player(Caller),
    /// An application. Whether it has been revoked since is not known.
    Application(ApplicationToken),
}

/// A token of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApplicationToken {
    /// The application.
    pub application: Uuid,
    /// The secret that the token was issued for: it is valid as long as this secret is.
    pub secret: Uuid,
    /// What it may do.
    pub scopes: ApplicationScopes,
    /// When it expires.
    pub expires: Timestamp,
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
    /// Tokens with keys from these seeds. The first one signs.
    pub fn new(issuer: &str, seeds: &[[u8; 32]]) -> Result<Self, KeyError> {
        crypto::install();
        let keys =
            seeds.iter().map(Key::new).collect::<Result<Vec<_>, _>>().map_err(|error| {
                KeyError(format!("TELAR_SIGNING_KEY: not a usable key: {error}"))
            })?;
        Ok(Self {
            issuer: issuer.to_owned(),
            keys,
            personal: secret::derived(&seeds[0], b"personal access tokens"),
            recovery: secret::derived(&seeds[0], b"recovery codes"),
            checked: Cache::new(REMEMBERED),
        })
    }

    /// The key from which the secrets of personal access tokens are derived.
    #[must_use]
    pub const fn personal_key(&self) -> [u8; 32] {
        self.personal
    }

    /// The key from which the recovery codes of guests are derived.
    pub(super) const fn recovery_key(&self) -> [u8; 32] {
        self.recovery
    }

    /// Signs a token for a player.
    #[must_use]
    pub fn sign(&self, player: Uuid, session: Uuid, guest: bool, now: Timestamp) -> String {
        let (kind, audience) = PLAYER;
        let now = seconds(now);
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: audience.to_owned(),
            sub: player,
            sid: session,
            guest,
            iat: now,
            exp: now + i64::from(LIFETIME),
        };
        self.sign_claims(kind, &claims)
    }

    /// Signs a token for an application that has shown a secret.
    #[must_use]
    pub fn sign_application(
        &self,
        application: Uuid,
        secret: Uuid,
        scopes: ApplicationScopes,
        now: Timestamp,
    ) -> String {
        let (kind, audience) = APPLICATION;
        let now = seconds(now);
        let claims = ApplicationClaims {
            iss: self.issuer.clone(),
            aud: audience.to_owned(),
            sub: application,
            secret,
            scope: scopes.to_string(),
            iat: now,
            exp: now + i64::from(LIFETIME),
        };
        self.sign_claims(kind, &claims)
    }

    fn sign_claims(&self, kind: &str, claims: &impl Serialize) -> String {
        let key = &self.keys[0];
        let header = Header {
            typ: Some(kind.to_owned()),
            kid: Some(key.id.clone()),
            ..Header::new(Algorithm::EdDSA)
        };
        encode(&header, claims, &key.signing).expect("a key that was accepted at start-up can sign")
    }

    /// What a token stands for.
    pub fn check(&self, token: &str, now: Timestamp) -> Result<Bearer, TokenError> {
        let digest = secret::hash(token.as_bytes());
        if let Some(bearer) = self.checked.get(&digest) {
            return bearer.in_time(now);
        }
        let header = decode_header(token).map_err(|_| TokenError::Invalid)?;
        let key = self.keys.iter().find(|key| header.kid.as_deref() == Some(&key.id));
        let key = key.ok_or(TokenError::Invalid)?;
        let bearer = match header.typ.as_deref() {
            Some(kind) if kind == PLAYER.0 => {
                Bearer::Player(self.verified::<Claims>(token, key, PLAYER.1)?.into())
            }
            Some(kind) if kind == APPLICATION.0 => {
                let claims = self.verified::<ApplicationClaims>(token, key, APPLICATION.1)?;
                Bearer::Application(claims.into())
            }
            _ => return Err(TokenError::Invalid),
        };
        self.checked.insert(digest, bearer);
        bearer.in_time(now)
    }

    /// The application of a token that has been checked before; nothing is computed for any other.
    #[must_use]
    pub fn known_application(&self, token: &str, now: Timestamp) -> Option<Uuid> {
        match self.checked.get(&secret::hash(token.as_bytes()))?.in_time(now) {
            Ok(Bearer::Application(token)) => Some(token.application),
            _ => None,
        }
    }

    fn verified<T: DeserializeOwned>(
        &self,
        token: &str,
        key: &Key,
        audience: &str,
    ) -> Result<T, TokenError> {
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // The expiry is compared later, with the injected time.
        validation.validate_exp = false;
        let data = decode::<T>(token, &key.checking, &validation);
        Ok(data.map_err(|_| TokenError::Invalid)?.claims)
    }

    /// The public halves of the keys.
    #[must_use]
    pub fn public_keys(&self) -> JwkSet {
        JwkSet { keys: self.keys.iter().map(|key| key.public.clone()).collect() }
    }
}

impl Bearer {
    fn in_time(self, now: Timestamp) -> Result<Self, TokenError> {
        let expires = match self {
            Self::Player(caller) => caller.expires,
            Self::Application(token) => token.expires,
        };
        if expires.micros() > now.micros() { Ok(self) } else { Err(TokenError::Expired) }
    }
}

impl From<Claims> for Caller {
    fn from(claims: Claims) -> Self {
        Self {
            player: claims.sub,
            session: claims.sid,
            guest: claims.guest,
            scopes: Scopes::SESSION,
            on_behalf: None,
            expires: time_of(claims.exp),
        }
    }
}

impl From<ApplicationClaims> for ApplicationToken {
    fn from(claims: ApplicationClaims) -> Self {
        Self {
            application: claims.sub,
            secret: claims.secret,
            scopes: ApplicationScopes::parse(&claims.scope),
            expires: time_of(claims.exp),
        }
    }
}

fn seconds(time: Timestamp) -> i64 {
    time.micros() / 1_000_000
}

fn time_of(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds.saturating_mul(1_000_000))
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
