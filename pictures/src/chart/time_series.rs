//! Time series: how values change over time.

use domain::text::Lang;
use time::OffsetDateTime;

use super::{
    dates::{day, ticks},
    heading::{self, Words, tones},
    plot::Plot,
    scale::Scale,
    unit::Unit,
};
use crate::{
    Style,
    svg::{Path, Tone, fill, stroke},
};

/// A value at a point in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The time, in UTC.
    pub at: OffsetDateTime,
    /// The value.
    pub value: f64,
    /// Its uncertainty: from, to.
    pub range: Option<(f64, f64)>,
}

impl Point {
    fn is_sound(&self) -> bool {
        let finite = |(low, high): (f64, f64)| low.is_finite() && high.is_finite();
        self.value.is_finite() && self.range.is_none_or(finite)
    }
}

/// One line of a chart.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Its name, shown only if there are several lines.
    pub name: &'a str,
    /// Its points, ordered by time.
    pub points: &'a [Point],
}

/// A time series of one line or a few.
#[derive(Debug, Clone, Copy)]
pub struct TimeSeries<'a> {
    /// The texts; `x` may be empty, because dates need no label.
    pub words: Words<'a>,
    /// The unit of the values.
    pub unit: Unit,
    /// Whether zero belongs on the axis, as it does for counts.
    pub zero: bool,
    /// The lines, at most eight.
    pub lines: &'a [Line<'a>],
}

/// Lines with at most this many points have them marked.
const MARKED: usize = 40;

/// A time series as SVG.
#[must_use]
pub fn time_series(chart: &TimeSeries<'_>, style: Style) -> String {
    let TimeSeries { words, unit, zero, lines } = *chart;
    let lang = style.lang;
    let names: Vec<&str> = lines.iter().map(|line| line.name).collect();
    let points = || lines.iter().flat_map(|line| line.points).filter(|point| point.is_sound());
    let bounds = points().map(|point| point.at).min().zip(points().map(|point| point.at).max());
    let Some((from, to)) = bounds else {
        let vertical = Scale::around(Unit::Number, 0.0, 1.0, 5.0, 1.0);
        let mut plot = Plot::new(words, &[], (Unit::Number, vertical), style);
        plot.empty();
        return plot.finish(format!("{}.", heading::nothing(lang)));
    };
    let mut plot = Plot::new(words, &names, (unit, vertical(points(), unit, zero)), style);
    let span = (to - from).as_seconds_f64();
    let place =
        |at: OffsetDateTime| if span > 0.0 { (at - from).as_seconds_f64() / span } else { 0.5 };
    for (at, label) in ticks(from, to, lang) {
        plot.tick(place(at), &label);
    }
    for (line, tone) in lines.iter().zip(tones()) {
        let points: Vec<(f64, &Point)> = line
            .points
            .iter()
            .filter(|point| point.is_sound())
            .map(|point| (plot.x(place(point.at)), point))
            .collect();
        draw_line(&mut plot, &points, tone, lines.len() == 1);
    }
    plot.finish(describe(lines, unit, lang))
}

fn vertical<'a>(points: impl Iterator<Item = &'a Point> + Clone, unit: Unit, zero: bool) -> Scale {
    let all = points.clone().flat_map(|point| {
        let (low, high) = point.range.unwrap_or((point.value, point.value));
        [point.value, low, high]
    });
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    // The axis includes zero unless all values are far from it.
    let low = if low > 0.0 && (zero || low < high * 0.6) { 0.0 } else { low };
    let high = if zero { high.max(1.0) } else { high };
    let mut values = points.flat_map(|point| [Some(point.value), point.range.map(|it| it.0)]);
    let whole =
        unit == Unit::Number && values.all(|value| value.is_none_or(|it| it.fract() == 0.0));
    Scale::around(unit, low, high, 5.0, if whole { 1.0 } else { 0.0 })
}

fn draw_line(plot: &mut Plot<'_>, points: &[(f64, &Point)], tone: Tone, alone: bool) {
    let at: Vec<(f64, f64)> = points.iter().map(|(x, point)| (*x, plot.y(point.value))).collect();
    let (Some(first), Some(last)) = (at.first(), at.last()) else { return };
    let ranges: Vec<(f64, f64, f64)> = points
        .iter()
        .filter_map(|(x, point)| point.range.map(|(low, high)| (*x, plot.y(low), plot.y(high))))
        .collect();
    if let [(x, low, high)] = ranges[..] {
        plot.svg.line((x, low), (x, high), stroke(tone, 6.0).faded(0.2));
    } else if !ranges.is_empty() {
        let above = ranges.iter().map(|(x, _, high)| (*x, *high));
        let below = ranges.iter().rev().map(|(x, low, _)| (*x, *low));
        plot.svg.path(&Path::polygon(above.chain(below)), fill(tone).faded(0.2));
    } else if let Some(base) = plot.zero().filter(|_| alone && at.len() > 1) {
        // An area is read relative to zero, so it is drawn only if zero is on the axis.
        let area = at.iter().copied().chain([(last.0, base), (first.0, base)]);
        plot.svg.path(&Path::polygon(area), fill(tone).faded(0.2));
    }
    let path = at[1..].iter().fold(Path::from(first.0, first.1), |path, (x, y)| path.to(*x, *y));
    plot.svg.path(&path, stroke(tone, 2.2).round());
    if at.len() <= MARKED {
        for point in &at {
            plot.svg.circle(*point, 2.8, fill(tone));
        }
    } else {
        plot.svg.circle(*last, 3.2, fill(tone));
    }
}

fn describe(lines: &[Line<'_>], unit: Unit, lang: Lang) -> String {
    let told = lines.iter().filter_map(|line| {
        let (from, to) = (line.points.first()?, line.points.last()?);
        let (first, last) = (unit.tell(from.value, lang), unit.tell(to.value, lang));
        let (from, to) = (day(from.at.date(), lang), day(to.at.date(), lang));
        let text = lang.pick(
            format!("{first} on {from}, {last} on {to}."),
            format!("{first} el {from}, {last} el {to}."),
        );
        Some(if line.name.is_empty() { text } else { format!("{}: {text}", line.name) })
    });
    told.collect::<Vec<_>>().join(" ")
}
