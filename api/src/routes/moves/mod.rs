//! Moves: listing the legal ones and making one.

pub mod legal;
pub mod make;
