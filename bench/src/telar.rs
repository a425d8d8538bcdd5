//! A running `telar`: the binary next to ours, built with the same profile.

use std::{
    io::{BufRead, BufReader},
    process::{Child, ChildStdout, Command, Stdio},
};

/// The key that replicas and commands share: 32 bytes in base64.
pub const KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

/// A server, killed on drop.
#[derive(Debug)]
pub struct Telar {
    /// `host:port`.
    pub host: String,
    process: Child,
    _output: BufReader<ChildStdout>,
    _directory: tempfile::TempDir,
}

impl Telar {
    /// Starts a replica on a database.
    pub fn start(database_url: &str) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let mut process = Self::command()
            .env("DATABASE_URL", database_url)
            .env("TELAR_DATA_DIR", directory.path())
            .env("TELAR_BIND", "127.0.0.1:0")
            .env("TELAR_LOG", "warn")
            .envs(tests::server::UNLIMITED)
            .stdout(Stdio::piped())
            .spawn()
            .expect("telar runs");
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let host = line.rsplit("http://").next().expect("an address").trim().to_owned();
        Self { host, process, _output: output, _directory: directory }
    }

    /// A command that runs the binary next to this one, with the keys that all of them share.
    pub fn command() -> Command {
        let binary = std::env::current_exe().expect("our own path").with_file_name("telar");
        assert!(binary.exists(), "{} is missing: build the package `api` too", binary.display());
        let mut command = Command::new(binary);
        command.env("TELAR_SIGNING_KEY", KEY).env("TELAR_STORAGE_KEY", KEY);
        command
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Telar {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
