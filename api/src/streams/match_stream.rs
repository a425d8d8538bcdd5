//! The stream of one match for one viewer: a snapshot, then every event as the viewer may see it, until the match is over.
//!
//! Every event is shown as `GET /v1/matches/{id}/events` would show it at the time at which it is sent; so the events of the
//! last commit are shown in full, for then the match is over.

use std::{convert::Infallible, sync::Arc};

use actix_web::{HttpResponse, web::Data};
use domain::{
    matches::{Commit, Match, Status},
    seat::{Seat, SeatSet},
    text::{Lang, Text},
};
use serde::Serialize;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{EndReason, Message, Outlet, expiry::expiry, outlet::Gone, request::StreamRequest};
use service::live::{Consistency, Update, Watcher};
use service::streams::StreamPermit;

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    middleware::MaybeCaller,
    openapi::{AnyEvent, AnyView},
    routes::matches::{
        EventDocument, MatchDocument, SeatDeadline, deadlines, document, events_after, visible,
    },
};

/// A message of the stream of a match. In SSE, `type` is also the name of the event, and `id` its id.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MatchMessage {
    /// The first message: the match as it is now.
    Snapshot {
        /// The version to resume after: events after it follow.
        id: u64,
        /// The match as you see it.
        #[serde(rename = "match")]
        table: Box<MatchDocument>,
        /// The seats that have a stream open.
        presence: Vec<Seat>,
    },
    /// Something has happened.
    Event {
        /// The version to resume after; the same as `version`.
        id: u64,
        /// The version of the match after the event.
        version: u64,
        /// When.
        #[serde(with = "time::serde::rfc3339")]
        at: OffsetDateTime,
        /// Whose doing it was, where it was a seat's.
        by: Option<Seat>,
        /// Whether the move was chosen by the server: the seat has resigned, or its time had run out.
        automatic: bool,
        /// What happened.
        #[schema(value_type = AnyEvent)]
        event: Box<RawValue>,
        /// The same in words.
        text: String,
    },
    /// Where the match stands after the events before this message.
    State {
        /// The version of the match.
        version: u64,
        /// Where it stands.
        status: Status,
        /// The seats that it waits for.
        to_act: Vec<Seat>,
        /// Until when each of these has to decide; empty where the match has no time limit.
        deadlines: Vec<SeatDeadline>,
        /// What you see of the game now.
        #[schema(value_type = Option<AnyView>)]
        view: Option<Box<RawValue>>,
    },
    /// Somebody has opened or closed a stream.
    Presence {
        /// The seats that have a stream open.
        presence: Vec<Seat>,
    },
    /// The last message.
    End {
        /// Why.
        reason: EndReason,
        /// The same in words.
        text: &'static str,
        /// The match at its end, with everything shown, if it is over.
        #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
        table: Option<Box<MatchDocument>>,
    },
}

impl MatchMessage {
    fn event(document: EventDocument) -> Self {
        let EventDocument { version, at, by, automatic, event, text } = document;
        Self::Event { id: version, version, at, by, automatic, event, text }
    }

    fn message(&self) -> Message {
        match self {
            Self::Snapshot { id, .. } => Message::new("snapshot", Some(id.to_string()), self),
            Self::Event { id, .. } => Message::new("event", Some(id.to_string()), self),
            Self::State { .. } => Message::new("state", None, self),
            Self::Presence { .. } => Message::new("presence", None, self),
            Self::End { .. } => Message::new("end", None, self),
        }
    }
}

/// What is wanted.
#[derive(Debug)]
pub struct Wanted {
    /// Which match.
    pub id: Uuid,
    /// Who asks.
    pub caller: MaybeCaller,
    /// How current the beginning has to be.
    pub consistency: Consistency,
    /// The version that the client has; nothing is missed if there is none.
    pub after: Option<u64>,
    /// The language of the texts.
    pub lang: Lang,
}

/// Opens a stream.
pub async fn open(app: Data<App>, wanted: Wanted, asked: StreamRequest) -> ApiResult<HttpResponse> {
    let Wanted { id, caller, consistency, lang, .. } = wanted;
    let Some(framing) = asked.framing else { return Err(ApiError::internal()) };
    // First whether there is anything to be seen, then whether there is a place.
    visible(&app, id, caller, consistency).await?;
    let permit = app.stream_limits.open(asked.holder)?;
    // Who watches first and looks then misses nothing.
    let mut watcher = app.matches.watchers().watch(id);
    app.presence.look(id).await?;
    let after = match &asked.last_event_id {
        Some(text) => Some(text.parse().map_err(|_| bad_id())?),
        None => wanted.after,
    };
    let mut table = visible(&app, id, caller, consistency).await?;
    if after.is_some_and(|after| after > table.version()) {
        table = visible(&app, id, caller, Consistency::Store).await?;
    }
    if after.is_some_and(|after| after > table.version()) {
        return Err(ahead().version(table.version()));
    }
    let expiry = expiry(app.clone(), caller, asked.expires);
    let (outlet, response) = Outlet::open(framing, app.tasks.closing(), expiry);
    if !asked.bodiless {
        watcher.sit(caller.player().and_then(|player| table.seat_of(player)));
        let present = watcher.told().present;
        let stream = MatchStream {
            app,
            caller,
            lang,
            table,
            present,
            permit: Some(permit),
            watcher,
            outlet,
        };
        tokio::spawn(stream.run(after));
    }
    Ok(response)
}

