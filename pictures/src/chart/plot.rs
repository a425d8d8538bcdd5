//! The plotting area of a chart with two axes.

use super::{
    heading::{self, MARGIN, WIDTH, Words},
    scale::Scale,
    unit::Unit,
};
use crate::{
    Style,
    palette::{LINE, MUTED},
    svg::{Svg, fill, font, stroke, width_of},
};

/// The height of the plot.
const HEIGHT: f64 = 170.0;

/// A chart under construction.
#[derive(Debug)]
pub struct Plot<'a> {
    /// The shapes.
    pub svg: Svg,
    words: Words<'a>,
    style: Style,
    left: f64,
    top: f64,
    vertical: Scale,
    /// The right end of the last label on the horizontal axis.
    told: f64,
}

impl<'a> Plot<'a> {
    /// A chart with its heading and its vertical axis.
    #[must_use]
    pub fn new(
        words: Words<'a>,
        names: &[&str],
        (unit, vertical): (Unit, Scale),
        style: Style,
    ) -> Self {
        let mut svg = Svg::default();
        let y = heading::draw(&mut svg, words, names);
        svg.text((MARGIN, y + 13.0), words.y, font(11.0, MUTED).within(WIDTH - 2.0 * MARGIN));
        let top = y + 26.0;
        let label = |tick: f64| unit.short(tick, vertical.step, style.lang);
        let widths = vertical.ticks.iter().map(|tick| width_of(&label(*tick), 11.0, false));
        let left = MARGIN + widths.fold(8.0, f64::max) + 7.0;
        let labels: Vec<(f64, String)> =
            vertical.ticks.iter().map(|tick| (*tick, label(*tick))).collect();
        let mut plot = Self { svg, words, style, left, top, vertical, told: 0.0 };
        for (tick, label) in labels {
            let at = plot.y(tick);
            let line = if tick == 0.0 { stroke(MUTED, 1.2) } else { stroke(LINE, 1.0) };
            plot.svg.line((plot.left, at), (WIDTH - MARGIN, at), line);
            plot.svg.text((plot.left - 6.0, at + 4.0), &label, font(11.0, MUTED).end());
        }
        plot
    }

    /// The horizontal position of a fraction from 0 to 1.
    #[must_use]
    pub fn x(&self, place: f64) -> f64 {
        self.left + place.clamp(0.0, 1.0) * (WIDTH - MARGIN - self.left)
    }

    /// The vertical position of a number.
    #[must_use]
    pub fn y(&self, number: f64) -> f64 {
        self.top + (1.0 - self.vertical.place(number).clamp(0.0, 1.0)) * HEIGHT
    }

    /// The vertical position of zero, if it is on the axis.
    #[must_use]
    pub fn zero(&self) -> Option<f64> {
        (self.vertical.low..=self.vertical.high).contains(&0.0).then(|| self.y(0.0))
    }

    /// A tick of the horizontal axis, from left to right, with its label if there is room.
    pub fn tick(&mut self, place: f64, label: &str) {
        let (at, foot) = (self.x(place), self.top + HEIGHT);
        self.svg.line((at, foot), (at, foot + 4.0), stroke(MUTED, 1.0));
        // At the edges, labels are aligned inwards so that they stay in the picture.
        let half = width_of(label, 11.0, false) / 2.0;
        let at = at.clamp(half + 2.0, (WIDTH - half - 2.0).max(half + 2.0));
        if at - half >= self.told {
            self.svg.text((at, foot + 17.0), label, font(11.0, MUTED).middle());
            self.told = at + half + 5.0;
        }
    }

    /// Draws the text of an empty chart.
    pub fn empty(&mut self) {
        let text = heading::nothing(self.style.lang);
        let at = (self.x(0.5), self.top + HEIGHT / 2.0 + 5.0);
        let half = width_of(text, 14.0, false) / 2.0 + 8.0;
        let behind = (at.0 - half, at.1 - 17.0, 2.0 * half, 24.0);
        self.svg.rect(behind, 0.0, fill(crate::palette::PANEL));
        self.svg.text(at, text, font(14.0, MUTED).middle());
    }

    /// The picture as a document, with a description for people who cannot see it.
    #[must_use]
    pub fn finish(mut self, said: String) -> String {
        let foot = self.top + HEIGHT;
        let room = WIDTH - MARGIN - self.left;
        let text = font(11.0, MUTED).end().within(room);
        self.svg.text((WIDTH - MARGIN, foot + 33.0), self.words.x, text);
        heading::finish(self.svg, self.words, foot + 44.0, said, self.style)
    }
}
