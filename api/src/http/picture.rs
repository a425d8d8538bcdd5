//! Pictures as responses.

use actix_web::{HttpResponse, HttpResponseBuilder, http::header, web::Bytes};
use domain::text::Lang;

/// Part of the entity tags of pictures, since a new release may draw them differently.
pub const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// A picture loads and runs nothing; its style sheet is inline.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A response with an SVG whose texts are in this language.
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
