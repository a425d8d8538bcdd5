//! `telar` as a separate process that can be killed.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
};

use tempfile::TempDir;

use crate::eventually::{PATIENCE, eventually};

/// The key that replicas share: 32 bytes in base64.
pub const KEY: &str = "dGVsYXIgdGVsYXIgdGVsYXIgdGVsYXIgdGVsYXIgdCE=";

/// A running `telar`.
#[derive(Debug)]
pub struct Telar {
    /// `http://127.0.0.1:…`
    pub url: String,
    process: Child,
    _output: BufReader<ChildStdout>,
    _directory: Option<TempDir>,
}

impl Telar {
    /// Starts a replica on this database with these environment variables.
    #[must_use]
    pub fn start(binary: &Path, database_url: &str, variables: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let variables = [&[("DATABASE_URL", database_url)], variables].concat();
        let (url, process, output) = launch(binary, directory.path(), &variables, Stdio::inherit());
        Self { url, process, _output: output, _directory: Some(directory) }
    }

    /// Starts a server with this data directory and these environment variables. Unless they name a database, the store is an
    /// SQLite file in the directory.
    #[must_use]
    pub fn start_in(binary: &Path, directory: &Path, variables: &[(&str, &str)]) -> Self {
        let (url, process, output) = launch(binary, directory, variables, Stdio::inherit());
        Self { url, process, _output: output, _directory: None }
    }

    /// Starts a server in the same way, which writes its errors to this file.
    #[must_use]
    pub fn start_with_errors(
        binary: &Path,
        directory: &Path,
        variables: &[(&str, &str)],
        errors: File,
    ) -> Self {
        let (url, process, output) = launch(binary, directory, variables, errors.into());
        Self { url, process, _output: output, _directory: None }
    }

    /// The process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Stops it from running, as `kill -STOP` does: connections stay open, and nothing is answered.
    pub fn freeze(&self) {
        self.signal("-STOP");
    }

    /// Lets it run again.
    pub fn thaw(&self) {
        self.signal("-CONT");
    }

    /// Kills it at once, as `kill -9` does.
    pub fn kill(mut self) {
        self.end();
    }

    /// Tells it to end, as `kill` does, and waits until it has ended.
    pub async fn terminate(mut self) -> ExitStatus {
        self.signal("-TERM");
        eventually("the process ends", PATIENCE, async || self.process.try_wait().expect("a child"))
            .await
    }

    fn signal(&self, signal: &str) {
        let pid = self.pid().to_string();
        let told = Command::new("kill").args([signal, &pid]).status().expect("a signal");
        assert!(told.success(), "the process is gone already");
    }

    fn end(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Telar {
    fn drop(&mut self) {
        self.end();
    }
}

/// The URL, the process and its output.
fn launch(
    binary: &Path,
    directory: &Path,
    variables: &[(&str, &str)],
    errors: Stdio,
) -> (String, Child, BufReader<ChildStdout>) {
    let mut process = Command::new(binary)
        .env_clear()
        .env("TELAR_DATA_DIR", directory)
        .env("TELAR_BIND", "127.0.0.1:0")
        .env("TELAR_LOG", "error")
        .env("TELAR_SIGNING_KEY", KEY)
        .env("TELAR_STORAGE_KEY", KEY)
        .envs(crate::server::UNLIMITED)
        .envs(variables.iter().copied())
        .stdout(Stdio::piped())
        .stderr(errors)
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", binary.display()));
    let mut output = BufReader::new(process.stdout.take().expect("its output"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    assert!(line.contains("http://"), "telar does not start");
    let url = line.trim().rsplit(' ').next().expect("an address").to_owned();
    (url, process, output)
}
