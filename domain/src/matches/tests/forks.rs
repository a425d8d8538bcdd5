//! Forks and other origins (M8), and what does not count.

use super::{ANA, BEN, EVE, at, commits, open, play, refused, sit, then};
use crate::{
    games,
    matches::{
        Command, Commit, Create, Decision, Fork, Match, MatchRefusal, Origin, OriginView, Refused,
        Status, Unrated,
    },
    seat::{Seat, Viewer},
};
use uuid::Uuid;

fn fork(commits: &[Commit], version: u64) -> Result<Fork, MatchRefusal> {
    Fork::at(commits, version).unwrap()
}

fn create(fork: Fork, seats: u8, seat: u8) -> Result<Decision, Refused> {
    let qwinto = games::find("qwinto").unwrap();
    let create = Create {
        origin: Some(Origin::Fork(fork)),
        seat: Seat::new(seat).expect("a seat"),
        ..Create::new(Uuid::from_u128(77), qwinto, seats, EVE, [8; 32].into())
    };
    Match::create(create, at(100))
}

/// The commits of a match of two that was given up after a roll.
fn finished() -> Vec<Commit> {
    finish(super::create("qwinto", 2, crate::matches::Visibility::Public).unwrap())
}

/// The commits of a new match of two, which is given up after a roll.
fn finish(created: Decision) -> Vec<Commit> {
    let mut m = None;
    let mut commits = Vec::new();
    let mut push = |decision: Decision| {
        let (next, _, commit) = decision.into_commit(Uuid::from_u128(commits.len() as u128));
        commits.push(commit);
        m = Some(next);
        m.clone().unwrap()
    };
    let now = push(created);
    let now = push(now.decide(&sit(BEN), at(1)).unwrap());
    let active = if now.to_act().contains(Seat::FIRST) { ANA } else { BEN };
    let roll = play(active, r#"{"type":"roll","dice":["orange","purple"]}"#);
    let now = push(now.decide(&roll, at(2)).unwrap());
    push(now.decide(&Command::Resign { player: ANA }, at(3)).unwrap());
    commits
}

#[test]
fn m8_a_fork_keeps_the_version_of_the_rules() {
    let qwinto = games::find("qwinto").unwrap();
    let old = Create {
        rules_version: 0,
        ..Create::new(Uuid::from_u128(9), qwinto, 2, ANA, [7; 32].into())
    };
    let first = finish(Match::create(old, at(0)).unwrap());
    let decision = create(fork(&first, first[3].seq).unwrap(), 2, 1).unwrap();
    assert_eq!(decision.next.rules_version(), 0);
    let commit = decision.into_commit(Uuid::from_u128(1)).2;
    assert_eq!(Match::fold([&commit]).unwrap().unwrap().rules_version(), 0);
}

#[test]
fn m8_a_fork_has_open_seats_and_goes_on_as_the_other_match_stood() {
    let first = finished();
    let version = first[3].seq;
    let then_it_was = Match::as_of(&first, version).unwrap().unwrap();
    let m = create(fork(&first, version).unwrap(), 2, 1).unwrap().next;
    assert_eq!(m.status(), Status::Open);
    assert_eq!(m.seat_of(EVE), Some(Seat::at::<1>()));
    assert!(m.view(Viewer::Archive).is_none());
    let origin = m.origin().unwrap().shown();
    assert_eq!(origin, OriginView::Fork { match_id: Uuid::from_u128(9), version });
    let m = then(&m, &sit(BEN));
    assert_eq!(m.status(), Status::Playing);
    assert_eq!(m.to_act(), then_it_was.to_act());
    for viewer in [Viewer::Archive, Viewer::Spectator, Viewer::Seat(Seat::FIRST)] {
        let view = |m: &Match| m.view(viewer).unwrap().get().to_owned();
        assert_eq!(view(&m), view(&then_it_was));
    }
    assert!(m.resigned().is_empty());
}

#[test]
fn m8_luck_is_fresh_after_the_fork() {
    let first = finished();
    let start = first[2].seq;
    let before = Match::as_of(&first, start).unwrap().unwrap();
    let m = then(&create(fork(&first, start).unwrap(), 2, 0).unwrap().next, &sit(BEN));
    let seat = m.to_act().iter().next().unwrap();
    let mv = r#"{"type":"roll","dice":["orange","purple","yellow"]}"#;
    let rolled = |m: &Match| {
        let player = m.sitter(seat).unwrap().player;
        let next = then(m, &play(player, mv));
        next.view(Viewer::Spectator).unwrap().get().to_owned()
    };
    assert_ne!(rolled(&before), rolled(&m));
}

#[test]
fn m8_only_while_it_was_being_played() {
    let first = finished();
    let last = first[3].version();
    for version in [0, 1, 2, 3, last, last + 1] {
        assert_eq!(fork(&first, version).unwrap_err(), MatchRefusal::ForkPoint, "{version}");
    }
    let commits = commits();
    assert_eq!(fork(&commits[..2], 5).unwrap_err(), MatchRefusal::NotFinished);
}

#[test]
fn m8_the_middle_of_a_command_stands_for_what_was_before_it() {
    let first = finished();
    let resigning = &first[3];
    assert!(resigning.count > 1, "a resignation and the end");
    assert_eq!(fork(&first, resigning.seq + 1).unwrap().version(), resigning.seq);
    assert_eq!(fork(&first, resigning.seq + 1).unwrap().hash(), &first[2].hash);
}

#[test]
fn m8_a_fork_is_played_at_the_same_table() {
    let first = finished();
    let version = first[3].seq;
    let other = create(fork(&first, version).unwrap(), 3, 0).unwrap_err();
    assert_eq!(other, Refused::Match(MatchRefusal::ForkPoint));
    let nowhere = create(fork(&first, version).unwrap(), 2, 2).unwrap_err();
    assert_eq!(nowhere, Refused::Match(MatchRefusal::NoSuchSeat));
}

#[test]
fn the_chain_covers_the_origin() {
    let first = finished();
    let decision = create(fork(&first, first[3].seq).unwrap(), 2, 0).unwrap();
    let (_, _, commit) = decision.into_commit(Uuid::nil());
    let hash = hex::encode(first[2].hash);
    assert!(commit.payload.contains(&hash));
    let changed = Commit { payload: commit.payload.replace(&hash, &"0".repeat(64)), ..commit };
    assert!(!changed.follows(&Match::ORIGIN));
}

/// A tapestry that was dealt at 0, looked at for ten minutes, and given up.
fn slow_tapestry() -> Vec<Commit> {
    const MINUTES: i64 = 600_000_000;
    let dealt = super::create("tapestry", 1, crate::matches::Visibility::Public).unwrap();
    let (m, _, first) = dealt.into_commit(Uuid::from_u128(1));
    let drawn = m.decide(&play(ANA, r#"{"type":"draw","slot":0}"#), at(MINUTES)).unwrap();
    let (m, _, second) = drawn.into_commit(Uuid::from_u128(2));
    let resigned = m.decide(&Command::Resign { player: ANA }, at(MINUTES + 1)).unwrap();
    vec![first, second, resigned.into_commit(Uuid::from_u128(3)).2]
}

fn elapsed_ms(m: &Match) -> serde_json::Value {
    let view: serde_json::Value =
        serde_json::from_str(m.view(Viewer::Spectator).unwrap().get()).unwrap();
    view["elapsed_ms"].clone()
}

fn fork_tapestry(fork: Fork, now: i64) -> Decision {
    let create = Create {
        origin: Some(Origin::Fork(fork)),
        ..Create::new(Uuid::from_u128(77), games::find("tapestry").unwrap(), 1, EVE, [8; 32].into())
    };
    Match::create(create, at(now)).unwrap()
}

#[test]
fn m8_the_clock_of_a_fork_starts_at_zero() {
    let first = slow_tapestry();
    assert_eq!(elapsed_ms(&Match::fold(&first).unwrap().unwrap()), 600_000);
    let later = 3_600_000_000;
    let (m, _, commit) =
        fork_tapestry(fork(&first, first[2].seq).unwrap(), later).into_commit(Uuid::nil());
    assert_eq!(elapsed_ms(&m), 0);
    assert_eq!(elapsed_ms(&Match::open(&commit).unwrap()), 0);
    let discard = play(EVE, r#"{"type":"discard"}"#);
    let decided = m.decide(&discard, at(later + 840_000)).unwrap();
    assert_eq!(elapsed_ms(&decided.next), 840);

    let (over, _, resigned) = decided
        .next
        .decide(&Command::Resign { player: EVE }, at(later + 900_000))
        .unwrap()
        .into_commit(Uuid::nil());
    assert_eq!(over.status(), Status::Finished);
    let (_, _, discarded) = decided.into_commit(Uuid::nil());
    let again = fork(&[commit, discarded, resigned], m.version()).unwrap();
    assert_eq!(elapsed_ms(&fork_tapestry(again, 2 * later).next), 0, "a fork of a fork as well");
}

#[test]
fn forks_from_before_their_clocks_started_at_zero_keep_their_times() {
    let first = slow_tapestry();
    let decision = fork_tapestry(fork(&first, first[2].seq).unwrap(), 3_600_000_000);
    let (_, _, commit) = decision.into_commit(Uuid::nil());
    let mut payload: serde_json::Value = serde_json::from_str(&commit.payload).unwrap();
    let events = payload["events"][0]["life"]["origin"]["events"].as_array_mut().unwrap();
    assert_eq!(events.len(), 2);
    for (event, at) in events.iter_mut().zip([0, 600_000_000]) {
        assert!(event.get("at").is_none());
        event["at"] = at.into();
    }
    let old = Commit { payload: payload.to_string(), ..commit };
    let m = Match::open(&old).unwrap();
    assert_eq!(elapsed_ms(&m), 600_000);
    let decided = old.decide_again(None).unwrap().unwrap();
    assert_eq!(elapsed_ms(&decided.next), 600_000);
}

#[test]
fn forks_and_made_up_matches_do_not_count() {
    assert_eq!(open("qwinto", 2).unrated(), None);
    let first = finished();
    let forked = create(fork(&first, first[3].seq).unwrap(), 2, 0).unwrap().next;
    assert_eq!(forked.unrated(), Some(Unrated::Fork));
    let qwinto = games::find("qwinto").unwrap();
    let demo = Create {
        origin: Some(Origin::Demo),
        ..Create::new(Uuid::from_u128(78), qwinto, 2, ANA, [8; 32].into())
    };
    let (demo, _, commit) = Match::create(demo, at(0)).unwrap().into_commit(Uuid::nil());
    assert_eq!(demo.unrated(), Some(Unrated::Demo));
    assert_eq!(Match::open(&commit).unwrap().unrated(), Some(Unrated::Demo));
    assert_eq!(refused(&demo, &Command::TimeOut), MatchRefusal::NotDue);
}

#[test]
fn the_reason_why_a_finished_match_is_unrated_may_depend_on_accounts() {
    let over = Match::fold(&finished()).unwrap().unwrap();
    assert_eq!(over.unrated_at_end(|_| true), None);
    assert_eq!(over.unrated_at_end(|player| player == ANA), Some(Unrated::Guest));
    let solo = then(&open("tapestry", 1), &Command::Resign { player: ANA });
    assert_eq!(solo.unrated_at_end(|_| true), Some(Unrated::Solo));
    assert_eq!(solo.unrated_at_end(|_| false), Some(Unrated::Guest));
    let left = then(&open("qwinto", 2), &Command::Leave { player: ANA });
    assert_eq!(left.unrated_at_end(|_| true), Some(Unrated::Abandoned));
    for reason in Unrated::ALL {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.id());
        assert_eq!(Unrated::find(reason.id()), Some(reason));
    }
    assert_eq!(Unrated::find("mood"), None);
}
