//! The document around the shapes: its size, texts and colours.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{Svg, Tone, escape, fill, number};
use crate::{Style, Theme};

/// Everything about a picture except its shapes.
#[derive(Debug)]
pub struct Page<'a> {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Its background.
    pub ground: Tone,
    /// Its title.
    pub title: &'a str,
    /// Its description, for people who cannot see it.
    pub description: &'a str,
    /// Theme and language.
    pub style: Style,
}

impl Svg {
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
