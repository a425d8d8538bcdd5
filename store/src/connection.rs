//! The connection to the database, and its schema.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DbErr, Statement};
use sqlx::{
    Connection as _, PgConnection, SqliteConnection,
    postgres::PgConnectOptions,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use uuid::Uuid;

use crate::{
    db::{Db, Standby, Transaction, Trouble, begin, commit},
    error::{Error, Result, Verdict, describe},
    lane::Lanes,
    layout::{self, Layout},
    liveness::{self, Liveness},
    private,
};

/// The advisory lock of the replica that migrates a Postgres store. The number is arbitrary but must never change.
pub(crate) const MIGRATION_LOCK: i64 = 0x7e1a_7001;

/// The migration that only stores without lanes have.
const WITHOUT_LANES: &str = "m0002_matches";

/// How long to wait for a connection.
const ACQUIRE: Duration = Duration::from_secs(5);
/// The same for a standby: the primary can answer instead.
const ACQUIRE_STANDBY: Duration = Duration::from_secs(1);
/// How long a statement may take on a standby.
const PATIENCE_STANDBY: Duration = Duration::from_secs(2);

/// The settings of our sessions on Postgres.
const POSTGRES: [(&str, &str); 6] = [
    // Our queries are short: compiling one would take longer than running it.
    ("jit", "off"),
    // A replica that is frozen or has vanished must not hold locks that others wait for.
    ("idle_in_transaction_session_timeout", "10s"),
    ("tcp_keepalives_idle", "10"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "20s"),
];

/// Where the store is and how to connect to it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `postgres://…` or `sqlite://…`; without one, an embedded SQLite file in the data directory.
    pub database_url: Option<String>,
    /// `postgres://…`: a standby that answers reads.
    pub read_url: Option<String>,
    /// Whether this process never writes.
    pub read_only: bool,
    /// The directory of the embedded file.
    pub data_dir: PathBuf,
    /// The most connections that may be open at a time, to the primary and to the standby.
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
    /// The URL cannot be read.
    #[error("DATABASE_URL cannot be read: {0}")]
    Url(String),
    /// The URL of the standby cannot be read.
    #[error("TELAR_READ_URL cannot be read: {0}")]
    ReadUrl(String),
    /// A setting that only a Postgres can have.
    #[error("{0} needs a Postgres; set DATABASE_URL to postgres://…")]
    NeedsPostgres(&'static str),
    /// A setting that a distributed store cannot have.
    #[error("{0} is not possible on a store that is distributed over a cluster")]
    Distributed(&'static str),
    /// The server at the URL of the standby is something else.
    #[error(
        "TELAR_READ_URL: the server at {0} is not a standby of the database in DATABASE_URL; use the same database on a streaming standby"
    )]
    NotStandby(String),
    /// The schema is older than this program, which may not change it.
    #[error(
        "the schema of the store is too old for a read-only server (it lacks {0}); run `telar migrate` of this version on the primary first"
    )]
    OldSchema(String),
    /// The schema was made by a version whose stores cannot be upgraded.
    #[error(
        "the store was made by an older version of Telar that knew no lanes; export its matches with that version, and import them into a new store"
    )]
    NoLanes,
    /// The store has another number of lanes than was asked for.
    #[error(
        "the store has {stored} lanes, and TELAR_LANES asks for {asked}; the number of lanes is chosen when a store is created, so remove the setting or use another store"
    )]
    Lanes {
        /// How many there are.
        stored: usize,
        /// How many were asked for.
        asked: usize,
    },
    /// The log is distributed over the nodes of a cluster, but not by lane.
    #[error(
        "the commits of this store are distributed by {0}; feed entries could then be seen before their commits. Undistribute the tables and run `telar migrate --distribute`"
    )]
    DistributedOtherwise(String),
    /// The log is distributed, but the lanes share one feed.
    #[error("the store is distributed only in part; run `telar migrate --distribute`")]
    DistributedInPart,
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
    /// The database server cannot be reached at the moment.
    #[error("the store at {host} cannot be reached: {reason}")]
    Unreachable {
        /// Host and port.
        host: String,
        /// Why.
        reason: String,
    },
    /// The database server refuses the connection.
    #[error("the store at {host} refuses the connection: {reason}")]
    Refused {
        /// Host and port.
        host: String,
        /// Why.
        reason: String,
    },
    /// The database fails.
    #[error(transparent)]
    Database(#[from] Error),
}

