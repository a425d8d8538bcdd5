//! Secret keys of 32 bytes: from the configuration, or generated in the data directory on the first start.

use std::path::Path;

use base64::{Engine, prelude::BASE64_STANDARD};
use store::{StorageKeys, private};

use crate::secret;

/// A key that cannot be used, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct KeyError(pub(crate) String);

/// The keys that encrypt parts of the store: configured ones, or a generated one in the data directory.
pub fn storage_keys(configured: Option<&str>, data_dir: &Path) -> Result<StorageKeys, KeyError> {
    let keys = read(configured, "TELAR_STORAGE_KEY", &data_dir.join("storage.key"))?;
    Ok(StorageKeys::new(&keys))
}

/// The keys in a setting, separated by commas, or the one in a file, which is generated if it does not exist.
pub(crate) fn read(
    configured: Option<&str>,
    setting: &str,
    file: &Path,
) -> Result<Vec<[u8; 32]>, KeyError> {
    let Some(text) = configured else { return Ok(vec![generated(file)?]) };
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
