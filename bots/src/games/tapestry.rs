//! What is known about Universal Tapestry: no gap may become impossible to fill, and a card that fits nowhere may fit after an
//! exchange.

use domain::{
    chance::Chance,
    erased::{AnyState, GameMove},
    games::tapestry::{Body, Card, Cell, Move, SIDE, State},
    seat::Seat,
};

use crate::{
    evaluation::{logistic, number},
    knowledge::Knowledge,
};

pub(crate) struct Tapestry;

/// How much a cell counts that may not become part of the square.
const OUTSIDE: f64 = 0.6;
/// How much the trouble of a place is blurred, so that playouts differ.
const NOISE: f64 = 0.02;
/// Making more trouble than this is worse than a discard.
const DISCARD: f64 = 0.3;
/// Exchanges are only considered if the best place makes more trouble than this,
const TIGHT: f64 = 0.1;
/// and have to save at least this much.
const EXCHANGE: f64 = 0.05;

impl Knowledge for Tapestry {
    fn expected(&self, state: &dyn AnyState) -> Vec<f64> {
        let Some(state) = state.as_any().downcast_ref::<State>() else { return Vec::new() };
        vec![chance_to_complete(state)]
    }

    fn policy(&self, any: &dyn AnyState, seat: Seat, chance: &mut dyn Chance) -> Option<GameMove> {
        let state = any.as_any().downcast_ref::<State>()?;
        let Some(card) = state.hand() else { return any.random_move(seat, chance) };
        any.wrap_move(Box::new(Loom::of(state).advise(Kind::of(card), chance)))
    }
}

/// Cards with the same colour and the same body, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind(u8);

const BODIES: u8 = 3;
const KINDS: usize = 18;
/// Every kind.
const ANY: u32 = (1 << KINDS) - 1;

/// The kinds that may touch each kind, as bits (R5.2, R5.3).
const TOUCHING: [u32; KINDS] = {
    let mut table = [0; KINDS];
    let mut one = 0;
    while one < KINDS {
        let mut other = 0;
        while other < KINDS {
            let bodies = BODIES as usize;
            if (one / bodies).abs_diff(other / bodies) <= 1 && one % bodies != other % bodies {
                table[one] |= 1 << other;
            }
            other += 1;
        }
        one += 1;
    }
    table
};

impl Kind {
    const fn of(card: Card) -> Self {
        let body = match card.body {
            Body::Asteroid => 0,
            Body::Comet => 1,
            Body::Nebula => 2,
        };
        Self(card.colour as u8 * BODIES + body)
    }

    const fn bit(self) -> u32 {
        1 << self.0
    }

    const fn touching(self) -> u32 {
        TOUCHING[self.0 as usize]
    }

    /// R1.4: an asteroid beats a comet, a comet a nebula, a nebula an asteroid.
    const fn beats(self, other: Self) -> bool {
        (self.0 % BODIES + 1) % BODIES == other.0 % BODIES
    }
}

/// The field with a margin, so that every cell has four neighbours.
const WIDTH: usize = 14;
const AREA: usize = WIDTH * WIDTH;

fn around(cell: usize) -> [usize; 4] {
    [cell - WIDTH, cell - 1, cell + 1, cell + WIDTH]
}

/// A tapestry in a form that is quick to calculate with.
struct Loom {
    cards: [Option<Kind>; AREA],
    /// For every cell, the kinds that may touch all its neighbours.
    fits: [u32; AREA],
    /// The cells that could still become part of the square, ends included.
    rows: [usize; 2],
    columns: [usize; 2],
    /// The rows and columns that are certainly part of it.
    span: [usize; 4],
    /// How many cards of each kind are still to come.
    left: [f64; KINDS],
    spare: f64,
    open: f64,
}

impl Loom {
    fn of(state: &State) -> Self {
        let tapestry = state.tapestry();
        let span = tapestry.span();
        let margin = |number: u8| usize::from(number) + 1;
        let reach = |low: u8, high: u8| {
            [margin((high + 1).saturating_sub(SIDE)), margin((low + SIDE - 1).min(11))]
        };
        let mut loom = Self {
            cards: [None; AREA],
            fits: [ANY; AREA],
            rows: reach(span.top, span.bottom),
            columns: reach(span.left, span.right),
            span: [span.top, span.bottom, span.left, span.right].map(margin),
            left: [0.0; KINDS],
            spare: 8.0 - number(state.discards()),
            open: f64::from(SIDE * SIDE - tapestry.filled()),
        };
        for cell in Cell::all() {
            if let Some(card) = tapestry.at(cell) {
                loom.lay(margin(cell.row) * WIDTH + margin(cell.column), Kind::of(card));
            }
        }
        for card in state.to_come() {
            loom.left[usize::from(Kind::of(card).0)] += 1.0;
        }
        loom
    }

    fn lay(&mut self, cell: usize, kind: Kind) {
        self.cards[cell] = Some(kind);
        for next in around(cell) {
            self.fits[next] &= kind.touching();
        }
    }

