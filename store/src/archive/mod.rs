//! Archived matches: in files, not in the log. A table says where each of them is (`archived_matches`).
//!
//! A file holds proofs, one line per match, each compressed by itself, so that a match can be read without the others. Nothing
//! that is read here is believed: the hashes of its commits have to lead to the hash that the table holds.

use std::{path::PathBuf, sync::Arc};

use domain::matches::Commit;
use quick_cache::{Weighter, sync::Cache};
use uuid::Uuid;

use crate::{
    Db,
    error::{Error, Result},
};

pub mod directory;
mod files;
mod table;
#[cfg(test)]
mod tests;

pub use directory::{ArchiveError, Directory, FlawedMatch, NewFile, PublishedFile};
pub use files::{ArchiveFileId, path_of};
pub use table::{ArchivedMatch, is_empty};
pub(crate) use table::{find, insert};

/// How many bytes of commits are kept in memory. A reader that pages through a match reads it from its file once.
const BYTES: u64 = 16 * 1024 * 1024;

/// The files of archived matches.
#[derive(Debug, Clone)]
pub struct Archive {
    /// Where they are; nothing if this process was not told.
    directory: Option<Arc<PathBuf>>,
    recent: Arc<Cache<Uuid, Arc<Vec<Commit>>, CommitWeight>>,
}

/// Weighs the commits of a match by their payloads.
#[derive(Debug, Clone)]
struct CommitWeight;

impl Weighter<Uuid, Arc<Vec<Commit>>> for CommitWeight {
    fn weight(&self, _: &Uuid, commits: &Arc<Vec<Commit>>) -> u64 {
        commits.iter().map(|commit| 160 + commit.payload.len() as u64).sum()
    }
}

impl Archive {
    /// The archive in this directory, which may be read-only.
    #[must_use]
    pub fn new(directory: Option<PathBuf>) -> Self {
        let recent = Arc::new(Cache::with_weighter(256, BYTES, CommitWeight));
        Self { directory: directory.map(Arc::new), recent }
    }

    /// The commits of an archived match, oldest first; nothing if the match is not archived.
    pub(crate) async fn load(&self, db: &Db, id: Uuid) -> Result<Option<Arc<Vec<Commit>>>> {
        let found = find(db, &[id]).await?.remove(&id);
        match found {
            Some(archived) => self.read(archived).await.map(Some),
            None => Ok(None),
        }
    }

    /// The commits of an archived match, oldest first.
    pub(crate) async fn read(&self, archived: ArchivedMatch) -> Result<Arc<Vec<Commit>>> {
        let id = archived.match_id;
        let is_current = |commits: &Arc<Vec<Commit>>| {
            commits.last().is_some_and(|last| last.hash == archived.hash)
        };
        if let Some(commits) = self.recent.get(&id).filter(is_current) {
            return Ok(commits);
        }
        let read = match self.directory.clone() {
            None => Err(Error::ArchiveUnavailable(format!(
                "match {id} is archived; set TELAR_ARCHIVE to the directory of the archive"
            ))),
            Some(directory) => {
                let reading =
                    tokio::task::spawn_blocking(move || files::read(&directory, &archived));
                reading.await.unwrap_or_else(|error| Err(Error::Failed(error.to_string())))
            }
        };
        let result = match &read {
            Ok(_) => "read",
            Err(Error::ArchiveDamaged(_)) => "damaged",
            Err(_) => "unavailable",
        };
        metrics::counter!("telar_archive_reads_total", "result" => result).increment(1);
        let commits = Arc::new(read?);
        self.recent.insert(id, Arc::clone(&commits));
        Ok(commits)
    }
}
