//! Partitions of the log by month, on Postgres only: `commits` is then divided by match id into one table per month in which
//! matches were created, a table for everything before, and a default for ids that fit nowhere else.
//!
//! Queries do not know about it. The key of a partition is the match id alone, so other columns may join the primary key.

use domain::time::Timestamp;
use sea_orm::{ConnectionTrait, DbBackend, Statement};

use crate::{
    Connection, Db, OpenError, Transaction, begin, commit,
    connection::lock_schema,
    error::{Error, Outage, Result},
    layout::Feeds,
    months::Month,
};

/// How many months after the current one have partitions.
const AHEAD: usize = 3;
/// How long to wait for the readers and writers of the log. They wait meanwhile, too.
const LOCK_TIMEOUT: &str = "SET LOCAL lock_timeout = '3s'";

/// What dividing the log came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Division {
    /// The table that holds what was in the log before; nothing if the log was divided already.
    pub before: Option<String>,
    /// The partitions that were created.
    pub created: Vec<String>,
}

/// A partition of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// Its table.
    pub table: String,
    /// The first month after it; nothing for the default.
    end: Option<Month>,
}

impl Partition {
    fn read(table: String) -> Self {
        let months = table.strip_prefix("commits_").map(|name| name.replace('_', "-"));
        let end = months.and_then(|name| match name.strip_prefix("before-") {
            Some(month) => month.parse().ok(),
            None => name.parse().map(Month::next).ok(),
        });
        Self { table, end }
    }
}

fn table_of(month: Month) -> String {
    format!("commits_{}", month.to_string().replace('-', "_"))
}

fn statement(sql: impl Into<String>) -> Statement {
    Statement::from_string(DbBackend::Postgres, sql)
}

async fn execute(work: &Transaction, sql: impl Into<String>) -> Result<u64> {
    Ok(work.execute_raw(statement(sql)).await?.rows_affected())
}

async fn is_true(db: &impl ConnectionTrait, sql: impl Into<String>) -> Result<bool> {
    let row = db.query_one_raw(statement(sql)).await?;
    Ok(row.map(|row| row.try_get_by_index(0)).transpose()?.unwrap_or(false))
}

fn this_month(now: Timestamp) -> Result<Month> {
    Month::of(now).ok_or_else(|| Error::Failed("the clock shows no month".to_owned()))
}

/// Whether the log is divided.
pub async fn is_divided(db: &Db) -> Result<bool> {
    if db.get_database_backend() != DbBackend::Postgres {
        return Ok(false);
    }
    is_divided_in(db).await
}

async fn is_divided_in(db: &impl ConnectionTrait) -> Result<bool> {
    let sql =
        "SELECT partstrat = 'r' FROM pg_partitioned_table WHERE partrelid = to_regclass('commits')";
    is_true(db, sql).await
}

/// Divides the log by month. What is there already becomes a partition as it is; nothing is copied, except for ids that are
/// larger than those of this month. Everybody who uses the log waits while Postgres reads that table once to check its ids. A
/// log that is divided already gets the partitions that it lacks.
pub async fn divide(db: &Db, now: Timestamp) -> Result<Division, OpenError> {
    if db.get_database_backend() != DbBackend::Postgres {
        return Err(OpenError::NeedsPostgres("--partition-by"));
    }
    if db.layout().feeds == Feeds::PerLane {
        return Err(OpenError::Distributed("--partition-by"));
    }
    let month = this_month(now)?;
    let work = begin(&db.patient()).await?;
    lock_schema(&work).await?;
    let before = if is_divided_in(&work).await? { None } else { Some(attach(&work, month).await?) };
    let created = create_until(&work, month).await?;
    commit(work).await?;
    Ok(Division { before, created })
}

/// Makes the log a partition of a new table with its name. Returns the new name of the old one.
async fn attach(work: &Transaction, month: Month) -> Result<String> {
    execute(work, LOCK_TIMEOUT).await?;
    execute(work, "LOCK TABLE commits IN ACCESS EXCLUSIVE MODE").await?;
    let has_rows = is_true(work, "SELECT EXISTS (SELECT FROM commits)").await?;
    // Matches of this month stay together.
    let end = if has_rows { month.next() } else { month };
    let old = format!("commits_before_{}", end.to_string().replace('-', "_"));
    let first = end.first_id();
    let key = "SELECT conname::text AS name FROM pg_constraint \
               WHERE conrelid = to_regclass('commits') AND contype = 'p'";
    let key = work.query_one_raw(statement(key)).await?;
    let key = key.ok_or_else(|| Error::Failed("the log has no primary key".to_owned()))?;
    let key: String = key.try_get("", "name")?;
    for sql in [
        format!("ALTER TABLE commits RENAME CONSTRAINT {key} TO {old}_pkey"),
        format!("ALTER TABLE commits RENAME TO {old}"),
        format!("CREATE TABLE commits (LIKE {old} INCLUDING ALL) PARTITION BY RANGE (match_id)"),
        "CREATE TABLE commits_default (LIKE commits INCLUDING ALL)".to_owned(),
        move_rows(&old, "commits_default", &format!("match_id >= '{first}'")),
        format!(
            "ALTER TABLE commits ATTACH PARTITION {old} FOR VALUES FROM (MINVALUE) TO ('{first}')"
        ),
        "ALTER TABLE commits ATTACH PARTITION commits_default DEFAULT".to_owned(),
    ] {
        execute(work, sql).await?;
    }
    Ok(old)
}

