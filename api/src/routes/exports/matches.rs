//! `GET /v1/exports/matches`

use actix_web::{HttpResponse, http::header, web::Data};
use domain::{matches::Status, text::Text};
use service::export::Export;

use super::{
    csv,
    job::{ExportFormat, ExportJob},
};
use crate::{
    app::App,
    error::{ApiError, ApiResult, NotAcceptable, TooMany},
    http::{Accepted, Address, CSV, Finite, Limit, MatchQuery, NDJSON, Params, game_in_field},
    middleware::{Endpoint, MaybeCaller},
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_export_matches, export_matches)
}

/// Export matches
///
/// Streams matches that are over, public ones and your own, newest first, with the filters of the list. As NDJSON, each line is a whole
/// match as `telar import` reads it. With `Accept: text/csv` there is a row per seat; with one `game`, its measures have columns, and
/// those per match begin with `match_`. To resume an interrupted export, send the id of the last complete match as `cursor`.
///
/// By default, 2 exports of a player and 4 from an address run at a time. Exports take turns, and slow down after 20,000 matches in
/// a minute.
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
        TooMany,
    ),
)]
pub async fn export_matches(
    app: Data<App>,
    caller: MaybeCaller,
    address: Address,
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
    let holder = caller.holder(address);
    let place = app.running_exports.take(holder).map_err(ApiError::too_many_exports)?;
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
    let job = ExportJob::new(app, filter, format, left, (place, address, caller.player()));
    Ok(response.streaming(job.body(head)))
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
