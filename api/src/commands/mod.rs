//! The commands of `telar`, one file each.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write, stdin},
    path::{Path, PathBuf},
    process::ExitCode,
};

use crate::{
    config::{Command, Config},
    startup::StartError,
    telemetry,
};

mod app;
mod archive;
mod audit;
mod backup;
pub mod import;
mod migrate;
mod play;
mod rebuild;
mod seed;
mod serve;
mod verify;

/// Runs the command of the command line.
pub async fn run(config: &Config) -> Result<ExitCode, StartError> {
    telemetry::start_logging(config)?;
    config.check()?;
    match config.command.as_ref().unwrap_or(&Command::Serve) {
        Command::Serve => serve::run(config).await?,
        Command::Migrate(args) => migrate::run(config, args).await?,
        Command::Seed(seed) => seed::run(config, seed).await?,
        Command::Play(args) => play::run(args)?,
        Command::Rebuild => rebuild::run(config).await?,
        Command::App(command) => app::run(config, command).await?,
        Command::Backup { file } => backup::run(config, file).await?,
        Command::Verify(args) => return verify::run(args),
        Command::Audit { keys, earlier, consistency } => {
            return audit::run(keys, earlier, consistency);
        }
        Command::Archive(args) => return archive::run(config, args).await,
        Command::Import(args) => return import::run(config, args).await,
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

/// The longest line that is read, in bytes: many times the longest match.
const LONGEST: u64 = 256 * 1024 * 1024;

/// How a file that is compressed with Zstandard begins.
const COMPRESSED: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The documents of a file, one per line, which may be compressed; `-` is standard input.
struct Documents {
    path: PathBuf,
    source: Box<dyn BufRead>,
    count: usize,
}

impl Documents {
    fn open(path: &Path) -> Result<Self, StartError> {
        let fail = |error| unreadable(path, error);
        let mut source: Box<dyn BufRead> = if path == Path::new("-") {
            Box::new(BufReader::new(stdin()))
        } else {
            Box::new(BufReader::new(File::open(path).map_err(fail)?))
        };
        if source.fill_buf().map_err(fail)?.starts_with(&COMPRESSED) {
            let plain = zstd::stream::read::Decoder::with_buffer(source).map_err(fail)?;
            source = Box::new(BufReader::new(plain));
        }
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
        match self.source.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) if self.count > 0 => return None,
            Ok(read) if read as u64 == LONGEST && line.last() != Some(&b'\n') => {
                let error = std::io::Error::other("a line is longer than 256 MiB");
                return Some(Err(unreadable(&self.path, error)));
            }
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
