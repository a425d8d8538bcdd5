//! A version of a match and the viewer who looks at it: what replays, frames and pictures have in common.

use std::sync::Arc;

use actix_web::{
    HttpResponse, HttpResponseBuilder,
    http::{StatusCode, header},
};
use domain::{
    matches::{Match, NoPerspective, Perspective, ViewRefusal},
    seat::Viewer,
    shape::Bilingual,
    text::Text,
};
use serde::Deserialize;
use service::live::Consistency;
use uuid::Uuid;

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    http::Address,
    middleware::MaybeCaller,
};

/// The viewer that a request asks for.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub struct ViewerParam(Perspective);

impl TryFrom<String> for ViewerParam {
    type Error = Bilingual;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self).map_err(|_: NoPerspective| {
            Bilingual::new(
                "`as` must be `seat`, `spectator`, `archive` or the number of a seat.",
                "`as` debe ser `seat`, `spectator`, `archive` o el número de un puesto.",
            )
        })
    }
}

/// A version of a match, seen by a viewer that the caller may be.
#[derive(Debug)]
pub struct Viewpoint {
    /// The match as it is now.
    pub now: Arc<Match>,
    /// The version that is shown.
    pub version: u64,
    /// The viewer.
    pub viewer: Viewer,
}

impl Viewpoint {
    /// The version and viewer that a request asks for. The default is the current version as the caller sees it.
    pub async fn find(
        app: &App,
        id: Uuid,
        caller: MaybeCaller,
        consistency: Consistency,
        at: Option<u64>,
        viewer: Option<ViewerParam>,
    ) -> ApiResult<Self> {
        let now = app.visible_match(id, caller.player(), consistency).await?;
        let version = at.unwrap_or(now.version());
        if version == 0 || version > now.version() {
            let text = Text::new(
                "`at` must be a version of the match, from 1 to the current one.",
                "`at` debe ser una versión de la partida, de 1 a la actual.",
            );
            return Err(ApiError::bad_field("at", text).version(now.version()));
        }
        let viewer = permitted_viewer(&now, caller.player(), viewer)?;
        Ok(Self { now, version, viewer })
    }

    /// Version and viewer, as a part of entity tags.
    #[must_use]
    pub fn tag(&self) -> String {
        format!("{}-{:?}", self.version, self.viewer).replace(['(', ')'], "")
    }

    /// A response with this entity tag. It is immutable once the match is over.
    #[must_use]
    pub fn response(&self, tag: &str, vary: &'static str) -> HttpResponseBuilder {
        let mut response = HttpResponse::Ok();
        response.insert_header((header::ETAG, tag));
        response.insert_header((header::VARY, vary));
        response.insert_header((header::CACHE_CONTROL, cache_control(&self.now)));
        response
    }

    /// What is made of the match as it was at the version. `who` asks for it.
    pub async fn show<T: Send + 'static>(
        &self,
        app: &App,
        who: Address,
        show: impl FnOnce(&Match) -> T + Send + 'static,
    ) -> ApiResult<T> {
        let turn = app.bulkheads.records.enter(who.0).await?;
        let version = self.version;
        if version == self.now.version() {
            let now = Arc::clone(&self.now);
            return Ok(turn.work(move || show(&now)).await?);
        }
        let stretch = app.matches.history().stretch(self.now.id(), version..version).await?;
        let work = move || stretch.at(version).map(|then| then.as_ref().map(show));
        turn.work(work).await??.ok_or_else(ApiError::internal)
    }
}

/// `Cache-Control` for what is recorded of a match, which never changes once the match is over.
#[must_use]
pub fn cache_control(m: &Match) -> &'static str {
    if m.status().is_over() { "private, max-age=31536000, immutable" } else { "private, no-cache" }
}

/// The viewer that a request asks for, if the player may be that viewer.
fn permitted_viewer(
    m: &Match,
    player: Option<Uuid>,
    viewer: Option<ViewerParam>,
) -> ApiResult<Viewer> {
    let viewer = m.viewer_from(player, viewer.map(|ViewerParam(perspective)| perspective));
    viewer.map_err(|refusal| match refusal {
        ViewRefusal::NotSeated => {
            let text = Text::new(
                "You do not have a seat in this match; `as=spectator` shows what is public.",
                "No tienes un puesto en esta partida; `as=spectator` muestra lo que es público.",
            );
            ApiError::new(StatusCode::FORBIDDEN, "not_seated", text).field("as")
        }
        ViewRefusal::NoSuchSeat => {
            let text = Text::new(
                "There is no such seat in this match.",
                "No existe ese puesto en esta partida.",
            );
            ApiError::bad_field("as", text)
        }
        ViewRefusal::StillSecret => {
            let text = Text::new(
                "Hidden information of other seats is shown once the match is over.",
                "La información oculta de otros puestos se muestra cuando termina la partida.",
            );
            ApiError::new(StatusCode::FORBIDDEN, "still_secret", text).field("as")
        }
    })
}
