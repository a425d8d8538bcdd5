//! Histograms: how often each value occurs.

use domain::text::Lang;

use super::{
    group::{Bar, Grouped},
    heading::{self, Words},
    plot::Plot,
    scale::Scale,
    unit::Unit,
};
use crate::{
    Style,
    svg::{Path, fill, tone},
};

/// A range of values, and how often they occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bin {
    /// The smallest.
    pub from: i64,
    /// The largest.
    pub to: i64,
    /// How often.
    pub count: u64,
}

/// A distribution of whole numbers or durations.
#[derive(Debug, Clone, Copy)]
pub struct Histogram<'a> {
    /// The texts.
    pub words: Words<'a>,
    /// The unit of the values.
    pub unit: Unit,
    /// The bins in ascending order; empty ones may be left out. They are merged if there are too many to tell apart.
    pub bins: &'a [Bin],
}

/// A distribution as SVG.
#[must_use]
pub fn histogram(chart: &Histogram<'_>, style: Style) -> String {
    let Histogram { words, unit, bins } = *chart;
    let lang = style.lang;
    let grouped = Grouped::of(bins, unit);
    let bars = grouped.as_ref().map_or(&[][..], |grouped| &grouped.bars);
    let most = bars.iter().map(|bar| bar.count).fold(0.0, f64::max);
    let vertical = Scale::around(Unit::Number, 0.0, most.max(1.0), 5.0, 1.0);
    let mut plot = Plot::new(words, &[], (Unit::Number, vertical), style);
    let Some(grouped) = &grouped else {
        plot.empty();
        return plot.finish(format!("{}.", heading::nothing(lang)));
    };
    for bar in bars.iter().filter(|bar| bar.count > 0.0) {
        let (left, right) = (plot.x(grouped.place(bar.from)), plot.x(grouped.place(bar.to)));
        let (middle, width) = (left.midpoint(right), right - left);
        // A single bar is not drawn over the whole width.
        let width = (width - (width * 0.12).min(2.5)).min(72.0);
        let (top, base) = (plot.y(bar.count), plot.y(0.0));
        // Even the rarest value is visible.
        let top = top.min(base - 1.5);
        plot.svg.path(
            &rounded((middle - width / 2.0, top, width, base - top)),
            fill(tone("bar", "#2f6fd6", "#5b97f0")),
        );
    }
    for (place, label) in grouped.ticks(unit, lang) {
        plot.tick(place, &label);
    }
    plot.finish(describe(grouped, unit, most, lang))
}

/// A bar with rounded upper corners: left, top, width, height.
fn rounded((x, y, width, height): (f64, f64, f64, f64)) -> Path {
    let corner = (width * 0.1).min(3.0).min(height);
    let (right, foot) = (x + width, y + height);
    Path::from(x, foot)
        .to(x, y + corner)
        .bend((x, y), (x + corner, y))
        .to(right - corner, y)
        .bend((right, y), (right, y + corner))
        .to(right, foot)
        .close()
}

fn describe(grouped: &Grouped, unit: Unit, most: f64, lang: Lang) -> String {
    let told = |bar: &Bar| {
        if grouped.whole {
            return unit.tell(bar.from, lang);
        }
        // The bar of the whole numbers from 20 to 24 ends at 25.
        let last = if unit == Unit::Number { bar.to - 1.0 } else { bar.to };
        let (from, to) = (unit.tell(bar.from, lang), unit.tell(last, lang));
        lang.pick(format!("{from} to {to}"), format!("de {from} a {to}"))
    };
    let peak = grouped.bars.iter().find(|bar| bar.count >= most).map(told).unwrap_or_default();
    let all = Unit::Number.tell(grouped.bars.iter().map(|bar| bar.count).sum(), lang);
    let most = Unit::Number.tell(most, lang);
    lang.pick(
        format!("Total: {all}. Most frequent: {peak} ({most})."),
        format!("Total: {all}. Lo más frecuente: {peak} ({most})."),
    )
}
