//! A moment of a match and through whose eyes it is looked at: what replays and pictures have in common.

use std::sync::Arc;

use actix_web::{
    HttpResponse, HttpResponseBuilder,
    http::{StatusCode, header},
};
use domain::{
    matches::Match,
    seat::{Seat, Viewer},
    text::Text,
};
use serde::Deserialize;
use uuid::Uuid;

use super::visible;
use crate::{
    app::App,
    auth::MaybeCaller,
    error::{ApiError, ApiResult},
    live::Freshness,
};

/// Through whose eyes, as a request says it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub enum Eyes {
    /// The caller's own seat.
    Mine,
    /// What is public.
    Spectator,
    /// Everything.
    Archive,
    /// Any seat.
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
                .ok()
                .and_then(Seat::new)
                .map(Self::Seat)
                .ok_or("as is `seat`, `spectator`, `archive` or the number of a seat"),
        }
    }
}

/// A version of a match that the caller may see, through eyes through which it may look.
#[derive(Debug)]
pub struct Moment {
    /// The match as it is now.
    pub now: Arc<Match>,
    /// Which version is looked at.
    pub version: u64,
    /// Through whose eyes.
    pub viewer: Viewer,
}

impl Moment {
    /// The moment that a request asks for; the current one through the caller's own eyes if it says nothing.
    pub async fn find(
        app: &App,
        id: Uuid,
        caller: MaybeCaller,
        freshness: Freshness,
        at: Option<u64>,
        eyes: Option<Eyes>,
    ) -> ApiResult<Self> {
        let now = visible(app, id, caller, freshness).await?;
        let version = at.unwrap_or(now.version());
        if version == 0 || version > now.version() {
            let text = Text::new(
                "`at` is a version of the match, from 1 to the current one.",
                "`at` es una versión de la partida, de 1 a la actual.",
            );
            return Err(ApiError::bad_field("at", text).version(now.version()));
        }
        let viewer = viewer(&now, caller.player(), eyes)?;
        Ok(Self { now, version, viewer })
    }

    /// What tells this moment from others of the same match, for tags.
    #[must_use]
    pub fn tag(&self) -> String {
        format!("{}-{:?}", self.version, self.viewer).replace(['(', ')'], "")
    }

    /// The headers of an answer that is the same for ever once the match is over.
    #[must_use]
    pub fn response(&self, tag: &str, vary: &'static str) -> HttpResponseBuilder {
        let mut response = HttpResponse::Ok();
        response.insert_header((header::ETAG, tag));
        response.insert_header((header::VARY, vary));
        response.insert_header((header::CACHE_CONTROL, keeping(&self.now)));
        response
    }

    /// The match as it was.
    pub async fn load(&self, app: &App) -> ApiResult<Match> {
        let commits = app.matches.history(self.now.id(), self.version).await?;
        Match::as_of(&commits, self.version)?.ok_or_else(ApiError::internal)
    }
}

/// What was recorded never changes once the match is over.
#[must_use]
pub fn keeping(table: &Match) -> &'static str {
    if table.status().is_over() {
        "private, max-age=31536000, immutable"
    } else {
        "private, no-cache"
    }
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
