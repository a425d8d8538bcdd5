//! Commands that rest upon a version.

use super::{ANA, BEN, EVE, at, open, play, sit, then};
use crate::matches::{Command, Match, MatchRefusal, Refused};

fn player(m: &Match) -> uuid::Uuid {
    m.sitter(m.to_act().iter().next().unwrap()).unwrap().player
}

#[test]
fn a_command_that_rests_upon_an_old_version_is_stale() {
    let old = then(&open("qwinto", 2), &sit(BEN));
    let active = player(&old);
    let m = then(&old, &play(active, r#"{"type":"roll","dice":["orange"]}"#));
    let keep = play(active, r#"{"type":"keep"}"#);
    let decide = |versions: &[u64]| m.decide_upon(versions, &keep, at(2)).map(|_| ());
    let stale = Err(Refused::Stale { current: m.version() });
    assert_eq!(decide(&[old.version()]), stale);
    assert_eq!(decide(&[m.version() + 1]), stale);
    assert_eq!(decide(&[]), stale);
    assert_eq!(decide(&[m.version()]), Ok(()));
    assert_eq!(decide(&[old.version(), m.version()]), Ok(()));
}

#[test]
fn independent_moves_of_others_do_not_make_a_version_stale() {
    let m = then(&open("qwinto", 2), &sit(BEN));
    let active = player(&m);
    let other = if active == ANA { BEN } else { ANA };
    let m = then(&m, &play(active, r#"{"type":"roll","dice":["orange"]}"#));
    let writing = then(&m, &play(active, r#"{"type":"keep"}"#));
    let pass = |player| play(player, r#"{"type":"pass"}"#);
    let m = then(&writing, &pass(active));
    assert!(m.decide_upon(&[writing.version()], &pass(other), at(2)).is_ok());
}

#[test]
fn for_those_who_do_not_sit_only_the_latest_version_is_current() {
    let m = open("qwinto", 3);
    let next = then(&m, &sit(BEN));
    let sit = |versions: &[u64]| next.decide_upon(versions, &sit(EVE), at(2)).map(|_| ());
    assert_eq!(sit(&[m.version()]), Err(Refused::Stale { current: next.version() }));
    assert_eq!(sit(&[next.version()]), Ok(()));
}

#[test]
fn a_stale_version_is_refused_before_any_rule() {
    let m = then(&then(&open("qwinto", 2), &sit(BEN)), &Command::Resign { player: ANA });
    let resign = Command::Resign { player: BEN };
    let refused = |version| m.decide_upon(&[version], &resign, at(2)).unwrap_err();
    assert_eq!(refused(1), Refused::Stale { current: m.version() });
    assert_eq!(refused(m.version()), Refused::Match(MatchRefusal::MatchOver));
}
