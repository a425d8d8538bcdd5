//! Webhooks: registered, looked at, changed, removed, tried out; and what was delivered to them.

use domain::{text::Text, time::Timestamp};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use serde::Serialize;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use service::{clock, notifications::NotificationKind, webhooks::Attempt};
use store::entities::{webhook, webhook_delivery};

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    middleware::Caller,
};

pub mod create;
pub mod delete;
pub mod deliveries;
pub mod get;
pub mod list;
pub mod resend;
pub mod test;
pub mod update;

/// A webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookDocument {
    /// Its id.
    pub id: Uuid,
    /// Where messages are sent to.
    #[schema(example = "https://example.com/telar")]
    pub url: String,
    /// What is sent.
    pub events: Vec<NotificationKind>,
    /// Only about this game, if one is named.
    #[schema(example = "qwinto")]
    pub game: Option<String>,
    /// Only about this match, if one is named.
    #[serde(rename = "match")]
    pub match_id: Option<Uuid>,
    /// Whether anything is sent.
    pub active: bool,
    /// Why nothing is sent, where that was not your wish: `gone` if the receiver answered 410.
    #[schema(example = "gone")]
    pub notice: Option<String>,
    /// The key of the signatures; shown only once, when the webhook is created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
    pub secret: Option<String>,
    /// When it was created.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// When it was last changed.
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
}

impl From<webhook::Model> for WebhookDocument {
    fn from(hook: webhook::Model) -> Self {
        Self {
            id: hook.id,
            events: NotificationKind::parse_list(&hook.events),
            url: hook.url,
            game: hook.game,
            match_id: hook.match_id,
            active: hook.active,
            notice: hook.notice,
            secret: None,
            created_at: to_datetime(hook.created_at),
            updated_at: to_datetime(hook.updated_at),
        }
    }
}

/// A message to a webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryDocument {
    /// Its id; also the header `webhook-id`.
    pub id: Uuid,
    /// What it tells: the `type` of its payload.
    #[serde(rename = "type")]
    #[schema(example = "match.turn")]
    pub kind: String,
    /// What has become of it.
    pub state: DeliveryState,
    /// The tries, oldest first; the last 20 of them.
    pub attempts: Vec<Attempt>,
    /// When it is tried next, while it is pending.
    #[serde(with = "time::serde::rfc3339::option")]
    pub next_attempt_at: Option<OffsetDateTime>,
    /// When it was made.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// What is sent.
    #[schema(value_type = Object)]
    pub payload: Box<RawValue>,
}

/// What has become of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// Not delivered yet.
    Pending,
    /// The receiver has it.
    Delivered,
    /// Given up: a dead letter, which can be sent again.
    Dead,
}

impl DeliveryState {
    const fn id(self) -> &'static str {
        match self {
            Self::Pending => service::webhooks::state::PENDING,
            Self::Delivered => service::webhooks::state::DELIVERED,
            Self::Dead => service::webhooks::state::DEAD,
        }
    }
}

impl From<webhook_delivery::Model> for DeliveryDocument {
    fn from(delivery: webhook_delivery::Model) -> Self {
        let states = [DeliveryState::Pending, DeliveryState::Delivered, DeliveryState::Dead];
        let state = states.into_iter().find(|state| state.id() == delivery.state);
        Self {
            id: delivery.id,
            kind: delivery.kind,
            state: state.unwrap_or(DeliveryState::Pending),
            attempts: serde_json::from_str(&delivery.attempts).unwrap_or_default(),
            next_attempt_at: delivery.due_at.map(to_datetime),
            created_at: to_datetime(delivery.created_at),
            payload: RawValue::from_string(delivery.payload)
                .unwrap_or_else(|_| RawValue::NULL.to_owned()),
        }
    }
}

fn to_datetime(micros: i64) -> OffsetDateTime {
    clock::to_datetime(Timestamp::from_micros(micros))
}

/// A webhook of the caller's.
async fn mine(app: &App, caller: Caller, id: Uuid) -> ApiResult<webhook::Model> {
    let hook = webhook::Entity::find_by_id(id)
        .filter(webhook::Column::PlayerId.eq(caller.player))
        .one(&app.db)
        .await?;
    hook.ok_or_else(ApiError::not_found)
}

/// A URL that may be called, as it is to be stored.
async fn valid_url(app: &App, text: &str) -> ApiResult<String> {
    let policy = app.webhooks.policy;
    let refused = |refused: service::webhooks::Refused| ApiError::bad_field("url", refused.text());
    let url = policy.parse(text).map_err(refused)?;
    policy.resolve(&url).await.map_err(refused)?;
    Ok(url.into())
}

/// Kinds of notices as they are stored.
fn valid_events(events: &[NotificationKind]) -> ApiResult<String> {
    let mut events = events.to_vec();
    events.sort_unstable();
    events.dedup();
    if events.is_empty() {
        let text = Text::new(
            "Name at least one event, as in [\"match.turn\"].",
            "Indica al menos un evento, como [\"match.turn\"].",
        );
        return Err(ApiError::bad_field("events", text));
    }
    Ok(events.iter().map(|event| event.id()).collect::<Vec<_>>().join(","))
}

fn disabled() -> ApiError {
    ApiError::new(
        actix_web::http::StatusCode::CONFLICT,
        "webhook_inactive",
        Text::new(
            "This webhook is not active; PATCH it with {\"active\": true} first.",
            "Este webhook no está activo; actívalo antes con PATCH {\"active\": true}.",
        ),
    )
}
