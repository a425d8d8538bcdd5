//! `GET /v1/matches/{id}/result`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::{matches::Status, outcome::Outcome, seat::Seat, text::Text};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::visible;
use service::statistics::{RatingChange, Statistics, Unrated};

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, NotFound},
    http::ReadConsistency,
    middleware::Endpoint,
    middleware::MaybeCaller,
};

/// What a match did to the rating of a player.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatRating {
    /// The seat.
    seat: Seat,
    /// The player.
    player: Uuid,
    /// The rating before.
    #[schema(example = 25.0)]
    rating_before: f64,
    /// Its standard deviation before.
    #[schema(example = 8.33)]
    uncertainty_before: f64,
    /// The rating after.
    #[schema(example = 27.6)]
    rating: f64,
    /// Its standard deviation after.
    #[schema(example = 8.0)]
    uncertainty: f64,
}

impl From<RatingChange> for SeatRating {
    fn from(change: RatingChange) -> Self {
        Self {
            seat: change.seat,
            player: change.player,
            rating_before: change.rating_before,
            uncertainty_before: change.uncertainty_before,
            rating: change.rating,
            uncertainty: change.uncertainty,
        }
    }
}

/// The result of a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchResult {
    /// The id of the match.
    id: Uuid,
    /// `finished` or `abandoned`.
    status: Status,
    /// Places, scores and measures; `null` if everybody left before the start.
    outcome: Option<Outcome>,
    /// Whether statistics and ratings hold the match already; a moment after its end they do.
    counted: bool,
    /// Whether it changed ratings; `null` until it is counted.
    rated: Option<bool>,
    /// Why it did not.
    unrated_because: Option<Unrated>,
    /// What it did to ratings, one entry a seat.
    ratings: Vec<SeatRating>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_result, get_result)
}

/// The result of a match: places, scores, and what it did to ratings
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/result",
    tag = "Statistics",
    security((), ("bearer" = ["match:read"])),
    params(("id" = Uuid, Path, description = "The id of the match.")),
    responses((status = 200, description = "The result.", body = MatchResult), NotFound, Conflict),
)]
pub async fn get_result(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: ReadConsistency,
) -> ApiResult<HttpResponse> {
    let table = visible(&app, *id, caller, fresh.0).await?;
    if !table.status().is_over() {
        return Err(ApiError::new(
            StatusCode::CONFLICT,
            "match_not_over",
            Text::new(
                "The match is not over; there is no result yet.",
                "La partida no ha terminado; aún no hay resultado.",
            ),
        )
        .version(table.version()));
    }
    let result = Statistics::now(&app.db).await?.result(*id).await?;
    let counted = result.is_some();
    let (unrated_because, changes) = result.unwrap_or_default();
    let unrated_because = unrated_because.as_deref().and_then(Unrated::find);
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::VARY, "Authorization"))
        .json(MatchResult {
            id: *id,
            status: table.status(),
            outcome: table.outcome().cloned(),
            counted,
            rated: counted.then_some(unrated_because.is_none()),
            unrated_because,
            ratings: changes.into_iter().map(SeatRating::from).collect(),
        }))
}
