//! Personal access tokens, for programs of one's own and of others. Only sessions manage them.

use domain::time::Timestamp;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use service::{
    clock,
    identity::{Scope, Scopes},
};
use store::entities::access_token;

pub mod create;
pub mod delete;
pub mod list;

/// A personal access token, without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccessToken {
    /// The id of the token.
    id: Uuid,
    /// What you called it.
    #[schema(example = "My Qwinto bot")]
    name: String,
    /// What it may do.
    scopes: Vec<Scope>,
    /// Since when.
    #[serde(with = "time::serde::rfc3339")]
    created_at: OffsetDateTime,
    /// Until when.
    #[serde(with = "time::serde::rfc3339")]
    expires_at: OffsetDateTime,
    /// When it was last used, to the minute; `null` if never.
    #[serde(with = "time::serde::rfc3339::option")]
    last_used_at: Option<OffsetDateTime>,
}

impl From<access_token::Model> for AccessToken {
    fn from(token: access_token::Model) -> Self {
        let time = |micros| clock::to_datetime(Timestamp::from_micros(micros));
        Self {
            id: token.id,
            name: token.name,
            scopes: Scopes::parse(&token.scopes).iter().collect(),
            created_at: time(token.created_at),
            expires_at: time(token.expires_at),
            last_used_at: token.last_used_at.map(time),
        }
    }
}
