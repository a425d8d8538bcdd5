//! The boards, one file per game.

use domain::games;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::Style;

mod brotando;
mod ettana;
mod qwinto;
mod tapestry;
mod trama;
mod waiting;

pub use waiting::waiting;

/// The board of a game.
pub fn draw(game: &str, view: &RawValue, style: Style) -> Option<String> {
    let info = games::find(game)?.info();
    match info.key {
        "qwinto" => Some(qwinto::draw(info, &read(view)?, style)),
        "trama" => Some(trama::draw(info, &read(view)?, style)),
        "tapestry" => Some(tapestry::draw(info, &read(view)?, style)),
        "ettana" => Some(ettana::draw(info, &read(view)?, style)),
        "brotando" => Some(brotando::draw(info, &read(view)?, style)),
        _ => None,
    }
}

fn read<View: DeserializeOwned>(view: &RawValue) -> Option<View> {
    serde_json::from_str(view.get()).ok()
}
