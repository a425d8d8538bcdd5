//! Fonts, and the width of texts.

use super::Tone;

/// The alignment of a text relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The look of a text.
#[derive(Debug, Clone, Copy)]
pub struct Font {
    pub(super) size: f64,
    pub(super) tone: Tone,
    pub(super) bold: bool,
    pub(super) anchor: Anchor,
    room: Option<f64>,
}

/// A font of this size and colour, aligned to the right of its point.
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

    /// Shrunk, and finally truncated, to this width.
    #[must_use]
    pub fn within(self, room: f64) -> Self {
        Self { room: Some(room), ..self }
    }
}

/// The approximate width of a text; the exact one depends on the reader's fonts.
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

/// A text that fits: shrunk by a fifth at most, then truncated.
pub(super) fn fitted(text: &str, font: Font) -> (f64, String) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::tone;

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
