//! `telar rebuild`

use std::time::Duration;

use super::say;
use crate::{
    config::Config,
    event_store::EventStore,
    projections,
    startup::StartError,
    store::{self, StoreError},
};

/// Requests that still read the old rows are over by then.
const GRACE: Duration = Duration::from_secs(10);

pub(super) async fn run(config: &Config) -> Result<(), StartError> {
    let kind = config.store_kind()?;
    let db = store::connect(config).await?;
    store::migrate(&db, kind).await.map_err(StoreError::from)?;
    let rebuilt = projections::rebuild(&EventStore::start(db), GRACE).await?;
    say(&format!("The statistics hold {} matches, made anew.", rebuilt.matches));
    Ok(())
}
