//! Making deliveries. Whoever makes one leases it first by moving on the time at which it is due: if it is killed, somebody
//! else finds it due again. So a receiver may get the same message twice, and tells by its id.

use std::{collections::HashMap, sync::Arc, time::Duration};

use domain::time::Timestamp;
use parking_lot::Mutex;
use sea_orm::{
    ColumnTrait, DatabaseConnection, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    Statement, Value, sea_query::Expr,
};
use serde::{Deserialize, Serialize};
use store::entities::{webhook, webhook_delivery};
use time::OffsetDateTime;
use tokio::sync::Notify;
use utoipa::ToSchema;

use super::{
    Settings,
    send::{Letter, Post},
    sign::signature,
    state,
};
use crate::{
    clock::{self, Clock},
    secret,
    tasks::Shutdown,
};

/// For how long a delivery is leased, in microseconds: longer than any try takes.
const LEASE: i64 = 30_000_000;
/// How many deliveries are made at once, and how many of them to one host.
const AT_ONCE: usize = 64;
const AT_ONE_HOST: usize = 4;
/// How many deliveries that are due are looked at.
const LOOK: usize = 2_000;
/// How often is looked for what is due.
const POLL: Duration = Duration::from_secs(1);
/// How long to pause between two looks at least.
const PAUSE: Duration = Duration::from_millis(5);
/// After how many tries a delivery is given up.
pub const TRIES: i16 = 10;
/// The ceiling of a pause is four times that of the pause before; with 15 seconds for the first, the longest is 14 hours, and
/// ten tries take about a day.
const LONGEST: u64 = 3_360;
/// For how long what is done with is kept, in microseconds.
const KEPT: i64 = 30 * 24 * 60 * 60 * 1_000_000;
/// How often what is older is removed, in microseconds.
const SWEEP: i64 = 60 * 60 * 1_000_000;
/// How many tries are shown.
const SHOWN: usize = 20;

/// What came of one try.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Attempt {
    /// When.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The HTTP status of the answer.
    #[schema(minimum = 100, maximum = 599, example = 503)]
    pub status: Option<u16>,
    /// Why there was none: `timeout`, `connection_failed`, `tls_failed`, `host_unknown`, `host_not_public`.
    #[schema(example = "timeout")]
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    #[schema(example = 120)]
    pub millis: i64,
}

/// Makes deliveries.
#[derive(Debug, Clone)]
pub(super) struct Deliverer {
    db: DatabaseConnection,
    clock: Clock,
    settings: Settings,
    nudge: Arc<Notify>,
    busy: Arc<Mutex<HashMap<String, usize>>>,
}

impl Deliverer {
    pub(super) fn new(
        db: DatabaseConnection,
        clock: Clock,
        settings: Settings,
        nudge: Arc<Notify>,
    ) -> Self {
        Self { db, clock, settings, nudge, busy: Arc::default() }
    }

    pub(super) async fn run(&self, mut shutdown: Shutdown) {
        let post =
            Post::new(self.settings.policy).expect("the built-in roots and versions are valid");
        let mut swept = 0;
        loop {
            let now = self.clock.now();
            let mut claimed = match self.claim(now).await {
                Ok(claimed) => claimed,
                Err(error) => {
                    tracing::warn!(%error, "webhooks are not delivered");
                    Vec::new()
                }
            };
            for delivery in claimed.drain(..) {
                let (deliver, post) = (self.clone(), post.clone());
                deliver.count(&delivery.host, true);
                tokio::spawn(async move {
                    let host = delivery.host.clone();
                    if let Err(error) = deliver.make(delivery, &post).await {
                        // The lease runs out, and it is tried again.
                        tracing::warn!(%error, "what became of a delivery is not known");
                    }
                    deliver.count(&host, false);
                    deliver.nudge.notify_one();
                });
            }
            if now.micros() - swept > SWEEP {
                swept = now.micros();
                if let Err(error) = self.sweep(now).await {
                    tracing::warn!(%error, "old deliveries are not removed");
                }
            }
            tokio::select! {
                () = shutdown.requested() => return,
                () = self.nudge.notified() => {}
                () = self.clock.sleep_until(self.next_look(now).await) => {}
            }
        }
    }

