//! The disk of the store is full for a while. Needs the permission to mount a small file system.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use super::{
    fault::{BOTH, Fault, Needs},
    stage::Stage,
};

/// The fault.
pub const FAULT: Fault = Fault {
    name: "disk full",
    stores: BOTH,
    needs: Needs::Disk,
    is_short: false,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, hold: Duration) {
    let disk = stage.disk.as_ref().expect("a stage with a small disk");
    disk.fill();
    tokio::time::sleep(hold).await;
    disk.free();
}

/// A small file system of its own in memory, unmounted on drop.
#[derive(Debug)]
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one; nothing if that is not permitted.
    #[must_use]
    pub fn mount() -> Option<Self> {
        let directory = tempfile::Builder::new().prefix("telar-disk-").tempdir().ok()?.keep();
        let disk = Self(directory);
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=128m,mode=0755", "tmpfs"])
            .arg(&disk.0)
            .stderr(Stdio::null())
            .status();
        mounted.is_ok_and(|status| status.success()).then_some(disk)
    }

    /// A new directory on it.
    #[must_use]
    pub fn directory(&self) -> PathBuf {
        let directory = self.0.join("store");
        fs::create_dir_all(&directory).expect("a directory");
        directory
    }

    fn ballast(&self) -> PathBuf {
        self.0.join("ballast")
    }

    /// Leaves no space.
    fn fill(&self) {
        let mut file = fs::File::create(self.ballast()).expect("a file");
        // First in large pieces, then in the smallest.
        for size in [1 << 20, 1 << 12] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    /// Frees the space again.
    fn free(&self) {
        fs::remove_file(self.ballast()).expect("the ballast");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).stderr(Stdio::null()).status();
        let _ = fs::remove_dir(Path::new(&self.0));
    }
}
