//! Webhooks and their deliveries.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use service::{
    notifications::NotificationKind,
    webhooks::{Attempt, state},
};
use store::webhooks::registrations::{Delivery, Webhook};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::datetime;

/// A webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookDocument {
    /// The id of the webhook.
    pub id: Uuid,
    /// Where notifications are sent.
    #[schema(example = "https://example.com/telar")]
    pub url: String,
    /// Which notifications are sent.
    pub events: Vec<NotificationKind>,
    /// If set, only notifications about this game are sent.
    #[schema(example = "qwinto")]
    pub game: Option<String>,
    /// If set, only notifications about this match are sent.
    #[serde(rename = "match")]
    pub match_id: Option<Uuid>,
    /// Whether anything is sent.
    pub active: bool,
    /// Why the server switched the webhook off: `gone` if the receiver answered 410.
    #[schema(example = "gone")]
    pub notice: Option<String>,
    /// The key of the signatures; only in the response that creates the webhook.
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

impl From<Webhook> for WebhookDocument {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id,
            events: NotificationKind::parse_list(&webhook.events),
            url: webhook.url,
            game: webhook.game,
            match_id: webhook.match_id,
            active: webhook.active,
            notice: webhook.notice,
            secret: None,
            created_at: datetime(webhook.created_at),
            updated_at: datetime(webhook.updated_at),
        }
    }
}

/// A message to a webhook and its delivery attempts.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeliveryDocument {
    /// The id of the message; also sent in the header `webhook-id`.
    pub id: Uuid,
    /// The `type` of the payload.
    #[serde(rename = "type")]
    #[schema(example = "match.turn")]
    pub kind: String,
    /// The state of the delivery.
    pub state: DeliveryState,
    /// The last 20 attempts, oldest first.
    pub attempts: Vec<Attempt>,
    /// The time of the next attempt, while the delivery is pending.
    #[serde(with = "time::serde::rfc3339::option")]
    pub next_attempt_at: Option<OffsetDateTime>,
    /// When the message was created.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// The body that is sent.
    #[schema(value_type = Object)]
    pub payload: Box<RawValue>,
}

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// Not delivered yet.
    Pending,
    /// Accepted by the receiver.
    Delivered,
    /// Given up: a dead letter, which can be sent again.
    Dead,
}

impl DeliveryState {
    const ALL: [Self; 3] = [Self::Pending, Self::Delivered, Self::Dead];

    /// The state as it is stored.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Pending => state::PENDING,
            Self::Delivered => state::DELIVERED,
            Self::Dead => state::DEAD,
        }
    }
}

impl TryFrom<Delivery> for DeliveryDocument {
    type Error = store::Error;

    fn try_from(delivery: Delivery) -> Result<Self, store::Error> {
        let unreadable = |what: String| {
            store::Error::Failed(format!("delivery {} cannot be read: {what}", delivery.id))
        };
        let state = DeliveryState::ALL.into_iter().find(|state| state.id() == delivery.state);
        let state = state.ok_or_else(|| unreadable(format!("state `{}`", delivery.state)))?;
        let attempts = serde_json::from_str(&delivery.attempts)
            .map_err(|error| unreadable(format!("attempts: {error}")))?;
        let payload = RawValue::from_string(delivery.payload.clone())
            .map_err(|error| unreadable(format!("payload: {error}")))?;
        Ok(Self {
            id: delivery.id,
            state,
            attempts,
            next_attempt_at: delivery.due_at.map(datetime),
            created_at: datetime(delivery.created_at),
            payload,
            kind: delivery.kind,
        })
    }
}
