//! Distributing a store over the nodes of a Citus cluster, by lane.
//!
//! All rows of a lane are on one node, and each lane has a feed of its own. Then a batch of one lane is written by one node, in
//! one transaction, without any of the other nodes. Nothing outside this module knows Citus.

use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, Value};

use crate::{
    Connection as _, Db, Transaction, begin, commit,
    connection::{MIGRATION_LOCK, OpenError},
    error::{Error, Result},
    event_log::FEED_SESSION,
    lane::LANE_TABLES,
    layout::{self, Feeds},
};

/// The table that all others are kept together with.
const FIRST: &str = "commits";
/// What every node needs a copy of.
const REFERENCE_TABLES: [&str; 1] = ["store_layout"];
/// The function that writes a lane, and its argument that names the lane.
const FUNCTION: &str = "telar_write_lane";
const ARGUMENT: &str = "the_lane";

/// Why a store was not distributed.
#[derive(Debug, thiserror::Error)]
pub enum DistributeError {
    /// Only Postgres can be distributed.
    #[error("only a Postgres store can be distributed; set DATABASE_URL to postgres://…")]
    NotPostgres,
    /// The database has no Citus.
    #[error(
        "the database has no Citus; install the extension on all nodes, run `CREATE EXTENSION citus`, and add the nodes first"
    )]
    NoCitus,
    /// The store is in use.
    #[error(
        "servers are running on this store; stop all of them first, because they would go on writing as before"
    )]
    InUse,
    /// A table has been distributed by something else.
    #[error(
        "the table {table} is distributed by {column}; undistribute it first, or start with a new store"
    )]
    Otherwise {
        /// The table.
        table: String,
        /// What it is distributed by.
        column: String,
    },
    /// The store cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sea_orm::DbErr> for DistributeError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// How a table is distributed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Table {
    name: String,
    /// `distributed`, `reference` or another type.
    kind: String,
    column: String,
}

/// Distributes a store that has been migrated and is not in use. Returns what was done, a line for each step. What has been
/// done already is not done again.
pub async fn distribute(db: &Db) -> Result<Vec<String>, DistributeError> {
    if db.get_database_backend() != DbBackend::Postgres {
        return Err(DistributeError::NotPostgres);
    }
    if !has_citus(db).await? {
        return Err(DistributeError::NoCitus);
    }
    let mut steps = separate_feeds(db).await?;
    let tables = tables(db).await?;
    let known = |name: &str| tables.iter().find(|table| table.name == name);
    for name in REFERENCE_TABLES {
        if known(name).is_some_and(|table| table.kind == "reference") {
            steps.push(format!("{name} is a reference table already."));
        } else {
            run(db, "SELECT create_reference_table($1::text::regclass)", [name.into()]).await?;
            steps.push(format!("Made {name} a reference table: every node has a copy."));
        }
    }
    let shards = i32::try_from(db.lanes().count()).expect("there are at most 1,024 lanes");
    for name in LANE_TABLES {
        match known(name).filter(|table| table.kind == "distributed") {
            Some(table) if table.column == "lane" => {
                steps.push(format!("{name} is distributed by lane already."));
            }
            Some(Table { name: table, column, .. }) => {
                let (table, column) = (table.clone(), column.clone());
                return Err(DistributeError::Otherwise { table, column });
            }
            None if name == FIRST => {
                let sql = "SELECT create_distributed_table($1::text::regclass, 'lane', colocate_with => 'none', shard_count => $2)";
                run(db, sql, [name.into(), shards.into()]).await?;
                steps.push(format!("Distributed {name} by lane over {shards} shards."));
            }
            None => {
                let sql = "SELECT create_distributed_table($1::text::regclass, 'lane', colocate_with => $2)";
                run(db, sql, [name.into(), FIRST.into()]).await?;
                steps.push(format!("Distributed {name} by lane, next to {FIRST}."));
            }
        }
    }
    let sql = "SELECT create_distributed_function(oid::regprocedure, $2, colocate_with => $3) \
               FROM pg_proc WHERE proname = $1";
    run(db, sql, [FUNCTION.into(), ARGUMENT.into(), FIRST.into()]).await?;
    steps.push(format!("{FUNCTION} runs on the node of its lane."));
    Ok(steps)
}

/// Gives every lane a feed of its own. What has been written before stays in the feed of the first lane, and is read first.
pub async fn separate_feeds(db: &Db) -> Result<Vec<String>, DistributeError> {
    let work = begin(&db.patient()).await?;
    let lock = format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})");
    work.execute_unprepared(&lock).await?;
    let layout = layout::read(&work).await?;
    let layout = layout.ok_or_else(|| Error::Failed("the store has no lanes yet".to_owned()))?;
    let mut steps = Vec::new();
    if layout.feeds == Feeds::PerLane {
        steps.push("Every lane has its own feed already.".to_owned());
    } else {
        if is_in_use(&work).await? {
            return Err(DistributeError::InUse);
        }
        layout::separate_feeds(&work).await?;
        let count = layout.lanes.count();
        steps.push(format!("Each of the {count} lanes has its own feed from now on."));
    }
    commit(work).await?;
    Ok(steps)
}

/// Whether a server follows the feed of this store.
async fn is_in_use(work: &Transaction) -> Result<bool> {
    let sql = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND starts_with(application_name, $1)";
    let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, [FEED_SESSION.into()]);
    Ok(work.query_one_raw(statement).await?.is_some())
}

/// Refuses a store that is distributed in a way that would lose commits.
pub async fn check(db: &Db) -> Result<(), OpenError> {
    if db.get_database_backend() != DbBackend::Postgres || !has_citus(db).await? {
        return Ok(());
    }
    let tables = tables(db).await?;
    let Some(table) = tables.into_iter().find(|table| table.name == FIRST) else { return Ok(()) };
    if table.kind == "distributed" && table.column != "lane" {
        return Err(OpenError::DistributedOtherwise(table.column));
    }
    if table.kind == "distributed" && db.layout().feeds == Feeds::Shared {
        return Err(OpenError::DistributedInPart);
    }
    Ok(())
}

async fn has_citus(db: &Db) -> Result<bool> {
    let sql = "SELECT 1 FROM pg_proc WHERE proname = 'create_distributed_table'";
    let statement = Statement::from_string(DbBackend::Postgres, sql);
    Ok(db.query_one_raw(statement).await?.is_some())
}

/// The tables that Citus manages.
async fn tables(db: &Db) -> Result<Vec<Table>> {
    let sql = "SELECT table_name::text AS name, citus_table_type AS kind, distribution_column AS key FROM citus_tables";
    let rows = db.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
    let read = |row: &QueryResult| {
        let (name, kind) = (row.try_get("", "name")?, row.try_get("", "kind")?);
        Ok(Table { name, kind, column: row.try_get("", "key")? })
    };
    rows.iter().map(read).collect()
}

/// Calls a function of Citus, which may move many rows.
async fn run<const N: usize>(db: &Db, sql: &str, values: [Value; N]) -> Result<()> {
    let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, values);
    db.patient().query_all_raw(statement).await?;
    Ok(())
}
