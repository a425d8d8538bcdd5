//! Distributions of measures and score lines.

use std::collections::BTreeMap;

use domain::{
    erased::AnyGame,
    outcome::{MeasureInfo, Scope, ScoreLineInfo, Unit},
    text::{Lang, Text},
};
use serde::Serialize;
use service::statistics::{Cell, DURATION, Distribution, Grain, SCORE};
use utoipa::ToSchema;

use super::games::UnitName;

/// How often each value occurred.
#[derive(Debug, Serialize, ToSchema)]
pub struct DistributionDocument {
    /// The number of values.
    #[schema(example = 3)]
    pub count: u64,
    /// The mean; `null` without values.
    #[schema(example = 41.0)]
    pub mean: Option<f64>,
    /// The smallest value; `null` without values.
    #[schema(example = 12)]
    pub min: Option<i64>,
    /// The largest value; `null` without values.
    #[schema(example = 77)]
    pub max: Option<i64>,
    /// The quantiles; `null` without values.
    pub quantiles: Option<Quantiles>,
    /// The bars of the histogram in order, without empty ones.
    pub histogram: Vec<HistogramBar>,
}

/// The smallest values that at least 5, 25, 50, 75 and 95 percent of all values do not exceed. Whole numbers up to 4,095 are
/// exact. For durations it is the middle of a bar, whose width is at most a sixteenth of its position.
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
pub struct HistogramBar {
    /// The smallest value.
    pub from: i64,
    /// The largest value, included.
    pub to: i64,
    /// The number of values in this range.
    pub count: u64,
}

/// How often a category occurred.
#[derive(Debug, Serialize, ToSchema)]
pub struct CategoryCount {
    /// The stable id.
    #[schema(example = "two_rows")]
    pub id: &'static str,
    /// The name.
    #[schema(example = "two complete rows")]
    pub label: &'static str,
    /// How often it occurred.
    pub count: u64,
}

/// A measure and its distribution.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeasureDocument {
    /// The stable id.
    #[schema(example = "numbers_written")]
    pub id: &'static str,
    /// The name.
    #[schema(example = "Numbers written")]
    pub label: &'static str,
    /// Whether it is measured per match or per seat.
    pub scope: Scope,
    /// The unit of its values.
    pub unit: UnitName,
    /// The values, if they are numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribution: Option<DistributionDocument>,
    /// The values, if they are categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub categories: Option<Vec<CategoryCount>>,
}

/// A line of the score breakdown and its distribution.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScoreLineDocument {
    /// The stable id.
    #[schema(example = "row_orange")]
    pub id: &'static str,
    /// The name.
    #[schema(example = "Orange row")]
    pub label: &'static str,
    /// The points.
    pub distribution: DistributionDocument,
}

impl Quantiles {
    /// The quantiles of a distribution; `None` without values.
    #[must_use]
    pub fn of(distribution: &Distribution, grain: Grain) -> Option<Self> {
        let at = |hundredths| distribution.quantile(hundredths, grain);
        Some(Self { q05: at(5)?, q25: at(25)?, q50: at(50)?, q75: at(75)?, q95: at(95)? })
    }
}

impl DistributionDocument {
    /// A distribution, whose values were counted in buckets of this grain.
    #[must_use]
    pub fn new(distribution: &Distribution, grain: Grain) -> Self {
        let has_values = distribution.count > 0;
        let bars = distribution.values.iter().map(|(bucket, count)| {
            let (from, to) = grain.range(*bucket);
            HistogramBar { from, to, count: *count }
        });
        Self {
            count: distribution.count,
            mean: distribution.mean(),
            min: has_values.then_some(distribution.min),
            max: has_values.then_some(distribution.max),
            quantiles: Quantiles::of(distribution, grain),
            histogram: bars.collect(),
        }
    }
}

impl CategoryCount {
    /// How often each category of a measure occurred.
    #[must_use]
    pub fn all(
        categories: &'static [(&'static str, Text)],
        counts: Option<&BTreeMap<String, u64>>,
        lang: Lang,
    ) -> Vec<Self> {
        let count = |id: &str| counts.and_then(|counts| counts.get(id)).copied().unwrap_or(0);
        let document = |(id, label): &(&'static str, Text)| Self {
            id,
            label: label.get(lang),
            count: count(id),
        };
        categories.iter().map(document).collect()
    }
}

impl MeasureDocument {
    /// A measure with its distribution in a cell.
    #[must_use]
    pub fn new(info: &'static MeasureInfo, cell: &Cell, lang: Lang) -> Self {
        let (distribution, categories) = match info.unit {
            Unit::Category(all) => {
                (None, Some(CategoryCount::all(all, cell.categories.get(info.id), lang)))
            }
            Unit::Count | Unit::Points | Unit::Milliseconds => {
                let none = Distribution::default();
                let values = cell.numbers.get(info.id).unwrap_or(&none);
                (Some(DistributionDocument::new(values, Grain::of(info.unit))), None)
            }
        };
        Self {
            id: info.id,
            label: info.label.get(lang),
            scope: info.scope,
            unit: info.unit.into(),
            distribution,
            categories,
        }
    }
}

impl ScoreLineDocument {
    /// A line of the score breakdown with its distribution in a cell.
    #[must_use]
    pub fn new(info: &ScoreLineInfo, cell: &Cell, lang: Lang) -> Self {
        let none = Distribution::default();
        let values = cell.lines.get(info.id).unwrap_or(&none);
        Self {
            id: info.id,
            label: info.label.get(lang),
            distribution: DistributionDocument::new(values, Grain::FINE),
        }
    }
}

const SCORE_INFO: MeasureInfo =
    MeasureInfo::count(SCORE, "Score", "Puntuación").in_unit(Unit::Points);
const DURATION_INFO: MeasureInfo =
    MeasureInfo::count(DURATION, "Duration", "Duración").of_match().in_unit(Unit::Milliseconds);

/// The measures of a game: score, duration, and those that it declares.
pub fn measures(game: &dyn AnyGame) -> impl Iterator<Item = &'static MeasureInfo> + use<> {
    [&const { SCORE_INFO }, &const { DURATION_INFO }].into_iter().chain(game.info().measures)
}
