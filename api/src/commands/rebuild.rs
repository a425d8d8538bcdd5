//! `telar rebuild`

use std::time::Duration;

use super::print_line;
use service::statistics;
use store::event_log::EventLog;

use crate::{config::Config, startup::StartError};

/// How long old rows are kept for requests that still read them.
const GRACE: Duration = Duration::from_secs(10);

pub(super) async fn run(config: &Config) -> Result<(), StartError> {
    let db = store::connect(&config.store()).await?;
    store::migrate(&db).await?;
    let rebuilt = statistics::rebuild(&EventLog::new(db.patient()), GRACE).await?;
    print_line(&format!("Statistics rebuilt from {} matches.", rebuilt.matches));
    Ok(())
}
