//! Runs a command whose processes share a private Postgres: `with-postgres cargo nextest run`.

use std::{
    env,
    process::{Command, ExitCode},
};

use tests::{
    postgres::{Disk, PORT, Postgres},
    statements,
};

/// The environment variable that lets the run fail if a statement on a table of matches names no lane.
const CHECK: &str = "TELAR_TEST_STATEMENTS";

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let program = arguments.next().expect("which command? For example: with-postgres cargo test");
    let is_checked = env::var_os(CHECK).is_some();
    let settings = if is_checked { &statements::LOGGING[..] } else { &[] };
    let postgres = Postgres::start_with(Disk::Careless, settings);
    let status =
        Command::new(&program).args(arguments).env(PORT, postgres.port.to_string()).status();
    let log = if is_checked { postgres.log() } else { String::new() };
    drop(postgres);
    let statements = statements::logged(&log);
    let strays = statements::without_lane(&statements);
    if is_checked {
        println!("{} statements, {} without a lane", statements.len(), strays.len());
        for statement in &strays {
            println!("    {statement}");
        }
    }
    match status {
        Ok(status) if status.success() && strays.is_empty() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{}: {error}", program.display());
            ExitCode::FAILURE
        }
    }
}
