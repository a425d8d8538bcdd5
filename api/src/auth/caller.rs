//! Who is asking, taken from the `Authorization` header.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header, web::Data};
use domain::text::Text;
use uuid::Uuid;

use super::tokens::TokenError;
use crate::{app::App, error::ApiError};

/// Somebody who has shown a good access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The player.
    pub player: Uuid,
    /// The session in which the token was given.
    pub session: Uuid,
    /// Whether the player is a guest.
    pub guest: bool,
}

/// Somebody, or nobody in particular. A bad token is still refused.
#[derive(Debug, Clone, Copy)]
pub struct MaybeCaller(pub Option<Caller>);

impl MaybeCaller {
    /// The player, if there is one.
    #[must_use]
    pub fn player(self) -> Option<Uuid> {
        self.0.map(|caller| caller.player)
    }
}

fn authenticate(request: &HttpRequest) -> Result<Option<Caller>, ApiError> {
    let Some(value) = request.headers().get(header::AUTHORIZATION) else { return Ok(None) };
    let token = value.to_str().ok().and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let token = token.ok_or_else(|| {
        ApiError::unauthorized(
            "invalid_token",
            Text::new(
                "The Authorization header should read `Bearer <access token>`.",
                "La cabecera Authorization debe decir `Bearer <token de acceso>`.",
            ),
        )
    })?;
    let app = request.app_data::<Data<App>>().ok_or_else(ApiError::internal)?;
    app.tokens.check(token).map(Some).map_err(|error| match error {
        TokenError::Expired => ApiError::unauthorized(
            "token_expired",
            Text::new(
                "The access token has expired; get a new one with the refresh token.",
                "El token de acceso ha caducado; consigue otro con el token de renovación.",
            ),
        ),
        TokenError::Invalid => ApiError::unauthorized(
            "invalid_token",
            Text::new(
                "The access token is not one that this server gave.",
                "El token de acceso no es de este servidor.",
            ),
        ),
    })
}

impl FromRequest for MaybeCaller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(authenticate(request).map(Self))
    }
}

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(authenticate(request).and_then(|caller| {
            caller.ok_or_else(|| {
                ApiError::unauthorized(
                    "token_missing",
                    Text::new(
                        "An access token is needed: POST /v1/guests gives one at once.",
                        "Hace falta un token de acceso: POST /v1/guests da uno al momento.",
                    ),
                )
            })
        }))
    }
}
