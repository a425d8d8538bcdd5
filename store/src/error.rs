//! What can go wrong in the store, and what that says about the request.

use sea_orm::{DbErr, RuntimeErr};
use sqlx::{error::DatabaseError, postgres::PgDatabaseError, sqlite::SqliteError};

/// The result of the store.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot be used at the moment. Nothing was changed.
    #[error("the store is unavailable: {1}")]
    Unavailable(Outage, String),
    /// The database did not confirm a change, which may have been made.
    #[error("the store did not confirm a change: {0}")]
    Unknown(String),
    /// A unique key is taken. Nothing was changed.
    #[error("a unique key is taken: {0}")]
    Taken(String),
    /// The database refused a statement or answered with something unreadable.
    #[error("the store failed: {0}")]
    Failed(String),
    /// A match is in the archive, which cannot be read at the moment.
    #[error("the archive is unavailable: {0}")]
    ArchiveUnavailable(String),
    /// A match is in the archive, and what is there is not what was archived.
    #[error("the archive is damaged: {0}")]
    ArchiveDamaged(String),
}

/// Why a database cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outage {
    /// It cannot be reached, or does not answer.
    Unreachable,
    /// It has no connection to spare, or somebody holds a lock for too long.
    Busy,
    /// It has no space left.
    Full,
    /// It only allows reading.
    ReadOnly,
}

/// What an error of the driver says about the statement that it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The connection was lost, or did not answer: the statement may have been executed.
    Lost,
    /// The database answers, but one of its nodes does not: the statement may have been executed there.
    NodeLost,
    /// The database ended the connection. The statement was not executed.
    Ended,
    /// The statement got in the way of another one. It was not executed, and may well succeed the next time.
    Conflict,
    /// The database cannot execute the statement at the moment.
    Unavailable(Outage),
    /// A unique key is taken.
    Taken,
    /// The statement was refused, or its answer cannot be read.
    Refused,
}

impl Verdict {
    pub(crate) fn of(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::WorkerCrashed => Self::Lost,
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::BeginFailed => {
                Self::Unavailable(Outage::Busy)
            }
            sqlx::Error::Database(error) if error.is_unique_violation() => Self::Taken,
            sqlx::Error::Database(error) => Self::of_database(error.as_ref()),
            _ => Self::Refused,
        }
    }

    fn of_database(error: &dyn DatabaseError) -> Self {
        if let Some(error) = error.try_downcast_ref::<PgDatabaseError>() {
            return Self::of_sqlstate(error.code());
        }
        let code = error.try_downcast_ref::<SqliteError>().and_then(DatabaseError::code);
        code.and_then(|code| code.parse().ok()).map_or(Self::Refused, Self::of_sqlite)
    }

    /// <https://www.postgresql.org/docs/current/errcodes-appendix.html>
    fn of_sqlstate(code: &str) -> Self {
        match code {
            // A crash may come right after a commit, before it is confirmed.
            "57P02" => Self::Lost,
            "57P01" | "57P04" | "57P05" | "25P03" => Self::Ended,
            "40001" | "40P01" => Self::Conflict,
            "55P03" | "57014" | "53300" => Self::Unavailable(Outage::Busy),
            "57P03" => Self::Unavailable(Outage::Unreachable),
            "25006" => Self::Unavailable(Outage::ReadOnly),
            "58030" => Self::Unavailable(Outage::Full),
            code if code.starts_with("53") => Self::Unavailable(Outage::Full),
            // Poolers send this before they close the connection.
            "08P01" => Self::Lost,
            code if code.starts_with("08") => Self::NodeLost,
            _ => Self::Refused,
        }
    }

    /// <https://sqlite.org/rescode.html>: the lowest byte is the primary code.
    fn of_sqlite(code: u32) -> Self {
        match code & 0xff {
            5 | 6 => Self::Conflict,
            8 => Self::Unavailable(Outage::ReadOnly),
            7 | 13 => Self::Unavailable(Outage::Full),
            14 => Self::Unavailable(Outage::Unreachable),
            // A commit whose flush fails may be found in the file later.
            10 => Self::Lost,
            _ => Self::Refused,
        }
    }

    /// Whether the statement may have been executed although nobody said so.
    pub(crate) const fn is_unconfirmed(self) -> bool {
        matches!(self, Self::Lost | Self::NodeLost)
    }

    /// Whether a part of the database is away that will probably be back soon.
    pub(crate) const fn is_node_away(self) -> bool {
        matches!(self, Self::NodeLost | Self::Unavailable(Outage::Unreachable))
    }

    /// Whether the connection is of no more use.
    pub(crate) const fn is_dead(self) -> bool {
        matches!(self, Self::Lost | Self::Ended)
    }
}