fn move_rows(from: &str, to: &str, which: &str) -> String {
    format!(
        "WITH moved AS (DELETE FROM {from} WHERE {which} RETURNING *) INSERT INTO {to} SELECT * FROM moved"
    )
}

/// Creates the partitions of this month and of the next ones, if the log is divided and lacks them. Returns their names. Replicas
/// that do this together wait for one another.
pub async fn extend(db: &Db, now: Timestamp) -> Result<Vec<String>> {
    if !is_divided(db).await? || lacking(db, this_month(now)?).await?.is_empty() {
        return Ok(Vec::new());
    }
    let work = begin(&db.patient()).await?;
    lock_schema(&work).await?;
    let created = create_until(&work, this_month(now)?).await?;
    commit(work).await?;
    Ok(created)
}

/// The months from this one on that should have partitions and have none.
async fn lacking(db: &impl ConnectionTrait, month: Month) -> Result<Vec<Month>> {
    let ends: Vec<Month> = list(db).await?.into_iter().filter_map(|it| it.end).collect();
    let months = std::iter::successors(Some(month), |month| Some(month.next()));
    // The table of everything before may include this month.
    let is_lacking = |month: &Month| !ends.contains(&month.next());
    Ok(months.take(1 + AHEAD).filter(is_lacking).collect())
}

async fn create_until(work: &Transaction, month: Month) -> Result<Vec<String>> {
    let mut created = Vec::new();
    for month in lacking(work, month).await? {
        let table = table_of(month);
        let (first, end) = (month.first_id(), month.next().first_id());
        execute(work, LOCK_TIMEOUT).await?;
        for sql in [
            // A table that is created first and attached then does not keep the readers of others waiting.
            format!("CREATE TABLE {table} (LIKE commits INCLUDING ALL)"),
            // Nobody may add to what is moved.
            "LOCK TABLE commits_default IN ACCESS EXCLUSIVE MODE".to_owned(),
            move_rows(
                "commits_default",
                &table,
                &format!("match_id >= '{first}' AND match_id < '{end}'"),
            ),
            format!(
                "ALTER TABLE commits ATTACH PARTITION {table} FOR VALUES FROM ('{first}') TO ('{end}')"
            ),
        ] {
            execute(work, sql).await?;
        }
        created.push(table);
    }
    Ok(created)
}

/// The partitions of the log.
pub async fn list(db: &impl ConnectionTrait) -> Result<Vec<Partition>> {
    let rows = db
        .query_all_raw(statement(
            "SELECT inhrelid::regclass::text AS name FROM pg_inherits \
             WHERE inhparent = to_regclass('commits') ORDER BY name",
        ))
        .await?;
    rows.iter().map(|row| Ok(Partition::read(row.try_get("", "name")?))).collect()
}

/// Drops the partitions that end before a time and are empty. Returns their names, and those of empty ones that are in use.
pub async fn drop_empty(db: &Db, before: Timestamp) -> Result<(Vec<String>, Vec<String>)> {
    let (mut dropped, mut busy) = (Vec::new(), Vec::new());
    if !is_divided(db).await? {
        return Ok((dropped, busy));
    }
    let db = db.patient();
    for Partition { table, end } in list(&db).await? {
        let is_past = end.is_some_and(|end| end.start() <= before);
        let is_empty = format!("SELECT NOT EXISTS (SELECT FROM {table})");
        if !is_past || !is_true(&db, is_empty.as_str()).await? {
            continue;
        }
        // Gives the space back, so that the second look, which others wait for, is short.
        db.execute_unprepared(&format!("VACUUM {table}")).await?;
        match drop_if_empty(&db, &table).await {
            Ok(true) => dropped.push(table),
            Ok(false) => {}
            Err(Error::Unavailable(Outage::Busy, _)) => busy.push(table),
            Err(error) => return Err(error),
        }
    }
    Ok((dropped, busy))
}

async fn drop_if_empty(db: &Db, table: &str) -> Result<bool> {
    let work = begin(db).await?;
    lock_schema(&work).await?;
    execute(&work, LOCK_TIMEOUT).await?;
    execute(&work, "LOCK TABLE ONLY commits IN ACCESS EXCLUSIVE MODE").await?;
    execute(&work, format!("LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")).await?;
    if !is_true(&work, format!("SELECT NOT EXISTS (SELECT FROM {table})")).await? {
        return Ok(false);
    }
    execute(&work, format!("ALTER TABLE commits DETACH PARTITION {table}")).await?;
    execute(&work, format!("DROP TABLE {table}")).await?;
    commit(work).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_partition_tells_where_it_ends() {
        let end = |table: &str| Partition::read(table.to_owned()).end.map(|end| end.to_string());
        assert_eq!(end("commits_2026_12").as_deref(), Some("2027-01"));
        assert_eq!(end("commits_before_2026_12").as_deref(), Some("2026-12"));
        assert_eq!(end("commits_default"), None);
        assert_eq!(end("commits_of_somebody"), None);
        let month = "2026-12".parse().expect("a month");
        assert_eq!(table_of(month), "commits_2026_12");
    }
}
