//! Problems of the transparency log.

use actix_web::http::StatusCode;
use domain::text::Text;
use service::notary::TransparencyError;

use super::ApiError;

impl ApiError {
    /// 404: the transparency log does not include a match.
    #[must_use]
    pub fn not_in_log() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_in_log",
            Text::new(
                "The transparency log does not include this match: it has not ended, ended a moment ago, or was played elsewhere.",
                "El registro de transparencia no incluye esta partida: no ha terminado, acaba de terminar o se jugó en otro servidor.",
            ),
        )
    }
}

impl From<TransparencyError> for ApiError {
    fn from(error: TransparencyError) -> Self {
        match error {
            TransparencyError::NoLeaf => Self::not_in_log(),
            TransparencyError::NoHead => Self::new(
                StatusCode::NOT_FOUND,
                "no_tree_head",
                Text::new(
                    "No tree head of this size was signed, or the sizes are in the wrong order.",
                    "No se firmó ninguna cabeza del árbol de ese tamaño, o los tamaños están en el orden equivocado.",
                ),
            ),
            TransparencyError::Failed(error) => error.into(),
        }
    }
}
