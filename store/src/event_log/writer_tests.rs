//! The writer: lost races, batches that are sent again, a full queue, and writers that die.

use std::{
    collections::HashMap,
    path::Path,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
    time::Duration,
};

use domain::{
    games,
    matches::{Command, Commit, Create, Match},
    time::Timestamp,
};
use uuid::Uuid;

use super::{
    AppendError, Appended, EventLog, FeedPosition, QUEUE, Row, Summary,
    writer::{Audience, BatchWriter},
};
use crate::{
    Lanes, StorageKeys,
    connection::{Settings, connect, migrate},
};

type Answer = Result<Appended, AppendError>;

pub(super) const KEY: [u8; 32] = [3; 32];

async fn open(directory: &Path) -> EventLog {
    let data_dir = directory.to_owned();
    let settings =
        Settings { database_url: None, read_url: None, read_only: false, data_dir, connections: 4 };
    let db = connect(&settings).await.expect("a store");
    migrate(&db, None).await.expect("a schema");
    EventLog::new(db, StorageKeys::new(&[KEY]))
}

/// A new match of one seat, and its first commit. Different players make different commits.
pub(super) fn create(id: u128, player: u128) -> (Match, Commit) {
    let game = games::find("tapestry").expect("a registered game");
    let player = Uuid::from_u128(player);
    let create = Create::new(Uuid::from_u128(id), game, 1, player, [7; 32].into());
    let decision = Match::create(create, Timestamp::from_micros(0)).expect("a match");
    let (m, _, commit) = decision.into_commit(player);
    (m, commit)
}

/// The match after its first legal move, and the commit of the move.
fn play(before: &Match) -> (Match, Commit) {
    let seat = before.to_act().iter().next().expect("a seat to act");
    let mv = before.state().expect("a state").legal_moves(seat).next().expect("a move");
    let player = before.sitter(seat).expect("a player").player;
    let decision = before.decide(&Command::Play { player, mv }, Timestamp::from_micros(1));
    let (m, _, commit) = decision.expect("a legal move").into_commit(Uuid::from_u128(9));
    (m, commit)
}

fn row((m, commit): &(Match, Commit), before: Option<&Match>) -> Row {
    let lane = Lanes::DEFAULT.of(commit.match_id);
    Row::new(lane, commit.clone(), Summary::of(before, m), &StorageKeys::new(&[KEY]))
}

/// Appends the first commit of a match.
pub(super) fn append(
    log: &EventLog,
    (m, commit): &(Match, Commit),
) -> impl Future<Output = Answer> + use<> {
    let (log, m, commit) = (log.clone(), m.clone(), commit.clone());
    async move { log.append(commit, None, &m, |_| ()).await }
}

pub(super) fn spawn_writer(log: &EventLog) -> tokio::task::JoinHandle<()> {
    let log = log.clone();
    tokio::spawn(async move { log.run_writer(std::future::pending()).await })
}

/// How often each commit is in the feed.
async fn fed(log: &EventLog) -> HashMap<(Uuid, u64), usize> {
    let mut counts = HashMap::new();
    for entry in log.feed(&FeedPosition::START, 100_000).await.expect("the feed") {
        for key in entry.commits {
            *counts.entry(key).or_default() += 1;
        }
    }
    counts
}

fn poll(future: Pin<&mut impl Future<Output = Answer>>) -> Poll<Answer> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[tokio::test]
async fn of_two_commits_with_the_same_key_one_is_written_and_the_other_is_lost() {
    let directory = tempfile::tempdir().expect("a directory");
    let log = open(directory.path()).await;
    let (one, two) = (create(1, 1), create(1, 2));
    let published = Arc::new(AtomicBool::new(false));
    // In one batch, because no writer runs yet.
    let first = append(&log, &one);
    let second = {
        let published = Arc::clone(&published);
        let then = move |_| published.store(true, Ordering::Release);
        log.append(two.1.clone(), None, &two.0, then)
    };
    let both = async { tokio::join!(first, second) };
    let mut both = Box::pin(both);
    assert!(both.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    let _writer = spawn_writer(&log);
    let (first, second) = both.await;
    let mut fates = [first.expect("an answer"), second.expect("an answer")];
    assert_eq!(published.load(Ordering::Acquire), fates[1] == Appended::Written);
    fates.sort_unstable_by_key(|fate| *fate == Appended::Lost);
    assert_eq!(fates, [Appended::Written, Appended::Lost]);
    // In a batch of its own.
    assert_eq!(append(&log, &create(1, 3)).await.expect("an answer"), Appended::Lost);
    assert_eq!(fed(&log).await, HashMap::from([((one.1.match_id, 0), 1)]));
    let stored = log.load(one.1.match_id, 0).await.expect("a log");
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].hash == two.1.hash, published.load(Ordering::Acquire));
}

