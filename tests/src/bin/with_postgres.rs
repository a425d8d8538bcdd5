//! Runs a command whose processes share a private Postgres: `with-postgres cargo nextest run`.

use std::{
    env,
    process::{Command, ExitCode},
};

use tests::postgres::{Disk, PORT, Postgres};

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let program = arguments.next().expect("which command? For example: with-postgres cargo test");
    let postgres = Postgres::start(Disk::Careless);
    let status =
        Command::new(&program).args(arguments).env(PORT, postgres.port.to_string()).status();
    drop(postgres);
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{}: {error}", program.display());
            ExitCode::FAILURE
        }
    }
}
