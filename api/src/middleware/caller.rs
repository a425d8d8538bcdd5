//! Who is asking, taken from the `Authorization` header, and whether they may do what they ask for.
//!
//! A token is looked at once, around the request (`recognise`); handlers get the result through the extractors below. This is
//! also the one place where scopes are enforced: what an operation asks for is what it declares in the OpenAPI document.

use std::{
    future::{Ready, ready},
    ops::Deref,
};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::header::{self, HeaderMap},
};
use domain::text::Text;
use uuid::Uuid;

use service::identity::{self, PersonalTokenError, Requirement, Scopes, TokenError, personal};

use super::endpoint::RouteRequirement;
use crate::{app::App, error::ApiError};

/// Somebody who has shown a valid access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller(pub identity::Caller);

impl Deref for Caller {
    type Target = identity::Caller;

    fn deref(&self) -> &identity::Caller {
        &self.0
    }
}

/// Somebody, or nobody in particular. A bad token is still refused.
#[derive(Debug, Clone, Copy)]
pub struct MaybeCaller(pub Option<Caller>);

/// Somebody who wants to be erased, and perhaps has been already: asking twice is no mistake.
#[derive(Debug, Clone, Copy)]
pub struct DeletedCaller(pub Caller);

/// What a request says about who sends it.
#[derive(Debug, Clone)]
pub enum Recognised {
    /// Nothing.
    Nobody,
    /// A good token.
    Known(Caller),
    /// A token of a player who has been erased.
    Gone(Caller),
    /// A token that is not good.
    Refused(ApiError),
}

impl Caller {
    /// Refuses a caller whose token lacks a scope that the operation needs besides the one that it declares.
    pub fn require(&self, need: Requirement) -> Result<(), ApiError> {
        if self.scopes.allow(need) { Ok(()) } else { Err(ApiError::missing_scope(need)) }
    }
}

impl MaybeCaller {
    /// The player, if there is one.
    #[must_use]
    pub fn player(self) -> Option<Uuid> {
        self.0.map(|caller| caller.player)
    }
}

/// Looks at the token of a request.
pub async fn recognise(app: &App, headers: &HeaderMap) -> Recognised {
    let now = app.clock.now();
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Recognised::Nobody };
    // Not `to_str`, which looks at the characters of a long token one by one.
    let token = std::str::from_utf8(value.as_bytes()).ok().and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let Some(token) = token else {
        return Recognised::Refused(ApiError::unauthorized(
            "invalid_token",
            Text::new(
                "The Authorization header should read `Bearer <access token>`.",
                "La cabecera Authorization debe decir `Bearer <token de acceso>`.",
            ),
        ));
    };
    let checked = if token.starts_with(personal::PREFIX) {
        app.personal_tokens.check(token, now).await
    } else {
        app.tokens.check(token, now).map_err(PersonalTokenError::Token)
    };
    match checked {
        Ok(caller) if app.deletions.has(caller.player) => Recognised::Gone(Caller(caller)),
        Ok(caller) if app.ended_sessions.has(caller.session) => {
            Recognised::Refused(ApiError::session_ended())
        }
        Ok(caller) => Recognised::Known(Caller(caller)),
        Err(PersonalTokenError::Token(error)) => Recognised::Refused(explain(error)),
        Err(PersonalTokenError::Store(error)) => Recognised::Refused(error.into()),
    }
}

fn explain(error: TokenError) -> ApiError {
    match error {
        TokenError::Expired => ApiError::unauthorized(
            "token_expired",
            Text::new(
                "The access token has expired; get a new one with the refresh token, or create another personal access token.",
                "El token de acceso ha caducado; consigue otro con el token de renovación, o crea otro token de acceso personal.",
            ),
        ),
        TokenError::Invalid => ApiError::unauthorized(
            "invalid_token",
            Text::new(
                "The access token is not one that this server gave, or it was revoked.",
                "El token de acceso no es de este servidor, o fue revocado.",
            ),
        ),
    }
}

/// The caller of a request, if it may do what the operation is for.
fn authenticate(request: &HttpRequest) -> Result<Option<Caller>, ApiError> {
    match request.extensions().get::<Recognised>() {
        None => Err(ApiError::internal()),
        Some(Recognised::Nobody) => Ok(None),
        Some(Recognised::Known(caller)) => permit(request, *caller).map(Some),
        Some(Recognised::Gone(_)) => Err(ApiError::player_gone()),
        Some(Recognised::Refused(error)) => Err(error.clone()),
    }
}

fn permit(request: &HttpRequest, caller: Caller) -> Result<Caller, ApiError> {
    if caller.scopes == Scopes::SESSION {
        return Ok(caller);
    }
    // A route that declares nothing requires a session.
    let declared = request.extensions().get::<RouteRequirement>().and_then(|declared| declared.0);
    let need = declared.unwrap_or(Requirement::Session);
    caller.require(need).map(|()| caller)
}

fn missing() -> ApiError {
    ApiError::unauthorized(
        "token_missing",
        Text::new(
            "An access token is needed: POST /v1/guests gives one at once.",
            "Hace falta un token de acceso: POST /v1/guests da uno al momento.",
        ),
    )
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
        ready(authenticate(request).and_then(|caller| caller.ok_or_else(missing)))
    }
}

impl FromRequest for DeletedCaller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let gone = match request.extensions().get::<Recognised>() {
            Some(Recognised::Gone(caller)) => Some(*caller),
            _ => None,
        };
        let caller = match gone {
            Some(caller) => permit(request, caller).map(Some),
            None => authenticate(request),
        };
        ready(caller.and_then(|caller| caller.map(Self).ok_or_else(missing)))
    }
}