/// After a lost connection nobody knows whether the batch was committed.
#[tokio::test]
async fn a_batch_that_is_sent_again_is_written_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let log = open(directory.path()).await;
    let (first, other) = (create(1, 1), create(2, 2));
    let next = play(&first.0);
    let mut writer = BatchWriter::new(&log.db);
    let batch = [row(&first, None), row(&other, None)];
    for _ in 0..2 {
        let written = writer.write(&batch, Audience::Nobody).await.expect("a written batch");
        assert!(batch.iter().all(|row| written.has(&row.commit)));
    }
    // Sent again together with a new commit, and with one that comes too late.
    let late = create(2, 3);
    let batch = [row(&first, None), row(&next, Some(&first.0)), row(&late, None)];
    let written = writer.write(&batch, Audience::Nobody).await.expect("a written batch");
    let fates = batch.each_ref().map(|row| written.has(&row.commit));
    assert_eq!(fates, [true, true, false]);
    let keys = [&first.1, &other.1, &next.1].map(|commit| ((commit.match_id, commit.seq), 1));
    assert_eq!(fed(&log).await, HashMap::from(keys));
    let stored = log.load(first.1.match_id, 0).await.expect("a log");
    assert_eq!(
        stored.iter().map(|commit| commit.hash).collect::<Vec<_>>(),
        [first.1.hash, next.1.hash]
    );
}

#[tokio::test]
async fn a_full_queue_refuses_commits_and_takes_more_once_it_is_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let log = open(directory.path()).await;
    let first = create(1, 1);
    let mut waiting: Vec<_> = (0..QUEUE).map(|_| Box::pin(append(&log, &first))).collect();
    for append in &mut waiting {
        assert!(poll(append.as_mut()).is_pending());
    }
    let mut refused = Box::pin(append(&log, &first));
    assert!(matches!(poll(refused.as_mut()), Poll::Ready(Err(AppendError::Busy))));
    let _writer = spawn_writer(&log);
    for append in waiting {
        assert_eq!(append.await.expect("an answer"), Appended::Written);
    }
    assert_eq!(append(&log, &create(2, 2)).await.expect("an answer"), Appended::Written);
    assert_eq!(fed(&log).await.into_values().collect::<Vec<_>>(), [1, 1]);
}

#[tokio::test]
async fn a_writer_that_stops_first_writes_everything_that_waits() {
    let directory = tempfile::tempdir().expect("a directory");
    let log = open(directory.path()).await;
    let mut waiting = Box::pin(append(&log, &create(1, 1)));
    assert!(poll(waiting.as_mut()).is_pending());
    log.run_writer(std::future::ready(())).await;
    assert_eq!(waiting.await.expect("an answer"), Appended::Written);
    let refused = append(&log, &create(2, 2)).await;
    assert!(matches!(refused, Err(AppendError::Busy)), "{refused:?}");
}

#[tokio::test]
async fn commits_that_wait_outlive_a_writer() {
    let directory = tempfile::tempdir().expect("a directory");
    let log = open(directory.path()).await;
    let writer = spawn_writer(&log);
    writer.abort();
    assert!(writer.await.is_err());
    let mut waiting = Box::pin(append(&log, &create(1, 1)));
    assert!(poll(waiting.as_mut()).is_pending());
    let _writer = spawn_writer(&log);
    assert_eq!(waiting.await.expect("an answer"), Appended::Written);
}

/// A caller who gets no answer sends the same commit again, and learns its fate from the next writer.
#[tokio::test]
async fn a_writer_that_dies_during_a_batch_neither_loses_nor_repeats_a_commit() {
    let directory = tempfile::tempdir().expect("a directory");
    let log = open(directory.path()).await;
    let mut unknown = 0;
    for round in 1..=60_u128 {
        let new = create(round, round);
        let writer = spawn_writer(&log);
        let waiting = tokio::spawn(append(&log, &new));
        tokio::time::sleep(Duration::from_micros(40 * u64::try_from(round).expect("small"))).await;
        writer.abort();
        let next = spawn_writer(&log);
        let fate = if let Ok(fate) = waiting.await.expect("a task") {
            fate
        } else {
            unknown += 1;
            append(&log, &new).await.expect("an answer")
        };
        assert_eq!(fate, Appended::Written, "round {round}");
        next.abort();
    }
    assert!(unknown > 0, "no writer died during a batch");
    let fed = fed(&log).await;
    assert_eq!(fed.len(), 60);
    assert!(fed.values().all(|times| *times == 1), "{fed:?}");
}
