//! The end of the token behind a stream: it expires, its player revokes it, or its player is deleted.

use std::time::Duration;

use actix_web::web::Data;
use domain::time::Timestamp;
use service::identity::Scopes;

use super::EndReason;

use crate::{
    app::App,
    middleware::{Caller, MaybeCaller},
};

/// How often we look whether a personal access token was revoked at another replica.
const LOOK: Duration = Duration::from_secs(15);

/// Waits until the token is no longer valid, and says why.
pub async fn expiry(app: Data<App>, caller: MaybeCaller, expires: Option<Timestamp>) -> EndReason {
    let (Some(caller), Some(expires)) = (caller.0, expires) else {
        return std::future::pending().await;
    };
    let mut revoked = app.personal_tokens.revoked();
    loop {
        if !stands(&app, caller).await {
            return EndReason::TokenRevoked;
        }
        tokio::select! {
            () = app.clock.sleep_until(expires) => return EndReason::TokenExpired,
            // This fails only when the server shuts down, which ends the stream by itself.
            _ = revoked.changed() => {}
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

async fn stands(app: &App, caller: Caller) -> bool {
    if app.deletions.has(caller.player) {
        return false;
    }
    // A store that does not answer revokes nothing.
    caller.scopes == Scopes::SESSION
        || app.personal_tokens.stands(caller.session).await.unwrap_or(true)
}
