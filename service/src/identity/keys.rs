//! The secrets that all signing keys of a server are made from.

use std::path::Path;

use base64::{Engine, prelude::BASE64_STANDARD};

use crate::secret;

/// A signing key that cannot be used, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct KeyError(pub(crate) String);

/// The seeds of the keys of a server: the first one signs, the others are still accepted.
pub struct KeySeeds(Vec<[u8; 32]>);

impl std::fmt::Debug for KeySeeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeySeeds({})", self.0.len())
    }
}

impl KeySeeds {
    /// Seeds from the configuration, or a generated one in the data directory.
    pub fn load(signing_key: Option<&str>, data_dir: &Path) -> Result<Self, KeyError> {
        Ok(Self(match signing_key {
            Some(text) => text.split(',').map(parse_seed).collect::<Result<Vec<_>, _>>()?,
            None => vec![generated_seed(data_dir)?],
        }))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8; 32]> {
        self.0.iter()
    }
}

fn parse_seed(text: &str) -> Result<[u8; 32], KeyError> {
    let bytes = BASE64_STANDARD.decode(text.trim()).ok();
    bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
        KeyError(
            "TELAR_SIGNING_KEY: expected 32 bytes in base64, as `openssl rand -base64 32` prints them"
                .to_owned(),
        )
    })
}

/// The key in the data directory, generated on the first start.
fn generated_seed(directory: &Path) -> Result<[u8; 32], KeyError> {
    let file = directory.join("signing.key");
    let fail = |error: std::io::Error| KeyError(format!("{}: {error}", file.display()));
    match std::fs::read_to_string(&file) {
        Ok(text) => parse_seed(&text)
            .map_err(|_| KeyError(format!("{}: expected 32 bytes in base64", file.display()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            std::fs::create_dir_all(directory).map_err(fail)?;
            let seed = secret::bytes::<32>();
            write_private(&file, BASE64_STANDARD.encode(seed).as_bytes()).map_err(fail)?;
            Ok(seed)
        }
        Err(error) => Err(fail(error)),
    }
}

fn write_private(file: &Path, content: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(content)
}
