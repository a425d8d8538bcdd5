//! The vocabulary of filters: the same names, types, checks and texts in lists, exports, statistics and charts.

use actix_web::http::StatusCode;
use domain::{
    erased::AnyGame,
    games,
    matches::Status,
    outcome::MeasureInfo,
    shape::{Bilingual, Misfit},
    text::{Lang, Text},
};
use serde::{Deserialize, Deserializer, de};
use service::{
    clock,
    statistics::{Bucket, Selection},
};
use store::MatchFilter;
use time::{Date, OffsetDateTime, format_description::well_known::Rfc3339};
use utoipa::IntoParams;
use uuid::Uuid;

use super::{Cursor, Limit};
use crate::{
    documents::measures,
    error::{ApiError, ApiResult},
};

const UNKNOWN_GAME: Text = Text::new(
    "There is no such game; `GET /v1/games` lists all games.",
    "No existe ese juego; `GET /v1/games` muestra todos los juegos.",
);

/// The game that a path names. An unknown one is 404.
pub fn game_in_path(key: &str) -> ApiResult<&'static dyn AnyGame> {
    let unknown = || ApiError::new(StatusCode::NOT_FOUND, "not_found", UNKNOWN_GAME);
    games::find(key).ok_or_else(unknown)
}

/// The game that a query parameter or a body names as `game`. An unknown one is 400.
pub fn game_in_field(key: &str) -> ApiResult<&'static dyn AnyGame> {
    games::find(key).ok_or_else(|| ApiError::bad_field("game", UNKNOWN_GAME))
}

/// Checks that a period ends after it begins.
pub fn check_period<T: PartialOrd>(since: Option<T>, until: Option<T>) -> ApiResult<()> {
    match (since, until) {
        (Some(since), Some(until)) if since >= until => Err(ApiError::bad_field(
            "until",
            Text::new(
                "`until` must be later than `since`.",
                "`until` debe ser posterior a `since`.",
            ),
        )),
        _ => Ok(()),
    }
}

/// The measures of a game, or only the one that `measure` names.
pub fn selected_measures(
    game: &dyn AnyGame,
    measure: Option<&str>,
) -> ApiResult<Vec<&'static MeasureInfo>> {
    let is_selected = |info: &&MeasureInfo| measure.is_none_or(|measure| info.id == measure);
    let selected: Vec<_> = measures(game).filter(is_selected).collect();
    if selected.is_empty() {
        return Err(ApiError::bad_field(
            "measure",
            Text::new(
                "This game has no such measure; `GET /v1/games/{game}` lists them, and every game has `score` and `duration_ms`.",
                "Este juego no tiene esa medida; `GET /v1/games/{game}` las muestra, y todos los juegos tienen `score` y `duration_ms`.",
            ),
        ));
    }
    Ok(selected)
}

/// Which matches to list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MatchQuery {
    /// Only matches of this game.
    #[param(example = "qwinto")]
    pub game: Option<String>,
    /// Only matches with this status.
    pub status: Option<Status>,
    /// Only matches in which this player sits.
    pub player: Option<Uuid>,
    /// Only matches in which you sit.
    #[serde(default)]
    pub mine: bool,
    /// Only matches that wait for you.
    #[serde(default)]
    pub waiting_for_me: bool,
    /// Only matches with a free seat for you: open ones in which you do not sit, including private ones that you are invited to.
    #[serde(default)]
    pub open_seats: bool,
    /// Only matches created at this time (RFC 3339) or later. A date means midnight UTC.
    #[serde(default, deserialize_with = "date_or_time")]
    #[param(value_type = Option<String>, format = DateTime)]
    pub since: Option<OffsetDateTime>,
    /// Only matches created before this time (RFC 3339). A date means midnight UTC.
    #[serde(default, deserialize_with = "date_or_time")]
    #[param(value_type = Option<String>, format = DateTime)]
    pub until: Option<OffsetDateTime>,
    /// The number of matches. The default is 50 in a list, and no limit in an export.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    pub limit: Option<Limit>,
    /// Where to continue: `next` of the previous page, or the id of the last match of an interrupted export.
    #[param(value_type = Option<String>)]
    pub cursor: Option<Cursor>,
}

