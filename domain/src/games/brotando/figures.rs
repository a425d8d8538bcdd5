//! The figures of growth cards, and where they can be placed (R5).

use super::{
    components::FIGURE_SEGMENTS,
    refusal::Refusal,
    sprout::{Segment, Sprout},
    squares::{COLUMNS, ROWS, Squares},
};

/// A figure of six squares.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Its rows from the top, `#` for a square.
    pub(crate) picture: Vec<String>,
    width: u8,
    height: u8,
    /// The figure in the upper left corner of a board.
    squares: Squares,
    /// Every way to lay it out with segments, each in order.
    tilings: Vec<Vec<Segment>>,
}

impl Shape {
    pub(crate) fn new(picture: &str) -> Self {
        let rows: Vec<String> = picture.split('/').map(str::to_owned).collect();
        let squares: Squares = rows
            .iter()
            .zip(0..)
            .flat_map(|(line, row)| {
                line.bytes().zip(0..).map(move |(byte, column)| (byte, column, row))
            })
            .filter(|(byte, ..)| *byte == b'#')
            .map(|(_, column, row)| (column, row))
            .collect();
        let mut tilings = Vec::new();
        tile(squares, &mut Vec::new(), &mut tilings);
        let width = rows.iter().map(String::len).max().expect("splitting yields a row");
        Self {
            width: u8::try_from(width).expect("six squares"),
            height: u8::try_from(rows.len()).expect("six squares"),
            picture: rows,
            squares,
            tilings,
        }
    }

    /// How far the figure can be moved without leaving the board (R5.3).
    fn positions(&self) -> impl Iterator<Item = (u8, u8)> {
        let rows = ROWS.saturating_sub(self.height);
        let columns = COLUMNS.saturating_sub(self.width);
        (0..=columns).flat_map(move |column| (0..=rows).map(move |row| (column, row)))
    }

    /// The positions of the whole figure next to a sprout with this edge, and the squares it covers.
    pub(crate) fn places(
        &self,
        body: Squares,
        edge: Squares,
    ) -> impl Iterator<Item = ((u8, u8), Squares)> {
        self.positions()
            .map(|(column, row)| ((column, row), self.squares.moved(column, row)))
            .filter(move |(_, whole)| !whole.meets(body) && whole.meets(edge)) // R5.3, R5.4
    }

    /// Every legal way to place `count` segments of the figure, each once.
    pub(crate) fn placements(&self, count: u16, sprout: &Sprout) -> Vec<Vec<Segment>> {
        let body = sprout.body();
        let mut placements = Vec::new();
        for ((column, row), _) in self.places(body, body.around()) {
            for tiling in &self.tilings {
                let laid = tiling.iter().map(|segment| segment.moved(column, row)).collect();
                if count >= FIGURE_SEGMENTS {
                    placements.push(laid);
                } else {
                    let parts = subsets(&laid, count.into()); // R5.5
                    placements.extend(parts.filter(|part| sprout.is_joined_by(part)));
                }
            }
        }
        if count < FIGURE_SEGMENTS {
            placements.sort_unstable();
            placements.dedup();
        }
        placements
    }

    /// Whether these segments form the figure or part of it, and there is room for all of it (R5.2, R5.3, R5.5).
    pub(crate) fn check(&self, segments: &[Segment], body: Squares) -> Result<(), Refusal> {
        let mut refusal = Refusal::NotTheFigure;
        for corner in self.corners(segments) {
            if self.fits(corner, body) {
                return Ok(());
            }
            refusal = Refusal::FigureDoesNotFit;
        }
        Err(refusal)
    }

    /// Where the figure would lie so that these segments form it or part of it: the columns and rows of its upper left
    /// corner, which may be off the board.
    fn corners(&self, segments: &[Segment]) -> impl Iterator<Item = (i16, i16)> {
        let from = |part: &Segment, segment: &Segment| {
            let column = i16::from(segment.column) - i16::from(part.column);
            let row = i16::from(segment.row) - i16::from(part.row);
            (segment.direction == part.direction).then_some((column, row))
        };
        self.tilings.iter().flat_map(move |tiling| {
            let first = segments.first();
            let corners = first
                .into_iter()
                .flat_map(move |first| tiling.iter().filter_map(move |part| from(part, first)));
            corners.filter(move |corner| {
                segments
                    .iter()
                    .all(|segment| tiling.iter().any(|part| from(part, segment) == Some(*corner)))
            })
        })
    }

    /// Whether the whole figure has room with its upper left corner here (R5.3).
    fn fits(&self, (column, row): (i16, i16), body: Squares) -> bool {
        let (Ok(column), Ok(row)) = (u8::try_from(column), u8::try_from(row)) else { return false };
        column + self.width <= COLUMNS
            && row + self.height <= ROWS
            && !self.squares.moved(column, row).meets(body)
    }

    #[cfg(test)]
    pub(crate) fn tilings(&self) -> &[Vec<Segment>] {
        &self.tilings
    }
}

/// Covers the first free square at each step, so that every tiling is found once and in order.
fn tile(free: Squares, laid: &mut Vec<Segment>, tilings: &mut Vec<Vec<Segment>>) {
    let Some((column, row)) = free.iter().next() else {
        tilings.push(laid.clone());
        return;
    };
    for segment in [Segment::right(column, row), Segment::down(column, row)] {
        let squares = segment.squares();
        if (squares - free).is_empty() {
            laid.push(segment);
            tile(free - squares, laid, tilings);
            laid.pop();
        }
    }
}

/// Every choice of `count` of the segments, in order.
fn subsets(segments: &Vec<Segment>, count: u32) -> impl Iterator<Item = Vec<Segment>> {
    let choices = (0_u32..1 << segments.len()).filter(move |bits| bits.count_ones() == count);
    choices.map(move |bits| {
        let chosen = (0..).zip(segments).filter(|(index, _)| bits & 1 << index != 0);
        chosen.map(|(_, segment): (u32, _)| *segment).collect()
    })
}

/// Every single segment that joins the sprout (R5.6).
pub(crate) fn single_segments(sprout: &Sprout) -> Vec<Vec<Segment>> {
    let body = sprout.body();
    let edge = body.around();
    let every = (0..COLUMNS).flat_map(|column| (0..ROWS).map(move |row| (column, row)));
    every
        .flat_map(|(column, row)| [Segment::right(column, row), Segment::down(column, row)])
        .filter(|segment| {
            let squares = segment.squares();
            segment.is_on_board() && !squares.meets(body) && squares.meets(edge)
        })
        .map(|segment| vec![segment])
        .collect()
}
