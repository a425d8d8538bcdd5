//! Problems of a server that has too much to do, and of clients that ask for too much at a time.

use actix_web::http::StatusCode;
use domain::text::Text;
use service::{
    bulkheads::{Busy, Stopped},
    occupancy::Full,
};

use super::ApiError;

impl ApiError {
    /// 503: too many requests of a costly kind are waiting.
    #[must_use]
    pub fn busy() -> Self {
        let text = Text::new(
            "The server has too much to do at the moment; try again after `Retry-After` seconds.",
            "El servidor tiene demasiado trabajo ahora mismo; inténtalo pasados los segundos de `Retry-After`.",
        );
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", text).retry_after(2)
    }

    /// 408: the body did not arrive in time.
    #[must_use]
    pub fn slow_body() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "body_timeout",
            Text::new(
                "The body did not arrive in time; send the request again, all of it at once.",
                "El cuerpo no ha llegado a tiempo; vuelve a enviar la petición entera de una vez.",
            ),
        )
    }

    /// 429: too many requests of this address wait for the rest of their bodies.
    #[must_use]
    pub fn too_many_unfinished() -> Self {
        Self::too_many(
            "too_many_unfinished_requests",
            Text::new(
                "Too many requests from your address are unfinished; send their bodies first.",
                "Hay demasiadas peticiones a medias desde tu dirección; envía antes sus cuerpos.",
            ),
            5,
        )
    }

    /// No more streams may be opened.
    #[must_use]
    pub fn too_many_streams(full: Full) -> Self {
        match full {
            Full::Server => Self::busy(),
            Full::Holder => Self::too_many(
                "too_many_streams",
                Text::new(
                    "Too many streams are open already; close one, or follow everything with GET /v1/me/stream.",
                    "Ya hay demasiados streams abiertos; cierra uno, o síguelo todo con GET /v1/me/stream.",
                ),
                5,
            ),
        }
    }

    /// No more exports may be started.
    #[must_use]
    pub fn too_many_exports(full: Full) -> Self {
        match full {
            Full::Server => Self::busy().retry_after(30),
            Full::Holder => Self::too_many(
                "too_many_exports",
                Text::new(
                    "You have other exports running, or somebody at your address has; wait until one of them ends.",
                    "Ya tienes otras exportaciones en curso, tú o alguien de tu misma dirección; espera a que termine alguna.",
                ),
                30,
            ),
        }
    }
}

impl From<Busy> for ApiError {
    fn from(busy: Busy) -> Self {
        match busy {
            Busy::Server => Self::busy(),
            Busy::Client => Self::too_many(
                "too_many_at_once",
                Text::new(
                    "Too many requests of this kind are waiting for your address; send the next one after their answers.",
                    "Hay demasiadas peticiones de este tipo en espera desde tu dirección; envía la siguiente cuando se respondan.",
                ),
                1,
            ),
        }
    }
}

impl From<Stopped> for ApiError {
    fn from(error: Stopped) -> Self {
        tracing::error!(%error, "internal error");
        Self::internal()
    }
}
