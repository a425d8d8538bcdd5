//! Text for people, always in both languages.

use serde::{Deserialize, Serialize};

/// A supported language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English, the fallback.
    #[default]
    En,
    /// Spanish.
    Es,
}

impl Lang {
    /// Both languages.
    pub const ALL: [Self; 2] = [Self::En, Self::Es];

    /// The language tag, as in `Content-Language`.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Es => "es",
        }
    }

    /// Picks the text for this language.
    #[must_use]
    pub fn pick<T>(self, en: T, es: T) -> T {
        match self {
            Self::En => en,
            Self::Es => es,
        }
    }

    /// Joins items as a person would: `a, b and c`.
    #[must_use]
    pub fn list<T: std::fmt::Display>(self, items: &[T]) -> String {
        match items {
            [] => String::new(),
            [only] => only.to_string(),
            [first @ .., last] => {
                let first: Vec<String> = first.iter().map(ToString::to_string).collect();
                format!("{} {} {last}", first.join(", "), self.pick("and", "y"))
            }
        }
    }
}

/// A fixed text in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// English.
    pub en: &'static str,
    /// Spanish.
    pub es: &'static str,
}

impl Text {
    /// A text from its two versions.
    #[must_use]
    pub const fn new(en: &'static str, es: &'static str) -> Self {
        Self { en, es }
    }

    /// The text in one language.
    #[must_use]
    pub const fn get(self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::Es => self.es,
        }
    }
}
