//! What can go wrong below HTTP.

use domain::matches::{Corrupt, Refused};
use store::event_log::AppendError;
use uuid::Uuid;

use crate::bulkheads::{Busy, Stopped};

/// The result of a service.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The rules of the match or of its game refuse a command.
    #[error("refused: {0:?}")]
    Refused(Box<RefusedCommand>),
    /// The match has moved on since the versions that the command rests upon.
    #[error("the match is at version {version}")]
    Stale {
        /// The version of the match now.
        version: u64,
    },
    /// An idempotency key was used before, with another request.
    #[error("the idempotency key was used with another request")]
    KeyReused,
    /// Other replicas were faster every time.
    #[error("a command lost the race for its place in the log too often")]
    Contended,
    /// A commit was not written, or its fate is unknown.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A stored match cannot be read.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
    /// A password could not be hashed.
    #[error("a password could not be hashed")]
    Hashing,
    /// There is too much of some costly work already.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// Costly work was not finished.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A command that the rules refuse, and the match that it was meant for.
#[derive(Debug)]
pub struct RefusedCommand {
    /// Why.
    pub refused: Refused,
    /// The key of the game.
    pub game: &'static str,
    /// The match, if there is one already, and its version.
    pub position: Option<(Uuid, u64)>,
    /// Whether the command was a move, so that the legal moves help.
    pub is_move: bool,
}

impl Error {
    /// Whether the rules refuse the command, however often it is repeated.
    #[must_use]
    pub const fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Stale { .. })
    }
}
