//! Copies of a store in SQLite, made while servers use it.

use std::{
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use sea_orm::{ConnectionTrait, DbBackend, Statement};

use crate::{
    Db,
    error::{Error, Result},
};

/// Why a backup could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The store is not a file.
    #[error("`telar backup` copies SQLite stores; use pg_dump or the backups of your Postgres")]
    NotSqlite,
    /// The file cannot be written, or exists already.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: io::Error,
    },
    /// The path cannot be passed to SQLite.
    #[error("{0}: the path is not valid UTF-8")]
    Path(PathBuf),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] Error),
}

/// Copies the store as it is at one moment into a new file, which only its owner may read. Nobody has to wait meanwhile.
pub async fn backup(db: &Db, path: &Path) -> Result<(), BackupError> {
    if db.get_database_backend() != DbBackend::Sqlite {
        return Err(BackupError::NotSqlite);
    }
    let name = path.to_str().ok_or_else(|| BackupError::Path(path.to_owned()))?;
    let failed = |error| BackupError::File { path: path.to_owned(), error };
    // SQLite fills an empty file. Made by us, it is private from the start, and no other file is overwritten.
    let file = create(path).map_err(failed)?;
    let copied = copy(db, name).await;
    let flushed = copied.and_then(|()| flush(&file, path).map_err(failed));
    if flushed.is_err() {
        // Nobody should take half a backup for a whole one.
        let _ = std::fs::remove_file(path);
    }
    flushed
}

fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

async fn copy(db: &Db, name: &str) -> Result<(), BackupError> {
    let statement =
        Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO $1", [name.into()]);
    db.execute_raw(statement).await.map_err(Error::from)?;
    Ok(())
}

/// Waits until the file and its name are on the disk.
fn flush(file: &File, path: &Path) -> io::Result<()> {
    file.sync_all()?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if cfg!(unix) {
        File::open(directory.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}
