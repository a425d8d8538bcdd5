//! `GET /v1/matches/{id}/board.svg`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::seat::Viewer;
use pictures::{Style, Theme};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::moment::{Eyes, Moment};

use crate::{
    app::App,
    error::{ApiError, ApiResult, Forbidden, NotFound},
    http::{IfNoneMatch, Language, PICTURE_RELEASE, Params, ReadConsistency, as_picture},
    middleware::Endpoint,
    middleware::MaybeCaller,
};

/// Which moment, through whose eyes, and on which ground.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BoardParams {
    /// The version to look at; the current one if left out.
    #[param(example = 6)]
    at: Option<u64>,
    /// Through whose eyes: `seat` (your own), `spectator`, and once the match is over also `archive` (everything) or the
    /// number of any seat. Your seat if you have one, else `spectator`, if left out.
    #[serde(rename = "as")]
    #[param(value_type = Option<String>, example = "spectator")]
    eyes: Option<Eyes>,
    /// The ground on which the picture is looked at: `light`, `dark`, or `auto`, which follows the reader's device and is the
    /// default.
    #[serde(default)]
    #[param(inline, example = "auto")]
    theme: Theme,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_draw_board, draw_board)
}

/// The board as a picture
///
/// An SVG of 400 units in width that can be scaled to any size, with a title and a description in the language of the request.
/// It shows what the view of the same version and viewer shows. Before the match starts it is the table with its seats. The
/// picture of a finished match never changes.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/board.svg",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        BoardParams,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml",
         headers(("ETag" = String, description = "The version, the viewer, the language and the theme."))),
        (status = 304, description = "You have it already."),
        Forbidden,
        NotFound,
    ),
)]
pub async fn draw_board(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: ReadConsistency,
    language: Language,
    params: Params<BoardParams>,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let BoardParams { at, eyes, theme } = params.0;
    let moment = Moment::find(&app, *id, caller, fresh.0, at, eyes).await?;
    let lang = language.0;
    let tag = format!("\"{}-{}-{}-{PICTURE_RELEASE}\"", moment.tag(), lang.tag(), theme.id());
    let mut response = moment.response(&tag, "Authorization, Accept-Language");
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        response.insert_header((header::CONTENT_LANGUAGE, lang.tag()));
        return Ok(response.finish());
    }
    let then = moment.load(&app).await?;
    let seat = match moment.viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator | Viewer::Archive => None,
    };
    let (game, style) = (then.game().info(), Style { theme, lang, seat });
    let picture = if let Some(view) = then.view(moment.viewer) {
        pictures::board(game.key, &view, style).ok_or_else(ApiError::internal)?
    } else {
        let taken: Vec<bool> = then.seats().iter().map(Option::is_some).collect();
        pictures::waiting(game, &taken, style)
    };
    Ok(as_picture(response, picture, lang))
}
