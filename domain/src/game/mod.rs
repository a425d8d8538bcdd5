//! What a rule set is, role by role.
//!
//! A game is a type without fields. [`Game`] names it and its types; each further trait is one role, which every game
//! implements in a file of its own, under the same name in all games:
//!
//! | role | trait | file of the game |
//! |---|---|---|
//! | rules | [`Turns`] | `state.rs` |
//! | | [`Decide`] | `decide.rs` |
//! | | [`Evolve`] | `evolve.rs` |
//! | | [`LegalMoves`] | `legal_moves.rs` |
//! | views | [`ShowState`] | `view.rs` |
//! | | [`ShowEvent`] | `event_view.rs` |
//! | words | [`Words`] | `words.rs` |
//! | score | [`Score`] | `score.rs` |
//! | luck | [`MeasureLuck`] | `luck.rs` |
//! | possible worlds | [`Redeal`] | `redeal.rs` |
//! | recorded play | [`Retrace`] | `retrace.rs` |
//!
//! [`RuleSet`] binds all of them. A role that only some games need gives every method a default, joins [`RuleSet`], and
//! costs the others one empty `impl`.
//!
//! A game never reads a clock or an ambient generator, never fails in `evolve`, and never shows a state or a stored event
//! to anybody: only `view` and `event_view` decide what is shown, and they have no default.
//!
//! Laws, checked by `tests/conformance` for every registered game:
//! - what `legal_moves` yields is accepted by `decide`, and nothing else is;
//! - while the game is not finished, `to_act` is not empty and every seat in it has a legal move;
//! - folding the stored events gives the same state as playing live;
//! - the same key gives the same match;
//! - what a viewer gets does not change when everything that it cannot know is dealt again.

use std::hash::Hash;

use serde::{Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

use crate::{
    luck::LuckInfo,
    outcome::{MeasureInfo, ScoreLineInfo},
    text::{Lang, Text},
};

mod luck;
mod redeal;
mod refusal;
mod retrace;
mod rules;
mod score;
mod staged;
mod views;
mod words;

pub use luck::MeasureLuck;
pub use redeal::Redeal;
pub use refusal::{Refusal, RefusalInfo};
pub use retrace::{Retrace, Retraced};
pub(crate) use retrace::{die, followed, index_of, unshuffle, unshuffle_first};
pub use rules::{Context, Decide, Evolve, Fill, LegalMoves, Listed, Listing, Turns};
pub use score::Score;
pub use staged::Staged;
pub use views::{Nature, ShowEvent, ShowState, StoredEvent};
pub use words::Words;

/// What everybody may know about a game before playing it.
#[derive(Debug, Clone, Copy)]
pub struct GameInfo {
    /// Key in URLs and in the log.
    pub key: &'static str,
    /// Name for people.
    pub name: Text,
    /// One sentence.
    pub summary: Text,
    /// The fewest seats.
    pub min_seats: u8,
    /// The most seats.
    pub max_seats: u8,
    /// Raised when the rules change so that the same moves have another result. Matches of earlier versions keep theirs.
    pub rules_version: u16,
    /// RULES.md and its translation.
    pub rules: Text,
    /// The declared measures.
    pub measures: &'static [MeasureInfo],
    /// The declared lines of the score breakdown.
    pub score_lines: &'static [ScoreLineInfo],
    /// The declared figures of luck.
    pub luck: &'static [LuckInfo],
}

impl GameInfo {
    /// Whether it is played with this number of seats.
    #[must_use]
    pub const fn allows(&self, seats: u8) -> bool {
        self.min_seats <= seats && seats <= self.max_seats
    }

    /// How many seats it is played with, in words.
    #[must_use]
    pub fn seats(&self, lang: Lang) -> String {
        let Self { min_seats: min, max_seats: max, .. } = self;
        let name = self.name.get(lang);
        match (min, max) {
            (1, 1) => lang.pick(
                format!("{name} is played with exactly 1 seat."),
                format!("{name} se juega con un solo puesto."),
            ),
            _ if min == max => lang.pick(
                format!("{name} is played with exactly {min} seats."),
                format!("{name} se juega con {min} puestos exactamente."),
            ),
            _ => lang.pick(
                format!("{name} is played with {min} to {max} seats."),
                format!("{name} se juega con entre {min} y {max} puestos."),
            ),
        }
    }
}

/// A game by its name and its types: an event-sourced aggregate whose luck and time are handed in.
pub trait Game: Sized + Send + Sync + 'static {
    /// What everybody may know beforehand.
    const INFO: GameInfo;

    /// What can be chosen when a match is created. Unknown fields are refused.
    type Options: Clone + Default + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// What a seat asks for: a `type`-tagged enum whose unknown fields are refused.
    type Move: Clone + Eq + Hash + Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// What happened, with everything that was hidden: for the store only.
    type Event: StoredEvent + Clone + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// The fold of the events. Not serialisable.
    type State: Clone + Send + Sync;
    /// What one viewer may see of a state.
    type View: Serialize + ToSchema;
    /// What one viewer may see of an event: a `type`-tagged enum.
    type EventView: Serialize + ToSchema;
    /// Rules that a move can break.
    type Refusal: Refusal;
}

/// A complete rule set: every role of a game.
pub trait RuleSet:
    Turns
    + Decide
    + Evolve
    + LegalMoves
    + ShowState
    + ShowEvent
    + Words
    + Score
    + MeasureLuck
    + Redeal
    + Retrace
{
}

impl<G> RuleSet for G where
    G: Turns
        + Decide
        + Evolve
        + LegalMoves
        + ShowState
        + ShowEvent
        + Words
        + Score
        + MeasureLuck
        + Redeal
        + Retrace
{
}
