//! The transparency log: its signed head and proofs about it.

pub mod consistency;
pub mod inclusion;
pub mod leaves;
pub mod tree_head;
