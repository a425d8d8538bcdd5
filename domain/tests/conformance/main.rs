//! The laws that every registered game keeps. A new game adds nothing here.

mod declared;
mod golden;
mod play;
mod secrecy;
mod table;