struct MatchStream {
    app: Data<App>,
    caller: MaybeCaller,
    lang: Lang,
    /// The match as the client knows it.
    table: Arc<Match>,
    present: SeatSet,
    /// Given back first: who hears that a stream is closed may open another one.
    permit: Option<StreamPermit>,
    watcher: Watcher,
    outlet: Outlet,
}

impl MatchStream {
    async fn run(mut self, after: Option<u64>) {
        let Err(gone) = self.stream(after).await;
        drop(self.permit.take());
        let Gone::Because(reason) = gone else { return };
        let table = match reason {
            EndReason::MatchOver => self.document().await.ok().map(Box::new),
            _ => None,
        };
        let text = reason.tell(self.lang);
        self.outlet.end(&MatchMessage::End { reason, text, table }.message());
    }

    async fn stream(&mut self, after: Option<u64>) -> Result<Infallible, Gone> {
        let now = self.table.version();
        let table = self.document().await.map_err(internal)?;
        let snapshot = MatchMessage::Snapshot {
            id: after.unwrap_or(now),
            table: Box::new(table),
            presence: self.present.iter().collect(),
        };
        self.outlet.send(&snapshot.message()).await?;
        if let Some(after) = after.filter(|after| *after < now) {
            let id = self.table.id();
            let commits = self.app.matches.history(id, now).await.map_err(internal)?;
            self.tell(&commits, after).await?;
        }
        loop {
            if self.table.status().is_over() {
                return Err(Gone::Because(EndReason::MatchOver));
            }
            self.advance().await?;
            if self.table.status().is_over() {
                continue;
            }
            let Self { outlet, watcher, .. } = self;
            tokio::select! {
                gone = outlet.over() => return Err(gone),
                () = watcher.changed() => {}
            }
        }
    }

    /// Tells what is new.
    async fn advance(&mut self) -> Result<(), Gone> {
        let told = self.watcher.told();
        if told.version > self.table.version() {
            let seen = self.table.version();
            let (next, commits) = self.since(&told).await.map_err(internal)?;
            if !&next.is_visible_to(self.caller.player()) && !self.is_invited().await {
                return Err(Gone::Because(EndReason::NotVisible));
            }
            self.table = next;
            self.tell(&commits, seen).await?;
            let player = self.caller.player();
            self.watcher.sit(player.and_then(|player| self.table.seat_of(player)));
            if !self.table.status().is_over() {
                let state = MatchMessage::State {
                    version: self.table.version(),
                    status: self.table.status(),
                    to_act: self.table.to_act().iter().collect(),
                    deadlines: deadlines(&self.table),
                    view: self.table.view(self.table.viewer(player)),
                };
                self.outlet.send(&state.message()).await?;
            }
        }
        if told.present != self.present {
            self.present = told.present;
            let presence = MatchMessage::Presence { presence: self.present.iter().collect() };
            self.outlet.send(&presence.message()).await?;
        }
        Ok(())
    }

    /// The match as it is now, and what led there from what the client knows.
    async fn since(&self, told: &Update) -> ApiResult<(Arc<Match>, Arc<[Commit]>)> {
        let seen = self.table.version();
        if let Some(latest) = &told.latest
            && latest.after.version() >= told.version
            && latest.commits.first().is_some_and(|commit| commit.seq <= seen)
        {
            return Ok((Arc::clone(&latest.after), Arc::clone(&latest.commits)));
        }
        let commits = self.app.matches.log().load(self.table.id(), seen).await?;
        let mut next = Match::clone(&self.table);
        for commit in &commits {
            next.apply(commit)?;
        }
        Ok((Arc::new(next), commits.into()))
    }

    /// Tells the events after a version.
    async fn tell(&mut self, commits: &[Commit], after: u64) -> Result<(), Gone> {
        for commit in commits {
            let events = events_after(
                std::slice::from_ref(commit),
                &self.table,
                (after, usize::MAX),
                self.caller.player(),
                self.lang,
            );
            for event in events.map_err(internal)? {
                self.outlet.send(&MatchMessage::event(event).message()).await?;
            }
        }
        Ok(())
    }

    /// Whether somebody who does not sit in a private match may see it all the same.
    async fn is_invited(&self) -> bool {
        visible(&self.app, self.table.id(), self.caller, Consistency::Store).await.is_ok()
    }

    async fn document(&self) -> ApiResult<MatchDocument> {
        let (document, _) = document(&self.app, &self.table, self.caller.player()).await?;
        Ok(document)
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

fn ahead() -> ApiError {
    ApiError::bad_field(
        "after",
        Text::new(
            "The match has not come to this version yet.",
            "La partida aún no ha llegado a esa versión.",
        ),
    )
}
