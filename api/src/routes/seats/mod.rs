//! Seats of a match that has not started.

use domain::text::Text;

use crate::error::{ApiError, ApiResult};

pub mod leave;
pub mod take;

/// Checks the contribution of a player to the luck of a match.
pub fn valid_entropy(entropy: String) -> ApiResult<String> {
    let fits = entropy.chars().count() <= 128 && !entropy.chars().any(char::is_control);
    if fits {
        return Ok(entropy);
    }
    Err(ApiError::bad_field(
        "entropy",
        Text::new(
            "`entropy` must have at most 128 characters and no control characters.",
            "`entropy` debe tener como máximo 128 caracteres y ninguno de control.",
        ),
    ))
}
