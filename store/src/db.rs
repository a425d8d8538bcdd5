//! The pool of connections and its transactions: every statement of the crate outside the writer goes through here.
//!
//! A statement whose connection turns out to be dead is sent again once if it only reads, or if it certainly was not executed.
//! Errors say as much as is known: [`DbErr::Conn`] means that nothing was executed.

mod standby;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult,
    QueryResult, SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
    prelude::async_trait::async_trait,
};
use sqlx::{PgPool, SqlitePool};

use crate::{
    error::{Error, Outage, Result, Verdict, driver_error},
    home::Home,
    lane::Lanes,
    layout::Layout,
    liveness::Liveness,
};

pub use standby::StandbyState;
pub(crate) use standby::{Standby, Trouble};

/// A pool of connections to the database.
#[derive(Debug, Clone)]
pub struct Db {
    pool: DatabaseConnection,
    /// For a database behind a network, unless statements may take as long as they like.
    liveness: Option<Arc<Liveness>>,
    /// For a database behind a network.
    home: Option<Home>,
    role: Role,
    is_read_only: bool,
    /// Whether reads wait for nodes that are away.
    waits_for_nodes: bool,
    /// Known once the store has been opened.
    layout: Arc<OnceLock<Layout>>,
}

/// What a statement can run on: a [`Db`] or a [`Transaction`].
pub trait Connection: ConnectionTrait {
    /// The layout of the store.
    fn layout(&self) -> &Layout;

    /// The lanes of the store.
    fn lanes(&self) -> Lanes {
        self.layout().lanes
    }
}

impl Connection for Db {
    fn layout(&self) -> &Layout {
        self.layout.get().expect("the store was migrated before it is used")
    }
}

impl Connection for Transaction {
    fn layout(&self) -> &Layout {
        self.layout.get().expect("the store was migrated before it is used")
    }
}

/// The part that a database plays in replication.
#[derive(Debug, Clone)]
enum Role {
    /// There is no other.
    Single,
    /// The primary of this standby.
    Primary(Arc<Standby>),
    /// The standby of this primary, which answers what the standby cannot.
    StandbyOf(Box<Db>),
}

/// An open transaction. Unless it is committed, it is rolled back.
#[derive(Debug)]
pub struct Transaction {
    work: DatabaseTransaction,
    liveness: Option<Arc<Liveness>>,
    layout: Arc<OnceLock<Layout>>,
}

impl Db {
    /// A pool that was opened in the current runtime. With a liveness, its database is behind a network.
    pub(crate) fn new(pool: DatabaseConnection, liveness: Option<Arc<Liveness>>) -> Self {
        let home = liveness.is_some().then(Home::here);
        let layout = Arc::default();
        let (role, is_read_only, waits_for_nodes) = (Role::Single, false, true);
        Self { pool, liveness, home, role, is_read_only, waits_for_nodes, layout }
    }

    /// Notes the layout of the store, which does not change while anybody uses it.
    pub(crate) fn set_layout(&self, layout: Layout) {
        self.layout.get_or_init(|| layout);
    }

    /// The same database with a standby.
    pub(crate) fn with_standby(self, standby: Standby) -> Self {
        Self { role: Role::Primary(Arc::new(standby)), ..self }
    }

    /// The same database, which this process never writes to.
    pub(crate) fn read_only(self) -> Self {
        Self { is_read_only: true, ..self }
    }

    /// Whether this process never writes to the database.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Where to read from: the standby if it has everything that was committed before this call, otherwise the primary.
    pub async fn reader(&self) -> Self {
        match &self.role {
            Role::Primary(standby) if standby.has_all_of(self).await => self.behind(standby),
            _ => self.clone(),
        }
    }

    /// Where to read what never changes, if that is not the primary. What is missing there may have been committed already.
    #[must_use]
    pub fn stable_reader(&self) -> Option<Self> {
        match &self.role {
            Role::Primary(standby) if standby.is_up() => Some(self.behind(standby)),
            _ => None,
        }
    }

