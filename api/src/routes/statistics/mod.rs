//! What the endpoints of statistics have in common.

pub mod csv;

use domain::{erased::AnyGame, text::Text};
use service::{
    bulkheads::Turn,
    statistics::{Counts, Selection, Statistics},
};

use crate::error::{ApiError, ApiResult};

/// The counts of the selected matches of a game. A series with too many points is refused.
pub async fn count(
    statistics: &Statistics,
    game: &dyn AnyGame,
    selection: &Selection,
    turn: &Turn,
) -> ApiResult<Counts> {
    let counts = statistics.count(game.info().key, selection, turn).await?;
    if counts.is_complete {
        return Ok(counts);
    }
    Err(ApiError::bad_field(
        "bucket",
        Text::new(
            "A series can have at most 400 points; choose a shorter period or larger buckets.",
            "Una serie puede tener 400 puntos como máximo; elige un periodo más corto o tramos más grandes.",
        ),
    ))
}

/// The problem of a request for a measure that does not name a game.
#[must_use]
pub fn missing_game(field: &str) -> ApiError {
    ApiError::bad_field(
        field,
        Text::new(
            "Measures belong to a game; name it with `game`.",
            "Las medidas son de un juego; indícalo con `game`.",
        ),
    )
}
