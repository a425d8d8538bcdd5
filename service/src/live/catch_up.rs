//! Reading what other replicas have written to matches in memory, for many matches with one query: a query for a single match
//! costs Postgres more than a move.

use std::collections::{HashMap, hash_map::Entry};

use domain::matches::Commit;
use parking_lot::RwLock;
use store::EventLog;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use crate::{error::Result, tasks::Shutdown};

/// How many requests one query answers.
const REQUESTS: usize = 500;

/// The requests for newer commits that wait for the next query.
#[derive(Debug, Default)]
pub(super) struct CatchUps {
    /// There while [`Self::run`] runs.
    queue: RwLock<Option<mpsc::Sender<Request>>>,
}

#[derive(Debug)]
struct Request {
    id: Uuid,
    since: u64,
    answer: oneshot::Sender<Vec<Commit>>,
}

impl CatchUps {
    /// The commits of a match from a sequence number on, oldest first. The query that reads them begins after this call.
    pub(super) async fn read(&self, log: &EventLog, id: Uuid, since: u64) -> Result<Vec<Commit>> {
        let queue = self.queue.read().clone();
        let (answer, commits) = oneshot::channel();
        if let Some(queue) = queue
            && queue.try_send(Request { id, since, answer }).is_ok()
            && let Ok(commits) = commits.await
        {
            return Ok(commits);
        }
        // There is no task, too many wait for it, or it has failed or could not read.
        Ok(log.load(id, since).await?)
    }

    /// Answers requests until told to stop.
    pub(super) async fn run(&self, log: &EventLog, mut shutdown: Shutdown) {
        // Those who wait are told by the end of their channel if this task fails.
        let (queue, mut waiting) = mpsc::channel(REQUESTS);
        *self.queue.write() = Some(queue);
        let mut requests = Vec::with_capacity(REQUESTS);
        loop {
            tokio::select! {
                () = shutdown.requested() => return,
                _ = waiting.recv_many(&mut requests, REQUESTS) => {}
            }
            answer(log, std::mem::take(&mut requests)).await;
        }
    }
}

async fn answer(log: &EventLog, requests: Vec<Request>) {
    let mut starts: HashMap<Uuid, u64> = HashMap::with_capacity(requests.len());
    for Request { id, since, .. } in &requests {
        match starts.entry(*id) {
            Entry::Occupied(mut earliest) => *earliest.get_mut() = *since.min(earliest.get()),
            Entry::Vacant(none) => _ = none.insert(*since),
        }
    }
    let starts: Vec<(Uuid, u64)> = starts.into_iter().collect();
    // If the store fails, everybody reads for themselves and sees the error.
    let Ok(loaded) = log.load_many(&starts).await else { return };
    for Request { id, since, answer } in requests {
        let commits = loaded.get(&id).into_iter().flatten();
        let newer = commits.filter(|commit| commit.seq >= since).cloned().collect();
        // Nobody waits if the client has gone away.
        let _ = answer.send(newer);
    }
}
