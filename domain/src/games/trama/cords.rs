//! Cords that are not on a loom: in the bag, in a hand, or waiting to be woven.

use serde::{Deserialize, Serialize};

use super::components::Colour;
use crate::chance::Chance;

/// A multiset of cords; those of one colour are interchangeable. Written as a list of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Colour>", into = "Vec<Colour>")]
pub(crate) struct Cords([u8; Colour::ALL.len()]);

impl Cords {
    /// The bag before the first draw (R1.2).
    pub(crate) const BAG: Self = Self([20; Colour::ALL.len()]);

    pub(crate) const fn count(self, colour: Colour) -> u8 {
        self.0[colour.index()]
    }

    pub(crate) fn len(self) -> u8 {
        self.0.iter().sum()
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub(crate) const fn contains(self, colour: Colour) -> bool {
        self.count(colour) > 0
    }

    /// The colours among them, each once.
    pub(crate) fn colours(self) -> impl Iterator<Item = Colour> {
        Colour::ALL.into_iter().filter(move |colour| self.contains(*colour))
    }

    /// Every cord, by colour.
    pub(crate) fn iter(self) -> impl Iterator<Item = Colour> {
        Colour::ALL
            .into_iter()
            .flat_map(move |colour| std::iter::repeat_n(colour, self.count(colour).into()))
    }

    pub(crate) fn add(&mut self, colour: Colour) {
        let count = &mut self.0[colour.index()];
        *count = count.saturating_add(1);
    }

    pub(crate) fn remove(&mut self, colour: Colour) {
        let count = &mut self.0[colour.index()];
        *count = count.saturating_sub(1);
    }

    pub(crate) fn without(mut self, others: Self) -> Self {
        others.iter().for_each(|colour| self.remove(colour));
        self
    }

    /// Takes out this many random cords, or all if there are fewer.
    pub(crate) fn draw(&mut self, number: usize, chance: &mut dyn Chance) -> Self {
        let mut drawn = Self::default();
        for _ in 0..number.min(self.len().into()) {
            let nth = chance.index(self.len().into());
            if let Some(colour) = self.iter().nth(nth) {
                self.remove(colour);
                drawn.add(colour);
            }
        }
        drawn
    }
}

impl FromIterator<Colour> for Cords {
    fn from_iter<I: IntoIterator<Item = Colour>>(colours: I) -> Self {
        let mut cords = Self::default();
        colours.into_iter().for_each(|colour| cords.add(colour));
        cords
    }
}

impl From<Vec<Colour>> for Cords {
    fn from(colours: Vec<Colour>) -> Self {
        colours.into_iter().collect()
    }
}

impl From<Cords> for Vec<Colour> {
    fn from(cords: Cords) -> Self {
        cords.iter().collect()
    }
}
