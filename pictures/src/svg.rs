//! A small SVG writer: shapes, text and groups, with every colour named and kept in two versions, light and dark.
//!
//! Colours are CSS classes with plain values, because many viewers on phones know neither variables nor `var()`. Only those
//! that are used are written. Nothing is loaded from anywhere and nothing is run.

use std::{collections::BTreeMap, fmt::Write as _};

use domain::text::Lang;

use crate::{Style, Theme};

/// A colour by name, as it is on a light and on a dark ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tone {
    /// Part of its CSS classes.
    pub id: &'static str,
    /// On a light ground.
    pub light: &'static str,
    /// On a dark ground.
    pub dark: &'static str,
}

/// A colour from its name and its two versions.
#[must_use]
pub const fn tone(id: &'static str, light: &'static str, dark: &'static str) -> Tone {
    Tone { id, light, dark }
}

/// How a shape is painted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Paint {
    fill: Option<Tone>,
    stroke: Option<(Tone, f64)>,
    opacity: Option<f64>,
    dash: Option<f64>,
    round: bool,
}

/// Filled.
#[must_use]
pub fn fill(tone: Tone) -> Paint {
    Paint { fill: Some(tone), ..Paint::default() }
}

/// Only outlined.
#[must_use]
pub fn stroke(tone: Tone, width: f64) -> Paint {
    Paint { stroke: Some((tone, width)), ..Paint::default() }
}

impl Paint {
    /// With an outline.
    #[must_use]
    pub fn outlined(self, tone: Tone, width: f64) -> Self {
        Self { stroke: Some((tone, width)), ..self }
    }

    /// Lets what lies under it shine through.
    #[must_use]
    pub fn faded(self, opacity: f64) -> Self {
        Self { opacity: Some(opacity), ..self }
    }

    /// With a dashed outline.
    #[must_use]
    pub fn dashed(self, length: f64) -> Self {
        Self { dash: Some(length), ..self }
    }

    /// With round ends and corners.
    #[must_use]
    pub fn round(self) -> Self {
        Self { round: true, ..self }
    }
}

/// Where a text stands in relation to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Debug, Clone, Copy)]
pub struct Font {
    size: f64,
    tone: Tone,
    bold: bool,
    anchor: Anchor,
    room: Option<f64>,
}

/// A text of this size and colour, to the right of its point.
#[must_use]
pub fn font(size: f64, tone: Tone) -> Font {
    Font { size, tone, bold: false, anchor: Anchor::Start, room: None }
}

impl Font {
    /// Bold.
    #[must_use]
    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// Centred on its point.
    #[must_use]
    pub fn middle(self) -> Self {
        Self { anchor: Anchor::Middle, ..self }
    }

    /// To the left of its point.
    #[must_use]
    pub fn end(self) -> Self {
        Self { anchor: Anchor::End, ..self }
    }

    /// Made smaller, and in the end cut, so that it is no wider than this.
    #[must_use]
    pub fn within(self, room: f64) -> Self {
        Self { room: Some(room), ..self }
    }
}

/// How wide a text will be, roughly: the fonts are those of the reader.
#[must_use]
pub fn width_of(text: &str, size: f64, bold: bool) -> f64 {
    let em: f64 = text
        .chars()
        .map(|letter| match letter {
            'i' | 'j' | 'l' | 'í' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '·' => 0.29,
            'f' | 'r' | 't' | ' ' | '(' | ')' | '-' | '/' | 'I' => 0.37,
            'm' | 'w' | 'M' | 'W' | '%' | '…' => 0.9,
            letter if letter.is_uppercase() => 0.69,
            _ => 0.58,
        })
        .sum();
    em * size * if bold { 1.14 } else { 1.04 }
}

/// A number as short as it can be without being seen to differ.
fn number(value: f64) -> String {
    let rounded = rounded(value);
    // Neither -0 nor what is no number at all ever gets into a picture.
    if rounded == 0.0 || !rounded.is_finite() {
        return "0".to_owned();
    }
    let text = rounded.to_string();
    // `.5` and `-.5` will do.
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
            // XML has no way to write the others.
            control if control.is_control() => safe.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            plain => safe.push(plain),
        }
    }
    safe
}

/// The outline of a shape.
#[derive(Debug, Clone, Default)]
pub struct Path(String);

impl Path {
    /// Begins at a point.
    #[must_use]
    pub fn from(x: f64, y: f64) -> Self {
        Self::default().and_from(x, y)
    }

    /// A closed polygon.
    #[must_use]
    pub fn polygon(points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut path = Self::default();
        let mut before = None;
        for (x, y) in points {
            // Steps are shorter to write than places; taken between rounded places they do not drift.
            let (x, y) = (rounded(x), rounded(y));
            path = match before {
                None => path.and_from(x, y),
                Some((from_x, from_y)) => path.add('l', &[x - from_x, y - from_y]),
            };
            before = Some((x, y));
        }
        path.close()
    }

