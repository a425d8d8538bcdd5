//! Problems of blocking players.

use actix_web::http::StatusCode;
use domain::text::Text;
use service::blocks::BlockError;

use super::ApiError;

impl From<BlockError> for ApiError {
    fn from(error: BlockError) -> Self {
        match error {
            BlockError::Yourself => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "own_player",
                Text::new("You cannot block yourself.", "No puedes bloquearte a ti."),
            )
            .field("player"),
            BlockError::NoSuchPlayer => Self::not_found(),
            BlockError::Deleted => Self::player_gone(),
            BlockError::TooMany => Self::new(
                StatusCode::CONFLICT,
                "too_many_blocks",
                Text::new(
                    "You can block 1,000 players; unblock one first.",
                    "Puedes bloquear a 1000 personas; desbloquea antes a alguna.",
                ),
            ),
            BlockError::Store(error) => error.into(),
        }
    }
}
