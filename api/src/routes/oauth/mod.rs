//! Tokens by the standards of OAuth 2.0: RFC 6749 for applications, RFC 8693 for sessions of players.

mod client;
mod exchange;
mod refusal;
pub mod token;
