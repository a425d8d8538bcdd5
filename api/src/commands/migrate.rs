//! `telar migrate`

use service::Clock;
use store::partitions::{self, Division};

use super::print_line;

use crate::{
    config::{Config, MigrateArgs, PartitionBy},
    startup::StartError,
};

pub(super) async fn run(config: &Config, args: &MigrateArgs) -> Result<(), StartError> {
    let db = store::connect(&config.store()).await?;
    store::migrate(&db).await?;
    print_line("The schema is up to date.");
    match args.partition_by {
        Some(PartitionBy::Month) => {
            describe(&partitions::divide(&db, Clock::system().now()).await?);
        }
        None => {}
    }
    Ok(())
}

fn describe(Division { before, created }: &Division) {
    match before {
        Some(table) => {
            print_line(&format!("The log is divided by month. What it held is now in {table}."));
        }
        None => print_line("The log is divided by month already."),
    }
    if !created.is_empty() {
        print_line(&format!("Created {}.", created.join(", ")));
    }
}
