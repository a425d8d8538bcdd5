//! `GET /v1/matches/{id}/legal-moves`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::{
    game::{Fill, Refusal},
    matches::{MatchRefusal, Status},
    seat::Seat,
};
use serde::Serialize;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use service::{clock, live::Consistency};

use crate::{
    app::App,
    error::{ApiError, ApiResult, Forbidden, NotFound},
    http::{IfNoneMatch, Language, ReadConsistency},
    middleware::Endpoint,
    middleware::{Caller, MaybeCaller},
    openapi::AnyMove,
    routes::matches::visible,
};

/// The legal moves of a seat.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMoves {
    /// The version of the match that they are legal at.
    #[schema(example = 5)]
    version: u64,
    /// Where the match stands.
    status: Status,
    /// Your seat.
    seat: Seat,
    /// Until when you have to decide; `null` where the match does not wait for you or has no time limit.
    #[serde(with = "time::serde::rfc3339::option")]
    deadline: Option<OffsetDateTime>,
    /// Each can be posted back as it is.
    moves: Vec<LegalMove>,
    /// Whether every legal move is listed. If not, `fill` says which others there are.
    complete: bool,
}

/// A legal move.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMove {
    /// The move, ready for `POST /v1/matches/{id}/moves`.
    #[serde(rename = "move")]
    #[schema(value_type = AnyMove)]
    mv: Box<RawValue>,
    /// The move in words.
    #[schema(example = "Roll the orange and purple dice")]
    label: String,
    /// The field that may be filled in differently, and with what.
    #[serde(skip_serializing_if = "Option::is_none")]
    fill: Option<Fill>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_list_legal_moves, list_legal_moves)
}

/// What can I do?
///
/// Empty when it is not your turn, or when the match has not started, is paused or is over.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/legal-moves",
    tag = "Moves",
    security(("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`, for the labels."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "Your legal moves.", body = LegalMoves,
         headers(("ETag" = String, description = "The version, your seat and the language."))),
        (status = 304, description = "You have them already."),
        Forbidden,
        NotFound,
    ),
)]
pub async fn list_legal_moves(
    app: Data<App>,
    caller: Caller,
    id: Path<Uuid>,
    fresh: ReadConsistency,
    language: Language,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let table = visible(&app, *id, MaybeCaller(Some(caller)), fresh.0).await?;
    // Who has no seat here may have taken one through another replica a moment ago.
    let table = match table.seat_of(caller.player) {
        Some(_) => table,
        None => visible(&app, *id, MaybeCaller(Some(caller)), Consistency::Store).await?,
    };
    let seat = table.seat_of(caller.player).ok_or_else(|| {
        let info = MatchRefusal::NotSeated.info();
        ApiError::new(StatusCode::FORBIDDEN, info.code, info.text)
    })?;
    let tag = format!("\"{}-{}-{}\"", table.version(), seat.number(), language.0.tag());
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "private, no-cache"));
    response.insert_header((header::VARY, "Authorization, Accept-Language"));
    response.insert_header((header::ETAG, tag.clone()));
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        return Ok(response.finish());
    }
    let listing = table.listing(seat, language.0);
    let moves = listing
        .moves
        .into_iter()
        .map(|listed| LegalMove { mv: listed.mv, label: listed.label, fill: listed.fill })
        .collect();
    Ok(response.json(LegalMoves {
        version: table.version(),
        status: table.status(),
        seat,
        deadline: table.deadline(seat).map(clock::to_datetime),
        moves,
        complete: listing.complete,
    }))
}
