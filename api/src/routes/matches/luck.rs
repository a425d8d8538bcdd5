//! `GET /v1/matches/{id}/luck`

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{self, Data, Path},
};
use domain::{
    luck::{Ledger, Luck},
    matches::Match,
    seat::Seat,
    text::{Lang, Text},
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{moment::keeping, visible};

use crate::{
    app::App,
    error::{ApiError, ApiResult, Conflict, NotFound},
    http::{IfNoneMatch, Language, ReadConsistency, Tagged},
    middleware::Endpoint,
    middleware::MaybeCaller,
    routes::games::{LuckFigure, luck_figure},
};

/// How lucky each seat of a match was.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchLuck {
    /// The id of the match.
    id: Uuid,
    /// The key of the game.
    #[schema(example = "qwinto")]
    game: &'static str,
    /// The version of its rules.
    #[schema(example = 1)]
    rules_version: u16,
    /// What the figures mean.
    figures: Vec<LuckFigure>,
    /// One entry a seat, in seat order.
    seats: Vec<SeatLuck>,
}

/// How lucky a seat was.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatLuck {
    /// The seat.
    seat: Seat,
    /// The player; `null` if nobody sat there.
    player: Option<Uuid>,
    /// Every figure, in the order in which the game declares them.
    figures: Vec<SeatFigure>,
}

/// What chance gave to a seat, against what it could expect. Rounded to four decimals.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatFigure {
    /// The figure.
    #[schema(example = "sums")]
    id: &'static str,
    /// How often chance gave something.
    #[schema(example = 12)]
    count: u32,
    /// What it gave, in all.
    #[schema(example = 91.0)]
    observed: f64,
    /// What could be expected each time, in all.
    #[schema(example = 84.0)]
    expected: f64,
    /// The standard deviation of that.
    #[schema(example = 8.3666)]
    deviation: f64,
    /// How many standard deviations `observed` lies above `expected`; 0 where nothing was left to chance.
    #[schema(example = 0.8367)]
    z: f64,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_luck, get_luck)
}

/// How lucky each seat was
///
/// Dice and draws against what could be expected of them at the time: for every roll and draw, the mean and the variance over
/// everything that could have come, given what was known right before. In the long run the differences add up to nothing,
/// however one plays; `z` says how far off a match was. What each figure counts stands beside it; docs/luck.md explains them.
/// Luck tells of what is hidden, so a match has to be over. In a fork only what happened in the fork itself counts.
#[utoipa::path(
    get,
    path = "/v1/matches/{id}/luck",
    tag = "Statistics",
    security((), ("bearer" = ["match:read"])),
    params(
        ("id" = Uuid, Path, description = "The id of the match."),
        ("Accept-Language" = Option<String>, Header, description = "`en` or `es`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "The luck of every seat.", body = MatchLuck,
         headers(("ETag" = String, description = "Made of the content."))),
        (status = 304, description = "You have it already."),
        NotFound,
        Conflict,
    ),
)]
pub async fn get_luck(
    app: Data<App>,
    caller: MaybeCaller,
    id: Path<Uuid>,
    fresh: ReadConsistency,
    language: Language,
    known: IfNoneMatch,
) -> ApiResult<HttpResponse> {
    let table = visible(&app, *id, caller, fresh.0).await?;
    if !table.status().is_over() {
        let text = Text::new(
            "The match is not over; until then its luck would tell of what is hidden.",
            "La partida no ha terminado; hasta entonces su suerte revelaría lo que está oculto.",
        );
        return Err(
            ApiError::new(StatusCode::CONFLICT, "match_not_over", text).version(table.version())
        );
    }
    let log = app.matches.history(*id, table.version()).await?;
    // Trying every card in every place takes its time.
    let ledger =
        web::block(move || Match::luck(&log)).await.map_err(|_| ApiError::internal())??;
    let document = document(&table, &ledger.ok_or_else(ApiError::internal)?, language.0);
    let tagged = Tagged::of(&document)?;
    Ok(tagged.respond(&known, keeping(&table), Some("Accept-Language, Authorization")))
}

fn document(table: &Match, ledger: &Ledger, lang: Lang) -> MatchLuck {
    let info = table.game().info();
    let seats = Seat::all(table.seat_count()).map(|seat| SeatLuck {
        seat,
        player: table.sitter(seat).map(|sitter| sitter.player),
        figures: ledger.of(seat).iter().map(figure).collect(),
    });
    MatchLuck {
        id: table.id(),
        game: info.key,
        rules_version: table.rules_version(),
        figures: info.luck.iter().map(|info| luck_figure(info, lang)).collect(),
        seats: seats.collect(),
    }
}

fn figure(luck: &Luck) -> SeatFigure {
    // Without a minus before nothing.
    let round = |number: f64| (number * 1e4).round() / 1e4 + 0.0;
    SeatFigure {
        id: luck.info.id,
        count: luck.count,
        observed: round(luck.observed),
        expected: round(luck.expected),
        deviation: round(luck.deviation()),
        z: round(luck.z()),
    }
}
