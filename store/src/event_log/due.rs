//! Matches by deadline.

use domain::time::Timestamp;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use super::{EventLog, signed};
use crate::error::Result;

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
        let statement = self.statement(
            "SELECT due_at, id FROM matches \
             WHERE due_at IS NOT NULL AND due_at <= $1 AND (due_at, id) > ($2, $3) \
             ORDER BY due_at, id LIMIT $4",
            [now.micros().into(), at.micros().into(), id.into(), signed(limit).into()],
        );
        let rows = self.db.query_all_raw(statement).await?;
        rows.iter()
            .map(|row| {
                Ok((Timestamp::from_micros(row.try_get("", "due_at")?), row.try_get("", "id")?))
            })
            .collect()
    }

    /// The first deadline after this time.
    pub async fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>> {
        let statement = self.statement(
            "SELECT due_at FROM matches WHERE due_at IS NOT NULL AND due_at > $1 ORDER BY due_at LIMIT 1",
            [now.micros().into()],
        );
        let row = self.db.query_one_raw(statement).await?;
        Ok(row.map(|row| row.try_get("", "due_at").map(Timestamp::from_micros)).transpose()?)
    }
}