impl OpenError {
    /// Whether the same start may well succeed later.
    #[must_use]
    pub const fn is_outage(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Database(Error::Unavailable(..)))
    }
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
            Some(url) if is_postgres(url) => Ok(Backend::Postgres),
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

fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
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

/// Connects to the store and to its standby; the embedded file is created if it does not exist.
pub async fn connect(settings: &Settings) -> Result<Db, OpenError> {
    let db = match settings.backend()? {
        Backend::Postgres => connect_postgres(settings).await?,
        Backend::Sqlite if settings.read_only => {
            return Err(OpenError::NeedsPostgres("--read-only"));
        }
        Backend::Sqlite if settings.read_url.is_some() => {
            return Err(OpenError::NeedsPostgres("TELAR_READ_URL"));
        }
        Backend::Sqlite => connect_sqlite(settings).await?,
    };
    if let Some(layout) = layout::read(&db).await? {
        db.set_layout(layout);
    }
    Ok(db)
}

async fn connect_sqlite(settings: &Settings) -> Result<Db, OpenError> {
    let url = settings.url()?;
    restrict_files(&url)?;
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(settings.connections)
        .acquire_timeout(ACQUIRE)
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts(|options| {
            options
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .busy_timeout(Duration::from_secs(10))
        })
        .map_sqlx_sqlite_pool_opts(|options| {
            options.after_release(|connection, _| Box::pin(has_no_transaction(connection)))
        });
    Ok(Db::new(Database::connect(options).await?, None))
}

async fn connect_postgres(settings: &Settings) -> Result<Db, OpenError> {
    let url = settings.url()?;
    reach(&url).await?;
    let writes = !settings.read_only;
    let primary = open_pool(url, settings.connections, ACQUIRE, liveness::PATIENCE, writes).await?;
    match &settings.read_url {
        _ if settings.read_only => Ok(primary.read_only()),
        Some(url) => join_standby(primary, url, settings.connections).await,
        None => Ok(primary),
    }
}

/// Opens a pool of connections to a Postgres, which need not be reachable yet.
async fn open_pool(
    url: String,
    connections: u32,
    acquire: Duration,
    patience: Duration,
    writes: bool,
) -> Result<Db, OpenError> {
    let liveness = Arc::new(Liveness::new(patience));
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .acquire_timeout(acquire)
        .test_before_acquire(false)
        .sqlx_logging(false)
        .connect_lazy(true)
        .map_sqlx_postgres_opts(move |options| {
            let options = options.options(POSTGRES);
            // The database then refuses what is written by mistake.
            if writes {
                options
            } else {
                options.options([("default_transaction_read_only", "on")])
            }
        });
    let watched = Arc::clone(&liveness);
    options.map_sqlx_postgres_pool_opts(move |options| watched.watch(options));
    Ok(Db::new(Database::connect(options).await?, Some(liveness)))
}

/// Lets a standby answer reads. It may be away for now, but it must not be another database.
async fn join_standby(primary: Db, url: &str, connections: u32) -> Result<Db, OpenError> {
    if !is_postgres(url) {
        return Err(OpenError::ReadUrl("use postgres://…".to_owned()));
    }
    let options: PgConnectOptions =
        url.parse().map_err(|error: sqlx::Error| OpenError::ReadUrl(error.to_string()))?;
    let pool =
        open_pool(url.to_owned(), connections, ACQUIRE_STANDBY, PATIENCE_STANDBY, false).await?;
    let standby = Standby::of(&primary, pool).await?;
    if matches!(standby.check(&primary).await, Err(Trouble::Foreign)) {
        let host = format!("{}:{}", options.get_host(), options.get_port());
        return Err(OpenError::NotStandby(host));
    }
    Ok(primary.with_standby(standby))
}

/// Whether a connection to SQLite may be used again. SQLite rolls back by itself when the disk is full. The driver's own rollback
/// then fails, and it believes for ever that the transaction is open: whatever it calls a transaction on that connection
/// afterwards is a savepoint that may never be committed.
async fn has_no_transaction(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    if connection.is_in_transaction() {
        // One that was dropped is about to be rolled back.
        connection.ping().await?;
    }
    Ok(!connection.is_in_transaction())
}

