//! `telar rebuild`

use std::time::Duration;

use super::say;
use service::statistics;
use store::event_log::EventLog;

use crate::{config::Config, startup::StartError};

/// Requests that still read the old rows are over by then.
const GRACE: Duration = Duration::from_secs(10);

pub(super) async fn run(config: &Config) -> Result<(), StartError> {
    let db = store::connect(&config.store()).await?;
    store::migrate(&db).await?;
    let rebuilt = statistics::rebuild(&EventLog::new(db), GRACE).await?;
    say(&format!("The statistics hold {} matches, made anew.", rebuilt.matches));
    Ok(())
}
