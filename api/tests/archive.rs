//! `telar archive` as a process: killed at every step, it loses nothing, and the next run completes it.
#![expect(clippy::unwrap_used, reason = "a test that cannot be carried out has failed")]

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use api::config::Config;
use domain::matches::Match;
use sea_orm::EntityTrait;
use store::{EventLog, entities::match_summary};
use tempfile::TempDir;
use tests::{postgres::new_database, process::KEY, server::Store};
use uuid::Uuid;

/// The last day of the tests: all matches are older.
const BEFORE: &str = "2026-01-01";

/// A store with old matches.
struct Place {
    directory: TempDir,
    database: Option<String>,
}

impl Place {
    async fn new(store: Store) -> Self {
        let database = match store {
            Store::Sqlite => None,
            Store::Postgres => Some(new_database().await),
        };
        let place = Self { directory: tempfile::tempdir().unwrap(), database };
        // Spread over ten years, so that there are matches of many months before the last day.
        let seeded = place
            .telar(&["seed", "--matches", "30", "--players", "8", "--days", "3650"])
            .output()
            .expect("it runs");
        assert!(seeded.status.success(), "{}", String::from_utf8_lossy(&seeded.stderr));
        place
    }

    fn archive(&self) -> PathBuf {
        self.directory.path().join("archive")
    }

    fn telar(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_telar"));
        command
            .args(arguments)
            .env_clear()
            .env("TELAR_DATA_DIR", self.directory.path())
            .env("TELAR_STORAGE_KEY", KEY)
            .env("TELAR_LOG", "error");
        if let Some(url) = &self.database {
            command.env("DATABASE_URL", url);
        }
        command
    }

    fn archiving(&self) -> Command {
        let to = self.archive();
        self.telar(&["archive", "--before", BEFORE, "--to", to.to_str().unwrap()])
    }

    async fn log(&self) -> EventLog {
        let mut config =
            Config::for_directory(self.directory.path().to_owned(), self.database.clone());
        config.storage_key = Some(KEY.to_owned());
        config.archive = Some(self.archive());
        api::startup::open_store(&config).await.expect("the store")
    }

    /// The version and the hash of every match, from its whole log.
    async fn read(&self) -> BTreeMap<Uuid, (u64, [u8; 32])> {
        let log = self.log().await;
        let mut all = BTreeMap::new();
        for row in match_summary::Entity::find().all(log.database()).await.unwrap() {
            let commits = log.load(row.id, 0).await.expect("a readable log");
            let m = Match::fold(&commits).expect("a whole log").expect("a match");
            all.insert(row.id, (m.version(), *m.hash()));
        }
        store::close(log.database()).await.unwrap();
        all
    }

    /// The files of the archive.
    fn files(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.archive()).unwrap().map(|it| it.unwrap().path());
        let folders = folders.filter(|path| path.is_dir());
        let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
        let files = files.map(|it| it.unwrap().path());
        files.filter(|path| path.extension().unwrap() == "zst").collect()
    }
}

fn output(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

async fn killed_at_every_step(store: Store) {
    let place = Place::new(store).await;
    let before = place.read().await;
    let counted = output(&place.archiving().arg("--dry-run").output().unwrap());
    assert!(!place.archive().exists(), "a dry run writes nothing");
    // Each run is killed after one more line of its progress, until one comes to its end.
    let mut lines = 0;
    let summary = loop {
        let mut run = place.archiving();
        let mut process = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut progress = BufReader::new(process.stderr.take().unwrap()).lines();
        let seen = progress.by_ref().take(lines).count();
        if seen < lines {
            break output(&process.wait_with_output().unwrap());
        }
        process.kill().unwrap();
        process.wait().unwrap();
        assert_eq!(place.read().await, before, "after {lines} lines");
        lines += 1;
    };
    assert!(lines > 3, "{summary}");
    assert_eq!(place.read().await, before);
    let left = output(&place.archiving().arg("--dry-run").output().unwrap());
    assert!(
        left.ends_with("0 matches would be archived.\n") && !counted.ends_with(&left),
        "{left}"
    );
    assert!(!place.archive().join("partial.ndjson.zst").exists());
}

#[actix_web::test]
async fn killed_at_every_step_it_loses_nothing_on_sqlite() {
    killed_at_every_step(Store::Sqlite).await;
}

#[actix_web::test]
async fn killed_at_every_step_it_loses_nothing_on_postgres() {
    killed_at_every_step(Store::Postgres).await;
}

#[actix_web::test]
async fn two_processes_at_once_take_turns() {
    let place = Place::new(Store::Sqlite).await;
    let before = place.read().await;
    let runs = [place.archiving(), place.archiving()];
    let runs = runs
        .map(|mut run| run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs"));
    for run in runs {
        output(&run.wait_with_output().unwrap());
    }
    assert_eq!(place.read().await, before);
}

#[actix_web::test]
async fn files_of_the_archive_are_verified_and_imported_like_exports() {
    let place = Place::new(Store::Sqlite).await;
    let before = place.read().await;
    output(&place.archiving().output().unwrap());
    let files = place.files();
    assert!(files.len() > 1);
    let mut verified = 0;
    for file in &files {
        let report = output(&place.telar(&["verify", file.to_str().unwrap()]).output().unwrap());
        verified += report.lines().count();
    }
    let other = Place { directory: tempfile::tempdir().unwrap(), database: None };
    let names: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let import = [&["import"][..], &names].concat();
    let report = output(&other.telar(&import).output().unwrap());
    assert_eq!(report, format!("{verified} imported, 0 already present, 0 refused\n"));
    let read = other.read().await;
    assert!(read.iter().all(|(id, end)| before.get(id) == Some(end)));
    // Where they came from, they are still known.
    let report = output(&place.telar(&import).output().unwrap());
    assert_eq!(report, format!("0 imported, {verified} already present, 0 refused\n"));
    // A damaged file does not verify.
    let mut bytes = fs::read(&files[0]).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&files[0], bytes).unwrap();
    assert!(!place.telar(&["verify", names[0]]).output().unwrap().status.success());
}

#[test]
fn a_day_that_is_not_over_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let telar = |before: &str| {
        let run = Command::new(env!("CARGO_BIN_EXE_telar"))
            .args(["archive", "--before", before, "--to"])
            .arg(Path::new("archive"))
            .env_clear()
            .env("TELAR_DATA_DIR", directory.path())
            .current_dir(directory.path())
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(2));
        String::from_utf8(run.stderr).unwrap()
    };
    assert!(telar("9999-01-01").contains("at least a day has to have passed"));
    assert!(telar("yesterday").contains("2026-01-31"));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "nothing was opened");
}
