//! The pages for people who write clients: the OpenAPI document and Swagger UI, served from the binary. They are no endpoints of
//! the API.

use std::sync::{Arc, LazyLock};

use actix_web::{
    FromRequest, Handler, HttpResponse, Resource, Responder,
    http::header::{self, ContentEncoding},
    web::{self, Path, ServiceConfig},
};
use utoipa_swagger_ui::Config;

use crate::{
    error::{ApiError, ApiResult},
    http::{IfNoneMatch, Tagged},
    openapi,
};

/// What the pages may do: run their own scripts and call this server. Swagger UI sets styles in its elements and draws its icons
/// from `data:` URLs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// How Swagger UI is set up.
static SWAGGER: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let config = Config::new(["/openapi.json"])
        .use_base_layout()
        .try_it_out_enabled(true)
        .persist_authorization(true)
        .display_request_duration(true)
        .filter(true);
    Arc::new(config)
});

/// Registers the pages.
pub fn register(config: &mut ServiceConfig) {
    config
        .service(page("/openapi.json", get_document))
        .service(page("/", to_docs))
        .service(page("/docs", to_docs))
        .service(page("/docs/{file:.*}", get_file));
}

/// A page that can only be read.
fn page<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let refuse =
        || async { Err::<HttpResponse, _>(ApiError::method_not_allowed("GET".to_owned())) };
    web::resource(path).route(web::get().to(handler)).default_service(web::to(refuse))
}

async fn get_document(known: IfNoneMatch) -> HttpResponse {
    static DOCUMENT: LazyLock<Tagged> = LazyLock::new(|| Tagged::new(openapi::TEXT.as_str()));
    DOCUMENT.respond(&known, "public, max-age=300", None)
}

async fn to_docs() -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, "/docs/")).finish()
}

async fn get_file(name: Path<String>) -> ApiResult<HttpResponse> {
    let file = utoipa_swagger_ui::serve(&name, Arc::clone(&SWAGGER)).map_err(|error| {
        tracing::error!(%error, "a page of the documentation cannot be rendered");
        ApiError::internal()
    })?;
    let file = file.ok_or_else(ApiError::not_found)?;
    let mut response = HttpResponse::Ok();
    if file.gzpipped {
        response.insert_header(ContentEncoding::Gzip);
    }
    response.insert_header((header::CONTENT_SECURITY_POLICY, POLICY));
    response.insert_header((header::X_FRAME_OPTIONS, "DENY"));
    response.insert_header((header::REFERRER_POLICY, "no-referrer"));
    Ok(response.content_type(file.content_type).body(file.bytes.into_owned()))
}
