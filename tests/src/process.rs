//! `telar` as a separate process that can be killed.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
};

use tempfile::TempDir;

use crate::eventually::{PATIENCE, eventually};

/// The key that replicas share: 32 bytes in base64.
const KEY: &str = "dGVsYXIgdGVsYXIgdGVsYXIgdGVsYXIgdGVsYXIgdCE=";

/// A running `telar`.
#[derive(Debug)]
pub struct Telar {
    /// `http://127.0.0.1:…`
    pub url: String,
    process: Child,
    _output: BufReader<ChildStdout>,
    _directory: TempDir,
}

impl Telar {
    /// Starts a replica on this database with these environment variables.
    #[must_use]
    pub fn start(binary: &Path, database_url: &str, variables: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let mut process = Command::new(binary)
            .env_clear()
            .env("DATABASE_URL", database_url)
            .env("TELAR_DATA_DIR", directory.path())
            .env("TELAR_BIND", "127.0.0.1:0")
            .env("TELAR_LOG", "error")
            .env("TELAR_SIGNING_KEY", KEY)
            .env("TELAR_STORAGE_KEY", KEY)
            .envs(crate::server::UNLIMITED)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", binary.display()));
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        assert!(line.contains("http://"), "telar does not start");
        let url = line.trim().rsplit(' ').next().expect("an address").to_owned();
        Self { url, process, _output: output, _directory: directory }
    }

    /// Kills it at once, as `kill -9` does.
    pub fn kill(mut self) {
        self.end();
    }

    /// Tells it to end, as `kill` does, and waits until it has ended.
    pub async fn terminate(mut self) -> ExitStatus {
        let pid = self.process.id().to_string();
        let told = Command::new("kill").args(["-TERM", &pid]).status().expect("a signal");
        assert!(told.success(), "the process is gone already");
        eventually("the process ends", PATIENCE, async || self.process.try_wait().expect("a child"))
            .await
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
