//! Time limits (M9) and what happens when one passes (M10).

use super::{ANA, BEN, EVE, at, open, play, sit};
use crate::{
    games,
    matches::{
        Command, Create, Match, MatchRefusal, OnTimeout, Refused, Status, TimeLimit, Unrated,
    },
    seat::Seat,
    time::Timestamp,
};
use uuid::Uuid;

/// This many seconds after the match was created.
pub(super) fn second(seconds: i64) -> Timestamp {
    at(seconds * 1_000_000)
}

/// A match of Qwinto with a limit of ten seconds that started at second 1.
pub(super) fn timed(seats: u8, on_timeout: OnTimeout) -> Match {
    let qwinto = games::find("qwinto").unwrap();
    let create = Create {
        time_limit: TimeLimit::new(10, on_timeout),
        ..Create::new(Uuid::from_u128(9), qwinto, seats, ANA, [7; 32].into())
    };
    let mut m = Match::create(create, second(0)).unwrap().next;
    for player in [BEN, EVE].into_iter().take(usize::from(seats) - 1) {
        m = m.decide(&sit(player), second(1)).unwrap().next;
    }
    m
}

pub(super) fn when(m: &Match, command: &Command, seconds: i64) -> Match {
    m.decide(command, second(seconds)).unwrap().next
}

fn player(m: &Match, seat: Seat) -> Uuid {
    m.sitter(seat).unwrap().player
}

/// The seat that has the turn, and the others.
fn turns(m: &Match) -> (Seat, Vec<Seat>) {
    let active = m.to_act().iter().next().unwrap();
    (active, Seat::all(m.seat_count()).filter(|seat| *seat != active).collect())
}

