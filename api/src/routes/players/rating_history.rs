//! `GET /v1/players/{id}/rating-history`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::named;
use service::{
    clock,
    statistics::{Rating, Statistics},
};
use store::entities::rated_match;

use crate::{
    app::App,
    error::{ApiResult, NotFound},
    http::{Csv, Format, IfNoneMatch, Language, Limit, Params, cell},
    middleware::Endpoint,
    middleware::MaybeCaller,
    rendered::StatsTag,
    routes::statistics::known_game,
};

/// Which matches are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// Only of this game.
    #[param(example = "qwinto")]
    game: Option<String>,
    /// How many; 50 if left out.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// `next` of the page before.
    cursor: Option<i64>,
}

/// The rating after a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatedMatch {
    /// The match; `null` where it is private and somebody else's.
    #[serde(rename = "match")]
    id: Option<Uuid>,
    /// The key of the game.
    #[schema(example = "qwinto")]
    game: String,
    /// When it ended.
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
    /// The place that the player reached.
    #[schema(minimum = 1, maximum = 8)]
    place: i16,
    /// Among how many.
    #[schema(minimum = 2, maximum = 8)]
    seats: i16,
    /// The rating before.
    #[schema(example = 25.0)]
    rating_before: f64,
    /// The rating after.
    #[schema(example = 27.6)]
    rating: f64,
    /// The standard deviation after.
    #[schema(example = 8.0)]
    uncertainty: f64,
    /// What leaderboards go by after the match: `rating - 3 * uncertainty`.
    #[schema(example = 3.5)]
    rank_score: f64,
}

/// A page of a player's rating history, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingHistory {
    /// The matches.
    matches: Vec<RatedMatch>,
    /// The `cursor` of the next page; `null` on the last one.
    next: Option<i64>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_rating_history, get_rating_history)
}

/// The rating history of a player
///
/// Ratings follow Weng and Lin: 25 with a standard deviation of 8.33 at the beginning, in each game by itself, after every rated match in
/// the order in which matches ended. Unrated are matches with guests, matches in which a seat was played automatically, and games of
/// one seat. In CSV with `Accept: text/csv`.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/rating-history",
    tag = "Statistics",
    security((), ("bearer" = ["stats:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        Wanted,
        ("Accept" = Option<String>, Header, description = "`application/json` or `text/csv`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "A page of the history.", headers(("ETag" = String, description = "Changes when more matches are counted.")),
         content((RatingHistory = "application/json"), (String = "text/csv"))),
        (status = 304, description = "You have it already."),
        NotFound,
    ),
)]
pub async fn get_rating_history(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    wanted: Params<Wanted>,
    form: (Format, Language),
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (wanted, (format, language)) = (wanted.0, form);
    let game = wanted.game.as_deref().map(known_game).transpose()?;
    named(&app, *id).await?;
    let mine = caller.player() == Some(*id);
    let statistics = Statistics::now(&app.db).await?;
    let tag = StatsTag::new(&statistics, format, language.0, "").private(mine);
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    let kept = || entry.cached(&known).filter(|_| !mine);
    if let Some(response) = tag.not_modified(&known).or_else(kept) {
        return Ok(response);
    }
    let limit = wanted.limit.get();
    let game = game.map(|game| game.info().key);
    let mut rows = statistics.rated(*id, game, wanted.cursor, limit + 1).await?;
    let more = rows.len() as u64 > limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = rows.last().filter(|_| more).map(|row| row.number);
    let matches: Vec<RatedMatch> = rows.into_iter().map(|row| shown(row, mine)).collect();
    match format {
        Format::Json => Ok(entry.json(tag, &RatingHistory { matches, next })),
        Format::Csv => Ok(entry.csv(tag, csv(&matches))),
    }
}

fn shown(row: rated_match::Model, mine: bool) -> RatedMatch {
    let rating = Rating { rating: row.rating, uncertainty: row.uncertainty };
    RatedMatch {
        id: (row.public || mine).then_some(row.match_id),
        game: row.game,
        at: clock::to_datetime(Timestamp::from_micros(row.at)),
        place: row.place,
        seats: row.seats,
        rating_before: row.rating_before,
        rating: row.rating,
        uncertainty: row.uncertainty,
        rank_score: rating.rank_score(),
    }
}

fn csv(matches: &[RatedMatch]) -> String {
    let mut table = Csv::new([
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
    for it in matches {
        table.row(&[
            &it.at.format(&Rfc3339).unwrap_or_default(),
            &it.game,
            &cell(it.id),
            &it.place,
            &it.seats,
            &it.rating_before,
            &it.rating,
            &it.uncertainty,
            &it.rank_score,
        ]);
    }
    table.finish()
}
