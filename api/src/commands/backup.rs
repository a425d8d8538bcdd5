//! `telar backup`

use std::path::Path;

use super::print_line;

use crate::{config::Config, startup::StartError};

pub(super) async fn run(config: &Config, file: &Path) -> Result<(), StartError> {
    let db = store::connect(&config.store()).await?;
    store::backup::backup(&db, file).await?;
    print_line(&format!("The store was copied to {}.", file.display()));
    Ok(())
}
