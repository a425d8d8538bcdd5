//! `GET /v1/players/{id}/rating-history`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::time::Timestamp;
use serde::Deserialize;
use service::statistics::Statistics;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::{
    app::App,
    documents::{RatedMatch, RatingHistory},
    error::{ApiResult, NotFound},
    http::{
        Address, Csv, Format, IfNoneMatch, Language, Limit, OrderCursor, Params, game_in_field,
        time_cell,
    },
    middleware::{Endpoint, MaybeCaller},
    rendered::StatsTag,
};

/// Which rated matches to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RatingHistoryQuery {
    /// Only matches of this game.
    #[param(example = "qwinto")]
    game: Option<String>,
    /// The number of matches; by default 50.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// `next` of the previous page.
    #[param(value_type = Option<String>, pattern = "^-?[0-9]+_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    cursor: Option<OrderCursor>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_rating_history, get_rating_history)
}

/// Get the rating history of a player
///
/// Ratings follow Weng and Lin. In each game they begin at 25 with a standard deviation of 8.33 and change after every rated match, in
/// the order in which matches ended. Private matches, matches with guests, with automatic moves and with one seat are not rated.
/// `Accept: text/csv` returns CSV.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/rating-history",
    tag = "Statistics",
    security((), ("bearer" = ["stats:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        RatingHistoryQuery,
        ("Accept" = Option<String>, Header, description = "`application/json` or `text/csv`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "A page of the history.", headers(("ETag" = String, description = "Changes when further matches are counted.")),
         content((RatingHistory = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The response has not changed."),
        NotFound,
    ),
)]
pub async fn get_rating_history(
    app: Data<App>,
    _caller: MaybeCaller,
    id: Path<Uuid>,
    query: Params<RatingHistoryQuery>,
    (format, language): (Format, Language),
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let RatingHistoryQuery { game, limit, cursor } = query.0;
    let game = game.as_deref().map(game_in_field).transpose()?.map(|game| game.info().key);
    let before = cursor.map(|OrderCursor(end, id)| (Timestamp::from_micros(end), id));
    app.named_player(*id).await?;
    let statistics = Statistics::now(&app.db).await?;
    let tag = StatsTag::new(&statistics, format, language.0, "");
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let _turn = app.bulkheads.statistics.enter(Address::of(&request).0).await?;
    let rows = statistics.rated(*id, game, before, limit.and_one_more()).await?;
    let (rows, next) =
        limit.page(rows, |row| OrderCursor(row.ended_at.micros(), row.match_id).to_string());
    let matches: Vec<RatedMatch> = rows.into_iter().map(RatedMatch::new).collect();
    Ok(match format {
        Format::Json => entry.json(tag, &RatingHistory { matches, next }),
        Format::Csv => entry.csv(tag, csv(&matches)),
    })
}

fn csv(matches: &[RatedMatch]) -> String {
    let mut csv = Csv::new([
        "at",
        "game",
        "match",
        "place",
        "seats",
        "rating_before",
        "rating",
        "uncertainty",
        "rank_score",
    ]);
    for rated in matches {
        csv.row(&[
            &time_cell(rated.at),
            &rated.game,
            &rated.id,
            &rated.place,
            &rated.seats,
            &rated.rating_before,
            &rated.rating,
            &rated.uncertainty,
            &rated.rank_score,
        ]);
    }
    csv.finish()
}
