//! Matches in memory when things go wrong: lost races, retries, a full queue, a writer that dies, matches that are forgotten.
//! All of it on SQLite; what replicas on Postgres do is tested end to end.

use std::{
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use domain::{
    games,
    matches::{Command, Create, Match},
    seat::Seat,
    time::Timestamp,
};
use futures_util::future::{join_all, poll_immediate};
use store::{
    EventLog,
    event_log::{AppendError, Appended},
};
use uuid::Uuid;

use super::{CommandContext, Consistency, Executed, LiveMatch, Matches, tail::Tail};
use crate::{
    error::{Error, Result},
    testing::{Store, start_writer},
};

const ANA: Uuid = Uuid::from_u128(1);
const BEN: Uuid = Uuid::from_u128(2);
const EVE: Uuid = Uuid::from_u128(3);
const MATCH: Uuid = Uuid::from_u128(77);

/// The sequence numbers of the commits of the match.
async fn seqs(store: &Store) -> Vec<u64> {
    let commits = store.log.load(MATCH, 0).await.expect("commits");
    commits.iter().map(|commit| commit.seq).collect()
}

/// The id of a command that can be retried.
fn key(number: u8) -> Uuid {
    uuid::Builder::from_custom_bytes([number; 16]).into_uuid()
}

fn context(number: u8) -> CommandContext {
    CommandContext::new(key(number), Timestamp::from_micros(i64::from(number)))
}

fn sit(player: Uuid) -> Command {
    Command::Sit { player, seat: None, entropy: None, invite_code: None }
}

/// Creates a match of Qwinto in which Ana sits.
async fn create(matches: &Matches, seats: u8) -> Result<Executed> {
    let qwinto = games::find("qwinto").expect("a game");
    let create = Create::new(MATCH, qwinto, seats, ANA, [7; 32].into());
    matches.create(create, &context(0)).await
}

async fn execute(
    matches: &Matches,
    command: &Command,
    context: &CommandContext,
) -> Result<Executed> {
    let executed = matches.execute(MATCH, command, context).await?;
    Ok(executed.expect("the match exists"))
}

async fn find(matches: &Matches) -> LiveMatch {
    let found = matches.find(MATCH, Consistency::Local).await.expect("the store answers");
    found.expect("the match exists")
}

async fn version(matches: &Matches) -> u64 {
    find(matches).await.now.version()
}

fn sitters(m: &Match) -> Vec<Option<Uuid>> {
    m.seats().iter().map(|seat| seat.as_ref().map(|sitter| sitter.player)).collect()
}

#[tokio::test]
async fn a_command_that_loses_the_race_is_decided_again_on_the_newer_match() {
    let store = Store::new().await;
    start_writer(&store.log);
    let (here, there) = (store.matches().await, store.elsewhere().await);
    create(&here, 4).await.expect("a match");
    execute(&there, &sit(BEN), &context(1)).await.expect("a seat");
    assert_eq!(sitters(&find(&here).await.now)[1], None, "nobody has told us");
    let executed = execute(&here, &sit(EVE), &context(2)).await.expect("a seat");
    assert_eq!(sitters(&executed.after), [Some(ANA), Some(BEN), Some(EVE), None]);
    assert!(!executed.replayed);
    assert_eq!(sitters(&find(&here).await.now), sitters(&executed.after));
    assert_eq!(executed.after.version(), store.log.load(MATCH, 0).await.unwrap()[2].version());
}

#[tokio::test]
async fn a_command_that_loses_the_race_is_refused_if_the_newer_match_does_not_allow_it() {
    let store = Store::new().await;
    start_writer(&store.log);
    let (here, there) = (store.matches().await, store.elsewhere().await);
    create(&here, 2).await.expect("a match");
    execute(&there, &sit(BEN), &context(1)).await.expect("the last seat");
    let refused = execute(&here, &sit(EVE), &context(2)).await.expect_err("no seat is left");
    assert!(matches!(refused, Error::Refused(_)), "{refused}");
    assert_eq!(seqs(&store).await.len(), 2);
}

#[tokio::test]
async fn a_command_that_loses_the_race_is_stale_if_it_rests_upon_a_version() {
    let store = Store::new().await;
    start_writer(&store.log);
    let (here, there) = (store.matches().await, store.elsewhere().await);
    let created = create(&here, 4).await.expect("a match").after.version();
    let newer = execute(&there, &sit(BEN), &context(1)).await.expect("a seat").after.version();
    let resting = CommandContext { if_match: Some(vec![created]), ..context(2) };
    let refused = execute(&here, &sit(EVE), &resting).await.expect_err("it is stale");
    assert!(matches!(refused, Error::Stale { version } if version == newer), "{refused}");
    assert_eq!(seqs(&store).await.len(), 2);
    let resting = CommandContext { if_match: Some(vec![newer]), ..context(3) };
    execute(&here, &sit(EVE), &resting).await.expect("it is current now");
}

#[tokio::test]
async fn a_retry_gets_its_first_result_and_the_same_key_with_another_command_is_refused() {
    let store = Store::new().await;
    start_writer(&store.log);
    let here = store.matches().await;
    create(&here, 4).await.expect("a match");
    let first = execute(&here, &sit(BEN), &context(1)).await.expect("a seat");
    execute(&here, &sit(EVE), &context(2)).await.expect("a seat");
    // From memory, from the log, and in another process.
    for matches in [here, store.matches().await, store.elsewhere().await] {
        let later = CommandContext { at: Timestamp::from_micros(99), ..context(1) };
        let again = execute(&matches, &sit(BEN), &later).await.expect("the first result");
        assert!(again.replayed);
        assert_eq!((again.first, again.at), (first.first, first.at));
        assert_eq!(again.after.version(), first.after.version());
        for other in [sit(ANA), Command::Leave { player: BEN }] {
            let refused = execute(&matches, &other, &later).await.expect_err("another command");
            assert!(matches!(refused, Error::KeyReused), "{refused}");
        }
    }
    assert_eq!(seqs(&store).await.len(), 3);
}

#[tokio::test]
async fn a_match_is_created_once() {
    let store = Store::new().await;
    start_writer(&store.log);
    let first = create(&store.matches().await, 2).await.expect("a match");
    // By chance the same id, or a retry a little later: its seed would be another one.
    let qwinto = games::find("qwinto").expect("a game");
    let another = Create::new(MATCH, qwinto, 2, ANA, [8; 32].into());
    let again = store.elsewhere().await.create(another, &context(1)).await;
    let again = again.expect("the same match");
    assert_eq!((first.replayed, again.replayed), (false, true));
    assert_eq!(first.after.hash(), again.after.hash());
    assert_eq!(seqs(&store).await, [0]);
}

#[tokio::test]
async fn a_full_queue_refuses_at_once_and_loses_nothing_that_waits() {
    let store = Store::new().await;
    let there = store.elsewhere().await;
    create(&there, 4).await.expect("a match");
    // Nothing is written here yet: whatever comes waits.
    let here = store.matches().await;
    let (sitting, taking) = (sit(BEN), context(1));
    let mut waiting = pin!(execute(&here, &sitting, &taking));
    until_queued(&store.log, waiting.as_mut()).await;
    let other = Uuid::from_u128(78);
    let qwinto = games::find("qwinto").expect("a game");
    let places: Vec<_> = std::iter::from_fn(|| store.log.reserve().ok()).collect();
    let busy = here.create(Create::new(other, qwinto, 2, EVE, [8; 32].into()), &context(2)).await;
    assert!(matches!(busy, Err(Error::Append(AppendError::Busy))), "{busy:?}");
    drop(places);
    start_writer(&store.log);
    waiting.await.expect("what waited is written");
    assert_eq!(sitters(&find(&here).await.now)[1], Some(BEN));
    assert!(here.get(other, Consistency::Store).await.expect("the store answers").is_none());
    here.create(Create::new(other, qwinto, 2, EVE, [8; 32].into()), &context(2))
        .await
        .expect("there is room again");
}

/// Waits until a command waits for a writer that does not run.
async fn until_queued<T>(log: &EventLog, mut executing: Pin<&mut impl Future<Output = T>>) {
    while log.queued() == 0 {
        assert!(poll_immediate(executing.as_mut()).await.is_none(), "nobody writes");
        tokio::task::yield_now().await;
    }
}

/// Executes a command whose writer dies before it answers: at once, or when the commit is in the log.
async fn die(
    store: &Store,
    matches: &Matches,
    command: &Command,
    context: &CommandContext,
    is_written: bool,
) -> Error {
    let before = seqs(store).await.len();
    let mut executing = pin!(execute(matches, command, context));
    until_queued(&store.log, executing.as_mut()).await;
    let mut writer = Box::pin(store.log.run_writer(std::future::pending()));
    loop {
        assert!(poll_immediate(&mut writer).await.is_none());
        if !is_written {
            break;
        }
        // What the writer has begun goes on in the thread of the connection. While nobody looks at the result, it cannot answer.
        tokio::time::sleep(Duration::from_millis(20)).await;
        if seqs(store).await.len() > before {
            break;
        }
    }
    drop(writer);
    executing.await.expect_err("the writer is dead")
}

#[tokio::test]
async fn a_writer_that_dies_after_the_commit_leaves_an_unknown_fate_that_a_retry_finds() {
    let store = Store::new().await;
    create(&store.elsewhere().await, 4).await.expect("a match");
    let here = store.matches().await;
    let before = version(&here).await;
    let error = die(&store, &here, &sit(BEN), &context(1), true).await;
    assert!(matches!(error, Error::Append(AppendError::Unknown(_))), "{error}");
    // The log has it, so readers are shown it, although nobody published it.
    assert!(version(&here).await > before);
    start_writer(&store.log);
    let again = execute(&here, &sit(BEN), &context(1)).await.expect("the first result");
    assert!(again.replayed);
    assert_eq!(seqs(&store).await.len(), 2);
}

#[tokio::test]
async fn others_can_play_on_after_a_commit_whose_caller_and_writer_are_gone() {
    let store = Store::new().await;
    create(&store.elsewhere().await, 2).await.expect("a match");
    let here = store.matches().await;
    version(&here).await;
    // The last seat is taken, which starts the match; only the log knows.
    die(&store, &here, &sit(BEN), &context(1), true).await;
    start_writer(&store.log);
    // A refusal by the match before would be final: this store is not shared.
    let resigned = execute(&here, &Command::Resign { player: ANA }, &context(2)).await;
    assert!(resigned.expect("the match has started").after.status().is_over());
}

#[tokio::test]
async fn a_command_whose_writer_dies_before_the_commit_is_not_in_the_log_until_it_is_retried() {
    let store = Store::new().await;
    let there = store.elsewhere().await;
    create(&there, 4).await.expect("a match");
    let here = store.matches().await;
    // While somebody else has the lock of the file, the writer gets no further than to the beginning of its transaction.
    let lock = store::begin(there.log().database()).await.expect("the lock");
    let error = die(&store, &here, &sit(BEN), &context(1), false).await;
    assert!(matches!(error, Error::Append(AppendError::Unknown(_))), "{error}");
    drop(lock);
    // The thread of the connection rolls back a transaction that nobody waits for. Only a commit that was sent is carried out
    // whether or not anybody still waits.
    start_writer(&store.log);
    let first = execute(&here, &sit(BEN), &context(1)).await.expect("a seat");
    assert!(!first.replayed);
    assert_eq!(seqs(&store).await.len(), 2);
}

#[tokio::test]
async fn what_waits_for_a_dead_writer_is_written_by_the_next_one() {
    let store = Store::new().await;
    start_writer(&store.log).abort();
    let here = store.matches().await;
    let players = (10..30).map(Uuid::from_u128);
    let ids: Vec<Uuid> = players.clone().collect();
    let qwinto = games::find("qwinto").expect("a game");
    let creations = ids.iter().map(async |player| {
        let create = Create::new(*player, qwinto, 2, *player, [7; 32].into());
        here.create(create, &CommandContext::new(*player, Timestamp::from_micros(1))).await
    });
    let (written, ()) = tokio::join!(join_all(creations), async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        start_writer(&store.log);
    });
    assert!(written.into_iter().all(|result| result.is_ok_and(|executed| !executed.replayed)));
    let heads = store.log.heads(&ids).await.expect("the store answers");
    assert_eq!(heads.len(), ids.len());
}

