//! Streams: the hub that hands notifications to listeners.

mod hub;

pub use hub::{Hub, HubMessage, Listener, Notification, NotificationId};
