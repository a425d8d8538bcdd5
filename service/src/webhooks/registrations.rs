//! Webhooks as their owners manage them: registered, changed, tested, deleted; and the log of their deliveries.

use domain::games;
use serde_json::json;
use store::{
    Db,
    webhooks::registrations::{self, Delivery, Owner, Webhook, WebhookChange},
};
use uuid::Uuid;

use super::{Payload, Refused, SECRETS, Webhooks, delivery, new_secret, state};
use crate::{
    clock,
    creations::{self, KeyedRequest},
    error::Error,
    identity::{Caller, Requirement},
    notifications::NotificationKind,
};

/// The number of webhooks that a player may have.
pub const MAX_WEBHOOKS: u64 = 20;

/// A webhook to register.
#[derive(Debug, Clone)]
pub struct NewWebhook {
    /// Where notifications are sent.
    pub url: String,
    /// Which notifications are sent.
    pub events: Vec<NotificationKind>,
    /// Only about this game.
    pub game: Option<String>,
    /// Only about this match.
    pub match_id: Option<Uuid>,
}

/// A change to a webhook. What is `None` stays as it is.
#[derive(Debug, Clone, Default)]
pub struct RegistrationChange {
    /// A new URL.
    pub url: Option<String>,
    /// Other notifications.
    pub events: Option<Vec<NotificationKind>>,
    /// Switches the webhook on or off.
    pub active: Option<bool>,
}

/// A webhook after its registration.
#[derive(Debug, Clone)]
pub struct Registered {
    /// The webhook.
    pub webhook: Webhook,
    /// The key of its signatures.
    pub secret: String,
    /// Whether an earlier request with the same idempotency key had created it.
    pub replayed: bool,
}

/// Why a webhook was not registered, found or changed.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    /// The URL may not be called.
    #[error("the URL may not be called")]
    Url(Refused),
    /// No events are named.
    #[error("a webhook needs at least one event")]
    NoEvents,
    /// There is no such game.
    #[error("there is no such game")]
    UnknownGame,
    /// The player has [`MAX_WEBHOOKS`] already.
    #[error("the player has too many webhooks")]
    TooMany,
    /// The player has no such webhook, or it has no such delivery.
    #[error("there is no such webhook or delivery")]
    NotFound,
    /// The webhook is not active.
    #[error("the webhook is not active")]
    Inactive,
    /// Something below failed.
    #[error(transparent)]
    Service(#[from] Error),
}

impl From<store::Error> for WebhookError {
    fn from(error: store::Error) -> Self {
        Self::Service(error.into())
    }
}

type Result<T> = std::result::Result<T, WebhookError>;

impl Webhooks {
    fn db(&self) -> &Db {
        self.matches.log().database()
    }

    /// Registers a webhook. The route has checked that the caller may read matches, and this one if there is one.
    pub async fn register(
        &self,
        caller: &Caller,
        webhook: NewWebhook,
        request: KeyedRequest<'_>,
    ) -> Result<Registered> {
        let owner = owner(caller);
        let url = self.valid_url(&webhook.url).await?;
        let events = valid_events(webhook.events)?;
        if webhook.game.as_deref().is_some_and(|game| games::find(game).is_none()) {
            return Err(WebhookError::UnknownGame);
        }
        let now = self.clock.now();
        let scope = format!("webhooks/{}", caller.player);
        let id = creations::claim(self.db(), &scope, request.key, request.body, now).await?;
        let keys = self.matches.log().keys();
        if let Some(webhook) = registrations::find(self.db(), owner, id, now).await? {
            let secret = keys.decrypt(&webhook.secret, SECRETS, id)?;
            return Ok(Registered { webhook, secret, replayed: true });
        }
        let new = Webhook {
            id,
            player_id: caller.player,
            url,
            events,
            game: webhook.game,
            match_id: webhook.match_id,
            secret: keys.encrypt(&new_secret(), SECRETS, id),
            active: true,
            notice: None,
            created_at: now.micros(),
            updated_at: now.micros(),
            token_id: owner.token,
        };
        if !registrations::insert_missing(self.db(), new.clone(), MAX_WEBHOOKS, now).await? {
            return Err(WebhookError::TooMany);
        }
        let webhook = self.find(caller, id).await?;
        // Of two simultaneous requests with the same key, only one has created the webhook.
        let replayed = webhook.secret != new.secret;
        let secret = keys.decrypt(&webhook.secret, SECRETS, id)?;
        Ok(Registered { webhook, secret, replayed })
    }

