//! What streams are made of: who listens for which player, and how many streams may be open.

mod hub;
mod limits;

pub use hub::{FeedPosition, Hub, HubMessage, Listener, Notification};
pub use limits::{StreamHolder, StreamLimitError, StreamLimits, StreamPermit};
