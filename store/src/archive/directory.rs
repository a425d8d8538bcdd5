//! Writing to the archive. A file goes through its states in one direction: being written, written and flushed, read back and
//! verified, published under its name. Only a published file can be entered into the table, and only then may anything be
//! removed from the log. A process that is killed before leaves a file with a name that nobody reads.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read, Write},
    num::NonZero,
    path::{Path, PathBuf},
    thread,
};

use domain::{matches::Commit, proof::Proof};
use ring::digest::{Context, SHA256};
use uuid::Uuid;
use zstd::bulk::Compressor;

use super::{
    ArchivedMatch,
    files::{ArchiveFileId, folder_of, path_of, read_proof},
};
use crate::{error::Error, private};

/// The level of compression. Higher ones take much longer and save little.
const LEVEL: i32 = 12;
/// The names of the files that are being written.
const PARTIAL: &str = "partial.ndjson.zst";
const PARTIAL_INDEX: &str = "partial.index.tsv";
const LOCK: &str = ".lock";
/// The head of an index. Times are microseconds since 1970.
const INDEX_HEAD: &str = "match\tposition\tlength\tversion\tended_at\thash\n";

/// Why a file of the archive could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file or directory cannot be used.
    #[error("{path}: {error}")]
    Path {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it.
        error: io::Error,
    },
    /// What was read back is not what was written.
    #[error("{path}: what was read back is not what was written")]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A match could not be read back.
    #[error(transparent)]
    Unreadable(#[from] Error),
}

type Result<T, E = ArchiveError> = std::result::Result<T, E>;

fn at(path: &Path) -> impl FnOnce(io::Error) -> ArchiveError {
    let path = path.to_owned();
    |error| ArchiveError::Path { path, error }
}

/// The directory of the archive, which one process at a time writes to.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    _lock: File,
}

impl Directory {
    /// Opens a directory, which is created if it does not exist. Waits until no other process writes to it; `busy` is called
    /// before.
    pub fn open(path: &Path, busy: impl FnOnce()) -> Result<Self> {
        if !path.is_dir() {
            private::directory(path).map_err(at(path))?;
        }
        let lock_path = path.join(LOCK);
        private::create(&lock_path).map_err(at(&lock_path))?;
        let lock = File::options().write(true).open(&lock_path).map_err(at(&lock_path))?;
        if lock.try_lock().is_err() {
            busy();
            lock.lock().map_err(at(&lock_path))?;
        }
        let directory = Self { path: path.to_owned(), _lock: lock };
        directory.remove_partial()?;
        Ok(directory)
    }

    /// Removes what a process that was killed has left.
    fn remove_partial(&self) -> Result<()> {
        for name in [PARTIAL, PARTIAL_INDEX] {
            let path = self.path.join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(at(&path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Begins a file. There is one at a time.
    pub fn begin(&self) -> Result<NewFile> {
        self.remove_partial()?;
        let path = self.path.join(PARTIAL);
        let file = private::open_new(&path).map_err(at(&path))?;
        let mut compressor = Compressor::new(LEVEL).map_err(at(&path))?;
        compressor.include_checksum(true).map_err(at(&path))?;
        Ok(NewFile {
            directory: self.path.clone(),
            path,
            file: BufWriter::new(file),
            compressor,
            digest: Context::new(&SHA256),
            bytes: 0,
            matches: Vec::new(),
        })
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // Otherwise the next process does it.
        let _ = self.remove_partial();
    }
}

/// A match in a file that is being written: where it is, and its last commit.
#[derive(Debug)]
struct Place {
    position: u64,
    length: u32,
    last: Commit,
}

/// A file that is being written.
pub struct NewFile {
    directory: PathBuf,
    path: PathBuf,
    file: BufWriter<File>,
    compressor: Compressor<'static>,
    digest: Context,
    bytes: u64,
    matches: Vec<Place>,
}

impl std::fmt::Debug for NewFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NewFile({})", self.path.display())
    }
}

impl NewFile {
    /// Adds a match that is over, by its proof and its last commit.
    pub fn add(&mut self, proof: &Proof, last: Commit) -> Result<()> {
        let line = proof.to_text() + "\n";
        let compressed = self.compressor.compress(line.as_bytes()).map_err(at(&self.path))?;
        let length = i32::try_from(compressed.len()).map_err(io::Error::other);
        let length = length.map_err(at(&self.path))?.cast_unsigned();
        self.file.write_all(&compressed).map_err(at(&self.path))?;
        self.digest.update(&compressed);
        self.matches.push(Place { position: self.bytes, length, last });
        self.bytes += u64::from(length);
        Ok(())
    }

    /// The number of bytes so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of matches so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.matches.len()
    }

    /// Whether there is no match in it yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.matches.is_empty()
    }

