//! Background tasks under supervision: each has a name, is restarted with growing pauses if it ends unexpectedly, is
//! counted, and is stopped in order.

use std::{sync::Arc, time::Duration};

use domain::time::Timestamp;
use parking_lot::Mutex;
use tokio::{
    sync::watch,
    task::{AbortHandle, JoinHandle},
    time::Instant,
};

use crate::clock::{self, Clock};

/// The pause before the first restart; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// The longest pause before a restart.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A task that has run for this long counts as healthy: its next failure is its first again.
const HEALTHY_AFTER: Duration = Duration::from_mins(1);

/// Tells a task to stop.
#[derive(Debug, Clone)]
pub struct Shutdown(watch::Receiver<bool>);

impl Shutdown {
    /// Waits until the task has to stop.
    pub async fn requested(&mut self) {
        // If nobody is left who could request it, the server is gone.
        let _ = self.0.wait_for(|requested| *requested).await;
    }

    /// The same, for a caller that waits for nothing else.
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

#[derive(Debug, Clone)]
struct Supervised {
    task: Arc<Task>,
    stop: watch::Sender<bool>,
    supervisor: AbortHandle,
    /// Its sender is dropped when the supervisor has ended.
    ended: watch::Receiver<()>,
}

#[derive(Debug)]
struct Task {
    name: &'static str,
    /// Phase and count change together, so that a restart that is counted is also seen running.
    condition: Mutex<Condition>,
}

#[derive(Debug)]
struct Condition {
    phase: Phase,
    restarts: u64,
}

#[derive(Debug)]
enum Phase {
    Running(AbortHandle),
    /// It has ended or was killed. The pause before the restart counts from here.
    Down(Timestamp),
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
        // So that the counter shows up before the first restart.
        metrics::counter!("telar_task_restarts_total", "task" => name).absolute(0);
        let stop = watch::Sender::new(false);
        let shutdown = Shutdown(stop.subscribe());
        let start = Arc::new(start);
        let run = {
            let shutdown = shutdown.clone();
            // `start` is called inside the task, so that a panic in it is a panic of the task, not of its supervisor.
            move || {
                let (start, shutdown) = (Arc::clone(&start), shutdown.clone());
                tokio::spawn(async move { start(shutdown).await })
            }
        };
        let first = run();
        let phase = Phase::Running(first.abort_handle());
        let condition = Mutex::new(Condition { phase, restarts: 0 });
        let task = Arc::new(Task { name, condition });
        let (alive, ended) = watch::channel(());
        let supervising =
            supervise(Arc::clone(&task), self.clock.clone(), shutdown, first, run, alive);
        let supervisor = tokio::spawn(supervising).abort_handle();
        self.supervised.lock().push(Supervised { task, stop, supervisor, ended });
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

    /// Kills a task as if it had panicked; it counts as down at once and is restarted after a pause. Returns false if there is
    /// no such task or it is down already.
    pub fn kill(&self, name: &str) -> bool {
        let supervised = self.supervised.lock();
        let found = supervised.iter().find(|supervised| supervised.task.name == name);
        found.is_some_and(|found| found.task.abort(self.clock.now()))
    }

    /// Stops all tasks within a deadline, the last one that was started first. A task that hangs is aborted when it has used
    /// its share of the time that is left, so that those after it can still stop properly.
    pub async fn stop(&self, within: Duration) {
        self.close();
        let deadline = Instant::now() + within;
        let mut left = self.supervised.lock().clone();
        while let Some(mut last) = left.pop() {
            last.stop.send_replace(true);
            let share = u32::try_from(left.len() + 1).expect("a server has few tasks");
            let patience = deadline.saturating_duration_since(Instant::now()) / share;
            // Nothing is ever sent: this waits until the sender is gone.
            if tokio::time::timeout(patience, last.ended.changed()).await.is_err() {
                tracing::warn!(
                    task = last.task.name,
                    "a task did not stop in time and was aborted"
                );
                last.abort(self.clock.now());
            }
        }
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        for supervised in self.supervised.get_mut() {
            supervised.abort(self.clock.now());
        }
    }
}

impl Supervised {
    /// Ends the task for good.
    fn abort(&self, now: Timestamp) {
        self.supervisor.abort();
        self.task.abort(now);
    }
}

impl Task {
    fn state(&self) -> TaskState {
        let condition = self.condition.lock();
        TaskState {
            name: self.name,
            running: matches!(condition.phase, Phase::Running(_)),
            restarts: condition.restarts,
        }
    }

    /// Aborts the task if it runs; says whether it did.
    fn abort(&self, now: Timestamp) -> bool {
        let mut condition = self.condition.lock();
        let Phase::Running(current) = &condition.phase else { return false };
        current.abort();
        condition.phase = Phase::Down(now);
        true
    }

    /// Notes that the task has ended; returns since when it counts as down.
    fn note_end(&self, now: Timestamp) -> Timestamp {
        let mut condition = self.condition.lock();
        match condition.phase {
            Phase::Down(since) => since,
            Phase::Running(_) => {
                condition.phase = Phase::Down(now);
                now
            }
        }
    }

