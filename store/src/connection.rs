//! The connection to the database, and its schema.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use migration::{Migrator, MigratorTrait};
use sea_orm::{
    ConnectOptions, Database, DbErr, SqliteTransactionMode, Statement, TransactionOptions,
    TransactionTrait,
};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use uuid::Uuid;

use crate::{
    Db, Transaction,
    error::{Error, Result},
    private,
};

/// What a statement can run on: a [`Db`] or a [`Transaction`].
pub use sea_orm::ConnectionTrait as Connection;

/// The advisory lock of the replica that migrates a Postgres store. The number is arbitrary but must never change.
const MIGRATION_LOCK: i64 = 0x7e1a_7001;

/// Where the store is and how to connect to it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `postgres://…` or `sqlite://…`; without one, an embedded SQLite file in the data directory.
    pub database_url: Option<String>,
    /// The directory of the embedded file.
    pub data_dir: PathBuf,
    /// The most connections that may be open at a time.
    pub connections: u32,
}

/// The database engine of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// A file that belongs to this process.
    Sqlite,
    /// A server that replicas may share.
    Postgres,
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL names an engine that is not supported.
    #[error("DATABASE_URL: `{0}` is not a supported store; use postgres://… or sqlite://…")]
    Unsupported(String),
    /// The data directory cannot be used.
    #[error("data directory {path}: {error}")]
    Directory {
        /// The directory.
        path: String,
        /// What is wrong with it.
        error: std::io::Error,
    },
    /// The store was encrypted with a key that is not configured.
    #[error(
        "the store needs the storage key {0}: add it to TELAR_STORAGE_KEY, or put storage.key back into the data directory"
    )]
    KeyMissing(String),
    /// The database does not answer or refuses the connection.
    #[error(transparent)]
    Database(#[from] Error),
}

impl From<DbErr> for OpenError {
    fn from(error: DbErr) -> Self {
        Self::Database(error.into())
    }
}

impl Settings {
    /// The engine that the URL names.
    pub fn backend(&self) -> Result<Backend, OpenError> {
        match self.database_url.as_deref() {
            None => Ok(Backend::Sqlite),
            Some(url) if url.starts_with("sqlite:") => Ok(Backend::Sqlite),
            Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                Ok(Backend::Postgres)
            }
            Some(url) => {
                let scheme = url.split_once(':').map_or(url, |(scheme, _)| scheme);
                Err(OpenError::Unsupported(scheme.to_owned()))
            }
        }
    }

    fn url(&self) -> Result<String, OpenError> {
        self.backend()?;
        if let Some(url) = &self.database_url {
            return Ok(url.clone());
        }
        private::directory(&self.data_dir).map_err(|error| OpenError::Directory {
            path: self.data_dir.display().to_string(),
            error,
        })?;
        Ok(format!("sqlite://{}?mode=rwc", self.data_dir.join("telar.db").display()))
    }
}

/// Closes the files of an SQLite store to other users. SQLite gives the files that it puts next to the database the same
/// permissions.
fn restrict_files(url: &str) -> Result<(), OpenError> {
    let options: SqliteConnectOptions = url.parse().map_err(Error::from)?;
    let path = options.get_filename();
    if url.contains(":memory:") || url.contains("mode=memory") {
        return Ok(());
    }
    if url.contains("mode=rwc") {
        let fail = |error| OpenError::Directory { path: path.display().to_string(), error };
        private::create(path).map_err(fail)?;
    }
    for suffix in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(suffix);
        private::restrict_file(Path::new(&file));
    }
    Ok(())
}

/// Connects to the store; the embedded file is created if it does not exist.
pub async fn connect(settings: &Settings) -> Result<Db, OpenError> {
    let url = settings.url()?;
    if settings.backend()? == Backend::Sqlite {
        restrict_files(&url)?;
    }
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(settings.connections)
        .connect_timeout(Duration::from_secs(5))
        .acquire_timeout(Duration::from_secs(5))
        .test_before_acquire(false)
        .sqlx_logging(false)
        // Our queries are short: compiling one would take longer than running it.
        .map_sqlx_postgres_opts(|options| options.options([("jit", "off")]))
        .map_sqlx_sqlite_opts(|options| {
            options
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .busy_timeout(Duration::from_secs(10))
        });
    Ok(Database::connect(options).await?)
}

/// Brings the schema up to date. Replicas that start together wait for one another.
pub async fn migrate(db: &Db) -> Result<(), OpenError> {
    if db.get_database_backend() == sea_orm::DatabaseBackend::Sqlite {
        return Ok(Migrator::up(db, None).await?);
    }
    // The lock belongs to the transaction, so it is released whatever happens.
    let lock = begin(db).await?;
    lock.execute_raw(Statement::from_string(
        sea_orm::DatabaseBackend::Postgres,
        format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"),
    ))
    .await?;
    Migrator::up(&lock, None).await?;
    Ok(commit(lock).await?)
}

/// Begins a writing transaction. On SQLite it takes the write lock at once, so that it cannot fail half-way.
///
/// The transaction begins in a task of its own and is rolled back there if nobody takes it. Otherwise a request that is
/// cancelled at that moment would leave a transaction open on a pooled connection (sqlx's `begin` on Postgres is not
/// cancel-safe), and later writes on that connection would never be committed.
pub async fn begin(db: &Db) -> Result<Transaction> {
    let db = db.clone();
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    let begun = tokio::spawn(async move { db.begin_with_options(options).await });
    Ok(begun.await.map_err(|error| Error::Failed(error.to_string()))??)
}

/// Keeps every other transaction that asks for the same id waiting until this one ends: for limits that are counted before
/// something is added. On SQLite, writing transactions take turns anyway.
pub async fn take_turn(work: &Transaction, id: Uuid) -> Result<()> {
    let backend = work.get_database_backend();
    if backend == sea_orm::DatabaseBackend::Postgres {
        // Two ids with the same lock merely wait for each other.
        let (_, lock) = id.as_u64_pair();
        let sql = "SELECT pg_advisory_xact_lock($1)";
        let values = [lock.cast_signed().into()];
        work.execute_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
    }
    Ok(())
}

/// Commits a transaction.
pub async fn commit(work: Transaction) -> Result<()> {
    Ok(work.commit().await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backend(url: Option<&str>) -> Result<Backend, String> {
        let settings = Settings {
            database_url: url.map(str::to_owned),
            data_dir: PathBuf::from("data"),
            connections: 1,
        };
        settings.backend().map_err(|error| error.to_string())
    }

    #[test]
    fn the_url_names_the_engine() {
        assert_eq!(backend(None), Ok(Backend::Sqlite));
        assert_eq!(backend(Some("sqlite://telar.db")), Ok(Backend::Sqlite));
        assert_eq!(backend(Some("postgres://localhost/telar")), Ok(Backend::Postgres));
        assert_eq!(backend(Some("postgresql://localhost/telar")), Ok(Backend::Postgres));
        let refused = backend(Some("mysql://localhost/telar")).expect_err("unsupported");
        assert!(refused.contains("`mysql` is not a supported store"), "{refused}");
    }
}
