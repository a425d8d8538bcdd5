//! Streams: the hub that hands notifications to listeners, and the limits of open streams.

mod hub;
mod limits;

pub use hub::{Hub, HubMessage, Listener, Notification, NotificationId};
pub use limits::{StreamHolder, StreamLimitError, StreamLimits, StreamPermit};
