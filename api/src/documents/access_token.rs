//! Personal access tokens.

use serde::Serialize;
use service::identity::{Scope, Scopes};
use store::access_tokens;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::datetime;

/// A personal access token, without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccessToken {
    /// The id of the token.
    pub id: Uuid,
    /// The name that you gave it.
    #[schema(example = "My Qwinto bot")]
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it was created.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// When it expires.
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
    /// When it was last used, to the minute; `null` if it never was.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_used_at: Option<OffsetDateTime>,
}

impl From<access_tokens::AccessToken> for AccessToken {
    fn from(token: access_tokens::AccessToken) -> Self {
        Self {
            id: token.id,
            name: token.name,
            scopes: Scopes::parse(&token.scopes).iter().collect(),
            created_at: datetime(token.created_at),
            expires_at: datetime(token.expires_at),
            last_used_at: token.last_used_at.map(datetime),
        }
    }
}
