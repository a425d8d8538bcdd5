//! Series: how the statistics of a game change over time.

use domain::{outcome::MeasureInfo, text::Text};
use pictures::{
    Style,
    chart::{self, Line, Point, TimeSeries, Words, time_series},
};
use service::statistics::{Bucket, Cell, Counts, Distribution, Grain, Points, Selection};
use time::{Date, Duration};

use super::{Heading, axis, capital, drawn_as, float};

/// A line of a chart: its name, and the number in a cell.
pub(super) type CountedLine = (Text, fn(&Cell) -> u64);

/// A chart of points in time.
pub(super) struct Series<'a> {
    heading: &'a Heading<'a>,
    bucket: Bucket,
    points: Option<&'a Points>,
    style: Style,
}

impl<'a> Series<'a> {
    pub(super) fn new(
        heading: &'a Heading<'a>,
        selection: &Selection,
        counts: &'a Counts,
        style: Style,
    ) -> Self {
        let bucket = selection.bucket.unwrap_or(Bucket::Month);
        Self { heading, bucket, points: counts.points.as_ref(), style }
    }

    /// Draws numbers by period. Periods without matches are missing in the points and drawn as zero.
    pub(super) fn counts(&self, noun: Text, lines: &[CountedLine]) -> String {
        let lang = self.style.lang;
        let drawn: Vec<Vec<Point>> = lines
            .iter()
            .map(|(_, count)| {
                let points = self.points.into_iter().flatten();
                let counts = points.map(|((since, _), cell)| (*since, float(count(cell))));
                with_gaps(counts, self.bucket)
            })
            .collect();
        let lines: Vec<Line<'_>> = lines
            .iter()
            .zip(&drawn)
            .map(|((name, _), points)| Line { name: name.get(lang), points })
            .collect();
        let noun = capital(noun.get(lang));
        let words = Words {
            title: self.heading.title,
            filter: self.heading.filter,
            summary: "",
            x: lang.pick("Date (UTC)", "Fecha (UTC)"),
            y: &match self.bucket {
                Bucket::Day => lang.pick(format!("{noun} per day"), format!("{noun} por día")),
                Bucket::Week => lang.pick(format!("{noun} per week"), format!("{noun} por semana")),
                Bucket::Month => lang.pick(format!("{noun} per month"), format!("{noun} por mes")),
            },
        };
        let series = TimeSeries { words, unit: chart::Unit::Number, zero: true, lines: &lines };
        time_series(&series, self.style)
    }

    /// Draws the median of a measure by period, with the middle half of its values.
    pub(super) fn measure(&self, info: &MeasureInfo) -> String {
        let (lang, grain) = (self.style.lang, Grain::of(info.unit));
        #[expect(clippy::cast_precision_loss, reason = "a picture for people")]
        let quantile =
            |values: &Distribution, part| values.quantile(part, grain).map(|value| value as f64);
        let point = |((since, _), cell): (&(Date, Date), &Cell)| {
            let values = cell.numbers.get(info.id)?;
            Some(Point {
                at: since.midnight().assume_utc(),
                value: quantile(values, 50)?,
                range: quantile(values, 25).zip(quantile(values, 75)),
            })
        };
        let points: Vec<Point> = self.points.into_iter().flatten().filter_map(point).collect();
        let words = Words {
            title: self.heading.title,
            filter: self.heading.filter,
            summary: lang.pick(
                "Median; shaded: the middle half of all values",
                "Mediana; sombreada: la mitad central de los valores",
            ),
            x: lang.pick("Date (UTC)", "Fecha (UTC)"),
            y: axis(info, lang),
        };
        let lines = [Line { name: "", points: &points }];
        let series = TimeSeries { words, unit: drawn_as(info.unit), zero: false, lines: &lines };
        time_series(&series, self.style)
    }
}

/// Numbers by the first day of their bucket as points, with zeros at both ends of every gap.
pub(super) fn with_gaps(counts: impl Iterator<Item = (Date, f64)>, bucket: Bucket) -> Vec<Point> {
    let point =
        |date: Date, value: f64| Point { at: date.midnight().assume_utc(), value, range: None };
    let mut points: Vec<Point> = Vec::new();
    let mut before: Option<Date> = None;
    for (date, value) in counts {
        let start = bucket.start(date);
        if let Some(free) = before.map(|before| bucket.next(before)).filter(|free| *free < start) {
            points.push(point(free, 0.0));
            let last = bucket.start(start.saturating_sub(Duration::days(1)));
            if last > free {
                points.push(point(last, 0.0));
            }
        }
        points.push(point(date, value));
        before = Some(start);
    }
    points
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn gaps_in_a_series_are_drawn_as_zero() {
        let counts = [
            (date!(2026 - 11 - 04), 3.0),
            (date!(2026 - 11 - 09), 5.0),
            (date!(2026 - 11 - 23), 1.0),
            (date!(2026 - 12 - 21), 2.0),
        ];
        let points = with_gaps(counts.into_iter(), Bucket::Week);
        let drawn: Vec<(u8, f64)> =
            points.iter().map(|point| (point.at.day(), point.value)).collect();
        let expected = [(4, 3.0), (9, 5.0), (16, 0.0), (23, 1.0), (30, 0.0), (14, 0.0), (21, 2.0)];
        assert_eq!(drawn, expected);
    }
}
