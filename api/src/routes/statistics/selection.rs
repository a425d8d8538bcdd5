//! Which matches of a game are counted.

use std::collections::BTreeMap;

use domain::{erased::AnyGame, text::Text};
use time::Date;

use super::check_period;
use service::statistics::{ALL, Bucket, Cell, Slice, Statistics, cover, parse_period};

use crate::error::{ApiError, ApiResult};

/// A series has at most so many points.
const POINTS: usize = 400;
/// So many rows are read at the most.
const ROWS: u64 = 4_000;

/// The counts of a day, week or month, by its first day and the day after its last.
pub type Points = BTreeMap<(Date, Date), Cell>;

/// Which matches of a game are counted.
#[derive(Debug, Clone, Copy)]
pub struct Selection {
    /// Those that ended on this day or later.
    pub since: Option<Date>,
    /// Those that ended before this day.
    pub until: Option<Date>,
    /// By this, if a series is wanted.
    pub bucket: Option<Bucket>,
    /// Those with so many seats.
    pub seats: Option<u8>,
    /// Those under this version of the rules.
    pub rules_version: Option<u16>,
}

impl Selection {
    /// Whether there can be such matches of a game.
    pub fn check(&self, game: &dyn AnyGame) -> ApiResult<()> {
        check_period(self.since, self.until)?;
        let info = game.info();
        if self.seats.is_some_and(|seats| !(info.min_seats..=info.max_seats).contains(&seats)) {
            return Err(ApiError::bad_field(
                "seats",
                Text::new(
                    "This game is not played with so many seats.",
                    "Este juego no se juega con ese número de puestos.",
                ),
            ));
        }
        if self.rules_version.is_some_and(|version| !(1..=info.rules_version).contains(&version)) {
            return Err(ApiError::bad_field(
                "rules_version",
                Text::new(
                    "The rules of this game have no such version.",
                    "Las reglas de este juego no tienen esa versión.",
                ),
            ));
        }
        Ok(())
    }

    /// The counts of all of them together, and by bucket if a series is wanted.
    pub async fn count(
        &self,
        statistics: &Statistics<'_>,
        game: &dyn AnyGame,
    ) -> ApiResult<(Cell, Option<Points>)> {
        let ranges = match (self.bucket, self.since, self.until) {
            (None, None, None) => vec![(ALL.to_owned(), "b".to_owned())],
            (bucket, since, until) => cover(bucket.unwrap_or(Bucket::Month), since, until),
        };
        let slice = Slice { seats: self.seats, rules_version: self.rules_version };
        let cells = statistics.cells(game.info().key, &ranges, slice, ROWS).await?;
        let points = self.points(&cells)?;
        let mut total = Cell::default();
        for (_, cell) in &cells {
            total.merge(cell);
        }
        Ok((total, points))
    }

    /// The cells by the first day of their bucket; nothing if no series is wanted.
    fn points(&self, cells: &[(String, Cell)]) -> ApiResult<Option<Points>> {
        let Some(bucket) = self.bucket else { return Ok(None) };
        let mut points = Points::new();
        for (name, cell) in cells {
            let Some((_, day)) = parse_period(name) else { continue };
            let start = bucket.start(day);
            let since = self.since.map_or(start, |since| start.max(since));
            let end = bucket.next(start);
            let until = self.until.map_or(end, |until| end.min(until));
            points.entry((since, until)).or_default().merge(cell);
        }
        if points.len() > POINTS || cells.len() as u64 >= ROWS {
            return Err(ApiError::bad_field(
                "bucket",
                Text::new(
                    "A series has at most 400 points; ask for a shorter period or larger buckets.",
                    "Una serie tiene 400 puntos como máximo; pide un periodo más corto o tramos mayores.",
                ),
            ));
        }
        Ok(Some(points))
    }
}