/// The driver's error in an error of sea-orm.
pub(crate) fn driver_error(error: &DbErr) -> Option<&sqlx::Error> {
    match error {
        DbErr::Conn(RuntimeErr::SqlxError(error))
        | DbErr::Exec(RuntimeErr::SqlxError(error))
        | DbErr::Query(RuntimeErr::SqlxError(error)) => Some(error),
        _ => None,
    }
}

/// An error in words. The driver would add the line in the source code of Postgres.
pub(crate) fn describe(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(error) => error.message().to_owned(),
        error => error.to_string(),
    }
}

impl From<&sqlx::Error> for Error {
    fn from(error: &sqlx::Error) -> Self {
        let text = describe(error);
        match Verdict::of(error) {
            Verdict::Lost | Verdict::NodeLost => Self::Unknown(text),
            Verdict::Ended => Self::Unavailable(Outage::Unreachable, text),
            Verdict::Conflict => Self::Unavailable(Outage::Busy, text),
            Verdict::Unavailable(outage) => Self::Unavailable(outage, text),
            Verdict::Taken => Self::Taken(text),
            Verdict::Refused => Self::Failed(text),
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        Self::from(&error)
    }
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        match (&error, driver_error(&error)) {
            (DbErr::ConnectionAcquire(_), _) => Self::Unavailable(Outage::Busy, error.to_string()),
            // Without a connection, nothing was executed.
            (DbErr::Conn(_), Some(driver)) => match Self::from(driver) {
                Self::Unavailable(outage, text) => Self::Unavailable(outage, text),
                _ => Self::Unavailable(Outage::Unreachable, describe(driver)),
            },
            (DbErr::Conn(_), None) => Self::Unavailable(Outage::Unreachable, error.to_string()),
            (_, Some(driver)) => driver.into(),
            (_, None) => Self::Failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_databases_say_what_became_of_a_statement() {
        let full = Verdict::Unavailable(Outage::Full);
        for (code, verdict) in [
            ("53100", full),
            ("25006", Verdict::Unavailable(Outage::ReadOnly)),
            ("57P03", Verdict::Unavailable(Outage::Unreachable)),
            ("53300", Verdict::Unavailable(Outage::Busy)),
            ("57P01", Verdict::Ended),
            ("40P01", Verdict::Conflict),
            ("08006", Verdict::NodeLost),
            ("08P01", Verdict::Lost),
            ("42601", Verdict::Refused),
        ] {
            assert_eq!(Verdict::of_sqlstate(code), verdict, "{code}");
        }
        for (code, verdict) in [
            (13, full),
            (8, Verdict::Unavailable(Outage::ReadOnly)),
            (1032, Verdict::Unavailable(Outage::ReadOnly)),
            (517, Verdict::Conflict),
            (1034, Verdict::Lost),
            (1, Verdict::Refused),
        ] {
            assert_eq!(Verdict::of_sqlite(code), verdict, "{code}");
        }
    }

    #[test]
    fn a_lost_connection_leaves_a_change_unknown_unless_it_never_existed() {
        let lost =
            || RuntimeErr::SqlxError(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()).into());
        assert!(matches!(Error::from(DbErr::Exec(lost())), Error::Unknown(_)));
        let without = Error::from(DbErr::Conn(lost()));
        assert!(matches!(without, Error::Unavailable(Outage::Unreachable, _)), "{without}");
    }
}
