//! The commands of `telar`, one file each.

use std::{
    fs::File,
    io::{BufRead, BufReader, Write, stdin},
    path::{Path, PathBuf},
    process::ExitCode,
};

use crate::{
    config::{Command, Config},
    startup::StartError,
    telemetry,
};

mod backup;
pub mod import;
mod migrate;
mod rebuild;
mod seed;
mod serve;
mod verify;

/// Runs the command of the command line.
pub async fn run(config: &Config) -> Result<ExitCode, StartError> {
    telemetry::start_logging(config)?;
    match config.command.as_ref().unwrap_or(&Command::Serve) {
        Command::Serve => serve::run(config).await?,
        Command::Migrate => migrate::run(config).await?,
        Command::Seed(seed) => seed::run(config, seed).await?,
        Command::Rebuild => rebuild::run(config).await?,
        Command::Backup { file } => backup::run(config, file).await?,
        Command::Verify { file, earlier } => return verify::run(file, earlier.as_deref()),
        Command::Import { files } => return import::run(config, files).await,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints a line to standard output. A closed output is not an error.
fn print_line(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints an error to standard error.
fn print_error(line: &str) {
    let _ = writeln!(std::io::stderr(), "telar: {line}");
}

/// The documents of a file, one per line; `-` is standard input.
struct Documents {
    path: PathBuf,
    source: Box<dyn BufRead>,
    count: usize,
}

impl Documents {
    fn open(path: &Path) -> Result<Self, StartError> {
        let source: Box<dyn BufRead> = if path == Path::new("-") {
            Box::new(BufReader::new(stdin()))
        } else {
            Box::new(BufReader::new(File::open(path).map_err(|error| unreadable(path, error))?))
        };
        Ok(Self { path: path.to_owned(), source, count: 0 })
    }
}

fn unreadable(path: &Path, error: std::io::Error) -> StartError {
    StartError::File { path: path.display().to_string(), error }
}

impl Iterator for Documents {
    type Item = Result<Vec<u8>, StartError>;

    /// The next line without its end. An empty file counts as one empty document, so that it is reported as invalid.
    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        match self.source.read_until(b'\n', &mut line) {
            Ok(0) if self.count > 0 => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(unreadable(&self.path, error))),
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        self.count += 1;
        Some(Ok(line))
    }
}
