//! A follower with a consumer that collects commits.

use std::sync::Arc;

use domain::{
    games,
    matches::{Create, Match},
    time::Timestamp,
};
use parking_lot::Mutex;
use store::{event_log::WholeMatch, followers};
use uuid::Uuid;

use super::*;
use crate::{error::Error, testing::Store};

#[derive(Debug, Default)]
struct State {
    interested: bool,
    /// Written to the log at the moment when the consumer is asked whether it is interested.
    racing: Option<u128>,
    /// Whether the next write fails.
    failing: bool,
    collected: Vec<Uuid>,
}

/// Collects the ids of matches with an even number.
#[derive(Debug)]
struct Collector {
    log: EventLog,
    state: Arc<Mutex<State>>,
}

impl FeedConsumer for Collector {
    /// The row of this follower is there already.
    const NAME: &'static str = "webhooks";
    const ENTRIES: u64 = 10;
    const UNWRITTEN: u64 = 2;
    const POLL: Duration = Duration::from_secs(1);

    type Checkpoint = FeedPosition;
    type Work = Vec<Uuid>;

    async fn checkpoint(&self, db: &Db) -> Result<FeedPosition> {
        Ok(followers::position(db, Self::NAME).await?)
    }

    async fn lock(&self, work: &Transaction) -> Result<Option<FeedPosition>> {
        Ok(followers::try_lock(work, Self::NAME).await?)
    }

    async fn is_interested(&self, _: &Db) -> Result<bool> {
        let racing = self.state.lock().racing.take();
        let answer = self.state.lock().interested;
        if let Some(id) = racing {
            write(&self.log, id).await;
        }
        Ok(answer)
    }

    async fn prepare(&mut self, entries: &[FeedEntry]) -> Result<Option<(Vec<Uuid>, usize)>> {
        let ids = entries.iter().flat_map(|entry| &entry.commits).map(|(id, _)| *id);
        let even: Vec<Uuid> = ids.filter(|id| id.as_u128() % 2 == 0).collect();
        let amount = even.len();
        Ok((amount > 0).then_some((even, amount)))
    }

    async fn write(
        &self,
        work: &Transaction,
        _: &FeedPosition,
        prepared: Option<Vec<Uuid>>,
        position: FeedPosition,
    ) -> Result<()> {
        followers::advance(work, Self::NAME, &position).await?;
        let mut state = self.state.lock();
        if std::mem::take(&mut state.failing) {
            return Err(Error::Contended);
        }
        state.collected.extend(prepared.into_iter().flatten());
        Ok(())
    }

    fn pause(_: Progress) -> Duration {
        Duration::ZERO
    }
}

/// Writes a match, which makes one entry of the feed.
async fn write(log: &EventLog, id: u128) {
    let game = games::find("tapestry").expect("a registered game");
    let create = Create::new(Uuid::from_u128(id), game, 1, Uuid::from_u128(1), [7; 32].into());
    let decision = Match::create(create, Timestamp::from_micros(0)).expect("a match");
    let (end, _, commit) = decision.into_commit(Uuid::nil());
    log.import(vec![WholeMatch { commits: vec![commit], end }]).await.expect("a written match");
}

fn follow(store: &Store) -> (Follower<Collector>, Arc<Mutex<State>>) {
    let state = Arc::new(Mutex::new(State { interested: true, ..State::default() }));
    let collector = Collector { log: store.log.clone(), state: Arc::clone(&state) };
    (Follower::new(store.log.clone(), collector), state)
}

async fn stored(log: &EventLog) -> u64 {
    let position = followers::position(log.database(), Collector::NAME).await.expect("a position");
    position.entries_since(&FeedPosition::START)
}

fn collected(state: &Mutex<State>) -> Vec<u128> {
    state.lock().collected.iter().map(Uuid::as_u128).collect()
}

#[tokio::test]
async fn the_position_is_written_with_work_or_when_it_is_far_behind() {
    let store = Store::new().await;
    let (log, (mut follower, state)) = (&store.log, follow(&store));
    assert_eq!(follower.step().await.expect("a step"), Progress::Idle);
    for (id, position) in [(1, 0), (3, 0), (5, 3), (7, 3), (2, 5)] {
        write(log, id).await;
        let work = usize::from(id == 2);
        assert_eq!(follower.step().await.expect("a step"), Progress::Processed(work), "{id}");
        assert_eq!(stored(log).await, position, "{id}");
    }
    assert_eq!(follower.step().await.expect("a step"), Progress::Idle);
    assert_eq!(collected(&state), [2]);
}

#[tokio::test]
async fn nothing_is_read_while_nobody_is_interested() {
    let store = Store::new().await;
    let (log, (mut follower, state)) = (&store.log, follow(&store));
    state.lock().interested = false;
    for (id, position) in [(2, 0), (4, 0), (6, 3), (8, 3)] {
        write(log, id).await;
        assert_eq!(follower.step().await.expect("a step"), Progress::Idle, "{id}");
        assert_eq!(stored(log).await, position, "{id}");
    }
    state.lock().interested = true;
    assert_eq!(follower.step().await.expect("a step"), Progress::Idle);
    assert_eq!(collected(&state), [0; 0]);
}

/// Somebody becomes interested right after the consumer has said that nobody is, and something is written at the same moment.
#[tokio::test]
async fn what_is_written_while_the_consumer_is_asked_is_not_skipped() {
    let store = Store::new().await;
    let (log, (mut follower, state)) = (&store.log, follow(&store));
    write(log, 2).await;
    *state.lock() = State { racing: Some(4), ..State::default() };
    assert_eq!(follower.step().await.expect("a step"), Progress::Idle);
    state.lock().interested = true;
    assert_eq!(follower.step().await.expect("a step"), Progress::Processed(1));
    assert_eq!(collected(&state), [4]);
}

#[tokio::test]
async fn a_write_that_fails_leaves_the_position_and_is_done_again() {
    let store = Store::new().await;
    let (log, (mut follower, state)) = (&store.log, follow(&store));
    write(log, 2).await;
    state.lock().failing = true;
    follower.step().await.expect_err("a failed write");
    assert_eq!((stored(log).await, collected(&state)), (0, vec![]));
    assert_eq!(follower.step().await.expect("a step"), Progress::Processed(1));
    assert_eq!((stored(log).await, collected(&state)), (1, vec![2]));
}
