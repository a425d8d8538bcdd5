//! The paper of a chart: title, axes and lines across, and where numbers stand on it.

use super::axis::{Scale, figure};
use crate::{
    Style,
    palette::{INK, LINE, MUTED, PANEL},
    svg::{Page, Svg, Tone, fill, font, stroke, width_of},
};

/// How wide a chart is: as wide as a small phone.
const WIDTH: f64 = 400.0;
/// Around everything.
const MARGIN: f64 = 14.0;
/// How high the plot is.
const HEIGHT: f64 = 170.0;
/// The size of titles.
const TITLE: f64 = 16.0;

/// The words of a chart.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    /// What it is about.
    pub title: &'a str,
    /// What the horizontal axis counts.
    pub x: &'a str,
    /// What the vertical axis counts.
    pub y: &'a str,
}

/// A chart in the making.
#[derive(Debug)]
pub struct Plot<'a> {
    /// The shapes.
    pub svg: Svg,
    words: Words<'a>,
    style: Style,
    left: f64,
    top: f64,
    vertical: Scale,
}

impl<'a> Plot<'a> {
    /// A chart with its title, the names of its lines, and its vertical axis.
    #[must_use]
    pub fn new(words: Words<'a>, names: &[(&str, Tone)], vertical: Scale, style: Style) -> Self {
        let mut svg = Svg::default();
        let mut y = 12.0;
        for line in wrapped(words.title, TITLE, WIDTH - 2.0 * MARGIN) {
            y += TITLE + 3.0;
            let text = font(TITLE, INK).bold().within(WIDTH - 2.0 * MARGIN);
            svg.text((MARGIN, y), &line, text);
        }
        y = legend(&mut svg, names, y + 8.0);
        svg.text((MARGIN, y + 13.0), words.y, font(11.0, MUTED).within(WIDTH - 2.0 * MARGIN));
        let top = y + 26.0;
        let labels = vertical.ticks.iter().map(|tick| figure(*tick, style.lang));
        let widest = labels.map(|label| width_of(&label, 11.0, false)).fold(8.0, f64::max);
        let mut plot = Self { svg, words, style, left: MARGIN + widest + 7.0, top, vertical };
        for tick in plot.vertical.ticks.clone() {
            let at = plot.y(tick);
            let line = if tick == 0.0 { stroke(MUTED, 1.2) } else { stroke(LINE, 1.0) };
            plot.svg.line((plot.left, at), (WIDTH - MARGIN, at), line);
            let label = figure(tick, style.lang);
            plot.svg.text((plot.left - 6.0, at + 4.0), &label, font(11.0, MUTED).end());
        }
        plot
    }

    /// How far right something is, of 0 to 1.
    #[must_use]
    pub fn x(&self, place: f64) -> f64 {
        self.left + place.clamp(0.0, 1.0) * (WIDTH - MARGIN - self.left)
    }

    /// How far down a number stands.
    #[must_use]
    pub fn y(&self, number: f64) -> f64 {
        self.top + (1.0 - self.vertical.place(number).clamp(0.0, 1.0)) * HEIGHT
    }

    /// How far down zero stands, if it is on the axis.
    #[must_use]
    pub fn zero(&self) -> Option<f64> {
        (self.vertical.low..=self.vertical.high).contains(&0.0).then(|| self.y(0.0))
    }

    /// A tick of the horizontal axis, with its text.
    pub fn tick(&mut self, place: f64, label: &str) {
        let (at, foot) = (self.x(place), self.top + HEIGHT);
        self.svg.line((at, foot), (at, foot + 4.0), stroke(MUTED, 1.0));
        // At the edges a text leans inwards rather than out of the picture.
        let half = width_of(label, 11.0, false) / 2.0;
        let at = at.clamp(half + 2.0, WIDTH - half - 2.0);
        self.svg.text((at, foot + 17.0), label, font(11.0, MUTED).middle());
    }

    /// Says that there is nothing to show.
    pub fn empty(&mut self) {
        let text = self.style.lang.pick("No data yet", "Aún no hay datos");
        let at = (self.x(0.5), self.top + HEIGHT / 2.0 + 5.0);
        self.svg.text(at, text, font(14.0, MUTED).middle());
    }

    /// The picture as a document, with a description for those who cannot see it.
    #[must_use]
    pub fn finish(mut self, description: &str) -> String {
        let foot = self.top + HEIGHT;
        let room = WIDTH - MARGIN - self.left;
        let text = font(11.0, MUTED).end().within(room);
        self.svg.text((WIDTH - MARGIN, foot + 33.0), self.words.x, text);
        self.svg.finish(&Page {
            width: WIDTH,
            height: foot + 44.0,
            ground: PANEL,
            title: self.words.title,
            description,
            style: self.style,
        })
    }
}

/// The names of the lines, in rows; gives where the next thing may begin.
fn legend(svg: &mut Svg, names: &[(&str, Tone)], top: f64) -> f64 {
    if names.len() < 2 {
        return top;
    }
    let (mut x, mut y) = (MARGIN, top + 12.0);
    for (name, tone) in names {
        let width = (width_of(name, 12.0, false) + 34.0).min(WIDTH - 2.0 * MARGIN);
        if x + width > WIDTH - MARGIN + 10.0 && x > MARGIN {
            (x, y) = (MARGIN, y + 18.0);
        }
        svg.rect((x, y - 7.0, 16.0, 5.0), 2.5, fill(*tone));
        svg.text((x + 21.0, y), name, font(12.0, INK).within(WIDTH - MARGIN - x - 21.0));
        x += width;
    }
    y + 8.0
}

/// A text in at most two lines.
fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    if width_of(text, size, true) <= room {
        return vec![text.to_owned()];
    }
    let mut first = String::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.peek() {
        let longer = if first.is_empty() { (*word).to_owned() } else { format!("{first} {word}") };
        if width_of(&longer, size, true) > room && !first.is_empty() {
            break;
        }
        first = longer;
        words.next();
    }
    let rest: Vec<&str> = words.collect();
    if rest.is_empty() { vec![first] } else { vec![first, rest.join(" ")] }
}
