//! A seat's loom: which cord is in which slot, and which passes over which.

use super::{
    components::{Axis, Colour},
    slots::{SLOTS, Slot, Slots},
};

/// A loom (R1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Loom {
    vertical: [Option<Colour>; SLOTS],
    horizontal: [Option<Colour>; SLOTS],
    /// For every vertical slot, the horizontal cords that its cord passes over; it passes under the others.
    on_top: [Slots; SLOTS],
}

impl Loom {
    pub(crate) const fn cords(&self, axis: Axis) -> &[Option<Colour>; SLOTS] {
        match axis {
            Axis::Vertical => &self.vertical,
            Axis::Horizontal => &self.horizontal,
        }
    }

    pub(crate) const fn cord(&self, axis: Axis, slot: Slot) -> Option<Colour> {
        self.cords(axis)[slot.index()]
    }

    /// The slots of an axis that hold a cord.
    pub(crate) fn taken(&self, axis: Axis) -> Slots {
        Slot::all().filter(|slot| self.cord(axis, *slot).is_some()).collect()
    }

    pub(crate) fn free(&self, axis: Axis) -> impl Iterator<Item = Slot> {
        Slot::all().filter(move |slot| self.cord(axis, *slot).is_none())
    }

    /// The slots of the other axis that a cord of this axis crosses (R4.3).
    pub(crate) fn crossed(&self, axis: Axis) -> Slots {
        self.taken(axis.other())
    }

    /// The crossed slots that the cord in a slot passes over.
    pub(crate) fn over(&self, axis: Axis, slot: Slot) -> Slots {
        match axis {
            Axis::Vertical => self.on_top[slot.index()],
            Axis::Horizontal => self
                .taken(Axis::Vertical)
                .iter()
                .filter(|crossed| !self.on_top[crossed.index()].contains(slot))
                .collect(),
        }
    }

    /// Puts a cord in a slot, passing over the cords in these slots and under the others.
    pub(crate) fn weave(&mut self, colour: Colour, axis: Axis, slot: Slot, over: Slots) {
        match axis {
            Axis::Vertical => {
                self.vertical[slot.index()] = Some(colour);
                self.on_top[slot.index()] = over;
            }
            Axis::Horizontal => {
                for under in self.crossed(axis).without(over).iter() {
                    let on_top = &mut self.on_top[under.index()];
                    *on_top = on_top.with(slot);
                }
                self.horizontal[slot.index()] = Some(colour);
            }
        }
    }
}
