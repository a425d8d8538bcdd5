//! What requests are made of: bodies, parameters, languages, conditions, keys; and what surrounds them: limits, compression.

mod accept;
pub mod address;
mod body;
pub mod compress;
mod conditions;
mod connections;
mod consistency;
mod csv;
mod device;
mod filter;
mod form;
mod idempotency;
mod language;
mod nul;
mod page;
mod parameter;
mod params;
mod picture;
mod prefer;
mod receive;
mod tagged;
mod wire;

pub use accept::{Accepted, CSV, Format, JSON, NDJSON, SSE};
pub use address::{Address, Addresses};
pub use body::Body;
pub use compress::Finite;
pub use conditions::{IfMatch, IfNoneMatch, etag};
pub use connections::{Connections, RefusedConnection};
pub use consistency::ReadConsistency;
pub use csv::{Csv, cell, time_cell};
pub use device::Device;
pub use filter::{
    MatchQuery, StatisticsQuery, check_period, date, game_in_field, game_in_path, selected_measures,
};
pub use form::{BadForm, Form};
pub use idempotency::IdempotencyKey;
pub use language::{Language, preferred as preferred_language};
pub use page::{Cursor, Limit, OrderCursor, Wait};
pub use params::{Params, Params2};
pub use picture::{RELEASE as PICTURE_RELEASE, as_picture};
pub use prefer::Prefer;
pub use receive::{BODY_LIMIT, Bodies, is_chunked, receive};
pub use tagged::{Tagged, vary};
pub use wire::{Patience, Requests, Wire};
