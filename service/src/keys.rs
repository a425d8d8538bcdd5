//! Secret keys of 32 bytes: from the configuration, or generated in the data directory on the first start.

use std::path::Path;

use base64::{Engine, prelude::BASE64_STANDARD};
use store::{StorageKeys, private};

use crate::secret;

/// A key that cannot be used, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct KeyError(pub(crate) String);

/// What to do about a key that is neither configured nor in the data directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingKey {
    /// Generate it.
    Generate,
    /// Refuse to go on: other servers have it.
    Refuse,
}

/// The keys that encrypt parts of the store: configured ones, or a generated one in the data directory.
pub fn storage_keys(
    configured: Option<&str>,
    data_dir: &Path,
    missing: MissingKey,
) -> Result<StorageKeys, KeyError> {
    let keys = read(configured, "TELAR_STORAGE_KEY", &data_dir.join("storage.key"), missing)?;
    Ok(StorageKeys::new(&keys))
}

/// The seeds of the keys that sign: configured ones, of which the first signs, or a generated one in the data directory.
pub fn signing_seeds(
    configured: Option<&str>,
    data_dir: &Path,
    missing: MissingKey,
) -> Result<Vec<[u8; 32]>, KeyError> {
    read(configured, "TELAR_SIGNING_KEY", &data_dir.join("signing.key"), missing)
}

/// The keys in a setting, separated by commas, or the one in a file.
fn read(
    configured: Option<&str>,
    setting: &str,
    file: &Path,
    missing: MissingKey,
) -> Result<Vec<[u8; 32]>, KeyError> {
    let Some(text) = configured else {
        if missing == MissingKey::Refuse && !file.exists() {
            return Err(KeyError(format!(
                "{setting}: a read-only server needs the key of the servers that write"
            )));
        }
        return Ok(vec![generated(file)?]);
    };
    let keys = text.split(',').map(|key| {
        parse(key).ok_or_else(|| {
            KeyError(format!(
                "{setting}: expected 32 bytes in base64, as `openssl rand -base64 32` prints them"
            ))
        })
    });
    keys.collect()
}

fn parse(text: &str) -> Option<[u8; 32]> {
    BASE64_STANDARD.decode(text.trim()).ok()?.try_into().ok()
}

/// The key in a file, generated on the first start.
fn generated(file: &Path) -> Result<[u8; 32], KeyError> {
    let fail = |error: std::io::Error| KeyError(format!("{}: {error}", file.display()));
    match std::fs::read_to_string(file) {
        Ok(text) => {
            private::restrict_file(file);
            parse(&text)
                .ok_or_else(|| KeyError(format!("{}: expected 32 bytes in base64", file.display())))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            if let Some(directory) = file.parent() {
                private::directory(directory).map_err(fail)?;
            }
            let key = secret::bytes::<32>();
            private::write(file, BASE64_STANDARD.encode(key).as_bytes()).map_err(fail)?;
            Ok(key)
        }
        Err(error) => Err(fail(error)),
    }
}
