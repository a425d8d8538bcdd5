//! Problems of applications and their players.

use actix_web::http::StatusCode;
use domain::text::Text;
use service::applications::ExternalPlayerError;

use super::ApiError;

impl ApiError {
    /// 400: `Telar-Player` is not the id of a player.
    #[must_use]
    pub fn bad_player_header() -> Self {
        Self::bad_field(
            "Telar-Player",
            Text::new(
                "`Telar-Player` is the id of a player, a UUID.",
                "`Telar-Player` es el id de un jugador, un UUID.",
            ),
        )
    }

    /// 403: an application does something that only players do, and does not say for whom.
    #[must_use]
    pub fn player_missing() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "player_missing",
            Text::new(
                "An application does this on behalf of one of its players: send the id of the player in `Telar-Player`.",
                "Una aplicación hace esto en nombre de uno de sus jugadores: envía el id del jugador en `Telar-Player`.",
            ),
        )
        .field("Telar-Player")
    }

    /// 403: `Telar-Player` without an application.
    #[must_use]
    pub fn not_an_application() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "not_an_application",
            Text::new(
                "Only an application can act on behalf of a player; leave out `Telar-Player`.",
                "Solo una aplicación puede actuar en nombre de un jugador; quita `Telar-Player`.",
            ),
        )
        .field("Telar-Player")
    }

    /// 403: a player does not belong to the application, if there is such a player at all.
    #[must_use]
    pub fn not_your_player() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "not_your_player",
            Text::new(
                "This is not a player of your application.",
                "Este jugador no es de tu aplicación.",
            ),
        )
    }

    /// 422: the application has no player with this external id.
    #[must_use]
    pub fn no_such_external_player(field: &str) -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "no_such_player",
            Text::new(
                "Your application has no player with this external id; create it with PUT /v1/apps/current/players/{external_id}.",
                "Tu aplicación no tiene ningún jugador con este id externo; créalo con PUT /v1/apps/current/players/{external_id}.",
            ),
        )
        .field(field)
    }
}

impl From<ExternalPlayerError> for ApiError {
    fn from(error: ExternalPlayerError) -> Self {
        match error {
            ExternalPlayerError::Invalid(error) => error.into(),
            ExternalPlayerError::ExternalId => Self::bad_field(
                "external_id",
                Text::new(
                    "An external id has 1 to 128 characters and no control characters.",
                    "Un id externo tiene entre 1 y 128 caracteres, sin caracteres de control.",
                ),
            ),
            ExternalPlayerError::Service(error) => error.into(),
        }
    }
}
