//! A moment of a match and through whose eyes it is looked at: what replays and pictures have in common.

use std::sync::Arc;

use actix_web::{
    HttpResponse, HttpResponseBuilder,
    http::{StatusCode, header},
};
use domain::{
    matches::{Match, NoPerspective, Perspective, ViewRefusal},
    seat::Viewer,
    text::Text,
};
use serde::Deserialize;
use uuid::Uuid;

use super::visible;
use service::live::Consistency;

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    middleware::MaybeCaller,
};

/// Through whose eyes, as a request says it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub struct Eyes(Perspective);

impl TryFrom<String> for Eyes {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self).map_err(|error: NoPerspective| format!("as {error}"))
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
        consistency: Consistency,
        at: Option<u64>,
        eyes: Option<Eyes>,
    ) -> ApiResult<Self> {
        let now = visible(app, id, caller, consistency).await?;
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
    let viewer = table.viewer_from(player, eyes.map(|Eyes(perspective)| perspective));
    viewer.map_err(|refusal| match refusal {
        ViewRefusal::NotSeated => {
            let text = Text::new(
                "You do not sit in this match; `as=spectator` shows what is public.",
                "No estás en esta partida; `as=spectator` muestra lo público.",
            );
            ApiError::new(StatusCode::FORBIDDEN, "not_seated", text).field("as")
        }
        ViewRefusal::NoSuchSeat => {
            let text = Text::new("There is no such seat.", "No existe ese puesto.");
            ApiError::bad_field("as", text)
        }
        ViewRefusal::StillSecret => {
            let text = Text::new(
                "Others' secrets are shown once the match is over.",
                "Los secretos ajenos se muestran cuando termina la partida.",
            );
            ApiError::new(StatusCode::FORBIDDEN, "still_secret", text).field("as")
        }
    })
}