    /// Writes the rest, and waits until everything is on the disk.
    pub fn finish(self) -> Result<WrittenFile> {
        let file = self.file.into_inner().map_err(|error| at(&self.path)(error.into_error()))?;
        file.sync_all().map_err(at(&self.path))?;
        let id = ArchiveFileId::of_digest(self.digest.finish().as_ref());
        let row = |place: Place| ArchivedMatch::new(id, place.position, place.length, &place.last);
        let matches = self.matches.into_iter().map(row).collect();
        Ok(WrittenFile { directory: self.directory, path: self.path, id, matches })
    }
}

/// A file that is on the disk, under a preliminary name.
#[derive(Debug)]
pub struct WrittenFile {
    directory: PathBuf,
    path: PathBuf,
    id: ArchiveFileId,
    matches: Vec<ArchivedMatch>,
}

/// A match whose proof does not verify, and why.
pub type FlawedMatch = (Uuid, String);

impl WrittenFile {
    /// Reads everything back and verifies it: every byte is the one that was written, and every match follows from its seed and
    /// ends with the hash that was in the log. If matches are flawed, they are named, and the file is of no use.
    pub fn verify(self) -> Result<std::result::Result<VerifiedFile, Vec<FlawedMatch>>> {
        let digest = digest(&self.path).map_err(at(&self.path))?;
        if ArchiveFileId::of_digest(&digest) != self.id {
            return Err(ArchiveError::Changed { path: self.path });
        }
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let share = self.matches.len().div_ceil(threads).max(1);
        let path = &self.path;
        let verified = thread::scope(|scope| {
            let shares = self.matches.chunks(share).map(|matches| {
                scope.spawn(move || {
                    let flaws = matches.iter().map(|it| verify(path, it));
                    flaws.collect::<Result<Vec<_>, Error>>()
                })
            });
            let shares: Vec<_> = shares.collect();
            let joined = shares.into_iter().map(|share| share.join().expect("nothing panics"));
            joined.collect::<Result<Vec<_>, Error>>()
        });
        let flawed: Vec<FlawedMatch> = verified?.into_iter().flatten().flatten().collect();
        Ok(if flawed.is_empty() { Ok(VerifiedFile(self)) } else { Err(flawed) })
    }
}

/// The SHA-256 of a file.
fn digest(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut digest = Context::new(&SHA256);
    let mut buffer = vec![0; 1024 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(digest.finish().as_ref().to_vec()),
            read => digest.update(&buffer[..read]),
        }
    }
}

/// Verifies one match of a file. Returns what is wrong with it.
fn verify(path: &Path, archived: &ArchivedMatch) -> Result<Option<FlawedMatch>, Error> {
    let id = archived.match_id;
    let flaw = match read_proof(path, archived)?.verify() {
        Err(flaw) => flaw.to_string(),
        Ok((_, end)) if !end.status().is_over() => "it is not over".to_owned(),
        Ok((report, _)) => {
            let found = (report.match_id, report.events, report.hash);
            if found == (id, archived.version, archived.hash) {
                return Ok(None);
            }
            "its hashes differ from those in the log".to_owned()
        }
    };
    Ok(Some((id, flaw)))
}

/// A file whose content is certain, still under its preliminary name.
#[derive(Debug)]
pub struct VerifiedFile(WrittenFile);

impl VerifiedFile {
    /// Writes the index, and gives both files their names. Afterwards they are on the disk for good.
    pub fn publish(self) -> Result<PublishedFile> {
        let Self(WrittenFile { directory, path, id, matches }) = self;
        let first = matches.first().map_or(Uuid::nil(), |it| it.match_id);
        let folder = directory.join(folder_of(first));
        if !folder.is_dir() {
            private::directory(&folder).map_err(at(&folder))?;
        }
        let name = directory.join(path_of(first, id));
        let index = folder.join(format!("{id}.index.tsv"));
        let partial = directory.join(PARTIAL_INDEX);
        write_index(&partial, &matches).map_err(at(&partial))?;
        fs::rename(&partial, &index).map_err(at(&index))?;
        fs::rename(&path, &name).map_err(at(&name))?;
        for directory in [&folder, &directory] {
            File::open(directory).and_then(|it| it.sync_all()).map_err(at(directory))?;
        }
        Ok(PublishedFile { path: name, matches })
    }
}

/// Writes an index: where each match is in its file.
fn write_index(path: &Path, matches: &[ArchivedMatch]) -> io::Result<()> {
    let mut file = BufWriter::new(private::open_new(path)?);
    file.write_all(INDEX_HEAD.as_bytes())?;
    for it in matches {
        let ArchivedMatch { match_id, position, length, version, at, hash, .. } = it;
        write!(file, "{match_id}\t{position}\t{length}\t{version}\t{}\t", at.micros())?;
        for byte in hash {
            write!(file, "{byte:02x}")?;
        }
        writeln!(file)?;
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// A file of the archive, from which its matches can be read from now on.
#[derive(Debug)]
pub struct PublishedFile {
    path: PathBuf,
    matches: Vec<ArchivedMatch>,
}

impl PublishedFile {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds, in the order of the ids.
    #[must_use]
    pub fn matches(&self) -> &[ArchivedMatch] {
        &self.matches
    }
}
