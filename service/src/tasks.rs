//! Background tasks under supervision: each has a name, is restarted with growing pauses if it ends unexpectedly, is
//! counted, and is stopped in order.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    sync::watch,
    task::{AbortHandle, JoinHandle},
    time::Instant,
};

use crate::clock::Clock;

/// The pause before the first restart; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// The longest pause before a restart.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A task that has run this long counts as healthy: its next failure is its first again.
const HEALTHY_AFTER: Duration = Duration::from_secs(60);

/// Tells a task to stop.
#[derive(Debug, Clone)]
pub struct Shutdown(watch::Receiver<bool>);

impl Shutdown {
    /// Waits until the task has to stop.
    pub async fn requested(&mut self) {
        // If nobody is left who could request it, the server is gone.
        let _ = self.0.wait_for(|requested| *requested).await;
    }

    /// The same, for one who waits for nothing else.
    pub async fn into_requested(mut self) {
        self.requested().await;
    }

    /// Whether the task has to stop.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }
}

/// The state of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskState {
    /// The name of the task.
    pub name: &'static str,
    /// Whether it runs now.
    pub running: bool,
    /// How often it has been restarted.
    pub restarts: u64,
}

/// All background tasks of a server. Dropping them ends them at once.
#[derive(Debug)]
pub struct Tasks {
    clock: Clock,
    /// Tells streams and other short-lived work that the server is shutting down.
    closing: watch::Sender<bool>,
    supervised: Mutex<Vec<Supervised>>,
}

#[derive(Debug)]
struct Supervised {
    task: Arc<Task>,
    stop: watch::Sender<bool>,
    supervisor: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Task {
    name: &'static str,
    running: AtomicBool,
    restarts: AtomicU64,
    current: Mutex<Option<AbortHandle>>,
}

impl Tasks {
    /// No tasks yet; pauses before restarts go by this clock.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, closing: watch::Sender::new(false), supervised: Mutex::default() }
    }

    /// Starts a task. It should return only when it is told to stop; if it returns or panics earlier, it is started again.
    pub fn spawn<F>(
        &self,
        name: &'static str,
        start: impl Fn(Shutdown) -> F + Send + Sync + 'static,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        let task = Arc::new(Task {
            name,
            running: AtomicBool::new(true),
            restarts: AtomicU64::new(0),
            current: Mutex::default(),
        });
        // So that the counter shows up before the first restart.
        metrics::counter!("telar_task_restarts_total", "task" => name).absolute(0);
        let stop = watch::Sender::new(false);
        let shutdown = Shutdown(stop.subscribe());
        let supervisor =
            tokio::spawn(supervise(Arc::clone(&task), self.clock.clone(), shutdown, start));
        self.supervised.lock().push(Supervised { task, stop, supervisor: Some(supervisor) });
    }

    /// Announced before the tasks are stopped, for work that must not delay it.
    #[must_use]
    pub fn closing(&self) -> Shutdown {
        Shutdown(self.closing.subscribe())
    }

    /// Announces that the server is shutting down: streams end.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// The state of every task, in the order in which they were started.
    #[must_use]
    pub fn states(&self) -> Vec<TaskState> {
        self.supervised.lock().iter().map(|supervised| supervised.task.state()).collect()
    }

    /// Kills a task as if it had panicked; it is restarted. Says whether there is such a task.
    pub fn kill(&self, name: &str) -> bool {
        let supervised = self.supervised.lock();
        let Some(found) = supervised.iter().find(|supervised| supervised.task.name == name) else {
            return false;
        };
        // From now on it counts as down, whenever its supervisor notices.
        found.task.running.store(false, Ordering::Release);
        if let Some(current) = &*found.task.current.lock() {
            current.abort();
        }
        true
    }

    /// Stops all tasks within a deadline, the last one that was started first. Those that do not stop in time are aborted.
    pub async fn stop(&self, within: Duration) {
        self.close();
        let deadline = Instant::now() + within;
        loop {
            let Some(mut last) = self.supervised.lock().pop() else { return };
            last.stop.send_replace(true);
            let Some(mut supervisor) = last.supervisor.take() else { continue };
            if tokio::time::timeout_at(deadline, &mut supervisor).await.is_err() {
                tracing::warn!(
                    task = last.task.name,
                    "a task did not stop in time and was aborted"
                );
                supervisor.abort();
                last.task.abort();
            }
        }
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        for supervised in self.supervised.get_mut() {
            if let Some(supervisor) = &supervised.supervisor {
                supervisor.abort();
            }
            supervised.task.abort();
        }
    }
}

