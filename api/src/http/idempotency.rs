//! `Idempotency-Key`: a retry with the same key gets the first answer.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use domain::{text::Text, time::Timestamp};
use uuid::Uuid;

use service::{clock, creations::KeyedRequest, secret};

use crate::error::ApiError;

/// The key that a client gave its request.
#[derive(Debug, Clone)]
pub struct IdempotencyKey(pub Option<String>);

impl IdempotencyKey {
    /// A request under this key.
    #[must_use]
    pub fn request<'a>(&'a self, body: &'a [u8]) -> KeyedRequest<'a> {
        KeyedRequest { key: self.0.as_deref(), body }
    }

    /// What the command is called in the log: the same for the same player and key.
    #[must_use]
    pub fn command_id(&self, player: Uuid, now: Timestamp) -> Uuid {
        match &self.0 {
            None => clock::new_id(now),
            Some(key) => {
                let digest = secret::hash(&[player.as_bytes(), key.as_bytes()].concat());
                let mut bytes = [0; 16];
                bytes.copy_from_slice(&digest[..16]);
                uuid::Builder::from_custom_bytes(bytes).into_uuid()
            }
        }
    }
}

impl FromRequest for IdempotencyKey {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(value) = request.headers().get("idempotency-key") else {
            return ready(Ok(Self(None)));
        };
        let key = value.to_str().ok().filter(|key| {
            (1..=128).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
        });
        ready(key.map(|key| Self(Some(key.to_owned()))).ok_or_else(|| {
            ApiError::bad_field(
                "Idempotency-Key",
                Text::new(
                    "An Idempotency-Key has 1 to 128 visible ASCII characters; a UUID does nicely.",
                    "Una Idempotency-Key tiene de 1 a 128 caracteres ASCII visibles; un UUID sirve.",
                ),
            )
        }))
    }
}
