//! What happens around every request, and the extractors that need the application.
//!
//! [`around`] surrounds the whole server: a span for the log, headers of every response, problems in the client's language,
//! panics caught. [`endpoint`] surrounds one route: its metrics, its rate limits, and who is asking.

mod around;
mod caller;
pub mod cors;
pub mod endpoint;

pub use around::{Bodiless, around};
pub use caller::{ApplicationCaller, Caller, Creator, DeletedCaller, MaybeCaller};
pub use endpoint::Endpoint;
