//! How often which values occur.

use domain::text::Lang;

use super::{
    axis::{Scale, figure},
    plot::{Plot, Words},
};
use crate::{
    Style,
    svg::{fill, tone},
};

/// A range of values and how often it occurs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The least value in it.
    pub from: f64,
    /// Where the next one begins.
    pub to: f64,
    /// How often.
    pub count: u64,
}

/// A distribution.
#[derive(Debug, Clone, Copy)]
pub struct Histogram<'a> {
    /// What it is about.
    pub title: &'a str,
    /// What the values are.
    pub x: &'a str,
    /// What is counted.
    pub y: &'a str,
    /// The bins in ascending order. Bins of width 1 stand for whole numbers.
    pub bins: &'a [Bin],
}

#[expect(clippy::cast_precision_loss, reason = "a chart is not that precise")]
fn height(count: u64) -> f64 {
    count as f64
}

/// A distribution as SVG.
#[must_use]
pub fn histogram(chart: &Histogram<'_>, style: Style) -> String {
    let lang = style.lang;
    let bins: Vec<&Bin> = chart.bins.iter().filter(|bin| bin.to > bin.from).collect();
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or_default();
    let words = Words { title: chart.title, x: chart.x, y: chart.y };
    let vertical = Scale::around(0.0, height(most.max(1)), 5.0, 1.0);
    let mut plot = Plot::new(words, &[], vertical, style);
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
        plot.empty();
        return plot.finish(lang.pick("No data yet.", "Aún no hay datos."));
    };
    let whole = bins.iter().all(|bin| (bin.to - bin.from - 1.0).abs() < 1e-9);
    let across = Scale::within(first.from, last.to, 8.0);
    let bar = tone("bar", "#2f6fd6", "#5b97f0");
    for bin in &bins {
        let (left, right) = (plot.x(across.place(bin.from)), plot.x(across.place(bin.to)));
        let gap = ((right - left) * 0.12).min(2.5);
        let (top, base) = (plot.y(height(bin.count)), plot.y(0.0));
        if bin.count > 0 {
            let shape = (left + gap / 2.0, top, right - left - gap, base - top);
            plot.svg.rect(shape, ((right - left) * 0.1).min(3.0), fill(bar));
        }
    }
    if whole {
        // Whole numbers stand in the middle of their bins.
        for tick in Scale::within(first.from, last.from, 8.0).ticks {
            if tick.fract() == 0.0 {
                plot.tick(across.place(tick + 0.5), &figure(tick, lang));
            }
        }
    } else {
        for tick in across.ticks.clone() {
            plot.tick(across.place(tick), &figure(tick, lang));
        }
    }
    let description = describe(&bins, most, lang);
    plot.finish(&description)
}

fn describe(bins: &[&Bin], most: u64, lang: Lang) -> String {
    let all: f64 = bins.iter().map(|bin| height(bin.count)).sum();
    let (from, to) = bins.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), bin| {
        (from.min(bin.from), to.max(bin.to))
    });
    let whole = |number: f64| figure(number, lang);
    let peak = bins.iter().find(|bin| bin.count == most);
    let (low, high) = peak.map_or((from, to), |bin| (bin.from, bin.to));
    let (all, most) = (whole(all), whole(height(most)));
    let (from, to, low, high) = (whole(from), whole(to), whole(low), whole(high));
    lang.pick(
        format!(
            "{all} in all, from {from} to {to}; most often from {low} to {high}, {most} times."
        ),
        format!(
            "{all} en total, de {from} a {to}; lo más frecuente, de {low} a {high}, {most} veces."
        ),
    )
}