    /// A polygon with equal sides, the first corner on top.
    #[must_use]
    pub fn regular(corners: u8, (x, y): (f64, f64), radius: f64, turned: f64) -> Self {
        let step = std::f64::consts::TAU / f64::from(corners.max(1));
        Self::polygon((0..corners).map(|corner| {
            let angle = step * f64::from(corner) + turned;
            (x + radius * angle.sin(), y - radius * angle.cos())
        }))
    }

    fn add(mut self, letter: char, values: &[f64]) -> Self {
        self.0.push(letter);
        for (index, value) in values.iter().enumerate() {
            let text = number(*value);
            if index > 0 && !text.starts_with('-') {
                self.0.push(' ');
            }
            self.0.push_str(&text);
        }
        self
    }

    /// Goes on at another point.
    #[must_use]
    pub fn and_from(self, x: f64, y: f64) -> Self {
        self.add('M', &[x, y])
    }

    /// A straight line.
    #[must_use]
    pub fn to(self, x: f64, y: f64) -> Self {
        self.add('L', &[x, y])
    }

    /// A curve that leans towards a point.
    #[must_use]
    pub fn bend(self, towards: (f64, f64), to: (f64, f64)) -> Self {
        self.add('Q', &[towards.0, towards.1, to.0, to.1])
    }

    /// Back to the beginning.
    #[must_use]
    pub fn close(mut self) -> Self {
        self.0.push('Z');
        self
    }

    /// Whether nothing is drawn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A picture in the making.
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

    /// A part that has a name of its own for those who cannot see it.
    pub fn group(&mut self, name: &str, draw: impl FnOnce(&mut Self)) {
        let _ = write!(self.body, "<g><title>{}</title>", escape(name));
        draw(self);
        self.body.push_str("</g>");
    }

    /// The picture as a document.
    #[must_use]
    pub fn finish(self, page: &Page<'_>) -> String {
        let Page { width, height, ground, title, description, style } = page;
        let (width, height) = (number(*width), number(height.ceil()));
        let mut svg = Self::default();
        svg.rect((0.0, 0.0, page.width, page.height.ceil()), 0.0, fill(*ground));
        let mut used = self.used;
        used.extend(svg.used);
        let mut out = format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" "#,
                r#"role="img" aria-labelledby="t d" xml:lang="{lang}">"#,
                r#"<title id="t">{title}</title><desc id="d">{desc}</desc><style>{css}</style>"#,
            ),
            w = width,
            h = height,
            lang = style.lang.tag(),
            title = escape(title),
            desc = escape(description),
            css = css(&used, style.theme),
        );
        out.push_str(&svg.body);
        out.push_str(&self.body);
        out.push_str("</svg>\n");
        out
    }
}

/// What a picture is, beside its shapes.
#[derive(Debug)]
pub struct Page<'a> {
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// What it stands on.
    pub ground: Tone,
    /// What it is.
    pub title: &'a str,
    /// What it shows, for those who cannot see it.
    pub description: &'a str,
    /// Theme and language.
    pub style: Style,
}

/// Text that fits its room: first smaller, by a fifth at most, then cut.
fn fitted(text: &str, font: Font) -> (f64, String) {
    let Some(room) = font.room else { return (font.size, text.to_owned()) };
    let width = width_of(text, font.size, font.bold);
    if width <= room {
        return (font.size, text.to_owned());
    }
    let size = (font.size * room / width).max(font.size * 0.8).max(9.0_f64.min(font.size));
    let mut short = text.to_owned();
    let mut cut = text.to_owned();
    while width_of(&short, size, font.bold) > room && cut.pop().is_some() {
        short = format!("{}…", cut.trim_end());
    }
    (size, short)
}

fn css(used: &BTreeMap<String, (Tone, &'static str)>, theme: Theme) -> String {
    let rules = |pick: fn(&Tone) -> &'static str| {
        used.iter().fold(String::new(), |mut css, (class, (tone, property))| {
            let _ = write!(css, ".{class}{{{property}:{}}}", pick(tone));
            css
        })
    };
    let fonts = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif}";
    match theme {
        Theme::Light => format!("{fonts}{}", rules(|tone| tone.light)),
        Theme::Dark => format!("{fonts}{}", rules(|tone| tone.dark)),
        Theme::Auto => format!(
            "{fonts}{}@media (prefers-color-scheme:dark){{{}}}",
            rules(|tone| tone.light),
            rules(|tone| tone.dark)
        ),
    }
}

/// Joins sentences to a description.
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

    #[test]
    fn text_shrinks_a_little_and_is_then_cut() {
        let font = font(10.0, tone("x", "#000", "#fff"));
        assert_eq!(fitted("abc", font.within(100.0)), (10.0, "abc".to_owned()));
        let (size, text) = fitted("abcdefghij", font.within(48.0));
        assert!(size < 10.0 && text == "abcdefghij", "{size} {text}");
        let (_, text) = fitted("abcdefghij", font.within(20.0));
        assert!(text.ends_with('…') && text.len() < 10, "{text}");
    }
}
