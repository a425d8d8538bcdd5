//! Players who play on whatever happens: every request is sent again, under the same key, until it is answered. They run on a
//! thread of their own, so that a fault can take its time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use domain::games;
use futures_util::future::join_all;
use parking_lot::{Mutex, RwLock};
use tokio::{runtime::Runtime, task::JoinHandle};

use super::{invariants::Invariant, ledger::Ledger, member::Member};
use crate::{client::Client, eventually::PATIENCE};

/// The players and what they share.
#[derive(Debug)]
pub struct Crowd {
    world: Arc<World>,
    runtime: Option<Runtime>,
    playing: Vec<JoinHandle<Vec<Client>>>,
}

/// What the players share.
#[derive(Debug)]
pub(super) struct World {
    replicas: RwLock<Vec<String>>,
    copies: AtomicUsize,
    is_over: AtomicBool,
    /// When each member last sent a command that was acknowledged.
    pub(super) moved: Mutex<Vec<Option<Instant>>>,
    /// What they were told.
    pub(super) ledger: Mutex<Ledger>,
}

impl Crowd {
    /// Seats players at these servers, which have to be healthy. The webhooks of the first seats call `hook`.
    pub async fn start(replicas: Vec<String>, count: usize, hook: &str, seed: u64) -> Self {
        let world = Arc::new(World {
            replicas: RwLock::new(replicas),
            copies: AtomicUsize::new(1),
            is_over: AtomicBool::new(false),
            moved: Mutex::new(vec![None; count]),
            ledger: Mutex::default(),
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let games: Vec<_> = games::all().collect();
        let members = (0..count).map(|number| {
            let world = Arc::clone(&world);
            let info = games[number % games.len()].info();
            async move { Member::enter(world, number, info.key, info.min_seats, hook, seed).await }
        });
        let playing = join_all(members).await.into_iter();
        let playing = playing.map(|member| runtime.spawn(member.play())).collect();
        Self { world, runtime: Some(runtime), playing }
    }

    /// Announces that a server is at another address now.
    pub fn moved_to(&self, replica: usize, url: &str) {
        url.clone_into(&mut self.world.replicas.write()[replica]);
    }

    /// From now on every command is sent this many times at once.
    pub fn send_copies(&self, copies: usize) {
        self.world.copies.store(copies, Ordering::Relaxed);
    }

    /// Waits until every player has sent a command after `since` and had it acknowledged; `None` if that takes too long.
    pub async fn all_move_again(&self, since: Instant, limit: Duration) -> Option<Duration> {
        while since.elapsed() < limit {
            let moved = self.world.moved.lock().clone();
            if moved.iter().all(|moved| moved.is_some_and(|moved| moved >= since)) {
                return Some(since.elapsed());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        None
    }

    /// Lets everybody finish, and returns what they know and who they are.
    pub async fn finish(mut self) -> (Ledger, Vec<Client>) {
        self.world.is_over.store(true, Ordering::Relaxed);
        let playing = std::mem::take(&mut self.playing);
        let late = tokio::time::timeout(PATIENCE, join_all(playing)).await;
        let mut ledger = std::mem::take(&mut *self.world.ledger.lock());
        let mut clients = Vec::new();
        match late {
            Err(_) => ledger.breaches.add(Invariant::Stuck, "a player gets no answer"),
            Ok(ends) => {
                for end in ends {
                    clients.extend(end.expect("a player who plays on"));
                }
            }
        }
        (ledger, clients)
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl World {
    /// The address of a server.
    pub(super) fn url(&self, replica: usize) -> String {
        let replicas = self.replicas.read();
        replicas[replica % replicas.len()].clone()
    }

    /// How often a command is sent at once.
    pub(super) fn copies(&self) -> usize {
        self.copies.load(Ordering::Relaxed)
    }

    /// Whether it is time to finish.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