/// Rolled at `seconds` and kept a second later: now everybody writes.
fn writing(m: &Match, seconds: i64) -> Match {
    let (active, _) = turns(m);
    let active = player(m, active);
    let m = when(m, &play(active, r#"{"type":"roll","dice":["orange"]}"#), seconds);
    when(&m, &play(active, r#"{"type":"keep"}"#), seconds + 1)
}

#[test]
fn m9_limits_are_one_second_to_thirty_days() {
    let limit = |seconds| TimeLimit::new(seconds, OnTimeout::Automatic).is_some();
    assert_eq!([0, 1, 2_592_000, 2_592_001].map(limit), [false, true, true, false]);
}

#[test]
fn m9_a_seat_has_its_time_from_when_it_was_asked() {
    let m = timed(2, OnTimeout::Automatic);
    let (active, others) = turns(&m);
    assert_eq!(m.deadline(active), Some(second(11)));
    assert_eq!(m.deadline(others[0]), None);
    // Its own move restarts its time, and so does a change that affects everybody.
    let m = writing(&m, 3);
    assert_eq!(m.deadline(active), Some(second(14)));
    assert_eq!(m.deadline(others[0]), Some(second(14)));
    // The answer of one changes nothing for the other one.
    let m = when(&m, &play(player(&m, active), r#"{"type":"pass"}"#), 7);
    assert_eq!(m.deadline(active), None);
    assert_eq!(m.deadline(others[0]), Some(second(14)));
    assert_eq!(m.due_at(), Some(second(14)));
}

#[test]
fn m9_without_a_limit_nothing_is_ever_due() {
    let m = super::then(&open("qwinto", 2), &sit(BEN));
    assert_eq!(m.due_at(), None);
    let refused = m.decide(&Command::TimeOut, second(1_000_000)).unwrap_err();
    assert_eq!(refused, Refused::Match(MatchRefusal::NotDue));
}

#[test]
fn m9_the_deadline_of_an_open_match_or_one_that_is_over_is_none() {
    let qwinto = games::find("qwinto").unwrap();
    let create = Create {
        time_limit: TimeLimit::new(10, OnTimeout::Automatic),
        ..Create::new(Uuid::from_u128(9), qwinto, 2, ANA, [7; 32].into())
    };
    assert_eq!(Match::create(create, second(0)).unwrap().next.due_at(), None);
    let m = timed(2, OnTimeout::Automatic);
    assert_eq!(when(&m, &Command::Resign { player: ANA }, 2).due_at(), None);
}

#[test]
fn m10_nothing_happens_before_the_deadline() {
    let m = timed(2, OnTimeout::Forfeit);
    let refused = m.decide(&Command::TimeOut, at(10_999_999)).unwrap_err();
    assert_eq!(refused, Refused::Match(MatchRefusal::NotDue));
    assert!(m.decide(&Command::TimeOut, second(11)).is_ok());
}

#[test]
fn m10_automatic_moves_for_the_seat_which_stays_its_players() {
    let m = timed(2, OnTimeout::Automatic);
    let (active, _) = turns(&m);
    let decision = m.decide(&Command::TimeOut, second(12)).unwrap();
    let automatic: Vec<bool> =
        decision.events.iter().map(crate::matches::Event::automatic).collect();
    assert!(!automatic[0], "first it is said that the time ran out");
    assert!(automatic.len() > 1 && automatic[1..].iter().all(|automatic| *automatic));
    let m = decision.next;
    assert_eq!(m.sitter(active).unwrap().timeouts, 1);
    assert!(m.resigned().is_empty());
    assert_eq!(m.unrated(), Some(Unrated::AutomaticSeat));
    // It has rolled for the player, who is asked what to do with the roll, with all the time again.
    assert_eq!(m.deadline(active), Some(second(22)));
    assert_eq!(
        when(&m, &play(player(&m, active), r#"{"type":"keep"}"#), 13).due_at(),
        Some(second(23))
    );
}

#[test]
fn m10_forfeit_resigns_and_with_two_the_other_one_wins() {
    let m = timed(2, OnTimeout::Forfeit);
    let (active, others) = turns(&m);
    let m = when(&m, &Command::TimeOut, 11);
    let outcome = m.outcome().unwrap();
    assert!(outcome.seats[others[0].index()].won);
    assert!(!outcome.seats[active.index()].won);
    assert_eq!(m.unrated(), None);
}

#[test]
fn m10_with_three_a_forfeited_seat_is_played_on() {
    let m = timed(3, OnTimeout::Forfeit);
    let (active, _) = turns(&m);
    let m = when(&m, &Command::TimeOut, 11);
    assert_eq!(m.status(), Status::Playing);
    assert!(m.resigned().contains(active));
    assert!(!m.to_act().contains(active) && m.due_at() == Some(second(21)));
}

#[test]
fn m10_all_seats_that_are_equally_overdue_are_treated_alike() {
    let both = writing(&timed(2, OnTimeout::Forfeit), 3);
    let m = when(&both, &Command::TimeOut, 14);
    assert!(m.outcome().unwrap().seats.iter().all(|seat| !seat.won));
    let both = writing(&timed(2, OnTimeout::Automatic), 3);
    let m = when(&both, &Command::TimeOut, 14);
    assert!(Seat::all(2).all(|seat| m.sitter(seat).unwrap().timeouts == 1));
}

#[test]
fn m10_a_server_that_slept_does_what_it_would_have_done() {
    let m = timed(2, OnTimeout::Forfeit);
    let (_, others) = turns(&m);
    let m = when(&m, &Command::TimeOut, 1_000_000);
    assert!(m.outcome().unwrap().seats[others[0].index()].won);
}

#[test]
fn m10_until_the_server_has_acted_the_player_may_still_move() {
    let m = timed(2, OnTimeout::Forfeit);
    let (active, _) = turns(&m);
    let roll = play(player(&m, active), r#"{"type":"roll","dice":["orange"]}"#);
    let m = when(&m, &roll, 15);
    assert_eq!(m.due_at(), Some(second(25)));
}

#[test]
fn what_is_said_about_time_makes_no_decision_stale() {
    let m = writing(&timed(3, OnTimeout::Automatic), 3);
    let version = m.version();
    let asker = Seat::FIRST;
    let m = when(&m, &Command::Pause { player: player(&m, asker) }, 5);
    assert!(Seat::all(3).all(|seat| m.is_current(seat, version)));
}

#[test]
fn timeouts_are_recorded_and_decided_again() {
    let m = timed(3, OnTimeout::Automatic);
    let (_, _, commit) = m.decide(&Command::TimeOut, second(11)).unwrap().into_commit(Uuid::nil());
    assert_eq!(commit.player, Uuid::nil());
    assert!(commit.payload.contains(r#""command":{"type":"time_out"}"#));
    assert!(commit.payload.contains(r#""automatic":true"#));
    let again = commit.decide_again(Some(&m)).unwrap().unwrap().into_commit(Uuid::nil()).2;
    assert_eq!(again, commit);
    let mut folded = m.clone();
    folded.apply(&commit).unwrap();
    assert_eq!(folded.due_at(), Some(second(21)));
    assert_eq!(folded.unrated(), Some(Unrated::AutomaticSeat));
}

#[test]
fn m10_a_match_does_not_count_once_a_resigned_seat_was_played_for() {
    let m = timed(3, OnTimeout::Forfeit);
    let (active, _) = turns(&m);
    let resigned = when(&m, &Command::Resign { player: player(&m, active) }, 2);
    assert_eq!(resigned.status(), Status::Playing);
    assert_eq!(resigned.unrated(), Some(Unrated::AutomaticSeat));
}
