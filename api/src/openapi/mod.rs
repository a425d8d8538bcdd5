//! The OpenAPI document: made of the same list as the routes, finished in one place.

use std::sync::LazyLock;

use serde_json::Value;
use utoipa::{
    OpenApi,
    openapi::security::{Http, HttpAuthScheme, SecurityScheme},
};

use service::identity::Scope;

use crate::{middleware::endpoint, routes};

mod branches;
mod finish;
mod patterns;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Telar",
        description = "A server for turn-based board games: play over HTTP, every match an event log that can be replayed.\n\n\
            **Start here**: `POST /v1/guests` gives an access token, `POST /v1/matches` a match, `POST /v1/matches/{id}/seats` lets a \
            second player in, `GET /v1/matches/{id}/legal-moves` says what can be done, `POST /v1/matches/{id}/moves` does it.\n\n\
            Errors are problem documents (RFC 9457) with a stable `code`. Texts are in English and Spanish, by `Accept-Language`.\n\n\
            Each operation names the scope that a personal access token needs for it; `session` means that only the access token of a \
            session will do. Answers carry `RateLimit` and `RateLimit-Policy`; who asks too often gets 429 with `Retry-After`. Answers of a \
            kilobyte or more are compressed by `Accept-Encoding` (br, zstd, gzip).",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = "/", description = "This server.")),
    tags(
        (name = "Players", description = "Guests and accounts."),
        (name = "Sessions", description = "Logging in, staying logged in, logging out."),
        (name = "Tokens", description = "Personal access tokens, for bots and programs of third parties."),
        (name = "Games", description = "What can be played, and how."),
        (name = "Matches", description = "Creating, finding, watching and replaying matches."),
        (name = "Moves", description = "Playing."),
        (name = "Webhooks", description = "Being told elsewhere, with signatures."),
        (name = "Statistics", description = "What comes of all those matches: distributions, ratings, leaderboards. Made from the log, \
            a moment after a match has ended. Scores, score lines, measures and durations are those of matches that were played to \
            their end, without seats whose players resigned; matches and wins are counted however they ended."),
        (name = "Records", description = "What is left of a match: proofs and exports."),
        (name = "System", description = "For those who run the server."),
    ),
)]
struct Base;

/// The document.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut api = Base::openapi();
    endpoint::document(routes::endpoints(), &mut api);
    let mut bearer = Http::new(HttpAuthScheme::Bearer);
    let scopes: Vec<String> = Scope::ALL.iter().map(|scope| format!("`{}`", scope.id())).collect();
    bearer.description = Some(format!(
        "The `access_token` of a session (a JWT), which may do everything; or a personal access token (`telar_pat_…`), which may do \
         what its scopes say: {}. `session` is no scope that a personal access token can have.",
        scopes.join(", ")
    ));
    api.components
        .get_or_insert_default()
        .security_schemes
        .insert("bearer".to_owned(), SecurityScheme::Http(bearer).into());
    let mut document = serde_json::to_value(api).expect("the document is plain data");
    finish::finish(&mut document);
    document
});

/// The document as it is served.
pub static TEXT: LazyLock<String> = LazyLock::new(|| DOCUMENT.to_string());
