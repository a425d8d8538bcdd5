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
    http::header::{self, HeaderMap, HeaderValue},
};
use domain::text::Text;
use uuid::Uuid;

use service::{
    identity::{
        self, ApplicationScope, ApplicationToken, Bearer, PersonalTokenError, Requirement, Scope,
        TokenError, personal,
    },
    occupancy::Holder,
};

use super::endpoint::RouteRequirement;
use crate::{app::App, error::ApiError, http::Address};

/// Names the player on whose behalf an application acts.
pub const PLAYER_HEADER: &str = "telar-player";

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

/// An application that has shown a valid token, and acts for none of its players.
#[derive(Debug, Clone, Copy)]
pub struct ApplicationCaller(pub ApplicationToken);

/// Somebody who creates a match: a player, or an application that seats its players.
#[derive(Debug, Clone, Copy)]
pub enum Creator {
    /// A player.
    Player(Caller),
    /// An application.
    Application(ApplicationToken),
}

/// What a request says about who sends it.
#[derive(Debug, Clone)]
pub enum Recognised {
    /// Nothing.
    Nobody,
    /// A good token of a player, or of an application that acts on behalf of one.
    Known(Caller),
    /// A good token of an application.
    Application(ApplicationToken),
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

    /// Who holds what this caller opens from an address.
    #[must_use]
    pub fn holder(self, address: Address) -> Holder {
        Holder {
            session: self.0.map(|caller| caller.session),
            player: self.player(),
            address: Some(address.0),
        }
    }
}

/// The token in the `Authorization` header.
fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?;
    // Not `to_str`, which looks at the characters of a long token one by one.
    let (scheme, token) = std::str::from_utf8(value.as_bytes()).ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The application that sends a request, if it has used the same token before. Anything else is found out later, when the request
/// has been counted for its address.
pub fn known_application(app: &App, headers: &HeaderMap) -> Option<Uuid> {
    app.tokens.known_application(bearer_token(headers)?, app.clock.now())
}

/// Looks at the token of a request, and for which player it is used.
pub async fn recognise(app: &App, headers: &HeaderMap) -> Recognised {
    let recognised = recognise_token(app, headers).await;
    let Some(player) = headers.get(PLAYER_HEADER) else { return recognised };
    match recognised {
        Recognised::Nobody => Recognised::Refused(missing()),
        Recognised::Application(token) => match act_for(app, token, player).await {
            Ok(caller) => Recognised::Known(caller),
            Err(error) => Recognised::Refused(error),
        },
        Recognised::Known(_) | Recognised::Gone(_) => {
            Recognised::Refused(ApiError::not_an_application())
        }
        Recognised::Refused(error) => Recognised::Refused(error),
    }
}

/// The caller on whose behalf an application acts.
async fn act_for(
    app: &App,
    token: ApplicationToken,
    player: &HeaderValue,
) -> Result<Caller, ApiError> {
    let player = player.to_str().ok().and_then(|text| Uuid::try_parse(text).ok());
    let player = player.ok_or_else(ApiError::bad_player_header)?;
    let owns = app.applications.owns(token.application, player, app.clock.now()).await?;
    // Whether there is such a player at all is nobody's business.
    if !owns || app.deletions.has(player) {
        return Err(ApiError::not_your_player());
    }
    Ok(Caller(identity::Caller {
        player,
        session: player,
        guest: false,
        scopes: token.scopes.on_behalf(),
        on_behalf: Some(token),
        expires: token.expires,
    }))
}