    /// What the standby is good for at the moment, if there is one.
    #[must_use]
    pub fn standby_state(&self) -> Option<StandbyState> {
        self.standby().map(Standby::state)
    }

    /// Finds out what the standby is good for. Without this being repeated, one that has failed is not used again.
    pub async fn check_standby(&self) {
        if let Some(standby) = self.standby() {
            // It is noted in the state.
            let _ = standby.check(self).await;
        }
    }

    pub(crate) fn standby(&self) -> Option<&Standby> {
        match &self.role {
            Role::Primary(standby) => Some(standby),
            Role::Single | Role::StandbyOf(_) => None,
        }
    }

    /// The standby, with this database behind it.
    fn behind(&self, standby: &Standby) -> Self {
        let (role, layout) = (Role::StandbyOf(Box::new(self.clone())), Arc::clone(&self.layout));
        Self { role, layout, ..standby.db().clone() }
    }

    /// The primary, if this is a standby that has failed to answer.
    fn instead<T>(&self, answer: &Result<T, DbErr>) -> Option<&Self> {
        match (&self.role, answer) {
            (Role::StandbyOf(primary), Err(error)) => {
                primary.standby().expect("a primary knows its standby").failed(error);
                Some(primary)
            }
            _ => None,
        }
    }

    /// The same database for long work outside of requests: statements may take as long as they like.
    #[must_use]
    pub fn patient(&self) -> Self {
        Self { liveness: None, ..self.clone() }
    }

    /// The same database for those who have other things to do while a node is away.
    #[must_use]
    pub(crate) fn prompt(&self) -> Self {
        Self { waits_for_nodes: false, ..self.clone() }
    }

    /// The engine.
    #[must_use]
    pub fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    /// The pool of a Postgres.
    #[must_use]
    pub fn get_postgres_connection_pool(&self) -> &PgPool {
        self.pool.get_postgres_connection_pool()
    }

    /// The pool of an SQLite file.
    #[must_use]
    pub fn get_sqlite_connection_pool(&self) -> &SqlitePool {
        self.pool.get_sqlite_connection_pool()
    }

    pub(crate) const fn pool(&self) -> &DatabaseConnection {
        &self.pool
    }

    pub(crate) fn liveness(&self) -> Option<&Liveness> {
        self.liveness.as_deref()
    }

    /// Runs a statement, and once more if that may be done.
    pub(crate) async fn run<T, F>(&self, sql: &str, attempt: impl Fn() -> F) -> Result<T, DbErr>
    where
        F: Future<Output = Result<T, DbErr>>,
    {
        let reads = is_read(sql);
        // What a standby fails to answer is sent to the primary.
        let may_repeat =
            |error: &DbErr| may_repeat(error, reads) && !matches!(self.role, Role::StandbyOf(_));
        let mut answer = match self.answer(attempt()).await {
            Err(error) if may_repeat(&error) => self.answer(attempt()).await,
            answer => answer,
        };
        // A node that is replaced is back soon. Others may use the connection meanwhile.
        for pause in NODE_PAUSES {
            let is_away = matches!(&answer, Err(error) if is_node_away(error));
            let waits = reads && self.waits_for_nodes && !matches!(self.role, Role::StandbyOf(_));
            if !is_away || !waits {
                break;
            }
            tokio::time::sleep(pause).await;
            answer = self.answer(attempt()).await;
        }
        if reads { answer.map_err(not_executed) } else { answer }
    }