    /// A webhook of a caller.
    pub async fn find(&self, caller: &Caller, id: Uuid) -> Result<Webhook> {
        let found = registrations::find(self.db(), owner(caller), id, self.clock.now());
        found.await?.ok_or(WebhookError::NotFound)
    }

    /// The webhooks of a caller, oldest first.
    pub async fn list(&self, caller: &Caller) -> Result<Vec<Webhook>> {
        Ok(registrations::list(self.db(), owner(caller), self.clock.now()).await?)
    }

    /// Changes a webhook of a caller.
    pub async fn update(
        &self,
        caller: &Caller,
        id: Uuid,
        change: RegistrationChange,
    ) -> Result<Webhook> {
        let webhook = self.find(caller, id).await?;
        let url = match change.url {
            Some(url) => Some(self.valid_url(&url).await?),
            None => None,
        };
        let events = change.events.map(valid_events).transpose()?;
        let change = WebhookChange { url, events, active: change.active };
        let updated = registrations::update(self.db(), webhook.id, change, self.clock.now());
        updated.await?.ok_or(WebhookError::NotFound)
    }

    /// Deletes a webhook of a caller, with its deliveries.
    pub async fn delete(&self, caller: &Caller, id: Uuid) -> Result<()> {
        let webhook = self.find(caller, id).await?;
        Ok(registrations::delete(self.db(), webhook.id).await?)
    }

    /// Queues a test message to a webhook of a caller.
    pub async fn test(&self, caller: &Caller, id: Uuid) -> Result<Delivery> {
        let webhook = self.find_active(caller, id).await?;
        let now = self.clock.now();
        let data = json!({ "webhook": webhook.id });
        let payload = Payload { kind: "ping", timestamp: clock::to_datetime(now), data: &data };
        let ping = delivery(&webhook, &payload, now);
        let ping = registrations::insert_delivery(self.db(), ping).await?;
        self.nudge();
        Ok(ping)
    }

    /// The deliveries of a webhook of a caller, newest first; with `state`, only those in that state, and with `before`, only
    /// older ones.
    pub async fn deliveries(
        &self,
        caller: &Caller,
        id: Uuid,
        state: Option<&str>,
        before: Option<Uuid>,
        limit: u64,
    ) -> Result<Vec<Delivery>> {
        let webhook = self.find(caller, id).await?;
        Ok(registrations::deliveries(self.db(), webhook.id, state, before, limit).await?)
    }

    /// Requeues a delivery of a webhook of a caller, whatever its state.
    pub async fn resend(&self, caller: &Caller, id: Uuid, delivery: Uuid) -> Result<Delivery> {
        let webhook = self.find_active(caller, id).await?;
        let now = self.clock.now();
        let requeued =
            registrations::requeue(self.db(), webhook.id, delivery, state::PENDING, now).await?;
        let requeued = requeued.ok_or(WebhookError::NotFound)?;
        self.nudge();
        Ok(requeued)
    }

    async fn find_active(&self, caller: &Caller, id: Uuid) -> Result<Webhook> {
        let webhook = self.find(caller, id).await?;
        if webhook.active { Ok(webhook) } else { Err(WebhookError::Inactive) }
    }

    /// A URL that may be called, normalised.
    async fn valid_url(&self, text: &str) -> Result<String> {
        let url = self.policy.parse(text).map_err(WebhookError::Url)?;
        self.policy.resolve(&url).await.map_err(WebhookError::Url)?;
        Ok(url.into())
    }
}

/// Whose webhooks a caller manages: a session those of its player, a personal access token only those that it created. Otherwise
/// a token could see and redirect what it has no scope for.
fn owner(caller: &Caller) -> Owner {
    let is_session = caller.scopes.allow(Requirement::Session);
    Owner { player: caller.player, token: (!is_session).then_some(caller.session) }
}

/// Kinds of notifications as they are stored: sorted, each once, separated by commas.
fn valid_events(mut events: Vec<NotificationKind>) -> Result<String> {
    events.sort_unstable();
    events.dedup();
    if events.is_empty() {
        return Err(WebhookError::NoEvents);
    }
    Ok(events.iter().map(|event| event.id()).collect::<Vec<_>>().join(","))
}
