//! `telar migrate`

use service::Clock;
use store::{
    distribution,
    partitions::{self, Division},
};

use super::print_line;

use crate::{
    config::{Config, MigrateArgs, PartitionBy},
    startup::StartError,
};

pub(super) async fn run(config: &Config, args: &MigrateArgs) -> Result<(), StartError> {
    let db = store::connect(&config.store()).await?;
    store::migrate(&db, config.lanes()).await?;
    print_line("The schema is up to date.");
    match args.partition_by {
        Some(PartitionBy::Month) => {
            describe(&partitions::divide(&db, Clock::system().now()).await?);
        }
        None => {}
    }
    if args.distribute {
        for step in distribution::distribute(&db).await? {
            print_line(&step);
        }
        print_line("The store is distributed. Start the servers again.");
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
