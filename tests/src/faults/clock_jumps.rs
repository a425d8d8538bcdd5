//! The clock of the servers jumps an hour ahead and an hour back. Needs libfaketime, as in Debian's package `libfaketime`.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    fault::{BOTH, Fault, Needs},
    stage::Stage,
};

/// The fault.
pub const FAULT: Fault = Fault {
    name: "clock jumps",
    stores: BOTH,
    needs: Needs::Clock,
    is_short: false,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, hold: Duration) {
    let clock = stage.clock.as_ref().expect("a stage with a clock");
    for offset in ["+1h", "+0", "-1h", "+0"] {
        clock.set(offset);
        tokio::time::sleep(hold.max(READS_EVERY) / 2).await;
    }
    tokio::time::sleep(READS_EVERY).await;
}

/// How often libfaketime reads its file.
const READS_EVERY: Duration = Duration::from_secs(1);

/// A file with the offset of the clock, and the library that reads it.
#[derive(Debug)]
pub struct FakeClock {
    file: PathBuf,
    library: PathBuf,
}

impl FakeClock {
    /// A clock that is right; nothing without libfaketime.
    #[must_use]
    pub fn new(directory: &Path) -> Option<Self> {
        let folders = fs::read_dir("/usr/lib").ok()?.flatten();
        let library = folders
            .map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"))
            .find(|library| library.exists())?;
        let clock = Self { file: directory.join("clock"), library };
        clock.set("+0");
        Some(clock)
    }

    fn set(&self, offset: &str) {
        // Replaced at once, so that nobody reads half of it.
        let next = self.file.with_extension("next");
        fs::write(&next, format!("{offset}\n")).expect("a file");
        fs::rename(&next, &self.file).expect("a file");
    }

    /// The environment variables of a process that goes by it. Only the time of day is changed, not the time that timers use.
    #[must_use]
    pub fn variables(&self) -> [(String, String); 4] {
        let text = |path: &Path| path.display().to_string();
        [
            ("LD_PRELOAD", text(&self.library)),
            ("FAKETIME_TIMESTAMP_FILE", text(&self.file)),
            ("FAKETIME_CACHE_DURATION", READS_EVERY.as_secs().to_string()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
    }
}
