//! `GET /v1/games/{game}/leaderboard`

use std::collections::BTreeSet;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::{
    erased::AnyGame,
    text::{Lang, Text},
};
use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use service::{
    clock, secret,
    statistics::{
        ALL_TIME, BEST_SCORE, RATING, Rating, Statistics, WINS, board_name, month, oriented,
        ranked, season,
    },
};
use store::entities::board_entry;

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    http::{Csv, Format, IfNoneMatch, Language, Limit, Params, cell},
    middleware::Endpoint,
    middleware::{Caller, MaybeCaller},
    rendered::StatsTag,
    routes::{matches::SeatedPlayer, statistics::known_game},
};

/// Which board, and which part of it.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// `rating`, `wins` (shared ones too), `best_score`, or a measure by which winners without a score are ranked (Universal Tapestry:
    /// `elapsed_ms`, the fastest). If left out: `rating`, and for a game of one seat the first of its measures that has a board.
    #[param(example = "rating")]
    board: Option<String>,
    /// `all`, `season` (this one; a season is a quarter of a year), `month` (this one), or a certain one as in `2026-Q4` and
    /// `2026-11`. If left out: `all`.
    #[param(example = "season")]
    period: Option<String>,
    /// `me`: the part of the board around you.
    #[param(inline)]
    around: Option<Around>,
    /// How many; 50 if left out.
    #[serde(default)]
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    limit: Limit,
    /// `next` of the page before.
    cursor: Option<String>,
}

/// Around whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Around {
    /// You.
    Me,
}

/// A player on a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LeaderboardEntry)]
pub struct Entry {
    /// 1 for the best; equal scores share a rank, and the next one is skipped.
    #[schema(example = 1)]
    rank: u64,
    /// The player.
    player: SeatedPlayer,
    /// What the board goes by: `rating - 3 * uncertainty`, wins, points, or the value of the measure.
    #[schema(example = 21.4)]
    score: f64,
    /// The rating, on a board of ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<f64>,
    /// Its standard deviation, on a board of ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    uncertainty: Option<f64>,
    /// When the match ended that last changed the score.
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// A page of a leaderboard, best first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Leaderboard {
    /// The key of the game.
    #[schema(example = "qwinto")]
    game: &'static str,
    /// The board.
    #[schema(example = "rating")]
    board: String,
    /// The period: `all`, a season as in `2026-Q4`, or a month as in `2026-11`.
    #[schema(example = "2026-Q4")]
    period: String,
    /// The entries.
    entries: Vec<Entry>,
    /// The `cursor` of the next page; `null` on the last one.
    next: Option<String>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_leaderboard, get_leaderboard)
}

/// A leaderboard
///
/// Matches with guests, and matches in which a seat was played automatically, are on no board. On the board of ratings of a season or
/// month stand those who played a rated match in it, with their rating after the last one. A best score counts from matches that were
/// played to their end, and in a game of one seat only from those that were won. In CSV with `Accept: text/csv`.
#[utoipa::path(
    get,
    path = "/v1/games/{game}/leaderboard",
    tag = "Statistics",
    security((), ("bearer" = ["stats:read"])),
    params(
        ("game" = String, Path, description = "The key of the game.", example = "qwinto"),
        Wanted,
        ("Accept" = Option<String>, Header, description = "`application/json` or `text/csv`."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "A page of the board; an empty one where you ask for your surroundings and are not on it.",
         headers(("ETag" = String, description = "Changes when more matches are counted.")),
         content((Leaderboard = "application/json"), (String = "text/csv"))),
        (status = 304, description = "You have it already."),
    ),
)]
pub async fn get_leaderboard(
    app: Data<App>,
    caller: MaybeCaller,
    game: Path<String>,
    wanted: Params<Wanted>,
    form: (Format, Language),
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (wanted, (format, Language(lang))) = (wanted.0, form);
    let game = known_game(&game)?;
    let kind = kind(game, wanted.board)?;
    let today = app.clock.datetime().date();
    let period = period(wanted.period.as_deref().unwrap_or(ALL_TIME), today)?;
    let cursor = wanted.cursor.as_deref().map(parse_cursor).transpose()?;
    let me = around(wanted.around, caller.0)?;
    let limit = wanted.limit.get();
    let statistics = Statistics::now(&app.db).await?;
    // The tag tells names, too; here it is enough that none has changed.
    let unnamed = format!("-{period}-{}", app.names.renames());
    let entry = StatsTag::new(&statistics, format, lang, &unnamed).entry(
        &app.stats,
        &request,
        app.clock.now(),
    );
    if let Some(response) = entry.cached(&known).filter(|_| me.is_none()) {
        return Ok(response);
    }
    let board = board_name(game.info().key, &kind, &period);
    let (rows, more) = match me {
        Some(me) => surroundings(&statistics, &board, me, limit).await?,
        None => part(&statistics, &board, cursor, limit).await?,
    };
    let next = rows.last().filter(|_| more).map(|row| format!("{}_{}", row.score, row.player_id));
    let is_top = cursor.is_none() && me.is_none();
    let entries = entries(&app, &statistics, game, &kind, &board, rows, is_top).await?;
    let tag = tag(&statistics, format, lang, &period, &entries).private(me.is_some());
    if let Some(response) = tag.not_modified(&known) {
        return Ok(response);
    }
    match format {
        Format::Json => {
            let game = game.info().key;
            Ok(entry.json(tag, &Leaderboard { game, board: kind, period, entries, next }))
        }
        Format::Csv => Ok(entry.csv(tag, csv(&entries))),
    }
}

