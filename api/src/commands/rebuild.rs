//! `telar rebuild`

use std::time::Duration;

use super::print_line;
use service::statistics;

use crate::{
    config::Config,
    startup::{self, StartError},
};

/// How long old rows are kept for requests that still read them.
const GRACE: Duration = Duration::from_secs(10);

pub(super) async fn run(config: &Config) -> Result<(), StartError> {
    let log = startup::open_store(config).await?.patient();
    let rebuilt = statistics::rebuild(&log, GRACE).await?;
    print_line(&format!("Statistics rebuilt from {} matches.", rebuilt.matches));
    Ok(())
}
