//! Statistics as CSV.

use domain::outcome::MeasureInfo;
use service::statistics::{Distribution, Grain, Points};

use crate::{
    documents::{DistributionDocument, MeasureDocument, Quantiles, ScoreLineDocument},
    http::{Csv, cell},
};

/// Distributions: one row per bar of a histogram or category.
#[must_use]
pub fn distributions(measures: &[MeasureDocument], lines: &[ScoreLineDocument]) -> String {
    let mut csv = Csv::new(["kind", "id", "label", "category", "from", "to", "count"]);
    let mut bars = |kind: &str, id: &str, label: &str, values: &DistributionDocument| {
        for bar in &values.histogram {
            csv.row(&[&kind, &id, &label, &"", &bar.from, &bar.to, &bar.count]);
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
            csv.row(&[&"measure", &id, &label, &category.id, &"", &"", &category.count]);
        }
    }
    csv.finish()
}

/// A series: one row per point and measure.
#[must_use]
pub fn series(points: &Points, measures: &[&'static MeasureInfo]) -> String {
    let mut csv = Csv::new([
        "since",
        "until",
        "matches",
        "abandoned",
        "players",
        "measure",
        "count",
        "mean",
        "min",
        "q05",
        "q25",
        "q50",
        "q75",
        "q95",
        "max",
    ]);
    let none = Distribution::default();
    for ((since, until), counts) in points {
        for info in measures {
            let values = counts.numbers.get(info.id).unwrap_or(&none);
            let has_values = values.count > 0;
            let quantiles = Quantiles::of(values, Grain::of(info.unit));
            let quantile = |pick: fn(Quantiles) -> i64| cell(quantiles.map(pick));
            csv.row(&[
                since,
                until,
                &counts.matches,
                &counts.abandoned,
                &counts.players.count(),
                &info.id,
                &values.count,
                &cell(values.mean()),
                &cell(has_values.then_some(values.min)),
                &quantile(|quantiles| quantiles.q05),
                &quantile(|quantiles| quantiles.q25),
                &quantile(|quantiles| quantiles.q50),
                &quantile(|quantiles| quantiles.q75),
                &quantile(|quantiles| quantiles.q95),
                &cell(has_values.then_some(values.max)),
            ]);
        }
    }
    csv.finish()
}