    /// When to look again after a look at `now`. What was due then has been leased, or waits until another delivery is done.
    async fn next_look(&self, now: Timestamp) -> Timestamp {
        let next = webhook_delivery::Entity::find()
            .filter(webhook_delivery::Column::DueAt.gt(now.micros()))
            .order_by_asc(webhook_delivery::Column::DueAt)
            .one(&self.db)
            .await;
        let at_the_latest = clock::after(now, POLL);
        let next = next.ok().flatten().and_then(|next| next.due_at).map(Timestamp::from_micros);
        next.map_or(at_the_latest, |next| next.clamp(clock::after(now, PAUSE), at_the_latest))
    }

    /// Leases what is due, but not more to one host than it may have.
    async fn claim(&self, now: Timestamp) -> Result<Vec<webhook_delivery::Model>, DbErr> {
        let (free, full) = {
            let busy = self.busy.lock();
            let free = AT_ONCE.saturating_sub(busy.values().sum());
            // A host that has something already waits until that is done: so nobody has to count.
            let full: Vec<String> = busy.keys().cloned().collect();
            (free, full)
        };
        if free == 0 {
            return Ok(Vec::new());
        }
        let mut values: Vec<Value> = vec![(now.micros() + LEASE).into(), now.micros().into()];
        let mut places = Vec::new();
        for host in full {
            values.push(host.into());
            places.push(format!("${}", values.len()));
        }
        let others = match places.as_slice() {
            [] => String::new(),
            places => format!(" AND host NOT IN ({})", places.join(", ")),
        };
        // Two replicas that want the same row: the second one waits, looks again, and finds it no longer due.
        let sql = format!(
            "UPDATE webhook_deliveries SET due_at = $1 WHERE due_at <= $2 AND id IN (
                SELECT id FROM (
                    SELECT id, due_at, row_number() OVER (PARTITION BY host ORDER BY due_at, id) AS place
                    FROM (
                        SELECT id, due_at, host FROM webhook_deliveries WHERE due_at <= $2{others}
                        ORDER BY due_at, id LIMIT {LOOK}
                    ) AS due
                ) AS ranked
                WHERE place <= {AT_ONE_HOST} ORDER BY due_at, id LIMIT {free}
            ) RETURNING *"
        );
        let statement = Statement::from_sql_and_values(self.db.get_database_backend(), sql, values);
        webhook_delivery::Model::find_by_statement(statement).all(&self.db).await
    }

    /// Makes a delivery, and notes what came of it.
    async fn make(&self, delivery: webhook_delivery::Model, post: &Post) -> Result<(), DbErr> {
        let hook = webhook::Entity::find_by_id(delivery.webhook_id).one(&self.db).await?;
        let Some(hook) = hook.filter(|hook| hook.active) else {
            return self.note(&delivery, state::DEAD, None, None).await;
        };
        let started = self.clock.now();
        let id = delivery.id.to_string();
        let seconds = started.micros() / 1_000_000;
        let signature = signature(&hook.secret, &id, seconds, &delivery.payload);
        let letter = Letter { id: &id, seconds, signature: &signature, body: &delivery.payload };
        let answer = post.send(&hook.url, &letter).await;
        let attempt = Attempt {
            at: clock::to_datetime(started),
            status: answer.ok(),
            error: answer.err().map(str::to_owned),
            millis: self.clock.now().millis_since(started),
        };
        let result = if answer.is_ok_and(|status| (200..300).contains(&status)) {
            state::DELIVERED
        } else {
            "failed"
        };
        metrics::counter!("telar_webhook_attempts_total", "result" => result).increment(1);
        if answer == Ok(410) {
            self.disable(&hook).await?;
            return self.note(&delivery, state::DEAD, None, Some(attempt)).await;
        }
        if result == state::DELIVERED {
            return self.note(&delivery, state::DELIVERED, None, Some(attempt)).await;
        }
        if delivery.tries + 1 >= TRIES {
            return self.note(&delivery, state::DEAD, None, Some(attempt)).await;
        }
        let pause = pause_after(delivery.tries, self.settings.retry_millis, secret::bytes());
        let due = self.clock.now().micros().saturating_add(pause);
        self.note(&delivery, state::PENDING, Some(due), Some(attempt)).await
    }

    /// Notes what came of a try, if the lease is still ours.
    async fn note(
        &self,
        delivery: &webhook_delivery::Model,
        state: &str,
        due: Option<i64>,
        attempt: Option<Attempt>,
    ) -> Result<(), DbErr> {
        use webhook_delivery::Column;
        let mut attempts: Vec<Attempt> =
            serde_json::from_str(&delivery.attempts).unwrap_or_default();
        attempts.extend(attempt);
        let from = attempts.len().saturating_sub(SHOWN);
        let attempts = serde_json::to_string(&attempts[from..]).unwrap_or_default();
        webhook_delivery::Entity::update_many()
            .col_expr(Column::State, Expr::value(state))
            .col_expr(Column::DueAt, Expr::value(due))
            .col_expr(Column::Tries, Expr::value(delivery.tries.saturating_add(1)))
            .col_expr(Column::Attempts, Expr::value(attempts))
            .filter(Column::Id.eq(delivery.id))
            .filter(Column::DueAt.eq(delivery.due_at))
            .exec(&self.db)
            .await
            .map(drop)
    }

    /// The receiver wants nothing more: nothing more is sent, and the owner is told why.
    async fn disable(&self, hook: &webhook::Model) -> Result<(), DbErr> {
        webhook::Entity::update_many()
            .col_expr(webhook::Column::Active, Expr::value(false))
            .col_expr(webhook::Column::Notice, Expr::value("gone"))
            .col_expr(webhook::Column::UpdatedAt, Expr::value(self.clock.now().micros()))
            .filter(webhook::Column::Id.eq(hook.id))
            .filter(webhook::Column::Url.eq(hook.url.as_str()))
            .exec(&self.db)
            .await
            .map(drop)
    }

    /// Removes what has been done with for long.
    async fn sweep(&self, now: Timestamp) -> Result<(), DbErr> {
        webhook_delivery::Entity::delete_many()
            .filter(webhook_delivery::Column::DueAt.is_null())
            .filter(webhook_delivery::Column::CreatedAt.lt(now.micros() - KEPT))
            .exec(&self.db)
            .await
            .map(drop)
    }

    fn count(&self, host: &str, begins: bool) {
        let mut busy = self.busy.lock();
        let count = busy.entry(host.to_owned()).or_default();
        *count = if begins { *count + 1 } else { count.saturating_sub(1) };
        if *count == 0 {
            busy.remove(host);
        }
    }
}

