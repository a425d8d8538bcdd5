//! Boards and charts as pictures.
//!
//! A board is a pure function of a *view*: of the JSON that this viewer gets anyway. So a picture cannot show more than its
//! viewer may see, and needs no secrecy rules of its own. The view is read back into the game's own type, so that a view
//! that changes without its picture does not compile.
//!
//! ```
//! # use domain::{games, seat::Viewer};
//! # let game = games::find("qwinto").expect("registered");
//! # let options = game.options(None).expect("options");
//! # let state = game.open(2, &options).expect("a table");
//! use pictures::{Style, board};
//!
//! let view = state.view(Viewer::Spectator);
//! let svg = board("qwinto", &view, Style::default()).expect("Qwinto has a picture");
//! assert!(svg.starts_with("<svg"));
//! ```

#![warn(missing_docs)]

use domain::{seat::Seat, text::Lang};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

mod boards;
pub mod chart;
mod frame;
mod palette;
mod svg;

pub use boards::waiting;

/// On which ground a picture is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Light.
    Light,
    /// Dark.
    Dark,
    /// As the reader's device prefers.
    #[default]
    Auto,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::Auto];

    /// The theme as it is written in requests.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Auto => "auto",
        }
    }
}

/// How a picture is made.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// On which ground it is looked at.
    pub theme: Theme,
    /// In which language its few words are.
    pub lang: Lang,
    /// The seat through whose eyes it is, which is marked and shown first.
    pub seat: Option<Seat>,
}

/// The board of a game as SVG; nothing if the game has no picture or the text is not one of its views.
#[must_use]
pub fn board(game: &str, view: &RawValue, style: Style) -> Option<String> {
    boards::draw(game, view, style)
}
