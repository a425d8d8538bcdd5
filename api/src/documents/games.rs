//! Games.

use domain::{
    erased::AnyGame,
    luck::LuckInfo,
    outcome::{Best, MeasureInfo, Scope, Unit},
    text::{Lang, Text},
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A game in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameSummary {
    /// The key of the game, for `POST /v1/matches`.
    #[schema(example = "qwinto")]
    pub key: &'static str,
    /// The name of the game.
    #[schema(example = "Qwinto")]
    pub name: &'static str,
    /// What the game is about.
    pub summary: &'static str,
    /// The smallest number of seats.
    #[schema(minimum = 1, maximum = 8, example = 2)]
    pub min_seats: u8,
    /// The largest number of seats.
    #[schema(minimum = 1, maximum = 8, example = 6)]
    pub max_seats: u8,
    /// The version of the rules.
    #[schema(example = 1)]
    pub rules_version: u16,
}

/// All games.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameList {
    /// One entry per game.
    pub games: Vec<GameSummary>,
}

/// A game in full.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameDetails {
    /// The game as in the list.
    #[serde(flatten)]
    pub summary: GameSummary,
    /// The rules in Markdown. Refused moves refer to their numbers.
    pub rules: BothLanguages,
    /// JSON Schema of the options of a new match.
    #[schema(value_type = Object)]
    pub options_schema: Value,
    /// JSON Schema of a move.
    #[schema(value_type = Object)]
    pub move_schema: Value,
    /// JSON Schema of a view.
    #[schema(value_type = Object)]
    pub view_schema: Value,
    /// JSON Schema of an event.
    #[schema(value_type = Object)]
    pub event_schema: Value,
    /// The lines of the score breakdown.
    pub score_lines: Vec<Named>,
    /// The measures that statistics are based on.
    pub measures: Vec<Measure>,
    /// The figures of `GET /v1/matches/{id}/luck`.
    pub luck: Vec<LuckFigure>,
    /// The reasons for which a move can be refused.
    pub refusals: Vec<RefusalReason>,
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

/// A measure that statistics are based on.
#[derive(Debug, Serialize, ToSchema)]
pub struct Measure {
    /// The stable id.
    #[schema(example = "numbers_written")]
    pub id: &'static str,
    /// The name.
    #[schema(example = "Numbers written")]
    pub label: &'static str,
    /// Whether it is measured per match or per seat.
    pub scope: Scope,
    /// The unit of its values.
    pub unit: UnitName,
    /// The categories, if the unit is `category`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<Named>,
}

/// The unit of a measure.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnitName {
    /// A number of things.
    Count,
    /// Points of the game.
    Points,
    /// A duration in milliseconds.
    Milliseconds,
    /// One of the categories.
    Category,
}

/// A figure that tells how lucky a seat was.
#[derive(Debug, Serialize, ToSchema)]
pub struct LuckFigure {
    /// The stable id.
    #[schema(example = "sums")]
    pub id: &'static str,
    /// The name.
    #[schema(example = "Sums rolled")]
    pub label: &'static str,
    /// What is counted and what it is compared with.
    pub description: &'static str,
    /// On which side of the expectation luck lies.
    pub better: Better,
}

/// On which side of the expectation luck lies.
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

/// An id with a name.
#[derive(Debug, Serialize, ToSchema)]
pub struct Named {
    /// The stable id.
    pub id: &'static str,
    /// The name.
    pub label: &'static str,
}

/// A reason for which a move can be refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefusalReason {
    /// The `code` of the problem.
    #[schema(example = "qwinto.box_taken")]
    pub code: String,
    /// The number of the broken rule.
    #[schema(example = "R3.1")]
    pub rule: &'static str,
    /// What is wrong, and what to do instead.
    pub detail: &'static str,
}

impl GameSummary {
    /// A game, described in a language.
    #[must_use]
    pub fn new(game: &dyn AnyGame, lang: Lang) -> Self {
        let info = game.info();
        Self {
            key: info.key,
            name: info.name.get(lang),
            summary: info.summary.get(lang),
            min_seats: info.min_seats,
            max_seats: info.max_seats,
            rules_version: info.rules_version,
        }
    }
}

impl GameDetails {
    /// A game, described in a language.
    #[must_use]
    pub fn new(game: &dyn AnyGame, lang: Lang) -> Self {
        let (info, schemas) = (game.info(), game.schemas());
        let lines = info.score_lines.iter();
        let refusals = game.refusals().into_iter().map(|refusal| RefusalReason {
            code: format!("{}.{}", info.key, refusal.code),
            rule: refusal.rule,
            detail: refusal.text.get(lang),
        });
        Self {
            summary: GameSummary::new(game, lang),
            rules: info.rules.into(),
            options_schema: schemas.options.standalone(),
            move_schema: schemas.mv.standalone(),
            view_schema: schemas.view.standalone(),
            event_schema: schemas.event.standalone(),
            score_lines: lines
                .map(|line| Named { id: line.id, label: line.label.get(lang) })
                .collect(),
            measures: info.measures.iter().map(|info| Measure::new(info, lang)).collect(),
            luck: info.luck.iter().map(|info| LuckFigure::new(info, lang)).collect(),
            refusals: refusals.collect(),
        }
    }
}

impl From<Unit> for UnitName {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::Count => Self::Count,
            Unit::Points => Self::Points,
            Unit::Milliseconds => Self::Milliseconds,
            Unit::Category(_) => Self::Category,
        }
    }
}

impl Measure {
    fn new(info: &MeasureInfo, lang: Lang) -> Self {
        let categories = match info.unit {
            Unit::Category(all) => {
                all.iter().map(|(id, label)| Named { id, label: label.get(lang) }).collect()
            }
            Unit::Count | Unit::Points | Unit::Milliseconds => Vec::new(),
        };
        let (label, unit) = (info.label.get(lang), info.unit.into());
        Self { id: info.id, label, scope: info.scope, unit, categories }
    }
}

impl LuckFigure {
    /// A figure, described in a language.
    #[must_use]
    pub const fn new(info: &LuckInfo, lang: Lang) -> Self {
        let better = match info.better {
            Some(Best::Highest) => Better::Higher,
            Some(Best::Lowest) => Better::Lower,
            None => Better::Neither,
        };
        let (label, description) = (info.label.get(lang), info.description.get(lang));
        Self { id: info.id, label, description, better }
    }
}