    /// Starts the task again and counts it.
    fn restart(&self, run: impl FnOnce() -> JoinHandle<()>) -> JoinHandle<()> {
        let mut condition = self.condition.lock();
        let current = run();
        condition.phase = Phase::Running(current.abort_handle());
        condition.restarts += 1;
        metrics::counter!("telar_task_restarts_total", "task" => self.name).increment(1);
        current
    }
}

/// Restarts a task until it is told to stop. `_alive` is dropped when that is done.
async fn supervise(
    task: Arc<Task>,
    clock: Clock,
    mut shutdown: Shutdown,
    mut current: JoinHandle<()>,
    run: impl Fn() -> JoinHandle<()>,
    _alive: watch::Sender<()>,
) {
    let mut pause = FIRST_PAUSE;
    let mut started = clock.now();
    loop {
        let ended = current.await;
        let down_since = task.note_end(clock.now());
        if shutdown.is_requested() {
            if let Err(error) = ended {
                tracing::error!(task = task.name, %error, "a task failed while it was stopping");
            }
            return;
        }
        if down_since >= clock::after(started, HEALTHY_AFTER) {
            pause = FIRST_PAUSE;
        }
        let reason =
            ended.err().map_or_else(|| "it returned".to_owned(), |error| error.to_string());
        tracing::error!(task = task.name, %reason, ?pause, "a task ended unexpectedly; restarting it");
        tokio::select! {
            biased;
            () = shutdown.requested() => return,
            () = clock.sleep_until(down_since, clock::after(down_since, pause)) => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
        started = clock.now();
        current = task.restart(&run);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::poll_immediate;
    use tokio::sync::mpsc;

    use super::*;

    fn tasks() -> (Tasks, Clock) {
        let clock = Clock::manual(Timestamp::from_micros(0));
        (Tasks::new(clock.clone()), clock)
    }

    /// Lets everything run that can run without time passing. The runtime of these tests has one thread.
    async fn settle() {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }

    /// A task that says when it starts, and then waits to be stopped.
    fn spawn_patient(tasks: &Tasks, name: &'static str) -> mpsc::UnboundedReceiver<()> {
        let (starts, started) = mpsc::unbounded_channel();
        tasks.spawn(name, move |mut shutdown| {
            let starts = starts.clone();
            async move {
                starts.send(()).expect("the test listens");
                shutdown.requested().await;
            }
        });
        started
    }

    #[tokio::test]
    async fn a_task_that_is_killed_is_down_at_once_and_restarted_after_a_pause() {
        let (tasks, clock) = tasks();
        let mut started = spawn_patient(&tasks, "clumsy");
        assert_eq!(tasks.states(), [TaskState { name: "clumsy", running: true, restarts: 0 }]);
        started.recv().await.expect("the first start");
        assert!(tasks.kill("clumsy"));
        let down = [TaskState { name: "clumsy", running: false, restarts: 0 }];
        assert_eq!(tasks.states(), down);
        assert!(!tasks.kill("clumsy"), "it is down already");
        assert!(!tasks.kill("nobody"));
        clock.advance(FIRST_PAUSE.saturating_sub(Duration::from_millis(1)));
        settle().await;
        assert_eq!(tasks.states(), down);
        clock.advance(Duration::from_millis(1));
        started.recv().await.expect("the second start");
        assert_eq!(tasks.states(), [TaskState { name: "clumsy", running: true, restarts: 1 }]);
        tasks.stop(Duration::from_secs(5)).await;
    }

    #[tokio::test]
    async fn a_kill_before_the_task_has_begun_is_not_lost() {
        let (tasks, clock) = tasks();
        let mut started = spawn_patient(&tasks, "young");
        assert!(tasks.kill("young"), "nothing has run yet");
        settle().await;
        assert!(started.try_recv().is_err(), "it was killed before it began");
        assert!(!tasks.states()[0].running);
        clock.advance(FIRST_PAUSE);
        started.recv().await.expect("the restart");
        // The same right after a restart.
        assert!(tasks.kill("young"));
        clock.advance(FIRST_PAUSE * 2);
        started.recv().await.expect("the second restart");
        assert_eq!(tasks.states(), [TaskState { name: "young", running: true, restarts: 2 }]);
    }

    #[tokio::test]
    async fn a_task_that_fails_at_once_every_time_backs_off() {
        let (tasks, clock) = tasks();
        let (starts, mut started) = mpsc::unbounded_channel();
        // One panics before its future exists, one after, and one returns.
        for (name, how) in [("eager", 0), ("late", 1), ("lazy", 2)] {
            let starts = starts.clone();
            tasks.spawn(name, move |_| {
                starts.send(name).expect("the test listens");
                assert_ne!(how, 0, "it panics every time, before its future exists");
                async move { assert_ne!(how, 1, "it panics every time") }
            });
        }
        let mut expected = FIRST_PAUSE;
        for restarts in 0..12 {
            settle().await;
            let mut seen = Vec::new();
            while let Ok(name) = started.try_recv() {
                seen.push(name);
            }
            seen.sort_unstable();
            assert_eq!(seen, ["eager", "late", "lazy"], "restart {restarts}");
            for state in tasks.states() {
                assert_eq!((state.running, state.restarts), (false, restarts));
            }
            clock.advance(expected.saturating_sub(Duration::from_millis(1)));
            settle().await;
            assert!(started.try_recv().is_err(), "restart {restarts} comes too early");
            clock.advance(Duration::from_millis(1));
            expected = (expected * 2).min(LONGEST_PAUSE);
        }
        assert_eq!(expected, LONGEST_PAUSE);
    }

    #[tokio::test]
    async fn a_task_that_ran_for_long_starts_again_soon() {
        let (tasks, clock) = tasks();
        let mut started = spawn_patient(&tasks, "old");
        for pause in [FIRST_PAUSE, FIRST_PAUSE * 2] {
            started.recv().await.expect("a start");
            tasks.kill("old");
            settle().await;
            clock.advance(pause);
        }
        started.recv().await.expect("a start");
        clock.advance(HEALTHY_AFTER);
        tasks.kill("old");
        settle().await;
        clock.advance(FIRST_PAUSE);
        started.recv().await.expect("a start after the shortest pause");
    }

    #[tokio::test]
    async fn a_task_that_is_paused_is_not_restarted_for_the_shutdown() {
        let (tasks, clock) = tasks();
        let mut started = spawn_patient(&tasks, "unlucky");
        started.recv().await.expect("the first start");
        tasks.kill("unlucky");
        settle().await;
        tasks.stop(Duration::from_secs(5)).await;
        clock.advance(LONGEST_PAUSE);
        settle().await;
        assert!(started.try_recv().is_err());
        assert_eq!(tasks.states(), [TaskState { name: "unlucky", running: false, restarts: 0 }]);
    }

    /// Tasks that tell when they have ended.
    fn spawn_talkative(
        tasks: &Tasks,
        names: &[&'static str],
    ) -> mpsc::UnboundedReceiver<&'static str> {
        let (ends, ended) = mpsc::unbounded_channel();
        for name in names.iter().copied() {
            let ends = ends.clone();
            tasks.spawn(name, move |mut shutdown| {
                let ends = ends.clone();
                async move {
                    shutdown.requested().await;
                    ends.send(name).expect("the test listens");
                }
            });
        }
        ended
    }

    fn all(received: &mut mpsc::UnboundedReceiver<&'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| received.try_recv().ok()).collect()
    }

    #[tokio::test]
    async fn tasks_are_stopped_in_the_opposite_order() {
        let (tasks, _) = tasks();
        let mut ended = spawn_talkative(&tasks, &["first", "second", "third"]);
        let closing = tasks.closing();
        assert!(!closing.is_requested());
        tasks.stop(Duration::from_secs(5)).await;
        assert!(closing.is_requested());
        assert_eq!(all(&mut ended), ["third", "second", "first"]);
        assert!(tasks.states().iter().all(|state| !state.running && state.restarts == 0));
    }

    #[tokio::test]
    async fn a_task_that_does_not_stop_is_aborted_and_leaves_time_for_the_others() {
        let (tasks, _) = tasks();
        let mut ended = spawn_talkative(&tasks, &["first", "second"]);
        tasks.spawn("deaf", |_| std::future::pending());
        let begun = Instant::now();
        tasks.stop(Duration::from_millis(300)).await;
        assert!(begun.elapsed() < Duration::from_millis(300), "it had a third of the time");
        assert_eq!(all(&mut ended), ["second", "first"]);
        assert!(tasks.states().iter().all(|state| !state.running));
    }

    #[tokio::test]
    async fn a_second_stop_waits_for_the_same_tasks_and_one_that_is_dropped_does_no_harm() {
        let (tasks, _) = tasks();
        let mut ended = spawn_talkative(&tasks, &["first", "second"]);
        assert!(poll_immediate(Box::pin(tasks.stop(Duration::from_secs(5)))).await.is_none());
        tokio::join!(tasks.stop(Duration::from_secs(5)), tasks.stop(Duration::from_secs(5)));
        assert_eq!(all(&mut ended), ["second", "first"]);
    }

    #[tokio::test]
    async fn dropping_the_tasks_ends_them() {
        let (tasks, clock) = tasks();
        let (held, mut dropped) = mpsc::channel::<()>(1);
        for name in ["running", "down"] {
            let held = held.clone();
            tasks.spawn(name, move |_| {
                let held = held.clone();
                async move {
                    let _held = held;
                    std::future::pending::<()>().await;
                }
            });
        }
        drop(held);
        settle().await;
        tasks.kill("down");
        settle().await;
        drop(tasks);
        clock.advance(LONGEST_PAUSE);
        assert_eq!(dropped.recv().await, None, "nothing holds the other end any more");
    }
}
