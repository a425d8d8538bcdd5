//! A small SVG writer: shapes, text and groups, with every colour named and kept in two versions, light and dark.
//!
//! Colours are CSS classes with plain values, because many viewers on phones do not support `var()`. Only those in use are
//! written. Pictures load nothing and run no scripts.

mod font;
mod page;
mod paint;
mod path;

use std::{collections::BTreeMap, fmt::Write as _};

use domain::text::Lang;

pub use font::{Font, font, width_of};
pub use page::Page;
pub use paint::{Paint, Tone, fill, stroke, tone};
pub use path::Path;

use font::{Anchor, fitted};

/// A picture under construction.
#[derive(Debug, Default)]
pub struct Svg {
    body: String,
    /// CSS class to colour and property.
    used: BTreeMap<String, (Tone, &'static str)>,
}

impl Svg {
    fn class(&mut self, property: &'static str, tone: Tone) -> String {
        let class = format!("{}{}", &property[..1], tone.id);
        self.used.entry(class.clone()).or_insert((tone, property));
        class
    }

    fn paint(&mut self, paint: Paint) -> String {
        let mut classes = Vec::new();
        let mut attributes = String::new();
        match paint.fill {
            Some(tone) => classes.push(self.class("fill", tone)),
            None => attributes.push_str(r#" fill="none""#),
        }
        if let Some((tone, width)) = paint.stroke {
            classes.push(self.class("stroke", tone));
            if (width - 1.0).abs() > 0.01 {
                let _ = write!(attributes, r#" stroke-width="{}""#, number(width));
            }
        }
        if let Some(opacity) = paint.opacity {
            let _ = write!(attributes, r#" opacity="{}""#, number(opacity));
        }
        if let Some(length) = paint.dash {
            let _ = write!(attributes, r#" stroke-dasharray="{}""#, number(length));
        }
        if paint.round {
            attributes.push_str(r#" stroke-linecap="round" stroke-linejoin="round""#);
        }
        if classes.is_empty() {
            attributes
        } else {
            format!(r#" class="{}"{attributes}"#, classes.join(" "))
        }
    }

    /// A rectangle: left, top, width, height.
    pub fn rect(&mut self, (x, y, width, height): (f64, f64, f64, f64), corner: f64, paint: Paint) {
        let paint = self.paint(paint);
        let corner =
            if corner > 0.0 { format!(r#" rx="{}""#, number(corner)) } else { String::new() };
        let _ = write!(
            self.body,
            r#"<rect x="{}" y="{}" width="{}" height="{}"{corner}{paint}/>"#,
            number(x),
            number(y),
            number(width.max(0.0)),
            number(height.max(0.0)),
        );
    }

    /// A circle.
    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, paint: Paint) {
        let paint = self.paint(paint);
        let (x, y, radius) = (number(x), number(y), number(radius.max(0.0)));
        let _ = write!(self.body, r#"<circle cx="{x}" cy="{y}" r="{radius}"{paint}/>"#);
    }

    /// A line from one point to another.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), paint: Paint) {
        self.path(&Path::from(from.0, from.1).to(to.0, to.1), paint);
    }

    /// Any shape.
    pub fn path(&mut self, path: &Path, paint: Paint) {
        if !path.is_empty() {
            let paint = self.paint(paint);
            let _ = write!(self.body, r#"<path d="{}"{paint}/>"#, path.0);
        }
    }

    /// A text; its point is on the baseline.
    pub fn text(&mut self, (x, y): (f64, f64), text: &str, font: Font) {
        let (size, text) = fitted(text, font);
        let class = self.class("fill", font.tone);
        let weight = if font.bold { r#" font-weight="700""# } else { "" };
        let anchor = match font.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let _ = write!(
            self.body,
            r#"<text x="{}" y="{}" class="{class}" font-size="{}"{weight}{anchor}>{}</text>"#,
            number(x),
            number(y),
            number(size),
            escape(&text),
        );
    }

    /// A group with a title for people who cannot see it.
    pub fn group(&mut self, name: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g><title>{}</title>", escape(name));
        draw(self);
        self.body.push_str("</g>");
    }
}

/// A number with as few digits as possible without a visible difference.
fn number(value: f64) -> String {
    let rounded = rounded(value);
    // Neither -0 nor NaN or infinity gets into a picture.
    if rounded == 0.0 || !rounded.is_finite() {
        return "0".to_owned();
    }
    let text = rounded.to_string();
    // `.5` and `-.5` are enough.
    match text.strip_prefix("0.") {
        Some(rest) => format!(".{rest}"),
        None => text.replacen("-0.", "-.", 1),
    }
}

fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // XML cannot represent the other control characters.
            control if control.is_control() => safe.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            plain => safe.push(plain),
        }
    }
    safe
}

/// Joins sentences into a description.
#[must_use]
pub fn sentences(parts: &[String]) -> String {
    parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(" ")
}

/// `Seat 2`, `Puesto 2`.
#[must_use]
pub fn seat_name(seat: domain::seat::Seat, lang: Lang) -> String {
    lang.pick(format!("Seat {seat}"), format!("Puesto {seat}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_always_numbers() {
        let written: Vec<String> =
            [1.0, 0.04, -0.04, 12.345, -7.25, 0.5, -0.52, -10.5, f64::NAN].map(number).into();
        assert_eq!(written, ["1", "0", "0", "12.3", "-7.3", ".5", "-.5", "-10.5", "0"]);
    }

    #[test]
    fn text_cannot_leave_its_element() {
        assert_eq!(escape("<a b=\"c\">&\u{0}"), "&lt;a b=&quot;c&quot;&gt;&amp; ");
    }
}
