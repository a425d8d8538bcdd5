//! What requests are made of: bodies, parameters, languages, conditions, keys.

mod body;
mod conditions;
mod creation;
mod fresh;
mod idempotency;
mod language;
pub mod middleware;
mod page;
mod params;

pub use body::{BODY_LIMIT, Body};
pub use conditions::{IfMatch, IfNoneMatch, etag};
pub use creation::claim;
pub use fresh::Fresh;
pub use idempotency::IdempotencyKey;
pub use language::Language;
pub use page::{Cursor, Limit};
pub use params::Params;
