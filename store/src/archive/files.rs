//! The files of the archive: `<month>/<id>.ndjson.zst`. The id of a file is the beginning of the SHA-256 of its content, so two
//! files with the same name are the same, and directories can be merged.

use std::{
    fmt,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use domain::{
    matches::{Commit, Match},
    proof::Proof,
};
use uuid::Uuid;

use super::ArchivedMatch;
use crate::{
    error::{Error, Result},
    months::Month,
};

/// The longest match that is read, in bytes: many times the longest that can be played.
pub(super) const LONGEST: usize = 256 * 1024 * 1024;

/// The id of a file: the first half of the SHA-256 of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArchiveFileId(Uuid);

impl ArchiveFileId {
    pub(super) fn of_digest(digest: &[u8]) -> Self {
        let half = digest[..16].try_into().expect("a SHA-256 has 32 bytes");
        Self(Uuid::from_bytes(half))
    }

    pub(super) const fn from_column(column: Uuid) -> Self {
        Self(column)
    }

    pub(super) const fn to_column(self) -> Uuid {
        self.0
    }
}

/// In hexadecimal.
impl fmt::Display for ArchiveFileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.simple().fmt(f)
    }
}

/// The path of a file within the directory of the archive: that of the month in which its matches were created.
#[must_use]
pub fn path_of(match_id: Uuid, file: ArchiveFileId) -> PathBuf {
    Path::new(&folder_of(match_id)).join(format!("{file}.ndjson.zst"))
}

/// The folder of a match. Ids that tell no time share one.
pub(super) fn folder_of(match_id: Uuid) -> String {
    Month::of_id(match_id).map_or_else(|| "other".to_owned(), |month| month.to_string())
}

/// Reads a match.
pub(super) fn read(directory: &Path, archived: &ArchivedMatch) -> Result<Vec<Commit>> {
    let path = directory.join(path_of(archived.match_id, archived.file));
    let proof = read_proof(&path, archived)?;
    let commits = proof.rows().map_err(|flaw| damaged(&path, archived, &flaw))?;
    check(&commits, archived).map_err(|reason| damaged(&path, archived, &reason))?;
    Ok(commits)
}

/// Reads the proof of a match. Whether it is the one that was archived has to be checked.
pub(super) fn read_proof(path: &Path, archived: &ArchivedMatch) -> Result<Proof> {
    let mut bytes = vec![0; archived.length as usize];
    let read = File::open(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(archived.position))?;
        file.read_exact(&mut bytes)
    });
    read.map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged(path, archived, &"the file is too short"),
        _ => Error::ArchiveUnavailable(format!("{}: {error}", path.display())),
    })?;
    let line = zstd::bulk::decompress(&bytes, LONGEST);
    let line = line.map_err(|error| damaged(path, archived, &error))?;
    let document = line.strip_suffix(b"\n").unwrap_or(&line);
    Proof::from_text(document).map_err(|flaw| damaged(path, archived, &flaw))
}

/// Checks that these are the commits of an archived match: they are linked by their hashes, and the last one has the hash that
/// was written down.
fn check(commits: &[Commit], archived: &ArchivedMatch) -> Result<(), String> {
    let mut previous = (0, Match::ORIGIN);
    for commit in commits {
        let (version, hash) = previous;
        if commit.match_id != archived.match_id || commit.seq != version || !commit.follows(&hash) {
            return Err(format!("commit {} does not follow the one before", commit.seq));
        }
        previous = (commit.version(), commit.hash);
    }
    if previous == (archived.version, archived.hash) {
        Ok(())
    } else {
        Err("the last hash is another one".to_owned())
    }
}

fn damaged(path: &Path, archived: &ArchivedMatch, reason: &dyn fmt::Display) -> Error {
    let (id, path) = (archived.match_id, path.display());
    Error::ArchiveDamaged(format!("match {id} in {path}: {reason}"))
}
