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
    let live = u32::try_from(app.matches.len()).unwrap_or(u32::MAX);
    metrics::gauge!("telar_live_matches").set(f64::from(live));
    let kib = u32::try_from(app.matches.bytes() / 1_024).unwrap_or(u32::MAX);
    metrics::gauge!("telar_live_bytes").set(f64::from(kib) * 1_024.0);
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(app.metrics.render())
}
