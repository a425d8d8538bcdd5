//! `GET /metrics`

use actix_web::{HttpResponse, web::Data};

use crate::{app::App, middleware::Endpoint};

/// Its path.
pub const PATH: &str = "/metrics";

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_metrics, get_metrics)
}

/// Get metrics for Prometheus
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "System",
    responses((status = 200, description = "The metrics in Prometheus's text format.", body = String, content_type = "text/plain")),
)]
pub async fn get_metrics(app: Data<App>) -> HttpResponse {
    let (matches, history) = (&app.matches, app.matches.history());
    let (spans, checkpoints) = (history.spans_held(), history.checkpoints_held());
    metrics::gauge!("telar_live_matches").set(number(matches.len()));
    metrics::gauge!("telar_live_bytes").set(bytes(matches.bytes()));
    metrics::gauge!("telar_history_spans").set(number(spans.entries));
    metrics::gauge!("telar_history_span_bytes").set(bytes(spans.bytes));
    metrics::gauge!("telar_history_checkpoints").set(number(checkpoints.entries));
    metrics::gauge!("telar_history_checkpoint_bytes").set(bytes(checkpoints.bytes));
    metrics::counter!("telar_history_commits_read_total").absolute(history.commits_read());
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(app.metrics.render())
}

fn number(entries: usize) -> f64 {
    f64::from(u32::try_from(entries).unwrap_or(u32::MAX))
}

/// Bytes, rounded down to KiB.
fn bytes(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes / 1_024).unwrap_or(u32::MAX)) * 1_024.0
}
