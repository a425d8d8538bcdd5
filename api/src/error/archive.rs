//! Problems of matches that are in the archive.

use actix_web::http::StatusCode;
use domain::text::Text;

use super::ApiError;

impl ApiError {
    /// 503: the archive cannot be read at the moment.
    #[must_use]
    pub fn archive_unavailable() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "archive_unavailable",
            Text::new(
                "This match is archived, and the archive cannot be read at the moment. Try again later.",
                "Esta partida está archivada y ahora mismo no se puede leer el archivo. Inténtalo más tarde.",
            ),
        )
        .retry_after(60)
    }

    /// 500: what is in the archive is not what was archived.
    #[must_use]
    pub fn archive_damaged() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "archive_damaged",
            Text::new(
                "This match is archived, and its file is damaged. The operator of the server has to restore it.",
                "Esta partida está archivada y su fichero está dañado. Tiene que restaurarlo quien administra el servidor.",
            ),
        )
    }
}