/// Fills the memory with other matches, as often as it takes to forget one that nobody holds.
async fn crowd_out(store: &Store, here: &Matches) {
    let there = store.elsewhere().await;
    let qwinto = games::find("qwinto").expect("a game");
    let first = 1_000_000 + u128::from(here.clock.now().micros().unsigned_abs());
    store.clock.advance(Duration::from_secs(1));
    let others: Vec<Uuid> = (first..first + 64).map(Uuid::from_u128).collect();
    let creations = others.iter().map(async |id| {
        let create = Create::new(*id, qwinto, 2, *id, [7; 32].into());
        there.create(create, &CommandContext::new(*id, Timestamp::from_micros(1))).await
    });
    assert!(join_all(creations).await.into_iter().all(|created| created.is_ok()));
    // Often enough that none of them counts as a passing guest.
    for _ in 0..4 {
        for id in &others {
            let other = here.get(*id, Consistency::Local).await.expect("the store answers");
            assert!(other.is_some());
        }
    }
}

/// The memory is so small that it would forget the match while a command is being written, and a reader would load it again.
#[tokio::test]
async fn a_match_whose_command_is_being_written_is_not_forgotten() {
    let store = Store::new().await;
    create(&store.elsewhere().await, 4).await.expect("a match");
    let here = store.small_matches().await;
    let before = version(&here).await;
    crowd_out(&store, &here).await;
    assert!(here.slots.peek(&MATCH).is_none(), "nobody holds it");
    let (sitting, taking) = (sit(BEN), context(1));
    let mut executing = pin!(execute(&here, &sitting, &taking));
    until_queued(&store.log, executing.as_mut()).await;
    let held = find(&here).await.slot;
    crowd_out(&store, &here).await;
    assert_eq!(version(&here).await, before, "not written yet");
    assert!(Arc::ptr_eq(&held, &find(&here).await.slot), "a match has one slot");
    drop(held);
    start_writer(&store.log);
    let after = executing.await.expect("a seat").after.version();
    assert_eq!(version(&here).await, after);
    let again = execute(&here, &sitting, &taking).await.expect("the first result");
    assert!(again.replayed);
    crowd_out(&store, &here).await;
    assert!(here.slots.peek(&MATCH).is_none(), "nobody holds it any more");
}

