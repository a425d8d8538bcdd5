//! `POST /oauth/token`

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse, http::header, web::Data};
use serde::{Deserialize, Serialize};
use service::identity::{ApplicationScope, ApplicationScopes, tokens};
use utoipa::ToSchema;

use super::{
    client::authenticate,
    exchange::{self, exchange},
    refusal::{OAuthError, OAuthErrorCode, Refusal},
};
use crate::{
    app::App,
    documents::MyProfile,
    error::ApiResult,
    http::{BadForm, Device, Form},
    limits::RateClass,
    middleware::Endpoint,
};

const CLIENT_CREDENTIALS: &str = "client_credentials";
const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";

/// What is asked for. Fields that are not listed here are ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes the fields of the form")]
pub struct TokenRequest {
    /// `client_credentials` for an application token, `urn:ietf:params:oauth:grant-type:token-exchange` for a session of a player.
    #[schema(example = "client_credentials")]
    grant_type: String,
    /// The client id, unless it is in the `Authorization` header.
    client_id: Option<String>,
    /// The client secret, unless it is in the `Authorization` header.
    #[schema(format = Password)]
    client_secret: Option<String>,
    /// The scopes of the application token, separated by spaces. By default all scopes of the application.
    #[schema(example = "match:read match:play")]
    scope: Option<String>,
    /// For token exchange: what stands for the player.
    subject_token: Option<String>,
    /// What `subject_token` is: `urn:telar:token-type:external-id` (your own id of a player) or `urn:telar:token-type:player-id`.
    subject_token_type: Option<String>,
    /// `urn:ietf:params:oauth:token-type:access_token`, which is also the default.
    requested_token_type: Option<String>,
}

/// A token that was issued.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenGrant {
    /// Send it in the `Authorization` header, after `Bearer `.
    #[schema(example = "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl")]
    access_token: String,
    /// Always `Bearer`.
    #[schema(example = "Bearer")]
    token_type: &'static str,
    /// The lifetime of the access token in seconds.
    #[schema(example = 900)]
    expires_in: u32,
    /// The scopes of an application token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "match:read match:play")]
    scope: Option<String>,
    /// After a token exchange: `urn:ietf:params:oauth:token-type:access_token`.
    #[serde(skip_serializing_if = "Option::is_none")]
    issued_token_type: Option<&'static str>,
    /// After a token exchange: exchange it for new tokens with `POST /v1/sessions/refresh`.
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh_token: Option<String>,
    /// After a token exchange: the player of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<MyProfile>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_issue_token, issue_token).limited_as(RateClass::Client)
}

/// Issue a token
///
/// For applications, by the standards of OAuth 2.0. Authenticate with the client id and the client secret, by HTTP Basic or in the
/// form.
///
/// - `grant_type=client_credentials` (RFC 6749) issues an application token for 15 minutes. It manages your players and, with
///   the header `Telar-Player`, plays on their behalf.
/// - `grant_type=urn:ietf:params:oauth:grant-type:token-exchange` (RFC 8693) opens a session for one of your players, for a
///   device that talks to this server itself. The application needs the scope `session:create`.
#[utoipa::path(
    post,
    path = "/oauth/token",
    tag = "Applications",
    security((), ("client" = [])),
    request_body(content = TokenRequest, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "The token.", body = TokenGrant),
        (status = 400, description = "The request is not accepted.", body = OAuthError),
        (status = 401, description = "The client id or the client secret is missing or wrong (`invalid_client`).", body = OAuthError),
    ),
)]
pub async fn issue_token(
    app: Data<App>,
    request: HttpRequest,
    device: Device,
    form: Form,
) -> ApiResult<HttpResponse> {
    let issued = match form.0 {
        Ok(fields) => issue(&app, &request, &device, &fields).await,
        Err(error) => Err(bad_form(error)),
    };
    match issued {
        Ok(token) => Ok(HttpResponse::Ok().insert_header((header::PRAGMA, "no-cache")).json(token)),
        Err(Refusal::OAuth(error)) => Ok(error.respond()),
        Err(Refusal::Problem(problem)) => Err(problem),
    }
}

async fn issue(
    app: &App,
    request: &HttpRequest,
    device: &Device,
    fields: &HashMap<String, String>,
) -> Result<TokenGrant, Refusal> {
    match fields.get("grant_type").map(String::as_str) {
        Some(CLIENT_CREDENTIALS) => {
            let client = authenticate(app, request, fields).await?;
            let scopes = match fields.get("scope") {
                Some(text) => requested(text, client.application.scopes)?,
                None => client.application.scopes,
            };
            let token = app.applications.token(&client, scopes, app.clock.now());
            Ok(TokenGrant { scope: Some(scopes.to_string()), ..bearer(token) })
        }
        Some(TOKEN_EXCHANGE) => {
            let session = exchange(app, request, &device.0, fields).await?;
            Ok(TokenGrant {
                issued_token_type: Some(exchange::ACCESS_TOKEN),
                refresh_token: Some(session.refresh_token),
                player: Some(session.player.into()),
                ..bearer(session.access_token)
            })
        }
        Some(_) => Err(Refusal::new(
            OAuthErrorCode::UnsupportedGrantType,
            "The grant types are client_credentials and urn:ietf:params:oauth:grant-type:token-exchange.",
        )),
        None => Err(Refusal::request("`grant_type` is missing.")),
    }
}

const fn bearer(access_token: String) -> TokenGrant {
    TokenGrant {
        access_token,
        token_type: "Bearer",
        expires_in: tokens::LIFETIME,
        scope: None,
        issued_token_type: None,
        refresh_token: None,
        player: None,
    }
}

/// The requested scopes, all of which the application has to have.
fn requested(text: &str, allowed: ApplicationScopes) -> Result<ApplicationScopes, Refusal> {
    let known = text.split(' ').filter(|id| !id.is_empty()).map(|id| {
        let scope = ApplicationScope::from_id(id).filter(|scope| allowed.has(*scope));
        scope.ok_or(Refusal::new(
            OAuthErrorCode::InvalidScope,
            "A scope is unknown, or the application does not have it.",
        ))
    });
    known.collect()
}

const fn bad_form(error: BadForm) -> Refusal {
    Refusal::request(match error {
        BadForm::ContentType => {
            "Send a form, with `Content-Type: application/x-www-form-urlencoded`."
        }
        BadForm::Text => "The form is not UTF-8, or contains U+0000.",
        BadForm::Repeated => "A field occurs more than once.",
    })
}
