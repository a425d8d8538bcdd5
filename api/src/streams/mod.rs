//! Streams: responses without an end. Each stream is a task that writes messages into a bounded queue, from which they are
//! sent. A client that does not read is dropped and can resume. A stream never shows more than the routes that answer once.

mod expiry;
pub mod match_stream;
pub mod my_stream;
mod outlet;
pub mod request;

use domain::text::Text;

use crate::{documents::EndReason, error::ApiError};

pub use outlet::{Framing, Message, Outlet};

/// Ends a stream because of a failure of the server.
fn failure(error: impl Into<ApiError>) -> outlet::Gone {
    let error = error.into();
    tracing::warn!(%error, "a stream failed");
    outlet::Gone::Because(EndReason::Internal)
}

fn bad_last_event_id() -> ApiError {
    ApiError::bad_field(
        "Last-Event-ID",
        Text::new(
            "`Last-Event-ID` must be the `id` of the last message that you received.",
            "`Last-Event-ID` debe ser el `id` del último mensaje que recibiste.",
        ),
    )
}
