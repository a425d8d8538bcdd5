//! Documents: what responses consist of. They know the domain and the services, but no route.

mod player;
mod session;

pub use player::{MyProfile, PlayerKind, Profile};
pub use session::Session;
