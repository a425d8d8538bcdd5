//! The connection to the store, and its schema.

use std::time::Duration;

use migration::{Migrator, MigratorTrait};
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbErr,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};
use sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};

use crate::config::{Config, ConfigError, StoreKind};

/// Held by the replica that migrates a Postgres store; any number will do, as long as it stays the same.
const MIGRATION_LOCK: i64 = 0x7e1a_7001;

/// A store that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The configuration does not make sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The data directory cannot be used.
    #[error("data directory {path}: {error}")]
    Directory {
        /// Which directory.
        path: String,
        /// What is wrong.
        error: std::io::Error,
    },
    /// The store does not answer.
    #[error("store: {0}")]
    Database(#[from] DbErr),
}

/// Connects to the configured store; the embedded one is created where there is none.
pub async fn connect(config: &Config) -> Result<DatabaseConnection, StoreError> {
    let url = match (config.store_kind()?, &config.database_url) {
        (StoreKind::Sqlite, None) => {
            std::fs::create_dir_all(&config.data_dir).map_err(|error| StoreError::Directory {
                path: config.data_dir.display().to_string(),
                error,
            })?;
            format!("sqlite://{}?mode=rwc", config.data_dir.join("telar.db").display())
        }
        (_, url) => url.clone().unwrap_or_default(),
    };
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(config.db_connections)
        .connect_timeout(Duration::from_secs(5))
        .acquire_timeout(Duration::from_secs(5))
        .test_before_acquire(false)
        .sqlx_logging(false)
        // Our questions are short: compiling one takes longer than answering it.
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
pub async fn migrate(db: &DatabaseConnection, kind: StoreKind) -> Result<(), DbErr> {
    match kind {
        StoreKind::Sqlite => Migrator::up(db, None).await,
        StoreKind::Postgres => {
            // The lock belongs to the transaction: it is given back whatever happens.
            let lock = begin(db).await?;
            lock.execute_raw(Statement::from_string(
                sea_orm::DatabaseBackend::Postgres,
                format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"),
            ))
            .await?;
            Migrator::up(&lock, None).await?;
            lock.commit().await
        }
    }
}

/// Begins a writing transaction: on SQLite it takes the write lock at once, so that it cannot fail half-way.
///
/// It begins in a task of its own, and is rolled back there if nobody takes it. Otherwise a request that is given up at that
/// very moment would leave a transaction open on a connection of the pool (sqlx's `begin` on Postgres cannot be cancelled),
/// and what others write on that connection would never be committed.
pub async fn begin(db: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let db = db.clone();
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    let begun = tokio::spawn(async move { db.begin_with_options(options).await });
    begun.await.map_err(|error| DbErr::Custom(error.to_string()))?
}
