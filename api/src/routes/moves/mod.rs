//! Moves: which are legal, and making one.

pub mod legal;
pub mod make;
