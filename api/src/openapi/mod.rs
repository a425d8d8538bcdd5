//! The OpenAPI document: made of the same list as the routes, finished in one place.

use std::sync::LazyLock;

use serde_json::Value;
use utoipa::{
    OpenApi,
    openapi::security::{
        ApiKey, ApiKeyValue, ClientCredentials, Flow, Http, HttpAuthScheme, OAuth2,
        Scopes as OAuthScopes, SecurityScheme,
    },
};

use service::identity::{ApplicationScope, Scope};

use crate::{middleware::endpoint, routes};

mod branches;
mod finish;
mod patterns;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Telar",
        description = "A server for turn-based board games. Matches are played over HTTP, and every match is an event log that can be \
            replayed.\n\n\
            **Start here**: create a guest with `POST /v1/guests`, which returns an access token, and a match with `POST /v1/matches`. A \
            second player joins with `POST /v1/matches/{id}/seats`. `GET /v1/matches/{id}/legal-moves` lists the moves that you can make \
            with `POST /v1/matches/{id}/moves`.\n\n\
            Errors are problem documents (RFC 9457) with a stable `code`. Texts are available in English and Spanish; send \
            `Accept-Language` to choose.\n\n\
            Each operation names the scope that a personal access token needs. `session` means that only the access token of a session is \
            accepted. Responses carry `RateLimit` and `RateLimit-Policy`; clients over the limit get 429 with `Retry-After`. Responses of \
            1 KiB or more are compressed if `Accept-Encoding` allows it (br, zstd, gzip).",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = "/", description = "This server.")),
    tags(
        (name = "Players", description = "Guests and accounts."),
        (name = "Sessions", description = "Logging in, staying logged in, logging out."),
        (name = "Tokens", description = "Personal access tokens for bots and third-party programs."),
        (name = "Applications", description = "For back ends of apps: bring your own users, seat them, and play on their behalf."),
        (name = "Games", description = "The available games, their rules and their schemas."),
        (name = "Matches", description = "Creating, finding, watching and replaying matches."),
        (name = "Moves", description = "Listing legal moves and making moves."),
        (name = "Webhooks", description = "Signed notifications to your own URL."),
        (name = "Statistics", description = "Distributions, ratings and leaderboards, computed from the log shortly after a match ends. \
            Scores, score lines, measures and durations cover matches that were played to the end, without the seats of players who \
            resigned. Matches and wins are counted however a match ended."),
        (name = "Records", description = "Proofs and exports of matches."),
        (name = "System", description = "For operators of the server."),
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
         what its scopes say: {}. A personal access token cannot have the scope `session`.",
        scopes.join(", ")
    ));
    let schemes = &mut api.components.get_or_insert_default().security_schemes;
    schemes.insert("bearer".to_owned(), SecurityScheme::Http(bearer).into());
    for (name, scheme) in applications() {
        schemes.insert(name.to_owned(), scheme.into());
    }
    let mut document = serde_json::to_value(api).expect("the document is plain data");
    finish::finish(&mut document);
    document
});

/// How applications authenticate: for a token, with the token, and for a player.
fn applications() -> [(&'static str, SecurityScheme); 3] {
    let mut client = Http::new(HttpAuthScheme::Basic);
    client.description = Some(
        "The client id and the client secret of an application, as `telar app create` prints them."
            .to_owned(),
    );
    let scopes = ApplicationScope::ALL.map(|scope| (scope.id(), scope.description()));
    let flow = ClientCredentials::new("/oauth/token", OAuthScopes::from_iter(scopes));
    let application = OAuth2::with_description(
        [Flow::ClientCredentials(flow)],
        "The token of an application: `POST /oauth/token` issues it for the client id and the client secret.",
    );
    let player = ApiKeyValue::with_description(
        "Telar-Player",
        "The id of a player of the application, on whose behalf it acts. Other players are refused with 403.",
    );
    [
        ("client", SecurityScheme::Http(client)),
        ("application", SecurityScheme::OAuth2(application)),
        ("player", SecurityScheme::ApiKey(ApiKey::Header(player))),
    ]
}

/// The document as it is served.
pub static TEXT: LazyLock<String> = LazyLock::new(|| DOCUMENT.to_string());
