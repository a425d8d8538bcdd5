//! Matches: created, found, looked at, replayed, resigned.

use std::{collections::BTreeSet, sync::Arc};

use actix_web::{HttpResponse, http::header};
use domain::{
    matches::{
        Commit, Event, Match, OnTimeout, Origin, OriginView, Status, TimeLimit, Unrated, Visibility,
    },
    outcome::Outcome,
    seat::{Seat, Viewer},
    text::Lang,
    time::Timestamp,
};
use serde::Serialize;
use serde_json::value::RawValue;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use service::{
    clock,
    live::{Consistency, Executed, LiveMatch},
    secret,
};

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    http::Tagged,
    middleware::MaybeCaller,
    openapi::{AnyEvent, AnyOptions, AnyView},
    rendered::PageStamp,
    routes::invitations::is_invited,
};

pub mod board;
pub mod command;
pub mod create;
pub mod events;
pub mod export;
pub mod fork;
pub mod frames;
pub mod get;
pub mod list;
pub mod luck;
pub mod moment;
pub mod pause;
pub mod proof;
pub mod rematch;
pub mod replay;
pub mod resign;
pub mod result;
pub mod resume;

/// A player who sits in a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatedPlayer {
    /// The id of the player.
    pub id: Uuid,
    /// The name of the player; `null` for one who is gone.
    #[schema(example = "Ana")]
    pub name: Option<String>,
}

/// A seat of a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatDocument {
    /// The number of the seat.
    pub seat: Seat,
    /// Who sits there; `null` while it is free.
    pub player: Option<SeatedPlayer>,
    /// Whether the match waits for this seat.
    pub to_act: bool,
    /// Whether the player has resigned.
    pub resigned: bool,
    /// Until when the seat has to decide; `null` where the match does not wait for it or has no time limit.
    #[serde(with = "time::serde::rfc3339::option")]
    pub deadline: Option<OffsetDateTime>,
}

/// A match as the caller sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchDocument {
    /// The id of the match.
    pub id: Uuid,
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: &'static str,
    /// Where it stands.
    pub status: Status,
    /// Who may see it.
    pub visibility: Visibility,
    /// How many events there have been; also the `ETag`.
    #[schema(example = 17)]
    pub version: u64,
    /// The seats in order.
    pub seats: Vec<SeatDocument>,
    /// The seat of the caller, if it has one.
    pub my_seat: Option<Seat>,
    /// The options, in full.
    #[schema(value_type = AnyOptions)]
    pub options: Box<RawValue>,
    /// How many seconds a seat may think about each decision; `null` for as long as it likes.
    #[schema(minimum = 1, maximum = 2_592_000, example = 86_400)]
    pub move_deadline: Option<u32>,
    /// What happens when a deadline passes; `null` where there are none.
    pub on_timeout: Option<OnTimeout>,
    /// Since when the match has been paused; `null` if it is not.
    #[serde(with = "time::serde::rfc3339::option")]
    pub paused_at: Option<OffsetDateTime>,
    /// The seats that ask for a pause; it begins when every seat that has not resigned does.
    pub pause_asked: Vec<Seat>,
    /// Where the match comes from; `null` for an ordinary one.
    pub origin: Option<OriginView>,
    /// The match that its players had finished before, if this is a rematch.
    pub rematch_of: Option<Uuid>,
    /// The rematch of this match, once somebody has asked for one.
    pub rematch: Option<Uuid>,
    /// Why the match does not count for ratings; `null` if it does, as far as its log knows.
    pub unrated: Option<Unrated>,
    /// SHA-256 of the seed that all luck follows from, in hexadecimal.
    #[schema(example = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925")]
    pub commitment: String,
    /// For the players of a private match, to hand on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "K7WQ2MXH4P")]
    pub invite_code: Option<String>,
    /// When it was created.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// When its last seat was taken.
    #[serde(with = "time::serde::rfc3339::option")]
    pub started_at: Option<OffsetDateTime>,
    /// When something last happened.
    #[serde(with = "time::serde::rfc3339")]
    pub updated_at: OffsetDateTime,
    /// The result, once it is finished.
    pub outcome: Option<Outcome>,
    /// What the caller may see of the game, once it has started. Everything is shown once it is over.
    #[schema(value_type = Option<AnyView>)]
    pub view: Option<Box<RawValue>>,
}