/// Two readers at once ask for the same unknown id, while somebody creates it.
#[tokio::test]
async fn a_match_that_is_being_created_is_not_forgotten_by_readers_who_do_not_find_it() {
    let store = Store::new().await;
    let here = store.matches().await;
    let mut creating = pin!(create(&here, 4));
    until_queued(&store.log, creating.as_mut()).await;
    let unknown = || here.get(MATCH, Consistency::Local);
    let (one, two) = tokio::join!(unknown(), unknown());
    assert!(one.expect("the store answers").is_none() && two.expect("the store").is_none());
    start_writer(&store.log);
    let created = creating.await.expect("a match").after;
    assert!(Arc::ptr_eq(&created, &find(&here).await.now), "it is in memory");
}

#[tokio::test]
async fn a_command_that_the_store_refuses_leaves_the_match_in_memory_as_it_is() {
    let store = Store::new().await;
    start_writer(&store.log);
    let here = store.matches().await;
    let created = create(&here, 4).await.expect("a match").after;
    store::close(store.log.database()).await.expect("a store");
    let refused = execute(&here, &sit(BEN), &context(1)).await.expect_err("nothing is written");
    assert!(matches!(refused, Error::Append(AppendError::Unavailable(_))), "{refused}");
    // Without asking the store, which is gone.
    assert!(Arc::ptr_eq(&created, &find(&here).await.now));
}

