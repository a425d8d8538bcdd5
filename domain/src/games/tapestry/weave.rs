//! The tapestry: cards on cells (R2), and where a card may go (R5, R6).

use super::{
    components::{COMPLETE, Card, SIDE, START},
    refusal::Refusal,
};

/// Rows and columns of the field (R2.3): the square, plus four on either side for it to float.
const FIELD: u8 = 12;
/// Rows and columns of the start cards (R3.1).
const DIAGONAL: [u8; START] = [4, 5, 6, 7];

/// A cell of the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The row, from the top.
    pub row: u8,
    /// The column, from the left.
    pub column: u8,
}

impl Cell {
    /// The cell, if it is on the field (R2.3).
    pub(crate) const fn new(row: u8, column: u8) -> Option<Self> {
        if row < FIELD && column < FIELD { Some(Self { row, column }) } else { None }
    }

    /// Every cell, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..FIELD).flat_map(|row| (0..FIELD).map(move |column| Self { row, column }))
    }

    /// The cells of the start cards, from the top (R3.1).
    pub(crate) fn start() -> [Self; START] {
        DIAGONAL.map(|number| Self { row: number, column: number })
    }

    /// The cells that share a side with this one.
    fn around(self) -> impl Iterator<Item = Self> {
        let Self { row, column } = self;
        [
            (row.wrapping_sub(1), column),
            (row, column.wrapping_sub(1)),
            (row, column.wrapping_add(1)),
            (row.wrapping_add(1), column),
        ]
        .into_iter()
        .filter_map(|(row, column)| Self::new(row, column))
    }
}

/// The name for people: column letter, row number (R2.3).
impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.column.min(25)), u16::from(self.row) + 1)
    }
}

/// The rows and columns that the cards span, ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first row.
    pub top: u8,
    /// The last row.
    pub bottom: u8,
    /// The first column.
    pub left: u8,
    /// The last column.
    pub right: u8,
}

impl Span {
    fn with(self, cell: Cell) -> Self {
        Self {
            top: self.top.min(cell.row),
            bottom: self.bottom.max(cell.row),
            left: self.left.min(cell.column),
            right: self.right.max(cell.column),
        }
    }

    pub(crate) const fn rows(self) -> u8 {
        self.bottom - self.top + 1
    }

    pub(crate) const fn columns(self) -> u8 {
        self.right - self.left + 1
    }
}

/// The cards of the tapestry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weave {
    cards: [[Option<Card>; FIELD as usize]; FIELD as usize],
    span: Span,
    filled: u8,
}

impl Weave {
    /// An empty tapestry; its span already includes the start cards (R3.1).
    pub(crate) const fn new() -> Self {
        let [first, .., last] = DIAGONAL;
        Self {
            cards: [[None; FIELD as usize]; FIELD as usize],
            span: Span { top: first, bottom: last, left: first, right: last },
            filled: 0,
        }
    }

    /// The card on a cell.
    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<Card> {
        *self.cards.get(usize::from(cell.row))?.get(usize::from(cell.column))?
    }

    /// Every card with its cell, row by row.
    pub(crate) fn cards(&self) -> impl Iterator<Item = (Cell, Card)> {
        Cell::all().filter_map(|cell| Some((cell, self.at(cell)?)))
    }

    /// The cards that share a side with a cell.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = (Cell, Card)> {
        cell.around().filter_map(|cell| Some((cell, self.at(cell)?)))
    }

    /// The rows and columns that it spans.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The number of cards.
    #[must_use]
    pub const fn filled(&self) -> u8 {
        self.filled
    }

    /// Since the span is never wider than the square, 64 cards leave no gap (R2.1).
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.filled == COMPLETE
    }

    /// Puts a card on a cell, replacing the one there, if any.
    pub(crate) fn lay(&mut self, cell: Cell, card: Card) {
        let place = self
            .cards
            .get_mut(usize::from(cell.row))
            .and_then(|row| row.get_mut(usize::from(cell.column)));
        if let Some(place) = place {
            self.filled += u8::from(place.is_none());
            *place = Some(card);
            self.span = self.span.with(cell);
        }
    }

    /// Whether a card may be placed on a cell (R5).
    pub(crate) fn check_place(&self, cell: Cell, card: Card) -> Result<(), Refusal> {
        if self.at(cell).is_some() {
            return Err(Refusal::CellTaken); // R5.1
        }
        let span = self.span.with(cell);
        if span.rows() > SIDE || span.columns() > SIDE {
            return Err(Refusal::TooWide); // R2.2
        }
        if self.neighbours(cell).next().is_none() {
            return Err(Refusal::NoNeighbour); // R5.1
        }
        self.check_contact(cell, card)
    }

    /// The card that this one would replace (R6).
    pub(crate) fn check_exchange(&self, cell: Cell, card: Card) -> Result<Card, Refusal> {
        let lies = self.at(cell).ok_or(Refusal::CellEmpty)?; // R6.1
        if !card.body.beats(lies.body) {
            return Err(Refusal::NotSuperior); // R6.1
        }
        self.check_contact(cell, card)?; // R6.2
        Ok(lies)
    }

    fn check_contact(&self, cell: Cell, card: Card) -> Result<(), Refusal> {
        for (_, neighbour) in self.neighbours(cell) {
            if !card.colour.goes_with(neighbour.colour) {
                return Err(Refusal::ColourClash); // R5.2
            }
        }
        for (_, neighbour) in self.neighbours(cell) {
            if card.body == neighbour.body {
                return Err(Refusal::SameBody); // R5.3
            }
        }
        Ok(())
    }
}
