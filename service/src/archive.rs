//! Moving matches that ended long ago from the log to files.
//!
//! At any moment, a match is in the log, in the archive, or in both. It leaves the log in the transaction that says where it is
//! in the archive, after its file was flushed to the disk, read back and verified. Whenever a process is killed, the next one
//! begins with whatever is still in the log.

use std::{
    collections::{BTreeMap, HashSet},
    path::{Path, PathBuf},
    time::Duration,
};

use domain::{proof::Proof, time::Timestamp};
use store::{
    EventLog,
    archive::{ArchiveError, Directory, FlawedMatch, NewFile, PublishedFile},
    event_log::{Archivable, Moved},
    months::Month,
    partitions, signatures,
};
use uuid::Uuid;

use crate::{
    clock,
    error::{Error, Result},
};

/// A file is closed when it holds this many matches or bytes.
const MATCHES: usize = 5_000;
const BYTES: u64 = 128 * 1024 * 1024;
/// How many matches are looked up at once.
const PAGE: u64 = 500;
/// A clock of another server may be ahead by less than this.
const SKEW: Duration = Duration::from_hours(24);

/// A step of the work, for those who watch.
#[derive(Debug)]
pub enum Step<'a> {
    /// Another process writes to the directory; this one waits for it.
    Waiting,
    /// A file was written and flushed.
    Written {
        /// The month of its matches.
        month: Option<Month>,
        /// How many there are.
        matches: usize,
        /// How long it is.
        bytes: u64,
    },
    /// A file was read back and verified, and has got its name.
    Published {
        /// Where it is.
        path: &'a Path,
    },
    /// The matches of a file were removed from the log.
    Moved {
        /// What became of them.
        moved: Moved,
    },
    /// A match cannot be archived; it stays in the log.
    Flawed {
        /// The match.
        id: Uuid,
        /// Why.
        reason: &'a str,
    },
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Files that were written.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Matches that are in the archive now.
    pub matches: u64,
    /// Commits that were removed from the log.
    pub commits: u64,
    /// Matches that cannot be archived.
    pub flawed: u64,
    /// Partitions of the log that were empty and are gone.
    pub dropped: Vec<String>,
    /// Empty partitions that were in use; the next run drops them.
    pub busy: Vec<String>,
}

/// Why matches could not be archived.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] ArchiveError),
    /// The store failed, or its content cannot be read.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<store::Error> for RunError {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Finds the matches that ended before a time, in the order of their ids.
#[derive(Debug)]
pub struct Candidates {
    log: EventLog,
    which: Archivable,
    last: Option<Uuid>,
    found: std::vec::IntoIter<Uuid>,
}

impl Candidates {
    /// The matches of this log that ended before a time.
    #[must_use]
    pub fn new(log: EventLog, before: Timestamp, now: Timestamp) -> Self {
        let which = Archivable { before, future: clock::after(now, SKEW) };
        Self { log, which, last: Some(Uuid::nil()), found: Vec::new().into_iter() }
    }

    /// The next one.
    pub async fn next(&mut self) -> Result<Option<Uuid>> {
        loop {
            if let Some(id) = self.found.next() {
                return Ok(Some(id));
            }
            let Some(last) = self.last else { return Ok(None) };
            let page = self.log.archivable(self.which, last, PAGE).await?;
            self.last = page.as_ref().map(|(_, last)| *last);
            self.found = page.map(|(found, _)| found).unwrap_or_default().into_iter();
        }
    }
}

/// How many matches of each month could be archived.
pub async fn count(mut candidates: Candidates) -> Result<BTreeMap<Option<Month>, u64>> {
    let mut months = BTreeMap::new();
    while let Some(id) = candidates.next().await? {
        *months.entry(Month::of_id(id)).or_default() += 1;
    }
    Ok(months)
}

