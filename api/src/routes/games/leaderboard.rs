//! `GET /v1/games/{game}/leaderboard`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::{
    erased::AnyGame,
    text::{Lang, Text},
};
use serde::Deserialize;
use service::{
    secret,
    statistics::{
        ALL_TIME, BEST_SCORE, RATING, Statistics, WINS, board_name, month, ranked, season,
    },
};
use time::Date;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::board_reader::BoardReader;
use crate::{
    app::App,
    documents::{Leaderboard, LeaderboardEntry},
    error::{ApiError, ApiResult, NotFound},
    http::{
        Address, Csv, Format, IfNoneMatch, Language, Limit, OrderCursor, Params, cell,
        game_in_path, time_cell,
    },
    middleware::{Endpoint, MaybeCaller},
    rendered::StatsTag,
};

/// Which board, and which part of it, to return.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LeaderboardQuery {
    /// `rating`, `wins` (including shared ones), `best_score`, or a measure that ranks winners without a score (Universal Tapestry:
    /// `elapsed_ms`, fastest first). The default is `rating`, and for a game with one seat the first of its measures that has a board.
    #[param(example = "rating")]
    board: Option<String>,
    /// `all` (the default), the current `season` (a quarter of a year) or `month`, or a certain one as in `2026-Q4` and `2026-11`.
    #[param(example = "season")]
    period: Option<String>,
    /// `me`: the part of the board around your own entry.
    #[param(inline)]
    around: Option<Around>,
    /// The number of entries; by default 50.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// `next` of the previous page.
    #[param(value_type = Option<String>, pattern = "^-?[0-9]+_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    cursor: Option<OrderCursor>,
}

/// The player in the middle of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Around {
    /// The caller.
    Me,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_leaderboard, get_leaderboard)
}