/// The board that is asked for, if the game has it.
fn kind(game: &dyn AnyGame, board: Option<String>) -> ApiResult<String> {
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
            "This game has no such board: there are `rating` (for two seats and more), `wins`, `best_score`, and measures that winners are ranked by.",
            "Este juego no tiene esa clasificación: hay `rating` (para dos puestos o más), `wins`, `best_score` y las medidas por las que se ordena a quienes ganan.",
        ),
    ))
}

/// The period that is meant, by its name.
fn period(wanted: &str, today: Date) -> ApiResult<String> {
    match wanted {
        "season" => return Ok(season(today)),
        "month" => return Ok(month(today)),
        ALL_TIME => return Ok(wanted.to_owned()),
        _ => {}
    }
    let part = |text: &str| match text.strip_prefix('Q') {
        Some(quarter) => matches!(quarter, "1" | "2" | "3" | "4"),
        None => text.len() == 2 && text.parse().is_ok_and(|month: u8| (1..=12).contains(&month)),
    };
    let is_year = |text: &str| text.len() == 4 && text.bytes().all(|digit| digit.is_ascii_digit());
    match wanted.split_once('-') {
        Some((year, rest)) if is_year(year) && part(rest) => Ok(wanted.to_owned()),
        _ => Err(ApiError::bad_field(
            "period",
            Text::new(
                "A period is `all`, `season`, `month`, a season as in `2026-Q4`, or a month as in `2026-11`.",
                "Un periodo es `all`, `season`, `month`, una temporada como `2026-Q4` o un mes como `2026-11`.",
            ),
        )),
    }
}

fn parse_cursor(cursor: &str) -> ApiResult<(i64, Uuid)> {
    let parts = cursor.split_once('_');
    parts.and_then(|(score, player)| Some((score.parse().ok()?, player.parse().ok()?))).ok_or_else(
        || {
            ApiError::bad_field(
                "cursor",
                Text::new(
                    "A cursor is what `next` of the page before said.",
                    "Un cursor es lo que dijo `next` en la página anterior.",
                ),
            )
        },
    )
}

fn around(around: Option<Around>, caller: Option<Caller>) -> ApiResult<Option<Uuid>> {
    match (around, caller) {
        (None, _) => Ok(None),
        (Some(Around::Me), Some(caller)) => Ok(Some(caller.player)),
        (Some(Around::Me), None) => Err(ApiError::unauthorized(
            "token_missing",
            Text::new(
                "`around=me` needs an access token.",
                "`around=me` necesita un token de acceso.",
            ),
        )),
    }
}

/// The entries after one, or the first ones; and whether there are more below.
async fn part(
    statistics: &Statistics<'_>,
    board: &str,
    after: Option<(i64, Uuid)>,
    limit: u64,
) -> ApiResult<(Vec<board_entry::Model>, bool)> {
    let mut rows = statistics.entries(board, after, false, limit + 1).await?;
    let more = rows.len() as u64 > limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok((rows, more))
}

