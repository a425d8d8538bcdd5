//! `GET /v1/players/{id}/versus/{other}`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::text::Text;
use service::{secret, statistics::Statistics};
use uuid::Uuid;

use crate::{
    app::App,
    documents::Versus,
    error::{ApiError, ApiResult, NotFound},
    http::{Address, Format, IfNoneMatch, Language},
    middleware::Endpoint,
    rendered::StatsTag,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_versus, get_versus)
}

/// Compare two players
///
/// The results of two players in the matches that they played together, overall and per game.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/versus/{other}",
    tag = "Statistics",
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        ("other" = Uuid, Path, description = "The id of the other player."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "The comparison.", body = Versus,
         headers(("ETag" = String, description = "Changes when further matches are counted."))),
        (status = 304, description = "The response has not changed."),
        NotFound,
    ),
)]
pub async fn get_versus(
    app: Data<App>,
    path: Path<(Uuid, Uuid)>,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (id, other) = *path;
    if id == other {
        return Err(ApiError::bad_field(
            "other",
            Text::new(
                "A player cannot be compared with itself.",
                "Un jugador no se puede comparar consigo mismo.",
            ),
        ));
    }
    let (player, other) = (app.named_player(id).await?, app.named_player(other).await?);
    let statistics = Statistics::now(&app.db).await?;
    let shown = format!("{player:?}\n{other:?}");
    let digest = hex::encode(&secret::hash(shown.as_bytes())[..4]);
    let tag = StatsTag::new(&statistics, Format::Json, language.0, &format!("-{digest}"));
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let _turn = app.bulkheads.statistics.enter(Address::of(&request).0).await?;
    let pairs = statistics.pair(player.id, other.id).await?;
    Ok(entry.json(tag, &Versus::new(player, other, pairs)))
}
