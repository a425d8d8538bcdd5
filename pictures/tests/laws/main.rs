//! The laws of pictures, over random matches of every registered game.
#![expect(clippy::unwrap_used, reason = "a test that cannot be carried out has failed")]

mod charts;
mod drawing;
mod golden;
#[path = "../../../domain/tests/conformance/table.rs"]
#[expect(dead_code, reason = "the laws of the domain use all of it")]
mod table;