/// Tries to reach a Postgres until it answers, for as long as a request would wait. The pool would not say what went wrong.
async fn reach(url: &str) -> Result<(), OpenError> {
    let options: PgConnectOptions =
        url.parse().map_err(|error: sqlx::Error| OpenError::Url(error.to_string()))?;
    let failed = |reason: String, is_away| {
        let host = format!("{}:{}", options.get_host(), options.get_port());
        if is_away {
            OpenError::Unreachable { host, reason }
        } else {
            OpenError::Refused { host, reason }
        }
    };
    let started = Instant::now();
    loop {
        let connecting = PgConnection::connect_with(&options);
        let error = match tokio::time::timeout(liveness::CONNECT, connecting).await {
            Ok(Ok(connection)) => {
                let _ = connection.close().await;
                return Ok(());
            }
            Ok(Err(error)) => error,
            Err(_) => liveness::silence(),
        };
        let is_away = matches!(
            Verdict::of(&error),
            Verdict::Lost | Verdict::NodeLost | Verdict::Unavailable(_)
        );
        if !is_away || started.elapsed() >= ACQUIRE {
            return Err(failed(describe(&error), is_away));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Closes all connections. On SQLite, everything is moved from the write-ahead log into the file first.
pub async fn close(db: &Db) -> Result<()> {
    if db.get_database_backend() == sea_orm::DatabaseBackend::Sqlite {
        db.execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await?;
    }
    db.pool().close_by_ref().await?;
    // Last, because it may be silent.
    if let Some(standby) = db.standby() {
        standby.db().pool().close_by_ref().await?;
    }
    Ok(())
}

/// Checks that the schema has everything that this program reads, without changing it. With `lanes`, the store must have this
/// many.
pub async fn check_schema(db: &Db, lanes: Option<Lanes>) -> Result<(), OpenError> {
    refuse_stores_without_lanes(db).await?;
    let pending = Migrator::get_pending_migrations_read_only(db.pool()).await?;
    if let Some(migration) = pending.first() {
        return Err(OpenError::OldSchema(migration.name().to_owned()));
    }
    let layout = layout::read(db).await?;
    let layout = layout.ok_or_else(|| OpenError::OldSchema("its lanes".to_owned()))?;
    check_lanes(&layout, lanes)?;
    db.set_layout(layout);
    Ok(())
}

/// Checks that a store has as many lanes as were asked for.
fn check_lanes(layout: &Layout, asked: Option<Lanes>) -> Result<(), OpenError> {
    match asked {
        Some(asked) if asked != layout.lanes => {
            Err(OpenError::Lanes { stored: layout.lanes.count(), asked: asked.count() })
        }
        _ => Ok(()),
    }
}

/// Before there were lanes, the migration of the log had another name.
async fn refuse_stores_without_lanes(db: &Db) -> Result<(), OpenError> {
    let applied = Migrator::get_migration_models(db.pool()).await.unwrap_or_default();
    if applied.iter().any(|migration| migration.version == WITHOUT_LANES) {
        return Err(OpenError::NoLanes);
    }
    Ok(())
}

/// Brings the schema up to date. A new store gets this many lanes, or the default number; an old one must have them. Replicas
/// that start together wait for one another.
pub async fn migrate(db: &Db, lanes: Option<Lanes>) -> Result<(), OpenError> {
    refuse_stores_without_lanes(db).await?;
    let new = lanes.unwrap_or(Lanes::DEFAULT);
    if db.get_database_backend() == sea_orm::DatabaseBackend::Sqlite {
        Migrator::up(db.pool(), None).await?;
        let work = begin(db).await?;
        let layout = layout::create(&work, new).await?;
        commit(work).await?;
        check_lanes(&layout, lanes)?;
        db.set_layout(layout);
        return Ok(());
    }
    // The lock belongs to the transaction, so it is released whatever happens. A migration may take its time.
    let lock = begin(&db.patient()).await?;
    lock_schema(&lock).await?;
    Migrator::up(lock.inner(), None).await?;
    let layout = layout::create(&lock, new).await?;
    commit(lock).await?;
    check_lanes(&layout, lanes)?;
    db.set_layout(layout);
    Ok(())
}

/// Keeps everybody else from changing the schema of a Postgres until this transaction ends.
pub(crate) async fn lock_schema(work: &Transaction) -> Result<()> {
    let sql = format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})");
    work.execute_raw(Statement::from_string(sea_orm::DatabaseBackend::Postgres, sql)).await?;
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn backend(url: Option<&str>) -> Result<Backend, String> {
        let settings = Settings {
            database_url: url.map(str::to_owned),
            read_url: None,
            read_only: false,
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
