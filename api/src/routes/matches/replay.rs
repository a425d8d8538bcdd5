//! `GET /v1/matches/{id}/replay`

use actix_web::{
    HttpResponse, get,
    http::{StatusCode, header},
    web::{Data, Path},
};
use domain::{
    matches::{Match, Status},
    seat::{Seat, Viewer},
    text::Text,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::visible;
use crate::{
    app::App,
    auth::MaybeCaller,
    clock,
    error::{ApiError, ApiResult, Forbidden, NotFound},
    http::{Fresh, IfNoneMatch, Params},
    openapi::AnyView,
};

/// Which moment, and through whose eyes.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Moment {
    /// The version to look at; the current one if left out.
    #[param(example = 6)]
    at: Option<u64>,
    /// Through whose eyes: `seat` (your own), `spectator`, and once the match is over also `archive` (everything) or the
    /// number of any seat. Your seat if you have one, else `spectator`, if left out.
    #[serde(rename = "as")]
    #[param(value_type = Option<String>, example = "spectator")]
    eyes: Option<Eyes>,
}

/// Through whose eyes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
enum Eyes {
    Mine,
    Spectator,
    Archive,
    Seat(Seat),
}

impl TryFrom<String> for Eyes {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "seat" => Ok(Self::Mine),
            "spectator" => Ok(Self::Spectator),
            "archive" => Ok(Self::Archive),
            number => number
                .parse()
                .map(|number| Self::Seat(Seat::new(number)))
                .map_err(|_| "as is `seat`, `spectator`, `archive` or the number of a seat"),
        }
    }
}

/// A match as it was.
#[derive(Debug, Serialize, ToSchema)]
pub struct Replay {
    /// Which version this is.
    #[schema(example = 6)]
    version: u64,
    /// When it came about.
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
    /// Where the match stood.
    status: Status,
    /// The seats that the match waited for.
    to_act: Vec<Seat>,
    /// What was to be seen of the game; `null` before it started.
    #[schema(value_type = Option<AnyView>)]
    view: Option<Box<RawValue>>,
}

/// The match as it was at a version
///
/// While the match is being played you see what you could see then; others' secrets are shown only after the end.
/// The replay of a finished match never changes.
#[utoipa::path(
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        Moment,
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The match as it was.", body = Replay,
         headers(("ETag" = String, description = "The version and the viewer."))),
        (status = 304, description = "You have it already."),
        Forbidden,
        NotFound,
    ),
)]
#[get("/v1/matches/{id}/replay")]
pub async fn replay_match(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: Fresh,
    moment: Params<Moment>,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let table = visible(&app, *id, caller, fresh.0).await?;
    let version = moment.0.at.unwrap_or(table.version());
    if version == 0 || version > table.version() {
        return Err(ApiError::bad_field(
            "at",
            Text::new(
                "`at` is a version of the match, from 1 to the current one.",
                "`at` es una versión de la partida, de 1 a la actual.",
            ),
        )
        .version(table.version()));
    }
    let viewer = viewer(&table, caller.player(), moment.0.eyes)?;
    let tag = format!("\"{version}-{viewer:?}\"").replace(['(', ')'], "");
    let mut response = HttpResponse::Ok();
    response.insert_header((header::ETAG, tag.clone()));
    response.insert_header((header::VARY, "Authorization"));
    response.insert_header((
        header::CACHE_CONTROL,
        if table.status().is_over() {
            "private, max-age=31536000, immutable"
        } else {
            "private, no-cache"
        },
    ));
    if known.has(&tag) {
        response.status(StatusCode::NOT_MODIFIED);
        return Ok(response.finish());
    }
    let commits = app.matches.history(*id, version).await?;
    let then = Match::as_of(&commits, version)?.ok_or_else(ApiError::internal)?;
    Ok(response.json(Replay {
        version,
        at: clock::to_datetime(then.updated_at()),
        status: then.status(),
        to_act: then.to_act().iter().collect(),
        view: then.view(viewer),
    }))
}

/// Through whose eyes this caller may look.
fn viewer(table: &Match, player: Option<Uuid>, eyes: Option<Eyes>) -> ApiResult<Viewer> {
    let mine = player.and_then(|player| table.seat_of(player));
    let is_over = table.status().is_over();
    match eyes {
        None => Ok(mine.map_or(Viewer::Spectator, Viewer::Seat)),
        Some(Eyes::Spectator) => Ok(Viewer::Spectator),
        Some(Eyes::Mine) => mine.map(Viewer::Seat).ok_or_else(|| {
            let text = Text::new(
                "You do not sit in this match; `as=spectator` shows what is public.",
                "No estás en esta partida; `as=spectator` muestra lo público.",
            );
            ApiError::new(StatusCode::FORBIDDEN, "not_seated", text).field("as")
        }),
        Some(Eyes::Seat(seat)) if seat.number() >= table.seat_count() => {
            let text = Text::new("There is no such seat.", "No existe ese puesto.");
            Err(ApiError::bad_field("as", text))
        }
        Some(Eyes::Seat(seat)) if is_over || mine == Some(seat) => Ok(Viewer::Seat(seat)),
        Some(Eyes::Archive) if is_over => Ok(Viewer::Archive),
        Some(Eyes::Seat(_) | Eyes::Archive) => {
            let text = Text::new(
                "Others' secrets are shown once the match is over.",
                "Los secretos ajenos se muestran cuando termina la partida.",
            );
            Err(ApiError::new(StatusCode::FORBIDDEN, "still_secret", text).field("as"))
        }
    }
}