/// An event as the caller may see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventDocument {
    /// The version of the match after the event.
    #[schema(example = 6)]
    pub version: u64,
    /// When.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// Whose doing it was, where it was a seat's.
    pub by: Option<Seat>,
    /// Whether the move was chosen by the server: the seat has resigned, or its time had run out.
    pub automatic: bool,
    /// What happened.
    #[schema(value_type = AnyEvent)]
    pub event: Box<RawValue>,
    /// The same in words.
    #[schema(example = "Rolled: orange 6.")]
    pub text: String,
}

/// Until when a seat has to decide.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatDeadline {
    /// The seat.
    pub seat: Seat,
    /// Until when.
    #[serde(with = "time::serde::rfc3339")]
    pub deadline: OffsetDateTime,
}

/// The deadlines of the seats that a match waits for.
#[must_use]
pub fn deadlines(table: &Match) -> Vec<SeatDeadline> {
    let deadline = |seat| {
        let deadline = table.deadline(seat).map(clock::to_datetime)?;
        Some(SeatDeadline { seat, deadline })
    };
    table.to_act().iter().filter_map(deadline).collect()
}

/// A match that the caller may see, as current as the request asks for.
pub async fn visible(
    app: &App,
    id: Uuid,
    caller: MaybeCaller,
    consistency: Consistency,
) -> ApiResult<Arc<Match>> {
    visible_live(app, id, caller, consistency).await.map(|live| live.now)
}

/// A match that the caller may see, to be read and commanded.
pub async fn visible_live(
    app: &App,
    id: Uuid,
    caller: MaybeCaller,
    consistency: Consistency,
) -> ApiResult<LiveMatch> {
    let live = app.matches.find(id, consistency).await?.ok_or_else(ApiError::not_found)?;
    if live.now.is_visible_to(caller.player()) {
        return Ok(live);
    }
    // The caller may have sat down through another replica a moment ago.
    let live = app.matches.find(id, Consistency::Store).await?.ok_or_else(ApiError::not_found)?;
    let invited = match caller.player() {
        Some(player) if live.now.status() == Status::Open => is_invited(app, id, player).await?,
        _ => false,
    };
    if invited || live.now.is_visible_to(caller.player()) {
        Ok(live)
    } else {
        Err(ApiError::not_found())
    }
}

/// A match as a caller sees it, written down; perhaps for somebody who looked before.
pub async fn page(app: &App, table: &Match, player: Option<Uuid>) -> ApiResult<Tagged> {
    let now = app.clock.now();
    let seat = player.and_then(|player| table.seat_of(player));
    let stamp = PageStamp {
        version: table.version(),
        renames: app.names.renames(),
        rematch: rematch_of(app, table, now).await?,
    };
    if let Some(page) = app.match_pages.get(table.id(), seat, stamp, now) {
        return Ok(page);
    }
    let (document, tag) = document(app, table, player).await?;
    let page = Tagged::with_tag(&document, &tag)?;
    app.match_pages.put(table.id(), seat, stamp, now, page.clone());
    Ok(page)
}

async fn rematch_of(app: &App, table: &Match, now: Timestamp) -> ApiResult<Option<Uuid>> {
    Ok(match table.status() {
        Status::Finished => app.rematches.of(table.id(), now).await?,
        Status::Open | Status::Playing | Status::Abandoned => None,
    })
}

