//! Slots of an axis, alone and in sets (R1.1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shape::Bilingual;

/// Slots of an axis.
pub const SLOTS: usize = 8;

/// A slot of an axis, 0 to 7 from the left or from the top.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(try_from = "u8", into = "u8")]
#[schema(as = trama::Slot, value_type = u8, minimum = 0, maximum = 7, example = 2)]
pub struct Slot(u8);

impl Slot {
    /// All slots of an axis.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..8).map(Self)
    }

    /// The slot as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<u8> for Slot {
    type Error = Bilingual;

    fn try_from(number: u8) -> Result<Self, Bilingual> {
        if usize::from(number) < SLOTS {
            Ok(Self(number))
        } else {
            Err(Bilingual::new(
                format!("There is no slot {number}: slots are numbered from 0 to 7."),
                format!("No existe la ranura {number}: las ranuras se numeran de 0 a 7."),
            ))
        }
    }
}

impl From<Slot> for u8 {
    fn from(slot: Slot) -> Self {
        slot.0
    }
}

/// A set of slots of one axis. Written as an ascending list; read in any order, but without repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Slot>", into = "Vec<Slot>")]
pub struct Slots(u8);

impl Slots {
    /// Whether the slot is in the set.
    #[must_use]
    pub const fn contains(self, slot: Slot) -> bool {
        self.0 & 1 << slot.0 != 0
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn len(self) -> u8 {
        u8::try_from(self.0.count_ones()).expect("eight bits")
    }

    pub(crate) const fn with(self, slot: Slot) -> Self {
        Self(self.0 | 1 << slot.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn is_subset(self, of: Self) -> bool {
        self.without(of).is_empty()
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Slot> {
        Slot::all().filter(move |slot| self.contains(*slot))
    }

    /// Every subset, the empty one first.
    pub(crate) fn subsets(self) -> impl Iterator<Item = Self> {
        // Subtracting the whole set carries through the bits outside it: the next subset in order.
        std::iter::successors(Some(Self(0)), move |subset| {
            let next = subset.0.wrapping_sub(self.0) & self.0;
            (next != 0).then_some(Self(next))
        })
    }
}

impl TryFrom<Vec<Slot>> for Slots {
    type Error = Bilingual;

    fn try_from(slots: Vec<Slot>) -> Result<Self, Bilingual> {
        slots.into_iter().try_fold(Self::default(), |set, slot| {
            if set.contains(slot) {
                return Err(Bilingual::new(
                    format!("Slot {slot} is named twice."),
                    format!("La ranura {slot} aparece dos veces."),
                ));
            }
            Ok(set.with(slot))
        })
    }
}

impl From<Slots> for Vec<Slot> {
    fn from(slots: Slots) -> Self {
        slots.iter().collect()
    }
}

impl FromIterator<Slot> for Slots {
    fn from_iter<I: IntoIterator<Item = Slot>>(slots: I) -> Self {
        slots.into_iter().fold(Self::default(), Self::with)
    }
}
