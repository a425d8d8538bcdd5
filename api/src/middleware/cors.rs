//! Pages of other origins that may use the server from a browser: those that the configuration lists. There are no cookies, so
//! credentials are never asked for.

use actix_cors::{Cors, CorsError};
use actix_web::{
    Error,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{Method, StatusCode, header},
    middleware::Next,
};
use domain::text::Text;

use super::around::set_common;
use crate::{
    config::{Config, ConfigError},
    error::ApiError,
    http::preferred_language,
};

/// What clients send.
const SENT: [&str; 9] = [
    "accept",
    "accept-language",
    "authorization",
    "cache-control",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "prefer",
];

/// What clients may read.
const SHOWN: [&str; 10] = [
    "content-language",
    "etag",
    "idempotency-replayed",
    "link",
    "location",
    "preference-applied",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "www-authenticate",
];

/// The configured origins, if they can be some.
pub fn origins(config: &Config) -> Result<Vec<String>, ConfigError> {
    let given = config.cors_origins.iter().map(|origin| origin.trim());
    let origins: Vec<String> =
        given.filter(|origin| !origin.is_empty()).map(str::to_owned).collect();
    let is_origin = |origin: &str| {
        origin == "*"
            || origin.parse::<actix_web::http::Uri>().is_ok_and(|uri| {
                matches!(uri.scheme_str(), Some("http" | "https"))
                    && uri.authority().is_some_and(|it| origin.ends_with(it.as_str()))
            })
    };
    match origins.iter().find(|origin| !is_origin(origin)) {
        None => Ok(origins),
        Some(wrong) => Err(ConfigError(format!(
            "TELAR_CORS_ORIGINS: `{wrong}` is no origin; one looks like https://example.com, without a path"
        ))),
    }
}

/// Allows these origins.
pub fn allow(origins: &[String]) -> Cors {
    let cors = Cors::default()
        .allowed_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allowed_headers(SENT.into_iter().chain(["last-event-id"]))
        .expose_headers(SHOWN.map(header::HeaderName::from_static))
        .max_age(7_200);
    if origins.iter().any(|origin| origin == "*") {
        return cors.allow_any_origin().send_wildcard();
    }
    origins.iter().fold(cors, |cors, origin| cors.allowed_origin(origin))
}

/// Turns a refused preflight request into a problem document. It surrounds [`allow`], which answers such requests itself.
pub async fn explain_refusal<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let lang = preferred_language(request.headers());
    let path = request.path().to_owned();
    let response = next.call(request).await?;
    let error = response.response().error();
    if error.and_then(|error| error.as_error::<CorsError>()).is_none() {
        return Ok(response.map_into_boxed_body());
    }
    let vary = response.headers().get(header::VARY).cloned();
    let problem = ApiError::new(
        StatusCode::BAD_REQUEST,
        "preflight_refused",
        Text::new(
            "Pages of this origin may not send such requests: the origin, the method or a header is not allowed.",
            "Las páginas de este origen no pueden enviar peticiones así: no se admite el origen, el método o alguna cabecera.",
        ),
    );
    let mut response = response.error_response(problem.spoken(lang, &path));
    set_common(response.headers_mut());
    if let Some(vary) = vary {
        response.headers_mut().insert(header::VARY, vary);
    }
    Ok(response)
}
