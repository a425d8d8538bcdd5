//! The games that are played here.

use domain::{
    erased::AnyGame,
    luck::LuckInfo,
    outcome::{Best, MeasureInfo, Scope, Unit},
    text::{Lang, Text},
};
use serde::Serialize;
use utoipa::ToSchema;

pub mod chart;
pub mod charts;
pub mod get;
pub mod leaderboard;
pub mod list;
pub mod stats;

/// A game in short.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameSummary {
    /// What `POST /v1/matches` calls it.
    #[schema(example = "qwinto")]
    pub key: &'static str,
    /// Its name.
    #[schema(example = "Qwinto")]
    pub name: &'static str,
    /// What it is about.
    pub summary: &'static str,
    /// The fewest seats.
    #[schema(minimum = 1, maximum = 8, example = 2)]
    pub min_seats: u8,
    /// The most seats.
    #[schema(minimum = 1, maximum = 8, example = 6)]
    pub max_seats: u8,
    /// The version of the rules.
    #[schema(example = 1)]
    pub rules_version: u16,
}

/// A text in both languages.
#[derive(Debug, Serialize, ToSchema)]
pub struct BothLanguages {
    /// English.
    pub en: &'static str,
    /// Spanish.
    pub es: &'static str,
}

impl From<Text> for BothLanguages {
    fn from(text: Text) -> Self {
        Self { en: text.en, es: text.es }
    }
}

/// A measure that statistics are made of.
#[derive(Debug, Serialize, ToSchema)]
pub struct Measure {
    /// Stable.
    #[schema(example = "numbers_written")]
    pub id: &'static str,
    /// Its name.
    #[schema(example = "Numbers written")]
    pub label: &'static str,
    /// Whom it is about.
    pub scope: Scope,
    /// What its value means.
    pub unit: UnitName,
    /// The categories, where the unit is `category`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<Named>,
}

/// What the value of a measure means.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnitName {
    /// How many of something.
    Count,
    /// Points of the game.
    Points,
    /// A duration in milliseconds.
    Milliseconds,
    /// One of the categories.
    Category,
}

/// A figure that says how lucky a seat was.
#[derive(Debug, Serialize, ToSchema)]
pub struct LuckFigure {
    /// Stable.
    #[schema(example = "sums")]
    pub id: &'static str,
    /// Its name.
    #[schema(example = "Sums rolled")]
    pub label: &'static str,
    /// What is counted, and against what.
    pub description: &'static str,
    /// Which side of the expectation is the lucky one.
    pub better: Better,
}

/// Which side of the expectation is the lucky one.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// More than expected.
    Higher,
    /// Less than expected.
    Lower,
    /// It depends.
    Neither,
}

/// Something with an id and a name.
#[derive(Debug, Serialize, ToSchema)]
pub struct Named {
    /// Stable.
    pub id: &'static str,
    /// Its name.
    pub label: &'static str,
}

/// A reason for which a move can be refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefusalReason {
    /// The `code` of the problem.
    #[schema(example = "qwinto.box_taken")]
    pub code: String,
    /// The rule that is broken.
    #[schema(example = "R3.1")]
    pub rule: &'static str,
    /// Why, and what to do instead.
    pub detail: &'static str,
}

fn summary(game: &dyn AnyGame, lang: Lang) -> GameSummary {
    let info = game.info();
    GameSummary {
        key: info.key,
        name: info.name.get(lang),
        summary: info.summary.get(lang),
        min_seats: info.min_seats,
        max_seats: info.max_seats,
        rules_version: info.rules_version,
    }
}

/// What the value of a measure means, in one word.
#[must_use]
pub const fn unit_name(unit: Unit) -> UnitName {
    match unit {
        Unit::Count => UnitName::Count,
        Unit::Points => UnitName::Points,
        Unit::Milliseconds => UnitName::Milliseconds,
        Unit::Category(_) => UnitName::Category,
    }
}

fn measure(info: &MeasureInfo, lang: Lang) -> Measure {
    let categories = match info.unit {
        Unit::Category(all) => {
            all.iter().map(|(id, label)| Named { id, label: label.get(lang) }).collect()
        }
        Unit::Count | Unit::Points | Unit::Milliseconds => Vec::new(),
    };
    let unit = unit_name(info.unit);
    Measure { id: info.id, label: info.label.get(lang), scope: info.scope, unit, categories }
}

/// A figure of luck in one language.
#[must_use]
pub const fn luck_figure(info: &LuckInfo, lang: Lang) -> LuckFigure {
    let better = match info.better {
        Some(Best::Highest) => Better::Higher,
        Some(Best::Lowest) => Better::Lower,
        None => Better::Neither,
    };
    let (label, description) = (info.label.get(lang), info.description.get(lang));
    LuckFigure { id: info.id, label, description, better }
}
