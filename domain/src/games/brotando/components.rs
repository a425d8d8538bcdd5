//! The board, and the numbers of the game (R1, R2). Tables are data: `components.json`.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{figures::Shape, squares::Squares};

/// Days of a match (R2.5).
pub const DAYS: u8 = 14;
/// Growth cards in a deck (R2.2).
pub(crate) const GROWTH_IN_DECK: usize = 11;
/// Wind cards in a deck (R2.2).
pub(crate) const WINDS_IN_DECK: usize = 3;
/// Wind cards of each text (R2.1).
pub(crate) const WIND_COPIES: usize = 3;
/// Segments of every seat at the start (R2.3).
pub(crate) const START_SEGMENTS: u16 = 10;
/// Segments of a growth card (R5.2).
pub(crate) const FIGURE_SEGMENTS: u16 = 3;
/// Segments that the holder of a wind card places (R5.6).
pub(crate) const WIND_SEGMENTS: u16 = 1;
/// Segments from `take_six` (R7.4).
pub(crate) const SIX: u16 = 6;
/// Cards that `reorder_deck` shows (R7.5).
pub(crate) const PEEKED: usize = 3;
/// Segments from `balance_four` (R7.6).
pub(crate) const FOUR: u16 = 4;

/// The colour of a sun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sun {
    /// Pays 2 once.
    Yellow,
    /// Pays 5 once.
    Red,
    /// Pays 1 every day.
    Orange,
}

impl Sun {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Yellow, Self::Red, Self::Orange];

    const fn mark(self) -> u8 {
        match self {
            Self::Yellow => b'Y',
            Self::Red => b'R',
            Self::Orange => b'O',
        }
    }

    /// The segments that one of them pays (R6.1, R6.2).
    #[must_use]
    pub const fn pays(self) -> u16 {
        match self {
            Self::Yellow => 2,
            Self::Red => 5,
            Self::Orange => 1,
        }
    }

    /// Where they are (R1.2).
    pub(crate) fn squares(self) -> Squares {
        COMPONENTS.suns[self as usize]
    }

    /// Column and row of each.
    pub fn places(self) -> impl Iterator<Item = (u8, u8)> {
        self.squares().iter()
    }
}

/// The colour of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = brotando::LineColour)]
pub enum LineColour {
    /// Costs 3 points when crossed.
    Purple,
    /// Costs 5 points when crossed.
    Blue,
}

impl LineColour {
    /// The points that a crossed line costs (R8.3).
    #[must_use]
    pub const fn costs(self) -> u16 {
        match self {
            Self::Purple => 3,
            Self::Blue => 5,
        }
    }
}

/// The direction of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = brotando::Between)]
pub enum Between {
    /// It runs from top to bottom, between two columns.
    Columns,
    /// It runs from left to right, between two rows.
    Rows,
}

/// A danger line of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = brotando::Line)]
pub struct LineInfo {
    /// Its colour.
    pub colour: LineColour,
    /// Whether it runs between columns or rows.
    pub between: Between,
    /// The column or row before it; the next one is after it.
    #[schema(maximum = 13)]
    pub after: u8,
}

/// Every line, with column and row of the squares before its marked edges (R1.4, R1.5).
pub fn danger_lines() -> impl Iterator<Item = (LineInfo, impl Iterator<Item = (u8, u8)>)> {
    COMPONENTS.lines.iter().map(|(info, before)| (*info, before.iter()))
}

/// One of the nine lines, by its index in `components.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub(crate) struct Line(u8);

impl Line {
    fn all() -> impl Iterator<Item = Self> {
        (0..).take(COMPONENTS.lines.len()).map(Self)
    }

    pub(crate) fn info(self) -> LineInfo {
        COMPONENTS.lines[usize::from(self.0)].0
    }
}

impl TryFrom<u8> for Line {
    type Error = String;

    fn try_from(index: u8) -> Result<Self, String> {
        let exists = usize::from(index) < COMPONENTS.lines.len();
        exists.then_some(Self(index)).ok_or_else(|| format!("there is no line {index}"))
    }
}

impl From<Line> for u8 {
    fn from(line: Line) -> Self {
        line.0
    }
}

/// A set of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lines(u16);

impl Lines {
    pub(crate) const NONE: Self = Self(0);

    /// The lines that have a marked edge between two of these squares (R5.8).
    pub(crate) fn crossed_by(squares: Squares) -> Self {
        let crossed = COMPONENTS.lines.iter().zip(Line::all()).filter(|((info, before), _)| {
            let after = match info.between {
                Between::Columns => squares.left_of(),
                Between::Rows => squares.above(),
            };
            (squares & *before).meets(after)
        });
        crossed.map(|(_, line)| line).collect()
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn with(self, line: Line) -> Self {
        Self(self.0 | 1 << line.0)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Line> {
        Line::all().filter(move |line| self.with(*line) == self)
    }

    pub(crate) fn infos(self) -> impl Iterator<Item = LineInfo> {
        self.iter().map(Line::info)
    }
}

impl FromIterator<Line> for Lines {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Self {
        lines.into_iter().fold(Self::NONE, Self::with)
    }
}

#[derive(Deserialize)]
struct ComponentsFile {
    board: Vec<String>,
    lines: Vec<LineData>,
    growth_cards: Vec<CardData>,
}

#[derive(Deserialize)]
struct LineData {
    colour: LineColour,
    between: Between,
    after: u8,
    cells: Vec<u8>,
}

#[derive(Deserialize)]
struct CardData {
    figure: String,
    copies: u8,
}

/// The contents of `components.json`, prepared for use.
pub(super) struct Components {
    suns: [Squares; 3],
    /// Each with the squares before its marked edges.
    lines: Vec<(LineInfo, Squares)>,
    pub(super) shapes: Vec<Shape>,
    pub(super) copies: Vec<u8>,
}

pub(super) static COMPONENTS: LazyLock<Components> = LazyLock::new(|| {
    let data: ComponentsFile = serde_json::from_str(include_str!("components.json"))
        .expect("the file is part of the program");
    let marked = |mark: u8| -> Squares {
        let rows = data.board.iter().zip(0..);
        rows.flat_map(|(line, row)| {
            line.bytes().zip(0..).map(move |(byte, column)| (byte, (column, row)))
        })
        .filter(|(byte, _)| *byte == mark)
        .map(|(_, square)| square)
        .collect()
    };
    let line = |line: &LineData| {
        let LineData { colour, between, after, .. } = *line;
        let square = |cell: &u8| match between {
            Between::Columns => (after, *cell),
            Between::Rows => (*cell, after),
        };
        (LineInfo { colour, between, after }, line.cells.iter().map(square).collect())
    };
    Components {
        suns: Sun::ALL.map(|sun| marked(sun.mark())),
        lines: data.lines.iter().map(line).collect(),
        shapes: data.growth_cards.iter().map(|card| Shape::new(&card.figure)).collect(),
        copies: data.growth_cards.iter().map(|card| card.copies).collect(),
    }
});
