//! `POST /v1/webhooks`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::Data,
};
use domain::{games, text::Text};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, sea_query::OnConflict,
};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{WebhookDocument, mine, valid_events, valid_url};
use service::{
    creations, live::Consistency, notifications::NotificationKind, webhooks::new_secret,
};
use store::entities::webhook;

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, NotFound, Unprocessable},
    http::{Body, IdempotencyKey},
    middleware::Caller,
    middleware::Endpoint,
};

/// How many webhooks a player may have.
const MOST: u64 = 20;

/// A webhook to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "url": "https://example.com/telar", "events": ["match.turn", "match.finished"] }))]
pub struct NewWebhook {
    /// Where to send messages: https:// to the public Internet.
    #[schema(max_length = 2000)]
    url: String,
    /// What to send.
    #[schema(min_items = 1)]
    events: Vec<NotificationKind>,
    /// Only about this game.
    #[schema(example = "qwinto")]
    game: Option<String>,
    /// Only about this match, in which you need not sit as long as you may see it. About all matches in which you sit if left out.
    #[serde(rename = "match")]
    match_id: Option<Uuid>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_create_webhook, create_webhook)
}

/// Register a webhook
///
/// Messages are sent by POST as [Standard Webhooks](https://www.standardwebhooks.com) says: `webhook-id`, `webhook-timestamp` and
/// `webhook-signature` (`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with what stands in base64 after `whsec_`);
/// the body is `{"type", "timestamp", "data"}`. Each is sent at least once, in no particular order: the id tells a repetition, the
/// `version` in the data what is newer. Any status from 200 to 299 within ten seconds is success. Otherwise it is tried again, ten times in
/// about a day, with growing pauses; then it is a dead letter. 410 ends the webhook. `match.turn` tells only of your own turns.
/// You may have 20 webhooks. The secret is shown in this answer only.
#[utoipa::path(
    post,
    path = "/v1/webhooks",
    tag = "Webhooks",
    security(("bearer" = ["webhook:write"])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key finds the webhook that the first request created, without its secret.")),
    request_body = NewWebhook,
    responses(
        (status = 201, description = "The webhook, with its secret.", body = WebhookDocument,
         headers(("Location" = String, description = "Where the webhook is."))),
        NotFound, Conflict, Unprocessable,
    ),
)]
pub async fn create_webhook(
    app: Data<App>,
    caller: Caller,
    key: IdempotencyKey,
    body: Body<NewWebhook>,
) -> ApiResult<HttpResponse> {
    let request = body.value;
    let url = valid_url(&app, &request.url).await?;
    let events = valid_events(&request.events)?;
    if request.game.as_deref().is_some_and(|game| games::find(game).is_none()) {
        let text = Text::new("There is no such game.", "No existe ese juego.");
        return Err(ApiError::bad_field("game", text));
    }
    if let Some(id) = request.match_id {
        app.visible_match(id, Some(caller.player), Consistency::Store).await?;
    }
    let now = app.clock.now();
    let scope = format!("webhooks/{}", caller.player);
    let id = creations::claim(&app.db, &scope, key.0.as_deref(), &body.bytes, now).await?;
    let created = |document: WebhookDocument| {
        HttpResponse::Created()
            .insert_header((header::LOCATION, format!("/v1/webhooks/{id}")))
            .json(document)
    };
    if let Ok(hook) = mine(&app, caller, id).await {
        let mut response = created(hook.into());
        let replayed = header::HeaderValue::from_static("true");
        let name = header::HeaderName::from_static("idempotency-replayed");
        response.headers_mut().insert(name, replayed);
        return Ok(response);
    }
    let count = webhook::Entity::find()
        .filter(webhook::Column::PlayerId.eq(caller.player))
        .count(&app.db)
        .await?;
    if count >= MOST {
        return Err(too_many());
    }
    let secret = new_secret();
    webhook::Entity::insert(webhook::ActiveModel {
        id: Set(id),
        player_id: Set(caller.player),
        url: Set(url),
        events: Set(events),
        game: Set(request.game),
        match_id: Set(request.match_id),
        secret: Set(secret.clone()),
        active: Set(true),
        notice: Set(None),
        created_at: Set(now.micros()),
        updated_at: Set(now.micros()),
    })
    .on_conflict(OnConflict::new().do_nothing().to_owned())
    .exec_without_returning(&app.db)
    .await?;
    let hook = mine(&app, caller, id).await?;
    // Of two requests with the same key at the same time only one has made it.
    let secret = (hook.secret == secret).then_some(secret);
    Ok(created(WebhookDocument { secret, ..hook.into() }))
}

fn too_many() -> ApiError {
    ApiError::new(
        StatusCode::CONFLICT,
        "too_many_webhooks",
        Text::new(
            "You have 20 webhooks already; remove one first.",
            "Ya tienes 20 webhooks; elimina uno antes.",
        ),
    )
}
