//! Files that only their owner may read: the data directory, the embedded database, generated keys.

use std::{io, path::Path};

/// Creates a directory that only its owner may enter. One that exists is closed to others, and the log says so.
pub fn directory(path: &Path) -> io::Result<()> {
    if !path.is_dir() {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path)?;
    }
    restrict(path, 0o700);
    Ok(())
}

/// Creates an empty file that only its owner may read, unless it exists.
pub fn create(path: &Path) -> io::Result<()> {
    match open_new(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        opened => opened.map(drop),
    }
}

/// Writes a new file that only its owner may read.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    use std::io::Write;
    let mut file = open_new(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Closes a file to everybody but its owner, if it exists.
pub fn restrict_file(path: &Path) {
    if path.exists() {
        restrict(path, 0o600);
    }
}

/// Opens a new file that only its owner may read.
pub(crate) fn open_new(path: &Path) -> io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Takes away the permissions of others. A directory that the system shares, such as `/tmp`, and files of somebody else are left
/// alone; the log warns of them.
#[cfg(unix)]
fn restrict(path: &Path, mode: u32) {
    use std::{fs::Permissions, os::unix::fs::PermissionsExt};
    const OTHERS: u32 = 0o077;
    const STICKY: u32 = 0o1000;
    let Ok(metadata) = std::fs::metadata(path) else { return };
    let before = metadata.permissions().mode();
    if before & OTHERS == 0 {
        return;
    }
    let shown = path.display();
    if before & STICKY != 0 {
        tracing::warn!(path = %shown, "other users can read this directory");
        return;
    }
    match std::fs::set_permissions(path, Permissions::from_mode(mode)) {
        Ok(()) => tracing::info!(path = %shown, "closed to other users"),
        Err(error) => tracing::warn!(path = %shown, %error, "other users can read this"),
    }
}

#[cfg(not(unix))]
fn restrict(_: &Path, _: u32) {}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("a file").permissions().mode() & 0o7777
    }

    #[test]
    fn what_is_created_is_private_and_what_exists_becomes_so() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("deep/data");
        directory(&path).unwrap();
        assert_eq!(mode(&path), 0o700);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        directory(&path).unwrap();
        assert_eq!(mode(&path), 0o700);
        let file = path.join("file");
        create(&file).unwrap();
        create(&file).unwrap();
        assert_eq!(mode(&file), 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        restrict_file(&file);
        assert_eq!(mode(&file), 0o600);
        write(&file, b"again").unwrap_err();
    }

    #[test]
    fn a_directory_that_the_system_shares_is_left_alone() {
        let shared = tempfile::tempdir().unwrap();
        fs::set_permissions(shared.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        directory(shared.path()).unwrap();
        assert_eq!(mode(shared.path()), 0o1777);
    }
}