/// The pause after so many tries that failed, in microseconds: anything up to the ceiling, so that receivers that failed together
/// are not called together again.
fn pause_after(tries: i16, first_millis: u64, luck: [u8; 8]) -> i64 {
    let factor = 4_u64.saturating_pow(u32::try_from(tries).unwrap_or_default()).min(LONGEST);
    let ceiling = first_millis.saturating_mul(factor).saturating_mul(1_000);
    let pause = u64::from_le_bytes(luck) % ceiling.saturating_add(1);
    i64::try_from(pause).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ceiling(tries: i16) -> u64 {
        15_000_000 * 4_u64.pow(u32::try_from(tries).unwrap()).min(LONGEST)
    }

    #[test]
    fn pauses_grow_up_to_a_ceiling_and_ten_tries_take_about_a_day() {
        let longest = |tries| pause_after(tries, 15_000, ceiling(tries).to_le_bytes()) / 1_000_000;
        let pauses: Vec<i64> = (0..9).map(longest).collect();
        assert_eq!(pauses, [15, 60, 240, 960, 3_840, 15_360, 50_400, 50_400, 50_400]);
        assert_eq!(pauses.iter().sum::<i64>() / 2 / 3_600, 23);
        assert_eq!(pause_after(0, 15_000, [0; 8]), 0);
        assert_eq!(pause_after(9, 0, [0xff; 8]), 0);
    }
}
