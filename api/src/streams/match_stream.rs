//! The stream of one match for one viewer: a snapshot, then every event as the viewer may see it, until the match is over.
//!
//! Every event is shown as `GET /v1/matches/{id}/events` would show it at that moment. So the events of the last commit are shown
//! in full, because the match is over by then.

use std::{convert::Infallible, sync::Arc};

use actix_web::{HttpResponse, web::Data};
use domain::{
    matches::{Commit, Match},
    seat::SeatSet,
    text::{Lang, Text},
};
use service::{
    history::PORTION,
    live::{Consistency, Update, Watcher},
    occupancy::Place,
};
use uuid::Uuid;

use super::{
    Message, Outlet, bad_last_event_id, expiry::expiry, failure, outlet::Gone,
    request::StreamRequest,
};
use crate::{
    app::App,
    documents::{EndReason, EventDocument, MatchDocument, MatchMessage},
    error::{ApiError, ApiResult},
    middleware::MaybeCaller,
};

/// Which match to stream, from where on, and for whom.
#[derive(Debug)]
pub struct MatchStreamRequest {
    /// The id of the match.
    pub id: Uuid,
    /// The caller.
    pub caller: MaybeCaller,
    /// How current the snapshot must be.
    pub consistency: Consistency,
    /// The version after which events are sent; by default only new ones.
    pub after: Option<u64>,
    /// The language of the texts.
    pub lang: Lang,
}

/// Opens a stream.
pub async fn open(
    app: Data<App>,
    request: MatchStreamRequest,
    stream: StreamRequest,
) -> ApiResult<HttpResponse> {
    let MatchStreamRequest { id, caller, consistency, lang, .. } = request;
    let Some(framing) = stream.framing else { return Err(ApiError::internal()) };
    // Access is checked before the limits, so that a match that the caller may not see is always 404.
    app.visible_match(id, caller.player(), consistency).await?;
    let place = app.open_streams.take(stream.holder).map_err(ApiError::too_many_streams)?;
    // The watcher comes before the snapshot, so that no event is missed in between.
    let mut watcher = app.matches.watchers().watch(id);
    app.presence.refresh(id).await?;
    let after = match &stream.last_event_id {
        Some(text) => Some(text.parse().map_err(|_| bad_last_event_id())?),
        None => request.after,
    };
    let mut m = app.visible_match(id, caller.player(), consistency).await?;
    if after.is_some_and(|after| after > m.version()) {
        m = app.visible_match(id, caller.player(), Consistency::Store).await?;
    }
    if after.is_some_and(|after| after > m.version()) {
        return Err(ahead().version(m.version()));
    }
    let expiry = expiry(app.clone(), caller, stream.expires);
    let (outlet, response) = Outlet::open(framing, app.tasks.closing(), expiry);
    if !stream.bodiless {
        watcher.sit(caller.player().and_then(|player| m.seat_of(player)));
        let present = watcher.latest().present;
        let place = Some(place);
        let stream = MatchStream { app, caller, lang, m, present, place, watcher, outlet };
        tokio::spawn(stream.run(after));
    }
    Ok(response)
}

struct MatchStream {
    app: Data<App>,
    caller: MaybeCaller,
    lang: Lang,
    /// The match as the client knows it.
    m: Arc<Match>,
    /// The presence as the client knows it.
    present: SeatSet,
    /// Returned before the last message, so that a client that receives it may open another stream.
    place: Option<Place>,
    watcher: Watcher,
    outlet: Outlet,
}

impl MatchStream {
    async fn run(mut self, after: Option<u64>) {
        let Err(gone) = self.stream(after).await;
        drop(self.place.take());
        let Gone::Because(reason) = gone else { return };
        let document = match reason {
            EndReason::MatchOver => self.document().await.ok().map(Box::new),
            _ => None,
        };
        let text = reason.text(self.lang);
        self.outlet.end(&message(&MatchMessage::End { reason, text, document }));
    }

