//! `telar migrate`

use super::print_line;

use crate::{config::Config, startup::StartError};

pub(super) async fn run(config: &Config) -> Result<(), StartError> {
    let db = store::connect(&config.store()).await?;
    store::migrate(&db, config.lanes()).await?;
    print_line("The schema is up to date.");
    Ok(())
}
