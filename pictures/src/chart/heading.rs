//! The heading of every chart: title, filter, summary and legend.

use domain::{seat::Seat, text::Lang};

use crate::{
    Style, palette,
    palette::{INK, MUTED, PANEL},
    svg::{Page, Svg, Tone, fill, font, sentences, width_of},
};

/// The width of a chart: that of a small phone.
pub const WIDTH: f64 = 400.0;
/// The margin around everything.
pub const MARGIN: f64 = 14.0;
/// The width between the margins.
pub const INNER: f64 = WIDTH - 2.0 * MARGIN;
/// The size of titles.
const TITLE: f64 = 16.0;

/// The texts of a chart.
#[derive(Debug, Clone, Copy, Default)]
pub struct Words<'a> {
    /// The title.
    pub title: &'a str,
    /// The matches it covers; may be empty.
    pub filter: &'a str,
    /// A summary in numbers; may be empty.
    pub summary: &'a str,
    /// The label of the horizontal axis; may be empty.
    pub x: &'a str,
    /// The label of the vertical axis; may be empty.
    pub y: &'a str,
}

/// The colours of the compared series, in order.
pub fn tones() -> impl Iterator<Item = Tone> {
    Seat::all(Seat::MAX).map(palette::seat)
}

/// The text of an empty chart.
#[must_use]
pub fn nothing(lang: Lang) -> &'static str {
    lang.pick("No matches yet", "Todavía no hay partidas")
}

/// Draws the heading of a chart, and returns where the rest may begin.
pub fn draw(svg: &mut Svg, words: Words<'_>, names: &[&str]) -> f64 {
    let mut y = 12.0;
    for line in wrapped(words.title, TITLE, true) {
        y += TITLE + 3.0;
        svg.text((MARGIN, y), &line, font(TITLE, INK).bold().within(INNER));
    }
    for note in [words.filter, words.summary] {
        for line in wrapped(note, 12.0, false) {
            y += 17.0;
            svg.text((MARGIN, y), &line, font(12.0, MUTED).within(INNER));
        }
    }
    legend(svg, names, y + 8.0)
}

/// A chart as a document, with a description for people who cannot see it.
#[must_use]
pub fn finish(svg: Svg, words: Words<'_>, height: f64, said: String, style: Style) -> String {
    let title = if words.filter.is_empty() {
        words.title.to_owned()
    } else {
        format!("{} ({})", words.title, words.filter)
    };
    let summary =
        if words.summary.is_empty() { String::new() } else { format!("{}.", words.summary) };
    svg.finish(&Page {
        width: WIDTH,
        height,
        ground: PANEL,
        title: &title,
        description: &sentences(&[summary, said]),
        style,
    })
}

/// The legend, in rows.
fn legend(svg: &mut Svg, names: &[&str], top: f64) -> f64 {
    if names.len() < 2 {
        return top;
    }
    let (mut x, mut y) = (MARGIN, top + 12.0);
    for (name, tone) in names.iter().zip(tones()) {
        let width = (width_of(name, 12.0, false) + 34.0).min(INNER);
        if x + width > WIDTH - MARGIN + 10.0 && x > MARGIN {
            (x, y) = (MARGIN, y + 18.0);
        }
        svg.rect((x, y - 7.0, 16.0, 5.0), 2.5, fill(tone));
        svg.text((x + 21.0, y), name, font(12.0, INK).within(WIDTH - MARGIN - x - 21.0));
        x += width;
    }
    y + 8.0
}

/// A text in at most two lines.
fn wrapped(text: &str, size: f64, bold: bool) -> Vec<String> {
    if text.is_empty() || width_of(text, size, bold) <= INNER {
        return if text.is_empty() { Vec::new() } else { vec![text.to_owned()] };
    }
    let mut first = String::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.peek() {
        let longer = if first.is_empty() { (*word).to_owned() } else { format!("{first} {word}") };
        if width_of(&longer, size, bold) > INNER && !first.is_empty() {
            break;
        }
        first = longer;
        words.next();
    }
    let rest: Vec<&str> = words.collect();
    if rest.is_empty() { vec![first] } else { vec![first, rest.join(" ")] }
}
