//! Token exchange (RFC 8693): what opens a session of a player.

use std::collections::HashMap;

use actix_web::HttpRequest;
use service::{
    applications::PlayerRef,
    identity::{ApplicationScope, Device, SessionTokens},
};
use uuid::Uuid;

use super::{
    client::authenticate,
    refusal::{OAuthErrorCode, Refusal},
};
use crate::app::App;

/// What is issued: the access token of a session.
pub(super) const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
/// An application's own id of one of its players.
const EXTERNAL_ID: &str = "urn:telar:token-type:external-id";
/// The id of one of its players.
const PLAYER_ID: &str = "urn:telar:token-type:player-id";

/// Opens a session for the player whom the request stands for.
pub(super) async fn exchange(
    app: &App,
    request: &HttpRequest,
    device: &Device,
    fields: &HashMap<String, String>,
) -> Result<SessionTokens, Refusal> {
    let field = |name: &str| fields.get(name).map(String::as_str);
    if field("requested_token_type").is_some_and(|kind| kind != ACCESS_TOKEN) {
        return Err(Refusal::request("Only access tokens are issued."));
    }
    if field("resource").or(field("audience")).is_some() {
        let description = "Tokens are issued for this server only.";
        return Err(Refusal::new(OAuthErrorCode::InvalidTarget, description));
    }
    if field("scope").is_some() {
        let description = "A session has no scopes; leave out `scope`.";
        return Err(Refusal::new(OAuthErrorCode::InvalidScope, description));
    }
    if field("actor_token").is_some() {
        return Err(Refusal::request("Actor tokens are not supported."));
    }
    let subject = field("subject_token");
    let subject = subject.ok_or(Refusal::request("`subject_token` is missing."))?;
    match field("subject_token_type") {
        Some(EXTERNAL_ID) => mint(app, request, device, fields, PlayerRef::External(subject)).await,
        Some(PLAYER_ID) => {
            let id = Uuid::try_parse(subject).map_err(|_| no_such_player())?;
            mint(app, request, device, fields, PlayerRef::Id(id)).await
        }
        Some(_) => Err(Refusal::request("This `subject_token_type` is not supported.")),
        None => Err(Refusal::request("`subject_token_type` is missing.")),
    }
}

/// Opens a session for a player of the application that sends the request.
async fn mint(
    app: &App,
    request: &HttpRequest,
    device: &Device,
    fields: &HashMap<String, String>,
    player: PlayerRef<'_>,
) -> Result<SessionTokens, Refusal> {
    let client = authenticate(app, request, fields).await?;
    if !client.application.scopes.has(ApplicationScope::SessionCreate) {
        return Err(Refusal::new(
            OAuthErrorCode::UnauthorizedClient,
            "The application lacks the scope session:create.",
        ));
    }
    let player = app.applications.player(client.application.id, player).await?;
    let player = player.ok_or_else(no_such_player)?;
    let opened = app.accounts.sessions.open(player, device, app.clock.now()).await?;
    // Deleted, or the application was revoked, in this moment.
    opened.ok_or_else(no_such_player)
}

const fn no_such_player() -> Refusal {
    Refusal::request("The application has no such player.")
}
