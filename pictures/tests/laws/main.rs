//! The laws of pictures, over random matches of every registered game.

mod charts;
mod drawing;
mod golden;
#[path = "../../../domain/tests/conformance/table.rs"]
#[expect(dead_code, reason = "the laws of the domain use all of it")]
mod table;