#[tokio::test]
async fn a_watcher_is_told_although_the_memory_has_forgotten_the_match() {
    let store = Store::new().await;
    start_writer(&store.log);
    let here = store.matches().await;
    create(&here, 4).await.expect("a match");
    let mut watcher = here.watchers().watch(MATCH);
    assert!(here.slots.remove(&MATCH).is_some());
    for player in [BEN, EVE] {
        let executed = execute(&here, &sit(player), &context(player.as_bytes()[15])).await;
        let after = executed.expect("a seat").after.version();
        watcher.changed().await;
        let update = watcher.latest();
        assert_eq!(update.version, after);
        let latest = update.latest.expect("the step itself");
        assert_eq!(latest.after.version(), after);
        assert_eq!(latest.commits.last().map(domain::matches::Commit::version), Some(after));
        assert!(here.slots.remove(&MATCH).is_some());
    }
    assert!(here.is_empty());
}

#[test]
fn a_feed_that_was_not_read_for_a_second_is_dead_and_so_is_one_whose_clock_was_set_back() {
    let at = |millis: i64| Timestamp::from_micros(millis * 1_000);
    let tail = Tail::new(at(10_000));
    assert!(tail.is_alive(at(10_000)) && tail.is_alive(at(10_999)) && tail.is_alive(at(9_500)));
    assert!(!tail.is_alive(at(11_000)) && !tail.is_alive(at(9_000)));
}

