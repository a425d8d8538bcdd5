//! `GET /v1/bots`

use actix_web::HttpResponse;

use crate::{
    documents::BotList,
    http::{IfNoneMatch, Tagged},
    middleware::Endpoint,
};

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_list_bots, list_bots)
}

/// List bots
///
/// The levels of bots, the weakest first, with their measured strength in every game. A level is equally strong on every server,
/// because it is defined by how many positions it looks at and not by time.
#[utoipa::path(
    get,
    path = "/v1/bots",
    tag = "Games",
    params(("If-None-Match" = Option<String>, Header, description = "The `ETag` of the response that you have.")),
    responses(
        (status = 200, description = "All levels.", body = BotList,
         headers(("ETag" = String, description = "A digest of the content."))),
        (status = 304, description = "The response has not changed."),
    ),
)]
pub async fn list_bots(known: IfNoneMatch) -> HttpResponse {
    Tagged::of(&BotList::new()).respond(&known, "public, max-age=300", None)
}
