//! The stream of one player: everything that concerns the player, in all matches and at all replicas.

use std::{convert::Infallible, sync::Arc};

use actix_web::{HttpResponse, web::Data};
use domain::text::{Lang, Text};
use serde::Serialize;
use utoipa::{ToSchema, openapi::Object};

use super::{
    EndReason, Framing, Message, Outlet, expiry::expiry, outlet::Gone, request::StreamRequest,
};
use service::streams::{FeedPosition, HubMessage, Listener, Notification, StreamPermit};
use store::entities::invitation;

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    middleware::{Caller, MaybeCaller},
    openapi::only,
    routes::{
        invitations::{self, Invitation},
        matches::list::{MatchListing, waiting_for},
    },
};

/// How far back a stream can be resumed, in entries of the feed.
pub const WINDOW: u64 = 10_000;
/// How many matches the snapshot lists.
const LISTED: u64 = 200;

/// The first message of your stream.
#[derive(Debug, Serialize, ToSchema)]
pub struct MySnapshot {
    /// Always `snapshot`.
    #[serde(rename = "type")]
    #[schema(schema_with = snapshot_tag)]
    kind: &'static str,
    /// What to resume after.
    #[schema(example = "1207")]
    id: String,
    /// The matches that wait for you, newest first; 200 at most.
    waiting: Vec<MatchListing>,
    /// The matches that you are invited to; 200 at most.
    invitations: Vec<Invitation>,
    /// Whether everything since `Last-Event-ID` follows; if not, too much has happened since.
    complete: bool,
}

/// Somebody invites you. Has no id: what you miss of these is in the snapshot.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyInvitation {
    /// Always `match.invited`.
    #[serde(rename = "type")]
    #[schema(schema_with = invited_tag)]
    kind: &'static str,
    /// The invitation.
    invitation: Invitation,
}

/// The last message of your stream.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyEnd {
    /// Always `end`.
    #[serde(rename = "type")]
    #[schema(schema_with = end_tag)]
    kind: &'static str,
    /// Why.
    reason: EndReason,
    /// The same in words.
    text: &'static str,
}

fn snapshot_tag() -> Object {
    only("snapshot")
}

fn invited_tag() -> Object {
    only("match.invited")
}

fn end_tag() -> Object {
    only("end")
}

/// A message of your stream: a snapshot, then notices, and at last an end. In SSE, `type` is also the name of the event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum MyMessage {
    /// The first message.
    Snapshot(MySnapshot),
    /// Something that concerns you.
    Notification(Notification),
    /// Somebody invites you.
    Invited(MyInvitation),
    /// The last message.
    End(MyEnd),
}

/// Opens a stream.
pub async fn open(
    app: Data<App>,
    caller: Caller,
    lang: Lang,
    asked: StreamRequest,
) -> ApiResult<HttpResponse> {
    let after = asked.last_event_id.as_deref().map(|id| FeedPosition::parse(id).ok_or_else(bad_id));
    let after = after.transpose()?;
    let permit = app.stream_limits.open(asked.holder)?;
    let listener = app.hub.listen(caller.player).await?;
    let framing = asked.framing.unwrap_or(Framing::Sse);
    let expiry = expiry(app.clone(), MaybeCaller(Some(caller)), asked.expires);
    let (outlet, response) = Outlet::open(framing, app.tasks.closing(), expiry);
    if !asked.bodiless {
        let stream = MyStream { app, caller, lang, listener, outlet, _permit: permit };
        tokio::spawn(stream.run(after));
    }
    Ok(response)
}

struct MyStream {
    app: Data<App>,
    caller: Caller,
    lang: Lang,
    listener: Listener,
    outlet: Outlet,
    _permit: StreamPermit,
}

impl MyStream {
    async fn run(mut self, after: Option<FeedPosition>) {
        let Err(gone) = self.stream(after).await;
        let Gone::Because(reason) = gone else { return };
        let end = MyEnd { kind: "end", reason, text: reason.tell(self.lang) };
        self.outlet.end(&Message::new("end", None, &end));
    }

    async fn stream(&mut self, after: Option<FeedPosition>) -> Result<Infallible, Gone> {
        let since = self.listener.since;
        let is_within = |after: &FeedPosition| after.whole().saturating_add(WINDOW) >= since;
        let complete = after.is_none_or(|after| is_within(&after));
        let after = after.filter(|_| complete);
        let waiting = waiting_for(&self.app, self.caller, LISTED).await.map_err(internal)?;
        let id = after.unwrap_or(FeedPosition::after(since)).to_string();
        let invitations = invitations::list::first(&self.app, self.caller.player, LISTED).await;
        let invitations = invitations.map_err(internal)?;
        let snapshot =
            MySnapshot { kind: "snapshot", id: id.clone(), waiting, invitations, complete };
        self.outlet.send(&Message::new("snapshot", Some(id), &snapshot)).await?;
        if let Some(after) = after {
            let missed = self.app.hub.missed(self.caller.player, after, since).await;
            for notice in missed.map_err(internal)? {
                self.tell(&notice).await?;
            }
        }
        loop {
            let Self { outlet, listener, .. } = self;
            let told = tokio::select! {
                gone = outlet.over() => return Err(gone),
                told = listener.told.recv() => told,
            };
            match told.ok_or(Gone::Because(EndReason::TooSlow))? {
                HubMessage::Notification(notice)
                    if after.is_some_and(|after| notice.id <= after) => {}
                HubMessage::Notification(notice) => self.tell(&notice).await?,
                HubMessage::Invitation(row) => self.invite(row).await?,
            }
        }
    }

    async fn invite(&mut self, row: invitation::Model) -> Result<(), Gone> {
        let documents = invitations::documents(&self.app, vec![row]).await.map_err(internal)?;
        for invitation in documents {
            let message = MyInvitation { kind: "match.invited", invitation };
            self.outlet.send(&Message::new(message.kind, None, &message)).await?;
        }
        Ok(())
    }

    async fn tell(&mut self, notice: &Arc<Notification>) -> Result<(), Gone> {
        let message = Message::new(notice.kind.id(), Some(notice.id.to_string()), notice);
        self.outlet.send(&message).await
    }
}

fn internal(error: impl Into<ApiError>) -> Gone {
    let error = error.into();
    tracing::warn!(%error, "a stream ends");
    Gone::Because(EndReason::Internal)
}

fn bad_id() -> ApiError {
    ApiError::bad_field(
        "Last-Event-ID",
        Text::new(
            "Last-Event-ID is the `id` of the last message that you have.",
            "Last-Event-ID es el `id` del último mensaje que tienes.",
        ),
    )
}
