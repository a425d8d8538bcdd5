//! What Telar does, without HTTP: live matches, followers of the feed, streams, webhooks, statistics, identity.
//!
//! Nothing here knows a status code, a header or a route.

pub mod applications;
pub mod archive;
pub mod blocks;
pub mod bulkheads;
pub mod cache;
pub mod clock;
pub mod creations;
pub mod deletion;
pub mod error;
pub mod expiry;
pub mod export;
pub mod feed;
pub mod history;
pub mod identity;
pub mod invitations;
pub mod keys;
pub mod link;
pub mod live;
pub mod names;
pub mod notary;
pub mod notifications;
pub mod occupancy;
pub mod partitions;
pub mod process;
pub mod readiness;
pub mod rematches;
pub mod secret;
pub mod standby;
pub mod statistics;
pub mod streams;
pub mod tasks;
#[cfg(test)]
mod testing;
pub mod thinking;
pub mod turns;
pub mod webhooks;

pub use clock::Clock;
pub use error::{Error, Result};
pub use tasks::{Shutdown, Tasks};
