//! The end of the token behind a stream: it expires, its player revokes it or ends its session, or its player is deleted.

use std::time::Duration;

use actix_web::web::Data;
use domain::time::Timestamp;
use service::identity::Scopes;

use crate::{
    app::App,
    documents::EndReason,
    middleware::{Caller, MaybeCaller},
};

/// How often to check whether a personal access token or an application was revoked at another replica.
const CHECK_INTERVAL: Duration = Duration::from_secs(15);

/// Waits until the token becomes invalid, and returns the reason.
pub async fn expiry(app: Data<App>, caller: MaybeCaller, expires: Option<Timestamp>) -> EndReason {
    let (Some(caller), Some(expires)) = (caller.0, expires) else {
        return std::future::pending().await;
    };
    let mut revoked = app.personal_tokens.revoked();
    // A clock that is set back makes no token expire.
    let always = Timestamp::from_micros(0);
    loop {
        if !is_valid(&app, caller).await {
            return EndReason::TokenRevoked;
        }
        tokio::select! {
            () = app.clock.sleep_until(always, expires) => return EndReason::TokenExpired,
            // An error means that the server is shutting down, which ends the stream anyway.
            _ = revoked.changed() => {}
            () = app.ended_sessions.ended(caller.session) => return EndReason::TokenRevoked,
            () = tokio::time::sleep(CHECK_INTERVAL) => {}
        }
    }
}

async fn is_valid(app: &App, caller: Caller) -> bool {
    if app.deletions.has(caller.player) {
        return false;
    }
    // An unreachable store must not end streams.
    if let Some(token) = caller.on_behalf {
        let checked = app.applications.check(token, app.clock.now()).await;
        return checked.map_or(true, |token| token.is_some());
    }
    caller.scopes == Scopes::SESSION
        || app.personal_tokens.exists(caller.session).await.unwrap_or(true)
}
