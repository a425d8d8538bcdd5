//! `GET /v1/exports/matches`

use std::collections::VecDeque;

use actix_web::{
    HttpResponse,
    http::header,
    web::{Bytes, Data},
};
use domain::{
    erased::AnyGame,
    matches::{Match, Status},
    text::Text,
};
use futures_util::{Stream, stream};
use service::export::Export;
use store::{MatchFilter, match_list};
use uuid::Uuid;

use super::csv;
use crate::{
    app::App,
    documents::players,
    error::{ApiError, ApiResult, NotAcceptable},
    http::{Accepted, CSV, Finite, Limit, MatchQuery, NDJSON, Params, game_in_field},
    middleware::{Endpoint, MaybeCaller},
};

/// How many ids are read at once.
const PAGE: u64 = 100;
/// The approximate number of bytes that are sent at once.
const CHUNK: usize = 32 * 1024;

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_export_matches, export_matches)
}

/// Export matches
///
/// Streams matches that are over, public ones and your own, newest first, with the filters of the list. As NDJSON, each line is a whole
/// match as `telar import` reads it. With `Accept: text/csv` there is a row per seat; with one `game`, its measures have columns, and
/// those per match begin with `match_`. To resume an interrupted export, send the id of the last complete match as `cursor`.
#[utoipa::path(
    get,
    path = "/v1/exports/matches",
    tag = "Records",
    security((), ("bearer" = ["match:read"])),
    params(MatchQuery),
    responses(
        (status = 200, description = "The matches; as `text/csv`, one row per seat.",
         content((Export = "application/x-ndjson"), (String = "text/csv"))),
        NotAcceptable,
    ),
)]
pub async fn export_matches(
    app: Data<App>,
    caller: MaybeCaller,
    query: Params<MatchQuery>,
    accepted: Accepted,
) -> ApiResult<HttpResponse> {
    let media_type = accepted.best(&[NDJSON, CSV])?;
    let query = query.0;
    let mut filter = query.filter(caller.player(), None)?;
    check_over(&query)?;
    if filter.statuses.is_empty() {
        filter.statuses = vec![Status::Finished, Status::Abandoned];
    }
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "private, no-store"));
    response.insert_header((header::VARY, "Accept, Authorization"));
    let (format, head) = if media_type == CSV {
        let game = query.game.as_deref().map(game_in_field).transpose()?;
        response.content_type("text/csv; charset=utf-8; header=present");
        response
            .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"matches.csv\""));
        (ExportFormat::Csv(game), csv::head(game))
    } else {
        response.content_type(NDJSON);
        (ExportFormat::Ndjson, String::new())
    };
    response.extensions_mut().insert(Finite);
    let left = query.limit.map_or(u64::MAX, Limit::get);
    let job = ExportJob { app, filter, format, left, ids: VecDeque::new(), has_more: true };
    Ok(response.streaming(body(job, head)))
}

/// Refuses filters for matches that are not over.
fn check_over(query: &MatchQuery) -> ApiResult<()> {
    let filters = [
        ("status", query.status.is_some_and(|status| !status.is_over())),
        ("waiting_for_me", query.waiting_for_me),
        ("open_seats", query.open_seats),
    ];
    let Some((field, _)) = filters.into_iter().find(|(_, is_refused)| *is_refused) else {
        return Ok(());
    };
    Err(ApiError::bad_field(
        field,
        Text::new(
            "An export contains only matches that are over; `GET /v1/matches` lists the others.",
            "Una exportación solo contiene partidas terminadas; `GET /v1/matches` muestra las demás.",
        ),
    ))
}

/// The format of an export.
#[derive(Clone, Copy)]
enum ExportFormat {
    /// Whole matches, one per line.
    Ndjson,
    /// One row per seat, with columns for the measures of this game.
    Csv(Option<&'static dyn AnyGame>),
}

/// The rest of an export.
struct ExportJob {
    app: Data<App>,
    filter: MatchFilter,
    format: ExportFormat,
    /// How many matches may still be sent.
    left: u64,
    /// The ids that have been read.
    ids: VecDeque<Uuid>,
    has_more: bool,
}

/// Matches are read while they are sent, so that only one chunk of them is in memory.
fn body(job: ExportJob, head: String) -> impl Stream<Item = Result<Bytes, actix_web::Error>> {
    stream::try_unfold((job, head), |(mut job, mut chunk)| async move {
        while chunk.len() < CHUNK {
            let Some(id) = job.next().await? else { break };
            chunk.push_str(&job.render(id).await?);
        }
        Ok((!chunk.is_empty()).then(|| (Bytes::from(chunk), (job, String::new()))))
    })
}

impl ExportJob {
    /// The id of the next match.
    async fn next(&mut self) -> ApiResult<Option<Uuid>> {
        if self.left == 0 {
            return Ok(None);
        }
        if self.ids.is_empty() && self.has_more {
            let ids = match_list::ids(&self.app.db, &self.filter, PAGE).await?;
            self.has_more = ids.len() as u64 == PAGE;
            self.ids = ids.into();
        }
        let next = self.ids.pop_front();
        if let Some(id) = next {
            self.filter.cursor = Some(id);
            self.left -= 1;
        }
        Ok(next)
    }

    /// The lines of a match. It is read from the log, because exports should not displace live matches from memory.
    async fn render(&self, id: Uuid) -> ApiResult<String> {
        let log = self.app.matches.log().load(id, 0).await?;
        let now = self.app.clock.now();
        match self.format {
            ExportFormat::Ndjson => {
                let export = Export::of(&self.app.names, &log, now).await?;
                Ok(export.ok_or_else(ApiError::internal)?.to_text() + "\n")
            }
            ExportFormat::Csv(game) => {
                let m = Match::fold(&log)?.ok_or_else(ApiError::internal)?;
                let names = self.app.names.of(players(&m), now).await?;
                Ok(csv::rows(&m, game, |seat| {
                    let sitter = m.sitter(seat)?;
                    names.get(&sitter.player).map(|player| player.name.clone())
                }))
            }
        }
    }
}