async fn recognise_token(app: &App, headers: &HeaderMap) -> Recognised {
    let now = app.clock.now();
    if !headers.contains_key(header::AUTHORIZATION) {
        return Recognised::Nobody;
    }
    let Some(token) = bearer_token(headers) else {
        return Recognised::Refused(ApiError::unauthorized(
            "invalid_token",
            Text::new(
                "The Authorization header should read `Bearer <access token>`.",
                "La cabecera Authorization debe decir `Bearer <token de acceso>`.",
            ),
        ));
    };
    let checked = if personal::FORMAT.begins(token) {
        app.personal_tokens.check(token, now).await
    } else {
        match app.tokens.check(token, now) {
            Ok(Bearer::Player(caller)) => Ok(caller),
            Ok(Bearer::Application(token)) => {
                return match app.applications.check(token, now).await {
                    Ok(Some(token)) => Recognised::Application(token),
                    Ok(None) => Recognised::Refused(explain(TokenError::Invalid)),
                    Err(error) => Recognised::Refused(error.into()),
                };
            }
            Err(error) => Err(PersonalTokenError::Token(error)),
        }
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
        // An application that acts for nobody sees what everybody may see.
        Some(Recognised::Nobody | Recognised::Application(_)) => Ok(None),
        Some(Recognised::Known(caller)) => permit(request, *caller).map(Some),
        Some(Recognised::Gone(_)) => Err(ApiError::player_gone()),
        Some(Recognised::Refused(error)) => Err(error.clone()),
    }
}

fn permit(request: &HttpRequest, caller: Caller) -> Result<Caller, ApiError> {
    caller.require(requirement(request)).map(|()| caller)
}

/// A route that declares nothing requires a session.
fn requirement(request: &HttpRequest) -> Requirement {
    let declared = request.extensions().get::<RouteRequirement>().and_then(|declared| declared.0);
    declared.unwrap_or(Requirement::Session)
}

/// The application that sends a request, if its token has this scope.
fn authenticate_application(
    request: &HttpRequest,
    need: ApplicationScope,
) -> Result<ApplicationToken, ApiError> {
    match request.extensions().get::<Recognised>() {
        Some(Recognised::Application(token)) if token.scopes.has(need) => Ok(*token),
        Some(Recognised::Application(_) | Recognised::Known(_) | Recognised::Gone(_)) => {
            Err(ApiError::missing_scope(Requirement::Application(need)))
        }
        Some(Recognised::Nobody) => Err(missing_application()),
        Some(Recognised::Refused(error)) => Err(error.clone()),
        None => Err(ApiError::internal()),
    }
}

/// Why a request without a player may not do what only players do.
fn nobody(request: &HttpRequest) -> ApiError {
    if !is_application(request) {
        return missing();
    }
    match requirement(request) {
        Requirement::Scope(Scope::MatchRead | Scope::MatchPlay) => ApiError::player_missing(),
        need => ApiError::missing_scope(need),
    }
}

fn is_application(request: &HttpRequest) -> bool {
    matches!(request.extensions().get::<Recognised>(), Some(Recognised::Application(_)))
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

fn missing_application() -> ApiError {
    ApiError::unauthorized(
        "token_missing",
        Text::new(
            "An application token is needed: POST /oauth/token gives one for a client id and its secret.",
            "Hace falta un token de aplicación: POST /oauth/token da uno a cambio del identificador de cliente y su secreto.",
        ),
    )
}

impl FromRequest for ApplicationCaller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let need = match requirement(request) {
            Requirement::Application(need) => Ok(need),
            Requirement::Scope(_) | Requirement::Session => Err(ApiError::internal()),
        };
        ready(need.and_then(|need| authenticate_application(request, need)).map(Self))
    }
}

impl FromRequest for Creator {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        if is_application(request) {
            let token = authenticate_application(request, ApplicationScope::MatchPlay);
            return ready(token.map(Self::Application));
        }
        ready(Caller::from_request(request, payload).into_inner().map(Self::Player))
    }
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
        let nobody = || nobody(request);
        ready(authenticate(request).and_then(|caller| caller.ok_or_else(nobody)))
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
        let nobody = || nobody(request);
        ready(caller.and_then(|caller| caller.map(Self).ok_or_else(nobody)))
    }
}