#[tokio::test]
async fn reads_go_to_the_store_when_the_feed_is_dead() {
    let store = Store::new().await;
    start_writer(&store.log);
    let mut here = store.matches().await;
    // As on a shared store, but nobody follows the feed.
    here.tail = Some(Arc::new(Tail::new(store.clock.now())));
    let there = store.elsewhere().await;
    let before = create(&here, 4).await.expect("a match").after.version();
    let after = execute(&there, &sit(BEN), &context(1)).await.expect("a seat").after.version();
    store.clock.advance(Duration::from_millis(999));
    assert_eq!(version(&here).await, before, "the feed may be late");
    let current = here.get(MATCH, Consistency::Store).await.expect("the store answers");
    assert_eq!(current.expect("the match exists").version(), after, "unless the store is asked");
    let after = execute(&there, &sit(EVE), &context(2)).await.expect("a seat").after.version();
    store.clock.advance(Duration::from_millis(1));
    assert_eq!(version(&here).await, after, "a dead feed says nothing");
}

#[tokio::test]
async fn an_unknown_match_takes_no_memory() {
    let store = Store::new().await;
    let here = store.matches().await;
    assert!(here.get(MATCH, Consistency::Local).await.expect("the store answers").is_none());
    let nothing = here.execute(MATCH, &sit(BEN), &context(1)).await.expect("the store answers");
    assert!(nothing.is_none());
    assert!(here.is_empty());
}

#[tokio::test]
async fn appending_straight_to_the_log_counts_as_another_process() {
    let store = Store::new().await;
    start_writer(&store.log);
    let here = store.matches().await;
    let created = create(&here, 4).await.expect("a match").after;
    let decision = created.decide(&sit(BEN), Timestamp::from_micros(5)).expect("a seat");
    let (after, _, commit) = decision.into_commit(key(1));
    let appended = store.log.append(commit.clone(), Some(&created), &after, |_| ()).await;
    assert_eq!(appended.expect("the store answers"), Appended::Written);
    // Sent again, it stands where it wanted to stand.
    let appended = store.log.append(commit, Some(&created), &after, |_| ()).await;
    assert_eq!(appended.expect("the store answers"), Appended::Written);
    let again = execute(&here, &sit(BEN), &context(1)).await.expect("the first result");
    assert!(again.replayed);
    assert_eq!(again.after.seat_of(BEN), Some(Seat::at::<1>()));
}

/// Whenever the writer is killed: what it was about to write is written once, by the retry at the latest, and nothing is left
/// behind that would keep the next one from writing.
#[tokio::test]
async fn a_writer_can_be_killed_at_any_moment() {
    let store = Store::new().await;
    create(&store.elsewhere().await, 4).await.expect("a match");
    let here = store.matches().await;
    let mut fates = [0, 0];
    // Sits down and leaves again, each time with another number of steps until the writer dies.
    for steps in 0..24_u8 {
        let command = if steps % 2 == 0 { sit(BEN) } else { Command::Leave { player: BEN } };
        let context = context(100 + steps);
        let before = seqs(&store).await.len();
        let mut executing = pin!(execute(&here, &command, &context));
        until_queued(&store.log, executing.as_mut()).await;
        let mut writer = Box::pin(store.log.run_writer(std::future::pending()));
        for _ in 0..=steps / 2 {
            assert!(poll_immediate(&mut writer).await.is_none());
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        drop(writer);
        let first = executing.await;
        fates[usize::from(first.is_ok())] += 1;
        let is_unknown = matches!(first, Err(Error::Append(AppendError::Unknown(_))));
        assert!(first.is_ok() || is_unknown, "{first:?}");
        let next = start_writer(&store.log);
        let again = execute(&here, &command, &context).await.expect("a result");
        assert!(again.replayed || first.is_err());
        next.abort();
        let _ = next.await;
        assert_eq!(seqs(&store).await.len(), before + 1, "after {steps} steps");
        assert_eq!(version(&here).await, again.after.version());
    }
    assert!(fates.iter().all(|count| *count > 0), "{fates:?}");
}
