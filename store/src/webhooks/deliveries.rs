//! Deliveries: queued, leased, attempted, removed.

use std::fmt::Write;

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect, Statement, Value, sea_query::Expr,
};
use uuid::Uuid;

use super::{CHUNK, Delivery};
use crate::{
    Connection, Db,
    entities::webhook_delivery::{Column, Entity},
    error::Result,
};

/// A webhook with deliveries that are due.
#[derive(Debug, Clone, FromQueryResult)]
pub struct WaitingWebhook {
    /// The webhook.
    pub webhook_id: Uuid,
    /// Its owner; nobody if it was deleted.
    pub player_id: Option<Uuid>,
    /// Its URL; none if it was deleted.
    pub url: Option<String>,
    /// When the first of its deliveries was due, in microseconds.
    pub due_at: i64,
    /// How many are due; counted up to a limit.
    pub due: i64,
}

/// Goes from webhook to webhook through the index: how much waits for each of them makes no difference.
const WAITING: &str = "
WITH RECURSIVE queues(webhook_id) AS (
    SELECT (SELECT webhook_id FROM webhook_deliveries WHERE due_at IS NOT NULL ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (
        SELECT webhook_id FROM webhook_deliveries
        WHERE due_at IS NOT NULL AND webhook_id > queues.webhook_id ORDER BY webhook_id LIMIT 1
    ) FROM queues WHERE queues.webhook_id IS NOT NULL
), heads AS (
    SELECT webhook_id, (
        SELECT due_at FROM webhook_deliveries
        WHERE webhook_id = queues.webhook_id AND due_at <= $1 ORDER BY due_at LIMIT 1
    ) AS due_at FROM queues WHERE webhook_id IS NOT NULL
)
SELECT heads.webhook_id, webhooks.player_id, webhooks.url, heads.due_at, (
    SELECT count(*) FROM (
        SELECT 1 FROM webhook_deliveries WHERE webhook_id = heads.webhook_id AND due_at <= $1 LIMIT $2
    ) AS due
) AS due
FROM heads LEFT JOIN webhooks ON webhooks.id = heads.webhook_id
WHERE heads.due_at IS NOT NULL";

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

/// The webhooks with deliveries that are due. Each is counted up to `most` deliveries.
pub async fn waiting(db: &Db, now: Timestamp, most: usize) -> Result<Vec<WaitingWebhook>> {
    let most = i64::try_from(most).expect("a few deliveries");
    let values: [Value; 2] = [now.micros().into(), most.into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), WAITING, values);
    Ok(WaitingWebhook::find_by_statement(statement).all(db).await?)
}

/// Leases due deliveries until a time: of each of these webhooks this many at most, the first ones first.
pub async fn lease(
    db: &Db,
    now: Timestamp,
    until: Timestamp,
    webhooks: &[(Uuid, usize)],
) -> Result<Vec<Delivery>> {
    if webhooks.is_empty() {
        return Ok(Vec::new());
    }
    let mut values: Vec<Value> = vec![until.micros().into(), now.micros().into()];
    let mut queues = Vec::with_capacity(webhooks.len());
    for (webhook, most) in webhooks {
        values.push((*webhook).into());
        queues.push(format!(
            "SELECT id FROM (
                SELECT id FROM webhook_deliveries WHERE webhook_id = ${} AND due_at <= $2
                ORDER BY due_at, id LIMIT {most}
            ) AS queue{}",
            values.len(),
            values.len(),
        ));
    }
    // If two replicas want the same row, the second one waits, looks again, and finds it no longer due.
    let sql = format!(
        "UPDATE webhook_deliveries SET due_at = $1 WHERE due_at <= $2 AND id IN ({}) RETURNING *",
        queues.join(" UNION ALL ")
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
