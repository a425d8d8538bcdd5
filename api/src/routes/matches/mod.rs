//! Matches: created, found, read, replayed, commanded.

use actix_web::{HttpResponse, http::header};
use service::live::Executed;
use uuid::Uuid;

use crate::{app::App, error::ApiResult};

pub mod board;
pub mod command;
pub mod create;
pub mod events;
pub mod export;
pub mod fork;
pub mod frames;
pub mod get;
pub mod hint;
pub mod list;
pub mod luck;
pub mod pause;
pub mod proof;
pub mod rematch;
pub mod replay;
pub mod resign;
pub mod result;
pub mod resume;
pub mod take_back;
mod viewpoint;

/// The response for a new match.
async fn created(app: &App, executed: &Executed, player: Uuid) -> ApiResult<HttpResponse> {
    let document = app.match_document(&executed.after, Some(player)).await?;
    let mut response = HttpResponse::Created();
    response.insert_header((header::LOCATION, format!("/v1/matches/{}", document.id)));
    response.insert_header((header::ETAG, document.etag()));
    if executed.replayed {
        response.insert_header(("Idempotency-Replayed", "true"));
    }
    Ok(response.json(document))
}
