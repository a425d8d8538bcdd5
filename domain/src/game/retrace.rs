//! Deciding recorded events again, for events that come without the commands that led to them: the past of a fork.

use super::{Context, Decide, Evolve, Game, Turns};
use crate::{chance::Chance, seat::Seat, time::Timestamp};

/// Finds the decisions behind events. What it finds is decided again and compared, so a wrong answer does no harm; but no event,
/// however absurd, may make it panic.
pub trait Retrace: Game {
    /// The numbers that the setup drew if it led to these events.
    fn setup_draws(state: &Self::State, events: &[Self::Event]) -> Option<Vec<u32>>;

    /// The move that led to the first of these events, and the numbers that it drew. There is at least one event.
    fn retrace(state: &Self::State, events: &[Self::Event]) -> Option<Retraced<Self::Move>>;
}

/// A move that was made, and its luck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retraced<M> {
    /// The seat that made it.
    pub seat: Seat,
    /// The move.
    pub mv: M,
    /// The numbers that were drawn, in order. Further ones are ignored.
    pub draws: Vec<u32>,
}

impl<M> Retraced<M> {
    /// A move without luck.
    #[must_use]
    pub const fn new(seat: Seat, mv: M) -> Self {
        Self { seat, mv, draws: Vec::new() }
    }

    /// The same move with these draws.
    #[must_use]
    pub fn with_draws(self, draws: Vec<u32>) -> Self {
        Self { draws, ..self }
    }
}

/// The number of events, from the first, that follow from the rules: the setup, and one legal move after another.
pub(crate) fn followed<G>(start: &G::State, seats: u8, log: &[(Timestamp, G::Event)]) -> usize
where
    G: Turns + Decide + Evolve + Retrace,
{
    let events: Vec<G::Event> = log.iter().map(|(_, event)| event.clone()).collect();
    let mut state = start.clone();
    let mut done = 0;
    while let Some((at, _)) = log.get(done) {
        let rest = &events[done..];
        let decided = if done == 0 {
            G::setup_draws(&state, rest).map(|draws| {
                G::setup(&state, &mut Context { chance: &mut Recorded::new(draws), at: *at })
            })
        } else {
            G::retrace(&state, rest).filter(|it| it.seat.number() < seats).and_then(|it| {
                let mut chance = Recorded::new(it.draws);
                G::decide(&state, it.seat, &it.mv, &mut Context { chance: &mut chance, at: *at })
                    .ok()
            })
        };
        match decided {
            Some(decided) if !decided.is_empty() && rest.starts_with(&decided) => {
                for (at, event) in &log[done..done + decided.len()] {
                    G::evolve(&mut state, event, *at);
                }
                done += decided.len();
            }
            _ => return done,
        }
    }
    done
}

/// Draws that were found in events. After them, and in place of impossible ones, it counts: rules that draw until something
/// fits must come to an end.
struct Recorded {
    draws: std::vec::IntoIter<u32>,
    counted: u32,
}

impl Recorded {
    fn new(draws: Vec<u32>) -> Self {
        Self { draws: draws.into_iter(), counted: 0 }
    }
}

impl Chance for Recorded {
    fn below(&mut self, n: u32) -> u32 {
        self.draws.next().filter(|value| *value < n).unwrap_or_else(|| {
            self.counted = self.counted.wrapping_add(1);
            self.counted % n
        })
    }
}

/// The draw that picks an item of a list.
pub(crate) fn index_of<T: PartialEq>(
    items: impl IntoIterator<Item = T>,
    wanted: &T,
) -> Option<u32> {
    let index = items.into_iter().position(|item| item == *wanted)?;
    u32::try_from(index).ok()
}

/// The draw of a die that shows this.
pub(crate) fn die(face: u8) -> u32 {
    // No die shows 0; what follows from another face differs from what was recorded.
    u32::from(face.saturating_sub(1))
}

/// The draws with which a shuffle turns one order into another.
pub(crate) fn unshuffle<T: PartialEq + Clone>(items: &[T], wanted: &[T]) -> Option<Vec<u32>> {
    let mut items = items.to_vec();
    let mut draws = Vec::with_capacity(items.len());
    for last in (1..items.len()).rev() {
        let index = items[..=last].iter().position(|item| Some(item) == wanted.get(last))?;
        items.swap(last, index);
        draws.push(u32::try_from(index).ok()?);
    }
    (items == wanted).then_some(draws)
}

/// The draws of a shuffle after which these items come first, in any order of the others.
pub(crate) fn unshuffle_first<T: PartialEq + Clone>(items: &[T], first: &[T]) -> Option<Vec<u32>> {
    let mut others = items.to_vec();
    for item in first {
        others.remove(others.iter().position(|other| other == item)?);
    }
    unshuffle(items, &[first, &others].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_can_be_undone() {
        let mut chance = Recorded::new(vec![2, 0, 3, 1, 0]);
        let mut items = [1, 2, 2, 3, 4, 5];
        let before = items;
        (&mut chance as &mut dyn Chance).shuffle(&mut items);
        let draws = unshuffle(&before, &items).unwrap();
        let mut again = before;
        (&mut Recorded::new(draws) as &mut dyn Chance).shuffle(&mut again);
        assert_eq!(again, items);
        assert_eq!(unshuffle(&before, &[1, 2, 3, 3, 4, 5]), None);
        assert_eq!(unshuffle(&before, &[1, 2]), None);
        assert_eq!(unshuffle::<u8>(&[], &[]), Some(Vec::new()));
    }

    #[test]
    fn a_shuffle_of_which_only_the_first_items_are_known_can_be_undone() {
        let items = [1, 2, 3, 4, 5];
        let draws = unshuffle_first(&items, &[4, 2]).unwrap();
        let mut again = items;
        (&mut Recorded::new(draws) as &mut dyn Chance).shuffle(&mut again);
        assert_eq!(again[..2], [4, 2]);
        assert_eq!(unshuffle_first(&items, &[4, 4]), None);
    }
}
