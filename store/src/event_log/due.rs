//! Matches in which the server has to act: because of a deadline, or because a bot has not moved.

use domain::time::Timestamp;
use sea_orm::{ConnectionTrait, QueryResult, Value};
use uuid::Uuid;

use super::{EventLog, signed};
use crate::{Connection as _, error::Result, layout::Feeds};

const DUE: &str = "SELECT due_at, id FROM matches \
    WHERE due_at IS NOT NULL AND due_at <= $1 AND (due_at, id) > ($2, $3)";
const NEXT_DUE: &str = "SELECT due_at, id FROM matches WHERE due_at IS NOT NULL AND due_at > $1";

impl EventLog {
    /// Matches with a deadline at this time or earlier, the longest overdue first. `after` is the last one of the previous
    /// page.
    pub async fn due(
        &self,
        now: Timestamp,
        after: Option<(Timestamp, Uuid)>,
        limit: u64,
    ) -> Result<Vec<(Timestamp, Uuid)>> {
        let (at, id) = after.unwrap_or((Timestamp::from_micros(i64::MIN), Uuid::nil()));
        self.deadlines(DUE, [now.micros().into(), at.micros().into(), id.into()], limit).await
    }

    /// The first deadline after this time.
    pub async fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>> {
        let next = self.deadlines(NEXT_DUE, [now.micros().into()], 1).await?;
        Ok(next.first().map(|(at, _)| *at))
    }

    /// The first deadlines that a query finds. If a node is away, those of the other nodes.
    async fn deadlines<const N: usize>(
        &self,
        query: &str,
        values: [Value; N],
        limit: u64,
    ) -> Result<Vec<(Timestamp, Uuid)>> {
        let all = self.first_deadlines(query, values.to_vec(), limit).await;
        let Err(error) = all else { return all };
        if self.db.layout().feeds == Feeds::Shared {
            return Err(error);
        }
        let (mut found, mut answers) = (Vec::new(), 0);
        for lane in self.db.lanes().all() {
            let query = format!("{query} AND lane = ${}", N + 1);
            let values = values.iter().cloned().chain([lane.column().into()]).collect();
            if let Ok(deadlines) = self.first_deadlines(&query, values, limit).await {
                found.extend(deadlines);
                answers += 1;
            }
        }
        if answers == 0 {
            return Err(error);
        }
        found.sort_unstable();
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(found)
    }

    async fn first_deadlines(
        &self,
        query: &str,
        mut values: Vec<Value>,
        limit: u64,
    ) -> Result<Vec<(Timestamp, Uuid)>> {
        values.push(signed(limit).into());
        let sql = format!("{query} ORDER BY due_at, id LIMIT ${}", values.len());
        let statement = sea_orm::Statement::from_sql_and_values(self.backend, sql, values);
        let rows = self.db.prompt().query_all_raw(statement).await?;
        let read = |row: &QueryResult| {
            Ok((Timestamp::from_micros(row.try_get("", "due_at")?), row.try_get("", "id")?))
        };
        rows.iter().map(read).collect()
    }
}
