//! What the pages of statistics have in common: distributions, measures, periods, tags.

pub mod charts;
mod selection;

use std::collections::BTreeMap;

use domain::{
    erased::AnyGame,
    games,
    outcome::{MeasureInfo, Scope, Unit},
    text::{Lang, Text},
};
use serde::Serialize;
use time::Date;
use utoipa::ToSchema;

use service::statistics::{Cell, DURATION, Distribution, Grain, SCORE};

use crate::{
    error::{ApiError, ApiResult},
    http::{Csv, cell},
    routes::games::{UnitName, unit_name},
};

pub use selection::{Points, Selection};

time::serde::format_description!(pub iso_date, Date, "[year]-[month]-[day]");

/// How often which value occurred.
#[derive(Debug, Serialize, ToSchema)]
pub struct DistributionDocument {
    /// How many values there are.
    #[schema(example = 3)]
    pub count: u64,
    /// Their mean.
    #[schema(example = 41.0)]
    pub mean: Option<f64>,
    /// The smallest.
    #[schema(example = 12)]
    pub min: Option<i64>,
    /// The largest.
    #[schema(example = 77)]
    pub max: Option<i64>,
    /// Values that so many do not exceed.
    pub quantiles: Option<Quantiles>,
    /// How many values there are from `from` to `to`, both included; in order, without empty bars.
    pub histogram: Vec<Bar>,
}

/// The smallest values that at least 5, 25, 50, 75 and 95 of a hundred values do not exceed. WholeMatch numbers up to 4,095 are
/// exact; durations are the middle of a bar, which is at most one part in 16 wide.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Quantiles {
    /// 5 %
    pub q05: i64,
    /// 25 %
    pub q25: i64,
    /// The median.
    pub q50: i64,
    /// 75 %
    pub q75: i64,
    /// 95 %
    pub q95: i64,
}

/// A bar of a histogram.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HistogramBar)]
pub struct Bar {
    /// The smallest value.
    pub from: i64,
    /// The largest value.
    pub to: i64,
    /// How many there are.
    pub count: u64,
}

/// How often a category occurred.
#[derive(Debug, Serialize, ToSchema)]
pub struct CategoryCount {
    /// Stable.
    #[schema(example = "two_rows")]
    pub id: &'static str,
    /// Its name.
    #[schema(example = "two complete rows")]
    pub label: &'static str,
    /// How many there are.
    pub count: u64,
}

/// A measure and its distribution.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeasureDocument {
    /// Stable.
    #[schema(example = "numbers_written")]
    pub id: &'static str,
    /// Its name.
    #[schema(example = "Numbers written")]
    pub label: &'static str,
    /// Whom it is about.
    pub scope: Scope,
    /// What its value means.
    pub unit: UnitName,
    /// The values, where they are numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribution: Option<DistributionDocument>,
    /// The values, where they are categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub categories: Option<Vec<CategoryCount>>,
}

/// A line of the score breakdown and its distribution.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScoreLineDocument {
    /// Stable.
    #[schema(example = "row_orange")]
    pub id: &'static str,
    /// Its name.
    #[schema(example = "Orange row")]
    pub label: &'static str,
    /// The points.
    pub distribution: DistributionDocument,
}

/// The quantiles of a distribution.
#[must_use]
pub fn quantiles(distribution: &Distribution, grain: Grain) -> Option<Quantiles> {
    let at = |hundredths| distribution.quantile(hundredths, grain);
    Some(Quantiles { q05: at(5)?, q25: at(25)?, q50: at(50)?, q75: at(75)?, q95: at(95)? })
}

/// A distribution as clients see it.
#[must_use]
pub fn distribution(distribution: &Distribution, grain: Grain) -> DistributionDocument {
    let there = distribution.count > 0;
    DistributionDocument {
        count: distribution.count,
        mean: distribution.mean(),
        min: there.then_some(distribution.min),
        max: there.then_some(distribution.max),
        quantiles: quantiles(distribution, grain),
        histogram: distribution
            .values
            .iter()
            .map(|(bucket, count)| {
                let (from, to) = grain.range(*bucket);
                Bar { from, to, count: *count }
            })
            .collect(),
    }
}

const SCORE_INFO: MeasureInfo =
    MeasureInfo::count(SCORE, "Score", "Puntuación").in_unit(Unit::Points);
const DURATION_INFO: MeasureInfo =
    MeasureInfo::count(DURATION, "Duration", "Duración").of_match().in_unit(Unit::Milliseconds);

