//! `telar migrate`

use super::say;

use crate::{config::Config, startup::StartError};

pub(super) async fn run(config: &Config) -> Result<(), StartError> {
    let db = store::connect(&config.store()).await?;
    store::migrate(&db).await?;
    say("The schema is up to date.");
    Ok(())
}
