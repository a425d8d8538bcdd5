//! What `telar` can be told to do on its command line, one file each.

use std::{
    fs::File,
    io::{BufRead, BufReader, Write, stdin},
    path::{Path, PathBuf},
    process::ExitCode,
};

use crate::{
    config::{Config, Task},
    startup::StartError,
    telemetry,
};

pub mod import;
mod migrate;
mod rebuild;
mod seed;
mod serve;
mod verify;

/// Does what the command line asks for.
pub async fn run(config: &Config) -> Result<ExitCode, StartError> {
    telemetry::start_logging(config)?;
    match config.command.as_ref().unwrap_or(&Task::Serve) {
        Task::Serve => serve::run(config).await?,
        Task::Migrate => migrate::run(config).await?,
        Task::Seed(seed) => seed::run(config, seed).await?,
        Task::Rebuild => rebuild::run(config).await?,
        Task::Verify { file, earlier } => return verify::run(file, earlier.as_deref()),
        Task::Import { files } => return import::run(config, files).await,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints a line; whether anybody reads it is not our business.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints a line about what is wrong.
fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "telar: {line}");
}

/// The documents of a file, one a line; `-` is standard input.
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

    /// The next line without its end. An empty file holds one empty document, which is none.
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
