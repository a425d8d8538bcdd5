//! How values change with time.

use domain::{seat::Seat, text::Lang};
use time::Date;

use super::{
    axis::{Scale, dates, day, figure},
    plot::{Plot, Words},
};
use crate::{
    Style, palette,
    svg::{Path, Tone, fill, stroke},
};

/// One line of a chart.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// What it shows; told only where there are several.
    pub name: &'a str,
    /// Its points, in the order of their dates.
    pub points: &'a [(Date, f64)],
}

/// Values by date, one line or a few.
#[derive(Debug, Clone, Copy)]
pub struct TimeSeries<'a> {
    /// What it is about.
    pub title: &'a str,
    /// What the horizontal axis is; may be empty, for dates speak for themselves.
    pub x: &'a str,
    /// What the values are.
    pub y: &'a str,
    /// The lines, at most eight.
    pub lines: &'a [Line<'a>],
}

/// Points are marked up to this many of them.
const MARKED: usize = 40;

/// Values by date as SVG.
#[must_use]
pub fn time_series(chart: &TimeSeries<'_>, style: Style) -> String {
    let lang = style.lang;
    let tones = || Seat::all(Seat::MAX).map(palette::seat);
    let names: Vec<(&str, Tone)> = chart.lines.iter().map(|line| line.name).zip(tones()).collect();
    let points =
        || chart.lines.iter().flat_map(|line| line.points).filter(|(_, value)| value.is_finite());
    let (low, high) = points()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, value)| {
            (low.min(*value), high.max(*value))
        });
    let words = Words { title: chart.title, x: chart.x, y: chart.y };
    let bounds = points().map(|(date, _)| *date).min().zip(points().map(|(date, _)| *date).max());
    let Some((from, to)) = bounds else {
        let mut plot = Plot::new(words, &[], Scale::around(0.0, 1.0, 5.0, 1.0), style);
        plot.empty();
        return plot.finish(lang.pick("No data yet.", "Aún no hay datos."));
    };
    // Zero is on the axis, unless all values are far from it.
    let low = if low > 0.0 && low < high * 0.6 { 0.0 } else { low };
    let whole = points().all(|(_, value)| value.fract() == 0.0);
    let vertical = Scale::around(low, high, 5.0, if whole { 1.0 } else { 0.0 });
    let mut plot = Plot::new(words, &names, vertical, style);
    let span = f64::from(i32::try_from((to - from).whole_days()).unwrap_or(i32::MAX));
    let place = |date: Date| {
        let after = f64::from(i32::try_from((date - from).whole_days()).unwrap_or(i32::MAX));
        if span > 0.0 { after / span } else { 0.5 }
    };
    for (date, label) in dates(from, to, lang) {
        plot.tick(place(date), &label);
    }
    for (line, tone) in chart.lines.iter().zip(tones()) {
        let points: Vec<(f64, f64)> = line
            .points
            .iter()
            .filter(|(_, value)| value.is_finite())
            .map(|(date, value)| (plot.x(place(*date)), plot.y(*value)))
            .collect();
        draw_line(&mut plot, &points, tone, chart.lines.len() == 1);
    }
    plot.finish(&describe(chart.lines, lang))
}

fn draw_line(plot: &mut Plot<'_>, points: &[(f64, f64)], tone: Tone, alone: bool) {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    // An area is read against zero, so without zero there is none.
    if let Some(base) = plot.zero().filter(|_| alone) {
        let area = points.iter().copied().chain([(last.0, base), (first.0, base)]);
        plot.svg.path(&Path::polygon(area), fill(tone).faded(0.2));
    }
    let path =
        points[1..].iter().fold(Path::from(first.0, first.1), |path, (x, y)| path.to(*x, *y));
    plot.svg.path(&path, stroke(tone, 2.2).round());
    if points.len() <= MARKED {
        for point in points {
            plot.svg.circle(*point, 2.8, fill(tone));
        }
    } else {
        plot.svg.circle(*last, 3.2, fill(tone));
    }
}

fn describe(lines: &[Line<'_>], lang: Lang) -> String {
    let told = lines.iter().filter_map(|line| {
        let ((from, first), (to, last)) = (line.points.first()?, line.points.last()?);
        let (first, last) = (figure(*first, lang), figure(*last, lang));
        let (from, to) = (day(*from, lang), day(*to, lang));
        let text = lang.pick(
            format!("{first} on {from}, {last} on {to}."),
            format!("{first} el {from}, {last} el {to}."),
        );
        Some(if line.name.is_empty() { text } else { format!("{}: {text}", line.name) })
    });
    told.collect::<Vec<_>>().join(" ")
}