impl Task {
    fn state(&self) -> TaskState {
        TaskState {
            name: self.name,
            running: self.running.load(Ordering::Acquire),
            restarts: self.restarts.load(Ordering::Acquire),
        }
    }

    fn abort(&self) {
        if let Some(current) = &*self.current.lock() {
            current.abort();
        }
    }
}

async fn supervise<F>(
    task: Arc<Task>,
    clock: Clock,
    mut shutdown: Shutdown,
    start: impl Fn(Shutdown) -> F,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let mut pause = FIRST_PAUSE;
    loop {
        let started = Instant::now();
        let current = tokio::spawn(start(shutdown.clone()));
        *task.current.lock() = Some(current.abort_handle());
        task.running.store(true, Ordering::Release);
        let ended = current.await;
        task.running.store(false, Ordering::Release);
        if shutdown.is_requested() {
            return;
        }
        let reason =
            ended.err().map_or_else(|| "it returned".to_owned(), |error| error.to_string());
        if started.elapsed() >= HEALTHY_AFTER {
            pause = FIRST_PAUSE;
        }
        tracing::error!(task = task.name, %reason, ?pause, "a task ended unexpectedly; restarting it");
        tokio::select! {
            () = clock.sleep(pause) => {}
            () = shutdown.requested() => return,
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
        task.restarts.fetch_add(1, Ordering::AcqRel);
        metrics::counter!("telar_task_restarts_total", "task" => task.name).increment(1);
    }
}

#[cfg(test)]
mod tests {
    use domain::time::Timestamp;
    use tokio::sync::mpsc;

    use super::*;

    fn tasks() -> (Tasks, Clock) {
        let clock = Clock::manual(Timestamp::from_micros(0));
        (Tasks::new(clock.clone()), clock)
    }

    #[tokio::test]
    async fn a_task_that_panics_is_restarted_after_a_pause_and_counted() {
        let (tasks, clock) = tasks();
        let (starts, mut started) = mpsc::unbounded_channel();
        tasks.spawn("clumsy", move |mut shutdown| {
            let starts = starts.clone();
            async move {
                starts.send(()).expect("the test listens");
                shutdown.requested().await;
            }
        });
        started.recv().await.expect("the first start");
        assert!(tasks.kill("clumsy"));
        assert!(!tasks.states()[0].running);
        // The pause goes by the clock: nothing happens until it is advanced.
        clock.advance(FIRST_PAUSE);
        while started.try_recv().is_err() {
            clock.advance(FIRST_PAUSE);
            tokio::task::yield_now().await;
        }
        assert_eq!(tasks.states(), [TaskState { name: "clumsy", running: true, restarts: 1 }]);
        tasks.stop(Duration::from_secs(5)).await;
    }

    #[tokio::test]
    async fn tasks_are_stopped_in_the_opposite_order() {
        let (tasks, _) = tasks();
        let (ends, mut ended) = mpsc::unbounded_channel();
        for name in ["first", "second", "third"] {
            let ends = ends.clone();
            tasks.spawn(name, move |mut shutdown| {
                let ends = ends.clone();
                async move {
                    shutdown.requested().await;
                    ends.send(name).expect("the test listens");
                }
            });
        }
        tasks.stop(Duration::from_secs(5)).await;
        drop(ends);
        let mut order = Vec::new();
        while let Ok(name) = ended.try_recv() {
            order.push(name);
        }
        assert_eq!(order, ["third", "second", "first"]);
    }

    #[tokio::test]
    async fn a_task_that_does_not_stop_is_aborted_at_the_deadline() {
        let (tasks, _) = tasks();
        tasks.spawn("deaf", |_| std::future::pending());
        tasks.stop(Duration::from_millis(10)).await;
        assert_eq!(tasks.states(), []);
    }
}
