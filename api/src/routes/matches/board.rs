//! `GET /v1/matches/{id}/board.svg`

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::{matches::Match, seat::Viewer};
use pictures::{Style, Theme};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::viewpoint::{ViewerParam, Viewpoint};
use crate::{
    app::App,
    error::{ApiError, ApiResult, Forbidden, NotFound},
    http::{Address, IfNoneMatch, Language, PICTURE_RELEASE, Params, ReadConsistency, as_picture},
    middleware::{Endpoint, MaybeCaller},
};

/// Which version to draw, for which viewer and on which background.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DrawBoardQuery {
    /// The version to draw; by default the current one.
    #[param(example = 6)]
    at: Option<u64>,
    /// The viewer: `seat` (your own seat), `spectator`, and once the match is over also `archive` (everything) or the number of
    /// any seat. The default is your own seat if you have one, and otherwise `spectator`.
    #[serde(rename = "as")]
    #[param(value_type = Option<String>, example = "spectator")]
    viewer: Option<ViewerParam>,
    /// The background: `light`, `dark`, or `auto` (the default), which follows the settings of the reader's device.
    #[serde(default)]
    #[param(inline, example = "auto")]
    theme: Theme,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_draw_board, draw_board)
}

/// Draw the board
///
/// An SVG with a width of 400 units that can be scaled to any size, with a title and a description in the language of the request.
/// It shows the same as the view of that version and viewer. Before the match starts, it shows the seats. The picture of a finished
/// match never changes.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/board.svg",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        DrawBoardQuery,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml",
         headers(("ETag" = String, description = "The version, the viewer, the language and the theme."))),
        (status = 304, description = "The response has not changed."),
        Forbidden,
        NotFound,
    ),
)]
pub async fn draw_board(
    app: Data<App>,
    caller: MaybeCaller,
    (id, address): (Path<Uuid>, Address),
    consistency: ReadConsistency,
    language: Language,
    query: Params<DrawBoardQuery>,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let (DrawBoardQuery { at, viewer, theme }, lang) = (query.0, language.0);
    let viewpoint = Viewpoint::find(&app, *id, caller, consistency.0, at, viewer).await?;
    let tag = format!("\"{}-{}-{}-{PICTURE_RELEASE}\"", viewpoint.tag(), lang.tag(), theme.id());
    let mut response = viewpoint.response(&tag, "Authorization, Accept-Language");
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        response.insert_header((header::CONTENT_LANGUAGE, lang.tag()));
        return Ok(response.finish());
    }
    let viewer = viewpoint.viewer;
    let seat = match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator | Viewer::Archive => None,
    };
    let style = Style { theme, lang, seat };
    let picture = viewpoint.show(&app, address, move |then| draw(then, viewer, style)).await?;
    Ok(as_picture(response, picture.ok_or_else(ApiError::internal)?, lang))
}

fn draw(then: &Match, viewer: Viewer, style: Style) -> Option<String> {
    let game = then.game().info();
    if let Some(view) = then.view(viewer) {
        return pictures::board(game.key, &view, style);
    }
    let taken: Vec<bool> = then.seats().iter().map(Option::is_some).collect();
    Some(pictures::waiting(game, &taken, style))
}
