//! Pictures as answers.

use actix_web::{HttpResponse, HttpResponseBuilder, http::header, web::Bytes};
use domain::text::Lang;

/// Pictures may differ from one release to the next: their tags say which one it is.
pub const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// Nothing is loaded or run; the colours are inside.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// An SVG with words in a language.
pub fn as_picture(
    mut response: HttpResponseBuilder,
    svg: impl Into<Bytes>,
    lang: Lang,
) -> HttpResponse {
    response.insert_header((header::CONTENT_LANGUAGE, lang.tag()));
    response.insert_header((header::CONTENT_TYPE, "image/svg+xml"));
    response.insert_header((header::CONTENT_SECURITY_POLICY, POLICY));
    response.body(svg.into())
}
