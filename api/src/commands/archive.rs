//! `telar archive`

use std::process::ExitCode;

use domain::time::Timestamp;
use service::{
    Clock,
    archive::{self, Candidates, Step, Summary},
};
use store::{Archive, months::Month};

use super::{print_error, print_line};
use crate::{
    config::{ArchiveArgs, Config, ConfigError},
    startup::{self, StartError},
};

/// How long ago the day has to be. By then, everybody who follows the feed has seen the end of these matches, and no server has
/// anything left to write to them.
const AGE: i64 = 24 * 3_600_000_000;

pub(super) async fn run(config: &Config, args: &ArchiveArgs) -> Result<ExitCode, StartError> {
    let now = Clock::system().now();
    let day = args.before.midnight().assume_utc();
    let before = Timestamp::from_micros(day.unix_timestamp().saturating_mul(1_000_000));
    if before.micros() > now.micros() - AGE {
        let reason = "--before: at least a day has to have passed since that day began";
        return Err(ConfigError(reason.to_owned()).into());
    }
    let log = startup::open_store(config).await?.patient();
    let log = log.with_archive(Archive::new(Some(args.to.clone())));
    if args.dry_run {
        let months = archive::count(Candidates::new(log, before, now)).await?;
        for (month, matches) in &months {
            print_line(&format!("{}: {matches} matches", name(*month)));
        }
        let matches: u64 = months.values().sum();
        print_line(&format!("{matches} matches would be archived."));
        return Ok(ExitCode::SUCCESS);
    }
    let summary = archive::run(&log, &args.to, (before, now), |step| report(&step)).await?;
    describe(&summary);
    Ok(if summary.flawed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn name(month: Option<Month>) -> String {
    month.map_or_else(|| "other ids".to_owned(), |month| month.to_string())
}

/// Progress goes to standard error.
fn report(step: &Step<'_>) {
    print_error(&match step {
        Step::Waiting => "waiting for another process that writes to this directory".to_owned(),
        Step::Written { month, matches, bytes } => {
            format!("{}: {matches} matches written, {} kB", name(*month), bytes / 1_000)
        }
        Step::Published { path } => format!("{}: verified", path.display()),
        Step::Moved { moved } => {
            let left = match moved.left {
                0 => String::new(),
                left => format!("; {left} were archived by another process or have changed"),
            };
            format!("{} matches removed from the log{left}", moved.matches)
        }
        Step::Flawed { id, reason } => format!("match {id} stays in the log: {reason}"),
    });
}

fn describe(summary: &Summary) {
    let Summary { files, bytes, matches, commits, flawed, dropped, busy } = summary;
    print_line(&format!(
        "{matches} matches with {commits} commits archived in {files} files of {} kB",
        bytes / 1_000
    ));
    if *flawed > 0 {
        print_line(&format!("{flawed} matches do not verify and stay in the log"));
    }
    if !dropped.is_empty() {
        print_line(&format!("Dropped the empty partitions {}.", dropped.join(", ")));
    }
    if !busy.is_empty() {
        print_line(&format!("Empty, but in use; run again to drop: {}.", busy.join(", ")));
    }
}
