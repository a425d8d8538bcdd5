//! What can go wrong in the store.

use sea_orm::{DbErr, SqlErr};

/// The result of the store.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot be reached or has no connection to spare.
    #[error("the store cannot be reached: {0}")]
    Unavailable(String),
    /// A unique key is taken.
    #[error("a unique key is taken: {0}")]
    Taken(String),
    /// The database refused a statement or answered with something unreadable.
    #[error("the store failed: {0}")]
    Failed(String),
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        match (&error, error.sql_err()) {
            (DbErr::ConnectionAcquire(_) | DbErr::Conn(_), _) => {
                Self::Unavailable(error.to_string())
            }
            (_, Some(SqlErr::UniqueConstraintViolation(key))) => Self::Taken(key),
            _ => Self::Failed(error.to_string()),
        }
    }
}
