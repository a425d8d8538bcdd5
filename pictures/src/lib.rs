//! Boards and charts as pictures.
//!
//! A board is a pure function of a *view*: the JSON that the viewer gets anyway. So a picture cannot show more than its
//! viewer may see, and needs no secrecy rules of its own. The view is read back into the game's own type, so a change of
//! the view that the picture does not follow fails to compile.
//!
//! ```
//! # use domain::{games, seat::Viewer};
//! # let game = games::find("qwinto").expect("registered");
//! # let options = game.options(None).expect("options");
//! # let state = game.open(2, &options, game.info().rules_version).expect("a table");
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

/// The colour scheme of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Light.
    Light,
    /// Dark.
    Dark,
    /// The preference of the reader's device.
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

/// How a picture is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// The colour scheme.
    pub theme: Theme,
    /// The language of its texts.
    pub lang: Lang,
    /// The seat of the viewer, which is marked and shown first.
    pub seat: Option<Seat>,
}

/// The board of a game as SVG; `None` if the game has no picture or the JSON is not one of its views.
#[must_use]
pub fn board(game: &str, view: &RawValue, style: Style) -> Option<String> {
    boards::draw(game, view, style)
}