impl MatchQuery {
    /// Checks the query and turns it into a filter, for a caller, if there is one. `of` limits it to matches of a player.
    pub fn filter(&self, caller: Option<Uuid>, of: Option<Uuid>) -> ApiResult<MatchFilter> {
        self.game.as_deref().map(game_in_field).transpose()?;
        check_period(self.since, self.until)?;
        if caller.is_none() && (self.mine || self.waiting_for_me) {
            return Err(ApiError::unauthorized(
                "token_missing",
                Text::new(
                    "`mine` and `waiting_for_me` require an access token.",
                    "`mine` y `waiting_for_me` requieren un token de acceso.",
                ),
            ));
        }
        Ok(MatchFilter {
            viewer: caller,
            game: self.game.clone(),
            statuses: self.status.into_iter().collect(),
            players: of.into_iter().chain(self.player).collect(),
            mine: self.mine,
            waiting_for_viewer: self.waiting_for_me,
            open_to_viewer: self.open_seats,
            first_id: self.since.map(clock::first_id_at),
            before_id: self.until.map(clock::first_id_at),
            cursor: self.cursor.map(|cursor| cursor.0),
        })
    }
}

/// Which matches of a game to count.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StatisticsQuery {
    /// Only matches that ended on this day (UTC) or later.
    #[serde(default, deserialize_with = "date")]
    #[param(value_type = Option<String>, format = Date, example = "2026-11-01")]
    pub since: Option<Date>,
    /// Only matches that ended before this day (UTC).
    #[serde(default, deserialize_with = "date")]
    #[param(value_type = Option<String>, format = Date, example = "2026-12-01")]
    pub until: Option<Date>,
    /// Only matches with this number of seats.
    #[param(minimum = 1, maximum = 8)]
    pub seats: Option<u8>,
    /// Only matches under this version of the rules.
    pub rules_version: Option<u16>,
    /// `false` leaves out matches in which bots played, `true` leaves out all others. By default, all matches are counted.
    pub bots: Option<bool>,
}

impl StatisticsQuery {
    /// Checks the query and turns it into a selection of matches of a game, as a series if there is a bucket.
    pub fn selection(self, game: &dyn AnyGame, bucket: Option<Bucket>) -> ApiResult<Selection> {
        let Self { since, until, seats, rules_version, bots } = self;
        check_period(since, until)?;
        let info = game.info();
        if seats.is_some_and(|seats| !info.allows(seats)) {
            let misfit = Misfit::because(info.seats(Lang::En), info.seats(Lang::Es));
            return Err(ApiError::wrong_field("seats", &misfit));
        }
        let newest = info.rules_version;
        if rules_version.is_some_and(|version| !(1..=newest).contains(&version)) {
            let misfit = Misfit::because(
                format!("The rules of this game have the versions 1 to {newest}."),
                format!("Las reglas de este juego tienen las versiones 1 a {newest}."),
            );
            return Err(ApiError::wrong_field("rules_version", &misfit));
        }
        Ok(Selection { since, until, seats, rules_version, bots, bucket })
    }
}

/// Reads a date.
pub fn date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Date>, D::Error> {
    let date = parsed_date(&String::deserialize(deserializer)?);
    date.map(Some).ok_or_else(|| {
        de::Error::custom(Bilingual::new(
            "Expected a date, such as 2026-11-01.",
            "Se esperaba una fecha, como 2026-11-01.",
        ))
    })
}

fn parsed_date(text: &str) -> Option<Date> {
    Date::parse(text, time::macros::format_description!("[year]-[month]-[day]")).ok()
}

/// Reads a date, which means midnight UTC, or a time as RFC 3339.
fn date_or_time<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<OffsetDateTime>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let date = || parsed_date(&text).map(|date| date.midnight().assume_utc());
    let time = OffsetDateTime::parse(&text, &Rfc3339).ok().or_else(date);
    time.map(Some).ok_or_else(|| {
        de::Error::custom(Bilingual::new(
            "Expected a time, such as 2026-11-01T12:00:00Z, or a date.",
            "Se esperaba una hora, como 2026-11-01T12:00:00Z, o una fecha.",
        ))
    })
}

#[cfg(test)]
mod tests {
    use actix_web::web::Query;
    use time::macros::datetime;

    use super::*;

    fn since(text: &str) -> Option<OffsetDateTime> {
        let query = Query::<MatchQuery>::from_query(&format!("since={text}")).ok()?;
        query.since
    }

    #[test]
    fn lists_take_times_and_dates() {
        assert_eq!(since("2026-11-01T12:00:00Z"), Some(datetime!(2026-11-01 12:00 UTC)));
        assert_eq!(since("2026-11-01"), Some(datetime!(2026-11-01 0:00 UTC)));
        assert_eq!(since("yesterday"), None);
    }

    #[test]
    fn an_unknown_game_is_404_in_a_path_and_400_elsewhere() {
        let text = |error: ApiError| error.to_string().split_once(": ").unwrap().1.to_owned();
        let (path, field) = (game_in_path("chess").err(), game_in_field("chess").err());
        let (path, field) = (path.expect("unknown"), field.expect("unknown"));
        assert_eq!((path.status().as_u16(), field.status().as_u16()), (404, 400));
        assert_eq!(text(path), text(field));
    }
}
