//! `telar migrate`

use store::distribution;

use super::print_line;

use crate::{config::Config, startup::StartError};

pub(super) async fn run(config: &Config, distribute: bool) -> Result<(), StartError> {
    let db = store::connect(&config.store()).await?;
    store::migrate(&db, config.lanes()).await?;
    print_line("The schema is up to date.");
    if distribute {
        for step in distribution::distribute(&db).await? {
            print_line(&step);
        }
        print_line("The store is distributed. Start the servers again.");
    }
    Ok(())
}