    /// Waits for the answer to something that may open a connection.
    async fn answer<T>(
        &self,
        statement: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, DbErr> {
        let answer = answer(self.liveness(), statement);
        match &self.home {
            Some(home) => home.host(answer).await,
            None => answer.await,
        }
    }

    async fn begin(&self) -> Result<Transaction, DbErr> {
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        let attempt = || self.answer(self.pool.begin_with_options(options));
        let begun = match attempt().await {
            // Whatever became of the first one: nothing has happened in it.
            Err(error) if may_repeat(&error, true) => attempt().await,
            begun => begun,
        };
        let work = begun.map_err(not_executed)?;
        let (liveness, layout) = (self.liveness.clone(), Arc::clone(&self.layout));
        Ok(Transaction { work, liveness, layout })
    }
}

/// Begins a writing transaction. On SQLite it takes the write lock at once, so that it cannot fail half-way.
///
/// The transaction begins in a task of its own and is rolled back there if nobody takes it. Otherwise a request that is
/// cancelled at that moment would leave a transaction open on a pooled connection (sqlx's `begin` on Postgres is not
/// cancel-safe), and later writes on that connection would never be committed.
pub async fn begin(db: &Db) -> Result<Transaction> {
    let db = db.clone();
    let begun = tokio::spawn(async move { db.begin().await }).await;
    match begun {
        Ok(begun) => Ok(begun?),
        Err(error) => Err(Error::Unavailable(Outage::Busy, error.to_string())),
    }
}

/// Commits a transaction.
pub async fn commit(work: Transaction) -> Result<()> {
    Ok(work.commit().await?)
}

impl Transaction {
    /// Commits the transaction. If the connection is lost meanwhile, nobody knows whether it was committed.
    pub async fn commit(self) -> Result<(), DbErr> {
        let Self { work, liveness, .. } = self;
        answer(liveness.as_deref(), work.commit()).await
    }

    pub(crate) const fn inner(&self) -> &DatabaseTransaction {
        &self.work
    }

    /// Runs a statement. Until the commit nothing is final, so a lost connection means that nothing was changed.
    async fn run<T>(&self, statement: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        answer(self.liveness.as_deref(), statement).await.map_err(not_executed)
    }
}

async fn answer<T>(
    liveness: Option<&Liveness>,
    statement: impl Future<Output = Result<T, DbErr>>,
) -> Result<T, DbErr> {
    match liveness {
        Some(liveness) => liveness.answer(statement).await,
        None => statement.await,
    }
}

/// The pauses before a statement that reads is sent again because a node of the database is away.
const NODE_PAUSES: [Duration; 4] = [
    Duration::from_millis(50),
    Duration::from_millis(150),
    Duration::from_millis(400),
    Duration::from_secs(1),
];

/// Whether a node is away, while the database itself answers.
fn is_node_away(error: &DbErr) -> bool {
    driver_error(error).is_some_and(|error| Verdict::of(error).is_node_away())
}

fn is_read(sql: &str) -> bool {
    sql.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("select"))
}

/// Whether a statement that failed like this may be sent again: its connection is dead, and it reads or was not executed.
fn may_repeat(error: &DbErr, reads: bool) -> bool {
    match driver_error(error).map(Verdict::of) {
        Some(Verdict::Ended) => true,
        Some(Verdict::Lost) => reads && !matches!(error, DbErr::Conn(_)),
        _ => false,
    }
}

/// The error of a statement that changes nothing, or whose changes are rolled back.
fn not_executed(error: DbErr) -> DbErr {
    match error {
        DbErr::Exec(runtime) | DbErr::Query(runtime)
            if driver_error(&DbErr::Conn(runtime.clone()))
                .map(Verdict::of)
                .is_some_and(|verdict| verdict.is_dead() || verdict == Verdict::NodeLost) =>
        {
            DbErr::Conn(runtime)
        }
        error => error,
    }
}

#[async_trait]
impl ConnectionTrait for Db {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let attempt = || self.pool.execute_raw(statement.clone());
        self.run(&statement.sql, attempt).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.run(sql, || self.pool.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let attempt = || self.pool.query_one_raw(statement.clone());
        let answer = self.run(&statement.sql, attempt).await;
        match self.instead(&answer) {
            Some(primary) => primary.query_one_raw(statement).await,
            None => answer,
        }
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let attempt = || self.pool.query_all_raw(statement.clone());
        let answer = self.run(&statement.sql, attempt).await;
        match self.instead(&answer) {
            Some(primary) => primary.query_all_raw(statement).await,
            None => answer,
        }
    }
}

#[async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DbBackend {
        self.work.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.run(self.work.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.run(self.work.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.run(self.work.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.run(self.work.query_all_raw(statement)).await
    }
}
