//! Players, as others see them and as they see themselves.

use actix_web::http::StatusCode;
use domain::text::Text;
use sea_orm::DbErr;

use crate::error::{ApiError, ApiResult};

pub mod chart;
pub mod charts;
pub mod create;
pub mod get;
pub mod matches;
pub mod rating_history;
pub mod stats;
pub mod versus;

/// A name as it is stored, if it can be one.
pub fn valid_name(name: &str) -> ApiResult<String> {
    let name = name.trim();
    let fits = (2..=30).contains(&name.chars().count())
        && name.chars().all(|letter| letter.is_alphanumeric() || " _-.".contains(letter));
    if !fits {
        return Err(ApiError::bad_field(
            "name",
            Text::new(
                "A name has 2 to 30 letters, digits, spaces, dots, hyphens or underscores.",
                "Un nombre tiene de 2 a 30 letras, cifras, espacios, puntos, guiones o guiones bajos.",
            ),
        ));
    }
    Ok(name.to_owned())
}

/// What two names that are the same to people have in common.
#[must_use]
pub fn name_key(name: &str) -> String {
    name.to_lowercase()
}

/// A password, if it is neither too short nor too long.
pub fn valid_password(password: String) -> ApiResult<String> {
    if (8..=128).contains(&password.chars().count()) {
        return Ok(password);
    }
    Err(ApiError::bad_field(
        "password",
        Text::new(
            "A password has 8 to 128 characters.",
            "Una contraseña tiene de 8 a 128 caracteres.",
        ),
    ))
}

/// An e-mail address that could be one.
pub fn valid_email(email: &str) -> ApiResult<String> {
    let email = email.trim();
    let fits = email.len() <= 254
        && email.split_once('@').is_some_and(|(local, host)| {
            !local.is_empty()
                && host.contains('.')
                && !host.starts_with('.')
                && !host.ends_with('.')
        })
        && email.matches('@').count() == 1
        && email.chars().all(|letter| letter.is_ascii_graphic() || letter.is_alphanumeric());
    if !fits {
        return Err(ApiError::bad_field(
            "email",
            Text::new("This is no e-mail address.", "Esto no es una dirección de correo."),
        ));
    }
    Ok(email.to_owned())
}

/// What a failed write of a player means.
#[must_use]
pub fn explain(error: DbErr) -> ApiError {
    match error.sql_err() {
        Some(sea_orm::SqlErr::UniqueConstraintViolation(_)) => ApiError::new(
            StatusCode::CONFLICT,
            "name_taken",
            Text::new(
                "Somebody has this name already; choose another.",
                "Alguien ya tiene este nombre; elige otro.",
            ),
        )
        .field("name"),
        _ if matches!(error, DbErr::RecordNotUpdated) => ApiError::player_gone(),
        _ => error.into(),
    }
}
