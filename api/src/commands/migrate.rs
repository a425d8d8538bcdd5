//! `telar migrate`

use super::say;
use crate::{
    config::Config,
    startup::StartError,
    store::{self, StoreError},
};

pub(super) async fn run(config: &Config) -> Result<(), StartError> {
    let kind = config.store_kind()?;
    let db = store::connect(config).await?;
    store::migrate(&db, kind).await.map_err(StoreError::from)?;
    say("The schema is up to date.");
    Ok(())
}
