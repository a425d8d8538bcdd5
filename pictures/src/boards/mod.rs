//! The boards, one file a game.

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
pub fn draw(game: &str, view: &RawValue, style: &Style) -> Option<String> {
    match game {
        "qwinto" => Some(qwinto::draw(&read(view)?, style)),
        "trama" => Some(trama::draw(&read(view)?, style)),
        "tapestry" => Some(tapestry::draw(&read(view)?, style)),
        "ettana" => Some(ettana::draw(&read(view)?, style)),
        "brotando" => Some(brotando::draw(&read(view)?, style)),
        _ => None,
    }
}

fn read<View: DeserializeOwned>(view: &RawValue) -> Option<View> {
    serde_json::from_str(view.get()).ok()
}

/// What everybody may know about a game that is certainly registered.
fn info(key: &str) -> &'static domain::game::GameInfo {
    let game = games::find(key).or_else(|| games::all().next());
    game.map_or_else(|| unreachable!("the registry is not empty"), |game| game.info())
}
