//! The past of matches: the same from every side, and read only as far as needed.

use domain::{
    games,
    matches::{Command, Commit, Create, Match},
    seat::Viewer,
    time::Timestamp,
};
use store::{EventLog, event_log::WholeMatch};
use uuid::Uuid;

use super::{History, PORTION, SPAN};
use crate::{error::Error, testing::Store};

const MATCH: Uuid = Uuid::from_u128(7);
const ANA: Uuid = Uuid::from_u128(1);
const BEN: Uuid = Uuid::from_u128(2);

/// A match of Qwinto in which Ana asks for a pause again and again, until it has this many events.
fn played(events: u64) -> WholeMatch {
    let qwinto = games::find("qwinto").expect("a game");
    let create = Create::new(MATCH, qwinto, 2, ANA, [7; 32].into());
    let created = Match::create(create, Timestamp::default()).expect("a match");
    let (mut end, _, first) = created.into_commit(Uuid::nil());
    let mut commits = vec![first];
    let sit = Command::Sit { player: BEN, seat: None, entropy: None, invite_code: None };
    carry_out(&mut end, &sit, &mut commits);
    while end.version() < events {
        go_on(&mut end, &mut commits);
    }
    WholeMatch { commits, end }
}

/// Asks for a pause, or withdraws the request.
fn go_on(m: &mut Match, commits: &mut Vec<Commit>) {
    let pause = Command::Pause { player: ANA };
    let command = match m.decide(&pause, Timestamp::default()) {
        Ok(_) => pause,
        Err(_) => Command::Resume { player: ANA },
    };
    carry_out(m, &command, commits);
}

fn carry_out(m: &mut Match, command: &Command, commits: &mut Vec<Commit>) {
    let at = Timestamp::from_micros(i64::try_from(m.version()).expect("a short match"));
    let decision = m.decide(command, at).expect("a legal command");
    let (after, _, commit) = decision.into_commit(Uuid::nil());
    *m = after;
    commits.push(commit);
}

async fn write(log: &EventLog, commits: &[Commit]) {
    let end = Match::fold(commits).expect("a log").expect("a match");
    log.import(vec![WholeMatch { commits: commits.to_vec(), end }]).await.expect("it is written");
}

/// What can be told of a match.
fn describe(m: &Match) -> (u64, [u8; 32], Timestamp, Option<String>) {
    let view = m.view(Viewer::Archive).map(|view| view.get().to_owned());
    (m.version(), *m.hash(), m.updated_at(), view)
}

#[tokio::test]
async fn a_match_at_any_version_is_the_fold_of_its_log() {
    let store = Store::new().await;
    let WholeMatch { commits, end } = played(PORTION + 700);
    write(&store.log, &commits).await;
    let history = History::new(store.log.clone());
    let last = end.version();
    let versions: Vec<u64> =
        (1..=last).filter(|version| version % 61 == 0 || (version + 2) % SPAN < 5).collect();
    // First backwards, so that every checkpoint is made from the beginning.
    for version in versions.iter().rev().chain(&versions) {
        let expected = Match::as_of(&commits, *version).expect("a log").expect("a version");
        let found = history.at(MATCH, *version).await.expect("a log").expect("a version");
        assert_eq!(describe(&found), describe(&expected));
    }
    assert!(history.at(MATCH, 0).await.expect("a log").is_none());
}

#[tokio::test]
async fn commits_between_two_versions_are_those_that_hold_the_events() {
    let store = Store::new().await;
    let WholeMatch { commits, .. } = played(PORTION + 700);
    write(&store.log, &commits).await;
    let history = History::new(store.log.clone());
    let last = commits.last().expect("a commit").version();
    for start in (0..last).step_by(97) {
        for length in [1, 50, SPAN, SPAN + 1, PORTION + 1] {
            let end = last.min(start + length);
            let expected = commits.iter().filter(|it| it.version() > start && it.seq < end);
            let found = history.commits(MATCH, start..end).await.expect("a log");
            assert!(found.iter().eq(expected), "{start}..{end}");
        }
    }
    assert_eq!(history.whole(MATCH, last).await.expect("a log"), commits);
}

#[tokio::test]
async fn a_log_that_grows_is_read_from_where_it_ended() {
    let store = Store::new().await;
    let WholeMatch { mut commits, mut end } = played(SPAN + 50);
    write(&store.log, &commits).await;
    crate::testing::start_writer(&store.log);
    let history = History::new(store.log.clone());
    let last = end.version();
    history.commits(MATCH, last - 10..last).await.expect("a log");
    let before = end.clone();
    go_on(&mut end, &mut commits);
    let commit = commits.last().expect("a commit").clone();
    store.log.append(commit.clone(), Some(&before), &end, |_| {}).await.expect("it is written");
    let read = history.commits_read();
    let tail = history.commits(MATCH, last..last + 1).await.expect("a log");
    assert_eq!((tail, history.commits_read() - read), (vec![commit], 1));
}

#[tokio::test]
async fn what_the_log_does_not_have_is_an_error() {
    let store = Store::new().await;
    let WholeMatch { commits, end } = played(20);
    write(&store.log, &commits).await;
    let history = History::new(store.log.clone());
    let beyond = end.version() + 1;
    for version in [beyond, SPAN + 1, 10 * PORTION] {
        let refused = history.at(MATCH, version).await.expect_err("it is missing");
        assert!(matches!(refused, Error::Corrupt(_)), "{refused}");
        let refused = history.commits(MATCH, 0..version).await.expect_err("it is missing");
        assert!(matches!(refused, Error::Corrupt(_)), "{refused}");
    }
    assert_eq!(history.commits(MATCH, 0..end.version()).await.expect("a log"), commits);
}

#[tokio::test]
async fn checkpoints_are_kept_while_a_match_is_folded() {
    let store = Store::new().await;
    let WholeMatch { commits, end } = played(10 * SPAN + 5);
    write(&store.log, &commits).await;
    let history = History::new(store.log.clone());
    let mut folded = None;
    for commit in &commits {
        history.fold(&mut folded, commit).expect("a log");
    }
    assert_eq!(history.checkpoints_held().entries, 10);
    history.at(MATCH, 7 * SPAN + 3).await.expect("a log");
    assert!(history.commits_read() <= SPAN, "{}", history.commits_read());
    history.at(MATCH, end.version()).await.expect("a log");
    assert!(history.commits_read() <= 2 * SPAN, "{}", history.commits_read());
}