/// The measures of a game: score, duration, and what it declares.
pub fn measures(game: &dyn AnyGame) -> impl Iterator<Item = &'static MeasureInfo> + use<> {
    [&const { SCORE_INFO }, &const { DURATION_INFO }].into_iter().chain(game.info().measures)
}

/// The measures that are asked for: one, or all.
pub fn wanted_measures(
    game: &dyn AnyGame,
    measure: Option<&str>,
) -> ApiResult<Vec<&'static MeasureInfo>> {
    let wanted: Vec<_> =
        measures(game).filter(|info| measure.is_none_or(|measure| info.id == measure)).collect();
    if wanted.is_empty() {
        return Err(ApiError::bad_field(
            "measure",
            Text::new(
                "This game has no such measure; `GET /v1/games/{game}` lists them, and every game has `score` and `duration_ms`.",
                "Este juego no tiene esa medida; `GET /v1/games/{game}` las enumera, y todo juego tiene `score` y `duration_ms`.",
            ),
        ));
    }
    Ok(wanted)
}

/// How often each category of a measure occurred.
#[must_use]
pub fn category_counts(
    all: &'static [(&'static str, Text)],
    counts: Option<&BTreeMap<String, u64>>,
    lang: Lang,
) -> Vec<CategoryCount> {
    all.iter()
        .map(|(id, label)| CategoryCount {
            id,
            label: label.get(lang),
            count: counts.and_then(|counts| counts.get(*id)).copied().unwrap_or_default(),
        })
        .collect()
}

/// A measure of a game with its distribution.
#[must_use]
pub fn measure_document(info: &'static MeasureInfo, counts: &Cell, lang: Lang) -> MeasureDocument {
    let (numbers, categories) = match info.unit {
        Unit::Category(all) => {
            (None, Some(category_counts(all, counts.categories.get(info.id), lang)))
        }
        unit => {
            let none = Distribution::default();
            let values = counts.numbers.get(info.id).unwrap_or(&none);
            (Some(distribution(values, Grain::of(unit))), None)
        }
    };
    MeasureDocument {
        id: info.id,
        label: info.label.get(lang),
        scope: info.scope,
        unit: unit_name(info.unit),
        distribution: numbers,
        categories,
    }
}

/// Distributions as a table: one row a bar.
#[must_use]
pub fn distributions_csv(measures: &[MeasureDocument], lines: &[ScoreLineDocument]) -> String {
    let mut table = Csv::new(["kind", "id", "label", "category", "from", "to", "count"]);
    let mut bars = |kind: &str, id: &str, label: &str, values: &DistributionDocument| {
        for bar in &values.histogram {
            table.row(&[&kind, &id, &label, &"", &bar.from, &bar.to, &bar.count]);
        }
    };
    for measure in measures {
        if let Some(values) = &measure.distribution {
            bars("measure", measure.id, measure.label, values);
        }
    }
    for line in lines {
        bars("score_line", line.id, line.label, &line.distribution);
    }
    for measure in measures {
        for category in measure.categories.iter().flatten() {
            let (id, label) = (measure.id, category.label);
            table.row(&[&"measure", &id, &label, &category.id, &"", &"", &category.count]);
        }
    }
    table.finish()
}

/// What is known of numbers in one row of a table.
#[must_use]
pub fn summary_cells(distribution: &Distribution, grain: Grain) -> [String; 9] {
    let there = distribution.count > 0;
    let quantiles = quantiles(distribution, grain);
    [
        distribution.count.to_string(),
        cell(distribution.mean()),
        cell(there.then_some(distribution.min)),
        cell(quantiles.map(|it| it.q05)),
        cell(quantiles.map(|it| it.q25)),
        cell(quantiles.map(|it| it.q50)),
        cell(quantiles.map(|it| it.q75)),
        cell(quantiles.map(|it| it.q95)),
        cell(there.then_some(distribution.max)),
    ]
}

/// The game with this key; an unknown one is a wrong parameter.
pub fn known_game(key: &str) -> ApiResult<&'static dyn AnyGame> {
    games::find(key).ok_or_else(|| {
        ApiError::bad_field(
            "game",
            Text::new(
                "There is no such game; `GET /v1/games` lists them.",
                "No existe ese juego; `GET /v1/games` los enumera.",
            ),
        )
    })
}

/// A period has to end after it begins.
pub fn check_period(since: Option<Date>, until: Option<Date>) -> ApiResult<()> {
    match (since, until) {
        (Some(since), Some(until)) if since >= until => Err(ApiError::bad_field(
            "until",
            Text::new(
                "`until` has to be later than `since`.",
                "`until` debe ser posterior a `since`.",
            ),
        )),
        _ => Ok(()),
    }
}
