//! Threads for work that takes long. They give way to the threads that serve requests, start when there is work, and end
//! when there has been none for a while.

use tokio::runtime::{Builder, Runtime};

use crate::process;

/// The work was not finished: it panicked, or the server shuts down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the work was not finished")]
pub struct Stopped;

/// The threads. Only the blocking ones of the runtime are used.
#[derive(Debug)]
pub(super) struct Threads(Option<Runtime>);

impl Threads {
    /// At most this many threads.
    pub(super) fn new(most: usize) -> Self {
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(most)
            .thread_name("telar-bulkhead")
            .on_thread_start(process::give_way)
            .build();
        Self(Some(runtime.expect("a runtime without drivers needs nothing of the system")))
    }

    /// Works on one of the threads.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Stopped> {
        let runtime = self.0.as_ref().ok_or(Stopped)?;
        runtime.spawn_blocking(work).await.map_err(|_| Stopped)
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // A runtime that is dropped waits for its threads, which is not allowed in async code.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
