//! `POST /v1/webhooks`

use actix_web::{HttpResponse, http::header, web::Data};
use serde::Deserialize;
use service::{
    identity::{Requirement, Scope},
    live::Consistency,
    notifications::NotificationKind,
    webhooks::NewWebhook,
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    documents::WebhookDocument,
    error::{ApiResult, Conflict, NotFound, Unprocessable},
    http::{Body, IdempotencyKey},
    middleware::{Caller, Endpoint},
};

/// The webhook to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "url": "https://example.com/telar", "events": ["match.turn", "match.finished"] }))]
pub struct CreateWebhookRequest {
    /// Where to send notifications: an https:// URL on the public Internet.
    #[schema(max_length = 2000)]
    url: String,
    /// Which notifications to send.
    #[schema(min_items = 1)]
    events: Vec<NotificationKind>,
    /// Send only notifications about this game.
    #[schema(example = "qwinto")]
    game: Option<String>,
    /// Send only notifications about this match. You need no seat in it, but you must be able to see it. By default,
    /// notifications cover all matches in which you have a seat.
    #[serde(rename = "match")]
    match_id: Option<Uuid>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_create_webhook, create_webhook)
}

/// Register a webhook
///
/// Notifications are sent by POST according to [Standard Webhooks](https://www.standardwebhooks.com), with the headers
/// `webhook-id`, `webhook-timestamp` and `webhook-signature`. The signature is `v1,` and the base64 of an HMAC-SHA256 over
/// `id.timestamp.body`; its key is the base64-decoded part of the secret after `whsec_`. The body is
/// `{"type", "timestamp", "data"}`. Every message is delivered at least once, in no particular order: recognise duplicates by
/// the id, and newer data by its `version`. Any status from 200 to 299 within ten seconds counts as success. Otherwise the
/// delivery is retried, ten times in about a day, with growing pauses; after that it is a dead letter. A 410 switches the
/// webhook off. While many receivers are slow, a call may be broken off after two seconds and is then retried. `match.turn` reports
/// only your own turns. You can have 20 webhooks. The secret is shown only in this response and in that of a
/// retry.
///
/// A webhook that a session registers belongs to the account. One that a personal access token registers ends with that token,
/// and the token sees only the webhooks that it registered itself. Such a token needs the scope `match:read` as well.
#[utoipa::path(
    post,
    path = "/v1/webhooks",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key returns the webhook of the first request.")),
    request_body = CreateWebhookRequest,
    responses(
        (status = 201, description = "The webhook with its secret.", body = WebhookDocument,
         headers(("Location" = String, description = "The URL of the webhook."))),
        NotFound, Conflict, Unprocessable,
    ),
)]
pub async fn create_webhook(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    body: Body<CreateWebhookRequest>,
) -> ApiResult<HttpResponse> {
    // The webhook reveals matches for as long as the token is valid.
    caller.require(Requirement::Scope(Scope::MatchRead))?;
    let CreateWebhookRequest { url, events, game, match_id } = body.value;
    if let Some(id) = match_id {
        app.visible_match(id, Some(caller.player), Consistency::Store).await?;
    }
    let webhook = NewWebhook { url, events, game, match_id };
    let registered = app.webhooks.register(&caller, webhook, key.request(&body.bytes)).await?;
    let mut response = HttpResponse::Created();
    response.insert_header((header::LOCATION, format!("/v1/webhooks/{}", registered.webhook.id)));
    if registered.replayed {
        response.insert_header(("Idempotency-Replayed", "true"));
    }
    let secret = Some(registered.secret);
    let document = WebhookDocument { secret, ..registered.webhook.into() };
    Ok(response.json(document))
}