    async fn stream(&mut self, after: Option<u64>) -> Result<Infallible, Gone> {
        let now = self.m.version();
        let document = self.document().await.map_err(failure)?;
        let snapshot = MatchMessage::Snapshot {
            id: after.unwrap_or(now),
            document: Box::new(document),
            presence: self.present.iter().collect(),
        };
        self.send(&snapshot).await?;
        if let Some(after) = after.filter(|after| *after < now) {
            self.send_past(after, now).await?;
        }
        loop {
            if self.m.status().is_over() {
                return Err(Gone::Because(EndReason::MatchOver));
            }
            self.advance().await?;
            if self.m.status().is_over() {
                continue;
            }
            let Self { outlet, watcher, .. } = self;
            tokio::select! {
                gone = outlet.over() => return Err(gone),
                () = watcher.changed() => {}
            }
        }
    }

    /// Sends the events after one version and up to another, in portions.
    async fn send_past(&mut self, after: u64, until: u64) -> Result<(), Gone> {
        let mut seen = after;
        while seen < until {
            let portion = seen..until.min(seen + PORTION);
            let commits = self.app.matches.history().commits(self.m.id(), portion).await;
            let commits = commits.map_err(failure)?;
            self.send_events(&commits, seen).await?;
            seen = commits.last().map_or(until, Commit::version);
        }
        Ok(())
    }

    /// Sends what is new.
    async fn advance(&mut self) -> Result<(), Gone> {
        let update = self.watcher.latest();
        if update.version > self.m.version() {
            let seen = self.m.version();
            let (next, commits) = self.since(&update).await.map_err(failure)?;
            let player = self.caller.player();
            if !next.is_visible_to(player) && !self.is_visible().await {
                return Err(Gone::Because(EndReason::NotVisible));
            }
            self.m = next;
            self.send_events(&commits, seen).await?;
            self.watcher.sit(player.and_then(|player| self.m.seat_of(player)));
            if !self.m.status().is_over() {
                self.send(&MatchMessage::state(&self.m, player)).await?;
            }
        }
        if update.present != self.present {
            self.present = update.present;
            self.send(&MatchMessage::presence(self.present)).await?;
        }
        Ok(())
    }

    /// The match as it is now, and the commits since the version that the client knows.
    async fn since(&self, update: &Update) -> ApiResult<(Arc<Match>, Arc<[Commit]>)> {
        let seen = self.m.version();
        if let Some(latest) = &update.latest
            && latest.after.version() >= update.version
            && latest.commits.first().is_some_and(|commit| commit.seq <= seen)
        {
            return Ok((Arc::clone(&latest.after), Arc::clone(&latest.commits)));
        }
        let commits = self.app.matches.log().load(self.m.id(), seen).await?;
        let mut next = Match::clone(&self.m);
        for commit in &commits {
            next.apply(commit)?;
        }
        Ok((Arc::new(next), commits.into()))
    }

    /// Sends the events after a version.
    async fn send_events(&mut self, commits: &[Commit], after: u64) -> Result<(), Gone> {
        let player = self.caller.player();
        for commit in commits {
            let commit = std::slice::from_ref(commit);
            let events =
                EventDocument::after(after, commit, &self.m, player, self.lang, usize::MAX);
            for event in events.map_err(failure)? {
                self.send(&MatchMessage::event(event)).await?;
            }
        }
        Ok(())
    }

    async fn send(&mut self, content: &MatchMessage) -> Result<(), Gone> {
        self.outlet.send(&message(content)).await
    }

    /// Whether the store lets the caller see the match, for example because of an invitation.
    async fn is_visible(&self) -> bool {
        let player = self.caller.player();
        self.app.visible_match(self.m.id(), player, Consistency::Store).await.is_ok()
    }

    async fn document(&self) -> ApiResult<MatchDocument> {
        self.app.match_document(&self.m, self.caller.player()).await
    }
}

fn message(content: &MatchMessage) -> Message {
    Message::new(content.kind(), content.id().map(|id| id.to_string()), content)
}

fn ahead() -> ApiError {
    ApiError::bad_field(
        "after",
        Text::new(
            "The match has not reached this version yet.",
            "La partida aún no ha llegado a esa versión.",
        ),
    )
}
