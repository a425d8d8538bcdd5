//! The stream of one player: everything that concerns the player, in all matches and on all replicas.

use std::{convert::Infallible, sync::Arc};

use actix_web::{HttpResponse, web::Data};
use domain::text::Lang;
use service::{
    occupancy::Place,
    streams::{HubMessage, Listener, Notification, NotificationId},
};
use store::{MatchFilter, invitations};

use super::{
    Framing, Message, Outlet, bad_last_event_id, expiry::expiry, failure, outlet::Gone,
    request::StreamRequest,
};
use crate::{
    app::App,
    documents::{EndReason, Invitation, MyEnd, MyInvitation, MySnapshot},
    error::{ApiError, ApiResult},
    middleware::{Caller, MaybeCaller},
};

/// How far back a stream can be resumed, in entries of the feed.
pub const WINDOW: u64 = 10_000;
/// The most matches and the most invitations in a snapshot.
const LISTED: u64 = 200;

/// Opens a stream.
pub async fn open(
    app: Data<App>,
    caller: Caller,
    lang: Lang,
    request: StreamRequest,
) -> ApiResult<HttpResponse> {
    let parse = |id: &str| NotificationId::parse(id).ok_or_else(bad_last_event_id);
    let after = request.last_event_id.as_deref().map(parse).transpose()?;
    let place = app.open_streams.take(request.holder).map_err(ApiError::too_many_streams)?;
    let listener = app.hub.listen(caller.player).await?;
    let framing = request.framing.unwrap_or(Framing::Sse);
    let expiry = expiry(app.clone(), MaybeCaller(Some(caller)), request.expires);
    let (outlet, response) = Outlet::open(framing, app.tasks.closing(), expiry);
    if !request.bodiless {
        let stream = MyStream { app, caller, lang, listener, outlet, _place: place };
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
    _place: Place,
}

impl MyStream {
    async fn run(mut self, after: Option<NotificationId>) {
        let Err(gone) = self.stream(after).await;
        let Gone::Because(reason) = gone else { return };
        let end = MyEnd { kind: "end", reason, text: reason.text(self.lang) };
        self.outlet.end(&Message::new("end", None, &end));
    }

    async fn stream(&mut self, after: Option<NotificationId>) -> Result<Infallible, Gone> {
        let since = self.listener.since.clone();
        let is_within = |after: &NotificationId| since.entries_since(&after.position()) <= WINDOW;
        let complete = after.as_ref().is_none_or(is_within);
        let after = after.filter(|_| complete);
        let waiting = MatchFilter {
            viewer: Some(self.caller.player),
            waiting_for_viewer: true,
            ..MatchFilter::default()
        };
        let waiting = self.app.list_matches(&waiting, LISTED).await.map_err(failure)?;
        let id =
            after.clone().unwrap_or_else(|| NotificationId::last_of(since.clone())).to_string();
        let invitations = self.app.open_invitations(self.caller.player, LISTED).await;
        let invitations = invitations.map_err(failure)?;
        let snapshot =
            MySnapshot { kind: "snapshot", id: id.clone(), waiting, invitations, complete };
        self.outlet.send(&Message::new("snapshot", Some(id), &snapshot)).await?;
        if let Some(after) = &after {
            let missed = self.app.hub.missed(self.caller.player, after, &since).await;
            for notification in missed.map_err(failure)? {
                self.notify(&notification).await?;
            }
        }
        loop {
            let Self { outlet, listener, .. } = self;
            let message = tokio::select! {
                gone = outlet.over() => return Err(gone),
                message = listener.messages.recv() => message,
            };
            // The hub drops listeners that do not keep up.
            match message.ok_or(Gone::Because(EndReason::TooSlow))? {
                HubMessage::Notification(notification)
                    if after.as_ref().is_some_and(|after| after.includes(&notification.id)) => {}
                HubMessage::Notification(notification) => self.notify(&notification).await?,
                HubMessage::Invitation(row) => self.invite(row).await?,
            }
        }
    }

    async fn invite(&mut self, row: invitations::Invitation) -> Result<(), Gone> {
        let now = self.app.clock.now();
        let documents = Invitation::list(vec![row], &self.app.names, now).await;
        for invitation in documents.map_err(failure)? {
            let message = MyInvitation { kind: "match.invited", invitation };
            self.outlet.send(&Message::new(message.kind, None, &message)).await?;
        }
        Ok(())
    }

    async fn notify(&mut self, notification: &Arc<Notification>) -> Result<(), Gone> {
        let id = Some(notification.id.to_string());
        let message = Message::new(notification.kind.id(), id, notification);
        self.outlet.send(&message).await
    }
}
