//! Seats of a match that has not started.

use domain::text::Text;

use crate::error::{ApiError, ApiResult};

pub mod leave;
pub mod take;

/// What a player adds to the luck, if it can be kept.
pub fn valid_entropy(entropy: String) -> ApiResult<String> {
    let fits = entropy.chars().count() <= 128 && !entropy.chars().any(char::is_control);
    if fits {
        return Ok(entropy);
    }
    Err(ApiError::bad_field(
        "entropy",
        Text::new(
            "`entropy` has at most 128 characters, none of them a control character.",
            "`entropy` tiene como mucho 128 caracteres, ninguno de control.",
        ),
    ))
}