/// Get a leaderboard
///
/// Matches with guests or with automatic moves do not count. The board of ratings of a season or month lists the players of its rated
/// matches, with their rating after the last one. Best scores come from matches that were played to the end, and in a game with one
/// seat only from those that were won. `Accept: text/csv` returns CSV.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/leaderboard",
    tag = "Statistics",
    security((), ("bearer" = ["stats:read"])),
    params(
        ("game" = String, Path, description = "The key of the game.", example = "qwinto"),
        LeaderboardQuery,
        ("Accept" = Option<String>, Header, description = "`application/json` or `text/csv`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have."),
    ),
    responses(
        (status = 200, description = "A page of the board. With `around=me` it is empty if you are not on the board.",
         headers(("ETag" = String, description = "Changes when further matches are counted.")),
         content((Leaderboard = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The response has not changed."),
        NotFound,
    ),
)]
pub async fn get_leaderboard(
    app: Data<App>,
    caller: MaybeCaller,
    game: Path<String>,
    query: Params<LeaderboardQuery>,
    (format, language): (Format, Language),
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (query, lang) = (query.0, language.0);
    let game = game_in_path(&game)?;
    let board = board(game, query.board)?;
    let today = app.clock.datetime().date();
    let period = period(query.period.as_deref().unwrap_or(ALL_TIME), today)?;
    let cursor = query.cursor.map(|OrderCursor(score, player)| (score, player));
    let me = around(query.around, caller)?;
    let statistics = Statistics::now(&app.db).await?;
    // The final tag contains a digest of the names. For the cache it is enough that no name has changed.
    let unnamed = format!("-{period}-{}", app.names.renames());
    let unnamed = StatsTag::new(&statistics, format, lang, &unnamed);
    let entry = unnamed.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = entry.cached(&known).filter(|_| me.is_none()) {
        return Ok(response);
    }
    let _turn = app.bulkheads.statistics.enter(Address::of(&request).0).await?;
    let reader = BoardReader {
        statistics,
        game,
        board: &board,
        name: board_name(game.info().key, &board, &period),
    };
    let (rows, next) = match me {
        Some(me) => reader.around(me, query.limit.get()).await?,
        None => reader.after(cursor, query.limit.get()).await?,
    };
    let is_top = cursor.is_none() && me.is_none();
    let entries = reader.entries(&app, rows, is_top).await?;
    let tag = tag(&reader.statistics, format, lang, &period, &entries).private(me.is_some());
    if let Some(response) = tag.not_modified(&known) {
        return Ok(response);
    }
    Ok(match format {
        Format::Json => {
            let game = game.info().key;
            entry.json(tag, &Leaderboard { game, board, period, entries, next })
        }
        Format::Csv => entry.csv(tag, csv(&entries)),
    })
}

/// The board that the request names, if the game has it, or the default one.
fn board(game: &dyn AnyGame, board: Option<String>) -> ApiResult<String> {
    let info = game.info();
    let measures = || ranked(info.measures).map(|info| info.id);
    let alone = info.max_seats == 1;
    let Some(board) = board else {
        let best = measures().next().unwrap_or(BEST_SCORE);
        return Ok(if alone { best } else { RATING }.to_owned());
    };
    let fits = match board.as_str() {
        RATING => !alone,
        WINS | BEST_SCORE => true,
        other => measures().any(|measure| measure == other),
    };
    if fits {
        return Ok(board);
    }
    Err(ApiError::bad_field(
        "board",
        Text::new(
            "This game has no such board. Available are `rating` (for two or more seats), `wins`, `best_score`, and the measures that rank winners.",
            "Este juego no tiene esa clasificación. Hay `rating` (para dos o más puestos), `wins`, `best_score` y las medidas que ordenan a los ganadores.",
        ),
    ))
}

/// The name of the period that the request names.
fn period(text: &str, today: Date) -> ApiResult<String> {
    match text {
        "season" => return Ok(season(today)),
        "month" => return Ok(month(today)),
        ALL_TIME => return Ok(text.to_owned()),
        _ => {}
    }
    let part = |text: &str| match text.strip_prefix('Q') {
        Some(quarter) => matches!(quarter, "1" | "2" | "3" | "4"),
        None => text.len() == 2 && text.parse().is_ok_and(|month: u8| (1..=12).contains(&month)),
    };
    let is_year = |text: &str| text.len() == 4 && text.bytes().all(|digit| digit.is_ascii_digit());
    match text.split_once('-') {
        Some((year, rest)) if is_year(year) && part(rest) => Ok(text.to_owned()),
        _ => Err(ApiError::bad_field(
            "period",
            Text::new(
                "`period` must be `all`, `season`, `month`, a season as in `2026-Q4`, or a month as in `2026-11`.",
                "`period` debe ser `all`, `season`, `month`, una temporada como `2026-Q4` o un mes como `2026-11`.",
            ),
        )),
    }
}

fn around(around: Option<Around>, caller: MaybeCaller) -> ApiResult<Option<Uuid>> {
    match (around, caller.player()) {
        (None, _) => Ok(None),
        (Some(Around::Me), Some(player)) => Ok(Some(player)),
        (Some(Around::Me), None) => Err(ApiError::unauthorized(
            "token_missing",
            Text::new(
                "`around=me` requires an access token.",
                "`around=me` requiere un token de acceso.",
            ),
        )),
    }
}

/// The tag contains a digest of the players, whose names change without a match.
fn tag(
    statistics: &Statistics,
    format: Format,
    lang: Lang,
    period: &str,
    entries: &[LeaderboardEntry],
) -> StatsTag {
    let players: Vec<String> = entries.iter().map(|entry| format!("{:?}", entry.player)).collect();
    let digest = secret::hash(players.join("\n").as_bytes());
    StatsTag::new(statistics, format, lang, &format!("-{period}-{}", hex::encode(&digest[..4])))
}

fn csv(entries: &[LeaderboardEntry]) -> String {
    let mut csv = Csv::new(["rank", "player", "name", "score", "rating", "uncertainty", "at"]);
    for entry in entries {
        csv.row(&[
            &entry.rank,
            &entry.player.id,
            &cell(entry.player.name.as_deref()),
            &entry.score,
            &cell(entry.rating),
            &cell(entry.uncertainty),
            &time_cell(entry.at),
        ]);
    }
    csv.finish()
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn periods_are_current_or_named() {
        let today = date!(2026 - 11 - 16);
        let name = |text: &str| period(text, today).ok();
        assert_eq!(name("season").as_deref(), Some("2026-Q4"));
        assert_eq!(name("month").as_deref(), Some("2026-11"));
        assert_eq!(name("2025-Q1").as_deref(), Some("2025-Q1"));
        assert_eq!(name("2025-02").as_deref(), Some("2025-02"));
        for bad in ["", "year", "2025", "2025-13", "2025-Q5", "25-01", "2025-1", "2025-01-01", "-"]
        {
            assert_eq!(name(bad), None, "{bad}");
        }
    }
}
