//! Deliveries: queued, leased, attempted, removed.

use std::fmt::Write;

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect, Statement, Value, sea_query::Expr,
};

use super::{CHUNK, Delivery};
use crate::{
    Connection, Db,
    entities::webhook_delivery::{Column, Entity},
    error::Result,
};

/// How many due deliveries are considered for leases at once.
const CONSIDERED: usize = 2_000;

/// Queues deliveries.
pub async fn insert_deliveries(db: &impl Connection, deliveries: &[Delivery]) -> Result<()> {
    for rows in deliveries.chunks(CHUNK) {
        let rows = rows.iter().cloned().map(IntoActiveModel::into_active_model);
        Entity::insert_many(rows).exec_without_returning(db).await?;
    }
    Ok(())
}

/// When the first delivery after a time is due.
pub async fn next_due(db: &Db, now: Timestamp) -> Result<Option<Timestamp>> {
    let due: Option<i64> = Entity::find()
        .select_only()
        .column(Column::DueAt)
        .filter(Column::DueAt.gt(now.micros()))
        .order_by_asc(Column::DueAt)
        .into_tuple()
        .one(db)
        .await?;
    Ok(due.map(Timestamp::from_micros))
}

/// Brings forward deliveries that are due later than they can be, because the clock was ahead when that was decided. `latest`
/// has the latest possible time by the number of attempts; the last one counts for all further numbers.
pub async fn bring_forward(db: &Db, now: Timestamp, latest: &[Timestamp]) -> Result<()> {
    let Some((last, others)) = latest.split_last() else { return Ok(()) };
    let mut values: Vec<Value> = vec![now.micros().into(), last.micros().into()];
    let mut cases = String::new();
    for (tries, latest) in others.iter().enumerate() {
        values.push(latest.micros().into());
        let _ = write!(cases, " WHEN {tries} THEN ${}", values.len());
    }
    let sql = format!(
        "UPDATE webhook_deliveries SET due_at = $1 WHERE due_at > CASE tries{cases} ELSE $2 END"
    );
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    db.execute_raw(statement).await?;
    Ok(())
}

/// Leases due deliveries until a time: `limit` at most, `per_host` at most to each host, and none to `busy_hosts`.
pub async fn lease(
    db: &Db,
    now: Timestamp,
    until: Timestamp,
    limit: usize,
    per_host: usize,
    busy_hosts: Vec<String>,
) -> Result<Vec<Delivery>> {
    let mut values: Vec<Value> = vec![until.micros().into(), now.micros().into()];
    let mut placeholders = Vec::new();
    for host in busy_hosts {
        values.push(host.into());
        placeholders.push(format!("${}", values.len()));
    }
    let others = match placeholders.as_slice() {
        [] => String::new(),
        placeholders => format!(" AND host NOT IN ({})", placeholders.join(", ")),
    };
    // If two replicas want the same row, the second one waits, looks again, and finds it no longer due.
    let sql = format!(
        "UPDATE webhook_deliveries SET due_at = $1 WHERE due_at <= $2 AND id IN (
            SELECT id FROM (
                SELECT id, due_at, row_number() OVER (PARTITION BY host ORDER BY due_at, id) AS place
                FROM (
                    SELECT id, due_at, host FROM webhook_deliveries WHERE due_at <= $2{others}
                    ORDER BY due_at, id LIMIT {CONSIDERED}
                ) AS due
            ) AS ranked
            WHERE place <= {per_host} ORDER BY due_at, id LIMIT {limit}
        ) RETURNING *"
    );
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    Ok(Delivery::find_by_statement(statement).all(db).await?)
}

/// Records an attempt and what is to become of the delivery, unless the lease has expired and is no longer ours.
pub async fn record_attempt(
    db: &Db,
    leased: &Delivery,
    state: &str,
    due_at: Option<Timestamp>,
    attempts: String,
) -> Result<()> {
    Entity::update_many()
        .col_expr(Column::State, Expr::value(state))
        .col_expr(Column::DueAt, Expr::value(due_at.map(Timestamp::micros)))
        .col_expr(Column::Tries, Expr::value(leased.tries.saturating_add(1)))
        .col_expr(Column::Attempts, Expr::value(attempts))
        .filter(Column::Id.eq(leased.id))
        .filter(Column::DueAt.eq(leased.due_at))
        .exec(db)
        .await?;
    Ok(())
}

/// Removes completed deliveries that were created before a time.
pub async fn remove_completed(db: &Db, before: Timestamp) -> Result<()> {
    Entity::delete_many()
        .filter(Column::DueAt.is_null())
        .filter(Column::CreatedAt.lt(before.micros()))
        .exec(db)
        .await?;
    Ok(())
}
