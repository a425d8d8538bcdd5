//! Which application asks for a token: by HTTP Basic, or by two fields of the form, but not by both (RFC 6749, section 2.3.1).

use std::collections::HashMap;

use actix_web::{HttpMessage, HttpRequest, http::header};
use base64::{Engine, prelude::BASE64_STANDARD};
use service::applications::Client;
use url::form_urlencoded;
use uuid::Uuid;

use super::refusal::Refusal;
use crate::{
    app::App,
    http::Address,
    limits::{Exceeded, LimitState, RateClass},
};

/// Authenticates the application that sends a request, and counts the request for it. Requests with wrong credentials are counted
/// for their address.
pub(super) async fn authenticate(
    app: &App,
    request: &HttpRequest,
    fields: &HashMap<String, String>,
) -> Result<Client, Refusal> {
    let (id, secret) = credentials(request, fields)?;
    let id = Uuid::try_parse(&id).map_err(|_| Refusal::client())?;
    let now = app.clock.now();
    let client = if let Some(client) = app.applications.recall(id, &secret, now) {
        client
    } else {
        limit_address(app, request, RateClass::Request)?;
        let client = app.applications.authenticate(id, &secret, now).await?;
        client.ok_or_else(Refusal::client)?
    };
    let id = client.application.id;
    limited(request, app.limits.check_application(RateClass::Request, id))?;
    Ok(client)
}

/// Counts a request for its address.
pub(super) fn limit_address(
    app: &App,
    request: &HttpRequest,
    rate: RateClass,
) -> Result<(), Refusal> {
    limited(request, app.limits.check_address(rate, || Address::of(request)))
}

fn limited(
    request: &HttpRequest,
    checked: Result<Option<LimitState>, Exceeded>,
) -> Result<(), Refusal> {
    let (state, result) = match checked {
        Ok(state) => (state, Ok(())),
        Err(exceeded) => (Some(exceeded.state), Err(Refusal::Problem(exceeded.problem))),
    };
    if let Some(state) = state {
        request.extensions_mut().insert(state);
    }
    result
}

fn credentials(
    request: &HttpRequest,
    fields: &HashMap<String, String>,
) -> Result<(String, String), Refusal> {
    let in_form = (fields.get("client_id"), fields.get("client_secret"));
    match (request.headers().get(header::AUTHORIZATION), in_form) {
        (Some(_), (_, Some(_))) => {
            Err(Refusal::request("Authenticate in the header or in the form, not in both."))
        }
        (Some(value), (client_id, None)) => {
            let (id, secret) = value.to_str().ok().and_then(basic).ok_or_else(Refusal::client)?;
            if client_id.is_some_and(|client_id| *client_id != id) {
                return Err(Refusal::request("`client_id` differs from the one in the header."));
            }
            Ok((id, secret))
        }
        (None, (Some(id), Some(secret))) => Ok((id.clone(), secret.clone())),
        (None, _) => Err(Refusal::client()),
    }
}

/// Reads `Basic …`. Both parts are encoded like fields of a form.
fn basic(value: &str) -> Option<(String, String)> {
    let (scheme, encoded) = value.split_once(' ')?;
    let decoded = BASE64_STANDARD.decode(encoded.trim()).ok()?;
    let text = String::from_utf8(decoded).ok()?;
    let (id, secret) = text.split_once(':').filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    Some((decode(id), decode(secret)))
}

fn decode(part: &str) -> String {
    let parsed = form_urlencoded::parse(part.as_bytes()).next();
    parsed.map(|(name, _)| name.into_owned()).unwrap_or_default()
}
