//! Whether the store can be written to, or at least read.

use domain::time::Timestamp;
use sea_orm::{ConnectionTrait, Statement};

use crate::{Db, error::Result};

/// Writes the time and flushes it to the disk, as a commit would be.
pub async fn beat(db: &Db, now: Timestamp) -> Result<()> {
    let sql = "INSERT INTO heartbeats (id, at) VALUES (0, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at";
    let values = [now.micros().into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    db.execute_raw(statement).await?;
    Ok(())
}

/// Reads the time that was last written.
pub async fn look(db: &Db) -> Result<()> {
    let sql = "SELECT at FROM heartbeats WHERE id = 0";
    db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await?;
    Ok(())
}
