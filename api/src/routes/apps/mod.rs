//! The application itself, and what belongs to it.

pub mod players;
