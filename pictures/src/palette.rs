//! The colours that all pictures share.

use domain::seat::Seat;

use crate::svg::{Tone, tone};

/// The background.
pub const GROUND: Tone = tone("ground", "#f7f5f1", "#161513");
/// A card or a panel.
pub const PANEL: Tone = tone("panel", "#ffffff", "#22201e");
/// An empty place on a panel.
pub const FAINT: Tone = tone("faint", "#f0ece6", "#2e2b28");
/// Thin lines.
pub const LINE: Tone = tone("line", "#ddd7cd", "#45413c");
/// Text.
pub const INK: Tone = tone("ink", "#24211d", "#f3f0ea");
/// Secondary text.
pub const MUTED: Tone = tone("muted", "#6b655c", "#aba499");
/// Something good: done, passed, earned.
pub const GOOD: Tone = tone("good", "#15803d", "#4ade80");
/// A cost or a penalty.
pub const BAD: Tone = tone("bad", "#c81e1e", "#f87171");
/// Text on a strong colour.
pub const WHITE: Tone = tone("white", "#ffffff", "#ffffff");
/// Dark marks on a strong colour.
pub const NIGHT: Tone = tone("night", "#1f1c2c", "#1f1c2c");

/// The colour of a seat.
#[must_use]
pub fn seat(seat: Seat) -> Tone {
    const SEATS: [Tone; Seat::MAX as usize] = [
        tone("seat0", "#1d63d8", "#3b82f6"),
        tone("seat1", "#c2331f", "#e0523d"),
        tone("seat2", "#157a4a", "#1f9d61"),
        tone("seat3", "#a35a00", "#c77700"),
        tone("seat4", "#7530b8", "#9a5be0"),
        tone("seat5", "#0b7285", "#1593ab"),
        tone("seat6", "#b5226b", "#d9468f"),
        tone("seat7", "#4d6b12", "#6f9620"),
    ];
    SEATS[seat.index() % SEATS.len()]
}
