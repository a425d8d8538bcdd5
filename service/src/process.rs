//! What the process asks of the operating system: file descriptors, and threads that give way to others.

/// Raises the number of files and sockets that the process may have open, up to the hard limit. Returns the number that it
/// may have open then; nothing where there is no such limit.
#[cfg(unix)]
#[must_use]
pub fn raise_open_files(wanted: u64) -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current?;
    let attainable = limit.maximum.map_or(wanted, |maximum| wanted.min(maximum));
    if attainable <= current {
        return Some(current);
    }
    let raised = Rlimit { current: Some(attainable), maximum: limit.maximum };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => Some(attainable),
        Err(_) => Some(current),
    }
}

/// Raises the number of files and sockets that the process may have open.
#[cfg(not(unix))]
#[must_use]
pub fn raise_open_files(_wanted: u64) -> Option<u64> {
    None
}

/// Lets the calling thread run only with what other threads leave, more or less. Linux counts priorities by thread; other
/// systems count them by process, so nothing is changed there.
pub fn give_way() {
    #[cfg(target_os = "linux")]
    {
        /// In nice levels: about a tenth of the weight of a thread that serves requests.
        const NICE: i32 = 10;
        if let Err(error) = rustix::process::setpriority_process(None, NICE) {
            tracing::debug!(%error, "a thread keeps its priority");
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_open_files_only_grows() {
        let before = raise_open_files(0).expect("a limit");
        let after = raise_open_files(before + 1).expect("a limit");
        assert!(after == before || after == before + 1);
        assert_eq!(raise_open_files(1), Some(after));
    }
}