/// The entries around a player's, and whether there are more below.
async fn surroundings(
    statistics: &Statistics<'_>,
    board: &str,
    me: Uuid,
    limit: u64,
) -> ApiResult<(Vec<board_entry::Model>, bool)> {
    let Some(mine) = statistics.entry(board, me).await? else { return Ok((Vec::new(), false)) };
    let position = Some((mine.score, me));
    let mut rows = statistics.entries(board, position, true, limit / 2).await?;
    rows.reverse();
    let left = limit - rows.len() as u64 - 1;
    let (below, more) = part(statistics, board, position, left).await?;
    rows.push(mine);
    rows.extend(below);
    Ok((rows, more))
}

/// Rows with their ranks and names.
async fn entries(
    app: &App,
    statistics: &Statistics<'_>,
    game: &dyn AnyGame,
    kind: &str,
    board: &str,
    rows: Vec<board_entry::Model>,
    is_top: bool,
) -> ApiResult<Vec<Entry>> {
    let players: BTreeSet<Uuid> = rows.iter().map(|row| row.player_id).collect();
    let names = app.names.of(players, app.clock.now()).await?;
    let mut entries: Vec<Entry> = Vec::with_capacity(rows.len());
    // The rank of the score before, and how many entries there are down to here; unknown in the middle of a tie.
    let mut before: Option<(i64, u64)> = None;
    let mut position = is_top.then_some(0);
    for row in rows {
        let rank = match (before, position) {
            (Some((score, rank)), _) if score == row.score => rank,
            (_, Some(position)) => position + 1,
            (first, None) => {
                let above = statistics.above(board, row.score).await?;
                // From the second score on, every entry above is known.
                position = first.is_some().then_some(above);
                above + 1
            }
        };
        before = Some((row.score, rank));
        position = position.map(|position| position + 1);
        let id = row.player_id;
        let rating = row.rating.zip(row.uncertainty);
        entries.push(Entry {
            rank,
            player: SeatedPlayer { id, name: names.get(&id).cloned() },
            score: shown(game, kind, row.score, rating),
            rating: row.rating,
            uncertainty: row.uncertainty,
            at: clock::to_datetime(domain::time::Timestamp::from_micros(row.at)),
        });
    }
    Ok(entries)
}

/// What a score on a board means.
#[expect(clippy::cast_precision_loss, reason = "scores are small")]
fn shown(game: &dyn AnyGame, kind: &str, score: i64, rating: Option<(f64, f64)>) -> f64 {
    if let Some((rating, uncertainty)) = rating {
        return Rating { rating, uncertainty }.rank_score();
    }
    let best = ranked(game.info().measures).find(|info| info.id == kind).and_then(|info| info.best);
    best.map_or(score, |best| oriented(best, score)) as f64
}

/// Names are shown too and change without a match: the tag says so.
fn tag(
    statistics: &Statistics<'_>,
    format: Format,
    lang: Lang,
    period: &str,
    entries: &[Entry],
) -> StatsTag {
    let names: Vec<&str> =
        entries.iter().map(|entry| entry.player.name.as_deref().unwrap_or("")).collect();
    let digest = secret::hash(names.join("\n").as_bytes());
    StatsTag::new(statistics, format, lang, &format!("-{period}-{}", hex::encode(&digest[..4])))
}

fn csv(entries: &[Entry]) -> String {
    let mut table = Csv::new(["rank", "player", "name", "score", "rating", "uncertainty", "at"]);
    for entry in entries {
        let (player, at) = (&entry.player, entry.at);
        let at = at.format(&time::format_description::well_known::Rfc3339).unwrap_or_default();
        table.row(&[
            &entry.rank,
            &player.id,
            &player.name.as_deref().unwrap_or(""),
            &entry.score,
            &cell(entry.rating),
            &cell(entry.uncertainty),
            &at,
        ]);
    }
    table.finish()
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn periods_are_named_or_meant() {
        let today = date!(2026 - 11 - 16);
        let name = |wanted: &str| period(wanted, today).ok();
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