/// A match as a caller sees it, with its tag.
pub async fn document(
    app: &App,
    table: &Match,
    player: Option<Uuid>,
) -> ApiResult<(MatchDocument, String)> {
    let players: BTreeSet<Uuid> =
        table.seats().iter().flatten().map(|sitter| sitter.player).collect();
    let now = app.clock.now();
    let mut names = app.names.of(players, now).await?;
    let my_seat = player.and_then(|player| table.seat_of(player));
    let to_act = table.to_act();
    let seats: Vec<SeatDocument> = Seat::all(table.seat_count())
        .map(|seat| {
            let sitter = table.sitter(seat);
            SeatDocument {
                seat,
                player: sitter.map(|sitter| SeatedPlayer {
                    id: sitter.player,
                    name: names.remove(&sitter.player),
                }),
                to_act: to_act.contains(seat),
                resigned: sitter.is_some_and(|sitter| sitter.resigned),
                deadline: table.deadline(seat).map(clock::to_datetime),
            }
        })
        .collect();
    let rematch = rematch_of(app, table, now).await?;
    let tag = tag(table, &seats, rematch);
    let document = MatchDocument {
        id: table.id(),
        game: table.game().info().key,
        status: table.status(),
        visibility: table.visibility(),
        version: table.version(),
        seats,
        my_seat,
        options: table.options().to_owned(),
        move_deadline: table.time_limit().map(TimeLimit::seconds),
        on_timeout: table.time_limit().map(TimeLimit::on_timeout),
        paused_at: table.paused_at().map(clock::to_datetime),
        pause_asked: table.pause_asked().iter().collect(),
        origin: table.origin().map(Origin::shown),
        rematch_of: table.rematch_of(),
        rematch,
        unrated: table.unrated(),
        commitment: table.commitment().to_string(),
        invite_code: table.invite_code().filter(|_| my_seat.is_some()).map(str::to_owned),
        created_at: clock::to_datetime(table.created_at()),
        started_at: table.started_at().map(clock::to_datetime),
        updated_at: clock::to_datetime(table.updated_at()),
        outcome: table.outcome().cloned(),
        view: table.view(table.viewer(player)),
    };
    Ok((document, tag))
}

/// The response for a match that was created.
pub async fn created(app: &App, done: &Executed, player: Uuid) -> ApiResult<HttpResponse> {
    let (document, tag) = document(app, &done.after, Some(player)).await?;
    let mut response = HttpResponse::Created();
    response.insert_header((header::LOCATION, format!("/v1/matches/{}", document.id)));
    response.insert_header((header::ETAG, tag));
    if done.replayed {
        response.insert_header(("Idempotency-Replayed", "true"));
    }
    Ok(response.json(document))
}

/// Names and the rematch are shown too and change without an event: the tag says so.
fn tag(table: &Match, seats: &[SeatDocument], rematch: Option<Uuid>) -> String {
    let mut names: Vec<String> = seats
        .iter()
        .map(|seat| seat.player.as_ref().and_then(|player| player.name.clone()).unwrap_or_default())
        .collect();
    names.extend(rematch.map(|id| id.to_string()));
    let digest = secret::hash(names.join("\n").as_bytes());
    format!("\"{}-{}\"", table.version(), hex::encode(&digest[..4]))
}

/// Events as a viewer may see them; `first` is the version after the first of them.
pub fn event_documents<'a>(
    events: impl IntoIterator<Item = &'a Event>,
    first: u64,
    at: Timestamp,
    viewer: Viewer,
    lang: Lang,
) -> impl Iterator<Item = EventDocument> {
    (first..).zip(events).map(move |(version, event)| EventDocument {
        version,
        at: clock::to_datetime(at),
        by: event.by(),
        automatic: event.automatic(),
        event: event.view(viewer),
        text: event.tell(viewer, lang),
    })
}

/// The events in these commits after a version, as a player may see them now that the match is `table`; not many more than
/// `most`.
pub fn events_after(
    commits: &[Commit],
    table: &Match,
    (after, most): (u64, usize),
    player: Option<Uuid>,
    lang: Lang,
) -> ApiResult<Vec<EventDocument>> {
    let viewer = table.viewer(player);
    let mut events = Vec::new();
    for commit in commits {
        if commit.version() <= after || commit.seq >= table.version() {
            continue;
        }
        let recorded = commit.read(Some(table.game()))?;
        let documents = event_documents(&recorded.events, commit.seq + 1, commit.at, viewer, lang);
        events.extend(documents.filter(|event| event.version > after));
        if events.len() > most {
            break;
        }
    }
    Ok(events)
}
