//! Pauses by consent (M11).

use super::{
    ANA, BEN, EVE,
    clocks::{second, timed, when},
    open, play, refused, sit, then,
};
use crate::{
    matches::{Command, Match, MatchRefusal, OnTimeout, Refused, Status},
    seat::Seat,
    text::Lang,
};
use uuid::Uuid;

fn pause(player: Uuid) -> Command {
    Command::Pause { player }
}

fn resume(player: Uuid) -> Command {
    Command::Resume { player }
}

fn paused() -> Match {
    let m = timed(2, OnTimeout::Forfeit);
    when(&when(&m, &pause(ANA), 3), &pause(BEN), 4)
}

#[test]
fn m11_it_takes_everybody_to_pause() {
    let m = when(&timed(2, OnTimeout::Forfeit), &pause(ANA), 3);
    assert_eq!(m.paused_at(), None);
    assert_eq!(m.pause_asked().iter().collect::<Vec<_>>(), [Seat::FIRST]);
    assert_eq!(refused(&m, &pause(ANA)), MatchRefusal::PauseAsked);
    let m = when(&m, &pause(BEN), 4);
    assert_eq!(m.paused_at(), Some(second(4)));
    assert!(m.pause_asked().is_empty());
    assert_eq!(refused(&m, &pause(ANA)), MatchRefusal::Paused);
}

#[test]
fn m11_during_a_pause_nothing_is_asked_of_anybody() {
    let m = paused();
    assert_eq!(m.status(), Status::Playing);
    assert!(m.to_act().is_empty());
    assert_eq!(m.due_at(), None);
    for (seat, player) in [(Seat::FIRST, ANA), (Seat::at::<1>(), BEN)] {
        assert!(m.listing(seat, Lang::En).moves.is_empty());
        let roll = play(player, r#"{"type":"roll","dice":["orange"]}"#);
        assert_eq!(refused(&m, &roll), MatchRefusal::Paused);
    }
    let late = m.decide(&Command::TimeOut, second(100_000)).unwrap_err();
    assert_eq!(late, Refused::Match(MatchRefusal::NotDue));
}

#[test]
fn m11_anybody_resumes_and_the_time_left_is_kept() {
    let m = paused();
    let m = when(&m, &resume(BEN), 1_004);
    assert_eq!(m.paused_at(), None);
    // Asked at second 1 with ten seconds, three had passed.
    assert_eq!(m.due_at(), Some(second(1_011)));
    assert_eq!(refused(&m, &resume(BEN)), MatchRefusal::NotPaused);
}

#[test]
fn m11_a_request_is_taken_back_or_lapses_with_a_move() {
    let m = when(&timed(2, OnTimeout::Forfeit), &pause(ANA), 3);
    let back = when(&m, &resume(ANA), 4);
    assert!(back.pause_asked().is_empty());
    let active = back.to_act().iter().next().unwrap();
    let player = back.sitter(active).unwrap().player;
    let asked = when(&back, &pause(player), 5);
    let moved = when(&asked, &play(player, r#"{"type":"roll","dice":["orange"]}"#), 6);
    assert!(moved.pause_asked().is_empty());
    // Asking costs no time and gives none.
    assert_eq!(asked.due_at(), back.due_at());
}

#[test]
fn m11_those_who_have_resigned_are_not_asked() {
    let m = when(&when(&timed(3, OnTimeout::Forfeit), &pause(ANA), 3), &pause(BEN), 4);
    assert_eq!(m.paused_at(), None);
    let m = when(&m, &Command::Resign { player: EVE }, 5);
    assert_eq!(m.paused_at(), Some(second(5)));
    assert_eq!(refused(&m, &resume(EVE)), MatchRefusal::HasResigned);
}

#[test]
fn m11_resigning_is_possible_during_a_pause_and_the_seat_moves_when_it_ends() {
    let mut m = timed(3, OnTimeout::Forfeit);
    let active = m.to_act().iter().next().unwrap();
    let quitter = m.sitter(active).unwrap().player;
    let other = [ANA, BEN, EVE].into_iter().find(|player| *player != quitter).unwrap();
    for player in [ANA, BEN, EVE] {
        m = when(&m, &pause(player), 3);
    }
    let view = |m: &Match| m.view(crate::seat::Viewer::Archive).unwrap().get().to_owned();
    let before = view(&m);
    m = when(&m, &Command::Resign { player: quitter }, 4);
    assert_eq!(view(&m), before);
    assert!(m.paused_at().is_some());
    m = when(&m, &resume(other), 5);
    assert_ne!(view(&m), before);
    assert!(!m.to_act().contains(active) && !m.to_act().is_empty());
}

#[test]
fn m11_pauses_belong_to_matches_that_are_being_played() {
    let m = open("qwinto", 2);
    assert_eq!(refused(&m, &pause(ANA)), MatchRefusal::NotStarted);
    assert_eq!(refused(&m, &resume(ANA)), MatchRefusal::NotStarted);
    let m = then(&m, &sit(BEN));
    assert_eq!(refused(&m, &pause(EVE)), MatchRefusal::NotSeated);
    let m = then(&m, &Command::Resign { player: ANA });
    assert_eq!(refused(&m, &pause(BEN)), MatchRefusal::MatchOver);
    // Alone, one agrees with oneself.
    let m = then(&open("tapestry", 1), &pause(ANA));
    assert!(m.paused_at().is_some());
}