/// Archives all matches that ended before a time.
pub async fn run(
    log: &EventLog,
    directory: &Path,
    (before, now): (Timestamp, Timestamp),
    mut watch: impl FnMut(Step<'_>),
) -> Result<Summary, RunError> {
    let directory = open(directory.to_owned(), &mut watch).await?;
    let mut archiver = Archiver::new(log.clone(), directory);
    let mut candidates = Candidates::new(log.clone(), before, now);
    let mut next = candidates.next().await?;
    while let Some(first) = next {
        let month = Month::of_id(first);
        let mut ids = vec![first];
        loop {
            next = candidates.next().await?;
            match next {
                Some(id) if Month::of_id(id) == month && ids.len() < MATCHES => ids.push(id),
                _ => break,
            }
        }
        archiver.archive(ids, &mut watch).await?;
    }
    let (dropped, busy) = partitions::drop_empty(log.database(), before).await?;
    Ok(Summary { dropped, busy, ..archiver.summary })
}

/// Opens the directory, as soon as nobody else writes to it.
async fn open(path: PathBuf, watch: &mut impl FnMut(Step<'_>)) -> Result<Directory, RunError> {
    let (busy, mut is_busy) = tokio::sync::oneshot::channel();
    let mut opening = tokio::task::spawn_blocking(move || {
        Directory::open(&path, || {
            let _ = busy.send(());
        })
    });
    tokio::select! {
        opened = &mut opening => Ok(opened.expect("opening does not panic")?),
        Ok(()) = &mut is_busy => {
            watch(Step::Waiting);
            Ok(opening.await.expect("opening does not panic")?)
        }
    }
}

/// Writes files and moves their matches, step by step.
#[derive(Debug)]
pub struct Archiver {
    log: EventLog,
    directory: Directory,
    summary: Summary,
}

impl Archiver {
    /// Moves matches from this log to this directory.
    #[must_use]
    pub fn new(log: EventLog, directory: Directory) -> Self {
        Self { log, directory, summary: Summary::default() }
    }

    /// Archives matches of one month, in as many files as they need.
    async fn archive(
        &mut self,
        ids: Vec<Uuid>,
        watch: &mut impl FnMut(Step<'_>),
    ) -> Result<(), RunError> {
        let mut rest = ids;
        while let Some(file) = self.write(&mut rest, watch).await? {
            watch(Step::Published { path: file.path() });
            let moved = self.log.move_to_archive(&file).await?;
            watch(Step::Moved { moved });
            self.summary.matches += moved.matches;
            self.summary.commits += moved.commits;
        }
        Ok(())
    }

    /// Writes, verifies and publishes a file with the first of these matches, and takes them from the list. Flawed ones are
    /// left out. Nothing if no match is left.
    pub async fn write(
        &mut self,
        ids: &mut Vec<Uuid>,
        watch: &mut impl FnMut(Step<'_>),
    ) -> Result<Option<PublishedFile>, RunError> {
        let mut flawed = HashSet::new();
        loop {
            let wanted = ids.iter().filter(|id| !flawed.contains(*id)).copied().collect();
            let (file, taken, flaws) = self.fill(wanted).await?;
            let Some(last) = taken else {
                self.refuse(&flaws, &mut flawed, watch);
                ids.clear();
                return Ok(None);
            };
            self.refuse(&flaws, &mut flawed, watch);
            let (month, matches, bytes) = (Month::of_id(last), file.len(), file.bytes());
            let written = blocking(move || file.finish()).await?;
            watch(Step::Written { month, matches, bytes });
            match blocking(move || written.verify()).await? {
                Ok(verified) => {
                    ids.retain(|id| *id > last && !flawed.contains(id));
                    self.summary.files += 1;
                    self.summary.bytes += bytes;
                    return Ok(Some(blocking(move || verified.publish()).await?));
                }
                // Once more, without them.
                Err(flaws) => self.refuse(&flaws, &mut flawed, watch),
            }
        }
    }

    fn refuse(
        &mut self,
        flaws: &[FlawedMatch],
        flawed: &mut HashSet<Uuid>,
        watch: &mut impl FnMut(Step<'_>),
    ) {
        for (id, reason) in flaws {
            if flawed.insert(*id) {
                self.summary.flawed += 1;
                watch(Step::Flawed { id: *id, reason });
            }
        }
    }

    /// Fills a file with the first of these matches. Returns the last one in it, if any, and those that cannot be read.
    async fn fill(
        &self,
        ids: Vec<Uuid>,
    ) -> Result<(NewFile, Option<Uuid>, Vec<FlawedMatch>), RunError> {
        let mut file = self.directory.begin()?;
        let mut signed = signatures::of_many(self.log.database(), &ids).await?;
        let (mut taken, mut flaws) = (None, Vec::new());
        for id in ids {
            if file.bytes() >= BYTES {
                break;
            }
            let commits = self.log.load_unarchived(id).await?;
            if commits.is_empty() {
                // Another process has archived it meanwhile.
                continue;
            }
            let signatures = signed.remove(&id).unwrap_or_default();
            let added = blocking(move || {
                let proved = Proof::of(&commits).map_err(|corrupt| corrupt.to_string());
                let added = match (proved, commits.into_iter().last()) {
                    (Ok(Some(proof)), Some(last)) => {
                        file.add(&proof.signed(signatures), last).map(|()| Ok(()))
                    }
                    (Err(reason), _) => Ok(Err(reason)),
                    _ => Ok(Err("it has no commits".to_owned())),
                };
                added.map(|added| (file, added))
            });
            let result = added.await?;
            file = result.0;
            match result.1 {
                Ok(()) => taken = Some(id),
                Err(reason) => flaws.push((id, reason)),
            }
        }
        Ok((file, taken, flaws))
    }
}

/// Runs work that waits for the disk or takes its time.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ArchiveError> + Send + 'static,
) -> Result<T, ArchiveError> {
    tokio::task::spawn_blocking(work).await.expect("the work does not panic")
}