    /// The cells of the square, as far as it is known.
    fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let columns = self.columns;
        (self.rows[0]..=self.rows[1])
            .flat_map(move |row| (columns[0]..=columns[1]).map(move |column| row * WIDTH + column))
    }

    fn is_inside(&self, cell: usize) -> bool {
        let (row, column, [top, bottom, left, right]) = (cell / WIDTH, cell % WIDTH, self.span);
        (top..=bottom).contains(&row) && (left..=right).contains(&column)
    }

    /// Whether a cell is empty and could become part of the square.
    fn is_open(&self, cell: usize) -> bool {
        let (row, column) = (cell / WIDTH, cell % WIDTH);
        self.cards[cell].is_none()
            && (self.rows[0]..=self.rows[1]).contains(&row)
            && (self.columns[0]..=self.columns[1]).contains(&column)
    }

    /// Whether it touches the tapestry as well, so that a card may be placed there.
    fn is_next(&self, cell: usize) -> bool {
        self.fits[cell] != ANY && self.is_open(cell)
    }

    /// How hard it is to fill a cell on which only these kinds fit.
    fn trouble_with(&self, cell: usize, fits: u32) -> f64 {
        if fits == ANY {
            return 0.0;
        }
        let mut fitting = 0.0;
        let mut bits = fits;
        while bits != 0 {
            fitting += self.left[bits.trailing_zeros() as usize];
            bits &= bits - 1;
        }
        let weight = if self.is_inside(cell) { 1.3 } else { 1.3 * OUTSIDE };
        weight / (1.0 + fitting)
    }

    fn trouble_of(&self, cell: usize) -> f64 {
        if self.is_next(cell) { self.trouble_with(cell, self.fits[cell]) } else { 0.0 }
    }

    /// How much harder the cells around a cell become if a card lies there.
    fn trouble_around(&self, cell: usize, kind: Kind) -> f64 {
        around(cell)
            .into_iter()
            .filter(|next| self.is_open(*next))
            .map(|next| {
                let fits = self.fits[next];
                self.trouble_with(next, fits & kind.touching()) - self.trouble_with(next, fits)
            })
            .sum()
    }

    /// The best place for a card, and how much trouble that makes.
    fn best_place(&self, kind: Kind, chance: &mut dyn Chance) -> Option<(f64, usize)> {
        self.cells()
            .filter(|cell| self.is_next(*cell) && self.fits[*cell] & kind.bit() != 0)
            .map(|cell| {
                let noise = f64::from(chance.below(1000)) / 1000.0 * NOISE;
                (self.trouble_around(cell, kind) - self.trouble_of(cell) + noise, cell)
            })
            .min_by(|one, two| one.0.total_cmp(&two.0))
    }

    /// The best exchange, and how much trouble that makes if the other card is placed next.
    fn best_exchange(&self, kind: Kind, chance: &mut dyn Chance) -> Option<(f64, usize)> {
        self.cells()
            .filter_map(|cell| {
                let lies = self.cards[cell].filter(|lies| kind.beats(*lies))?;
                if self.fits[cell] & kind.bit() == 0 {
                    return None;
                }
                let mut after = Self { ..*self };
                after.cards[cell] = Some(kind);
                let mut more = 0.0;
                for next in around(cell).into_iter().filter(|next| self.is_next(*next)) {
                    let neighbours = around(next).into_iter().filter_map(|it| after.cards[it]);
                    after.fits[next] = neighbours.fold(ANY, |fits, kind| fits & kind.touching());
                    more += self.trouble_with(next, after.fits[next]) - self.trouble_of(next);
                }
                let (then, _) = after.best_place(lies, chance)?;
                Some((more + then, cell))
            })
            .min_by(|one, two| one.0.total_cmp(&two.0))
    }

    fn advise(&self, kind: Kind, chance: &mut dyn Chance) -> Move {
        let place = self.best_place(kind, chance);
        let discard = if self.spare > 0.0 { DISCARD } else { f64::INFINITY };
        let cell = |cell: usize| {
            let small = |number: usize| u8::try_from(number).unwrap_or(0).saturating_sub(1);
            (small(cell / WIDTH), small(cell % WIDTH))
        };
        let placing = place.map_or(f64::INFINITY, |(trouble, _)| trouble);
        if placing > TIGHT
            && let Some((trouble, at)) = self.best_exchange(kind, chance)
            && trouble + EXCHANGE < placing.min(discard)
        {
            let (row, column) = cell(at);
            return Move::Exchange { row, column };
        }
        match place {
            Some((trouble, at)) if trouble < discard => {
                let (row, column) = cell(at);
                Move::Place { row, column }
            }
            _ => Move::Discard {},
        }
    }
}

/// The chance to complete the tapestry, by how hard its gaps are to fill.
fn chance_to_complete(state: &State) -> f64 {
    if state.tapestry().is_complete() {
        return 1.0;
    }
    let mut loom = Loom::of(state);
    if let Some(card) = state.hand() {
        loom.left[usize::from(Kind::of(card).0)] += 1.0;
    }
    let trouble: f64 = loom.cells().map(|cell| loom.trouble_of(cell)).sum();
    let lost = if loom.spare < 0.0 { 3.0 - loom.spare } else { 0.0 };
    logistic(1.5 + loom.spare * 0.35 - trouble - loom.open * 0.03 - lost)
}
