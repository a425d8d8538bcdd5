//! Bar charts of named items: categories, seats, score lines.

use super::{
    heading::{self, INNER, MARGIN, WIDTH, Words, tones},
    unit::Unit,
};
use crate::{
    Style,
    palette::{FAINT, INK, MUTED},
    svg::{Svg, fill, font, stroke, width_of},
};

/// The thickness of a bar.
const THICK: f64 = 8.0;

/// One item.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Its name.
    pub label: String,
    /// Its values, one for each of the chart's names, or a single one; `None` leaves a gap.
    pub values: Vec<Option<f64>>,
    /// A note after the values; may be empty.
    pub note: String,
}

/// A group of items.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its name; may be empty.
    pub name: String,
    /// The items.
    pub bars: Vec<Bar>,
}

/// A bar chart.
#[derive(Debug, Clone, Copy)]
pub struct Bars<'a> {
    /// The texts; `y` is not used.
    pub words: Words<'a>,
    /// The unit of the values. Shares are drawn relative to the whole, others relative to the largest value.
    pub unit: Unit,
    /// What is compared, at most eight names; empty if there is one value per item.
    pub names: &'a [&'a str],
    /// The items.
    pub groups: &'a [Group],
}

/// A bar chart as SVG.
#[must_use]
pub fn bars(chart: &Bars<'_>, style: Style) -> String {
    let Bars { words, unit, names, groups } = *chart;
    let lang = style.lang;
    let all = || groups.iter().flat_map(|group| &group.bars);
    let numbers = || all().flat_map(|bar| &bar.values).flatten().filter(|it| it.is_finite());
    let mut svg = Svg::default();
    let mut y = heading::draw(&mut svg, words, names);
    if numbers().next().is_none() {
        let text = heading::nothing(lang);
        svg.text((WIDTH / 2.0, y + 70.0), text, font(14.0, MUTED).middle());
        return heading::finish(svg, words, y + 130.0, format!("{text}."), style);
    }
    let bounds: (f64, f64) = if unit == Unit::Share { (0.0, 1.0) } else { (0.0, 0.0) };
    let (low, high) = numbers().fold(bounds, |(low, high), it| (low.min(*it), high.max(*it)));
    let range = if high > low { high - low } else { 1.0 };
    let place = |number: f64| MARGIN + (number - low) / range * INNER;
    let mut said = Vec::new();
    if !words.x.is_empty() {
        y += 14.0;
        svg.text((MARGIN, y), words.x, font(11.0, MUTED).within(INNER));
        y += 2.0;
    }
    for group in groups.iter().filter(|group| !group.bars.is_empty()) {
        if !group.name.is_empty() {
            y += 24.0;
            svg.text((MARGIN, y), &group.name, font(13.0, INK).bold().within(INNER));
            said.push(format!("{}:", group.name));
            y += 2.0;
        }
        for bar in &group.bars {
            let told: Vec<String> = bar
                .values
                .iter()
                .map(|value| value.map_or_else(|| "–".to_owned(), |value| unit.tell(value, lang)))
                .collect();
            let told = [told.join(" / "), bar.note.clone()];
            let told: Vec<String> = told.into_iter().filter(|part| !part.is_empty()).collect();
            let told = told.join(" · ");
            y += 22.0;
            let room = INNER - width_of(&told, 12.0, true) - 10.0;
            svg.text((MARGIN, y), &bar.label, font(12.0, INK).within(room.max(80.0)));
            svg.text((WIDTH - MARGIN, y), &told, font(12.0, INK).bold().end());
            y += 6.0;
            let top = y;
            for (value, tone) in bar.values.iter().zip(tones()) {
                svg.rect((MARGIN, y, INNER, THICK), THICK / 2.0, fill(FAINT));
                if let Some(value) = value.filter(|value| value.is_finite() && *value != 0.0) {
                    let (from, to) = (place(value.min(0.0)), place(value.max(0.0)));
                    // Even the smallest bar is visible.
                    let width = (to - from).max(2.0);
                    let corner = (THICK / 2.0).min(width / 2.0);
                    svg.rect((from, y, width, THICK), corner, fill(tone));
                }
                y += THICK + 2.0;
            }
            if low < 0.0 {
                svg.line((place(0.0), top - 2.0), (place(0.0), y), stroke(MUTED, 1.5));
            }
            said.push(format!("{}: {told}.", bar.label));
        }
    }
    heading::finish(svg, words, y + 14.0, said.join(" "), style)
}
