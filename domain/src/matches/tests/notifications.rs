//! What players are notified of, kind by kind.

use super::{ANA, BEN, EVE, at, create, open, play, sit, then};
use crate::{
    matches::{
        Audience, Command, Match, Notification,
        NotificationKind::{self, *},
        OnTimeout, Visibility,
        tests::clocks::{second, timed},
    },
    seat::Seat,
};

const ROLL: &str = r#"{"type":"roll","dice":["orange"]}"#;

/// Qwinto for two, and the players whose turn it is and is not.
fn started() -> (Match, Seat, Seat) {
    let m = then(&open("qwinto", 2), &sit(BEN));
    let active = m.to_act().iter().next().unwrap();
    (m, active, active.next(2))
}

fn player(m: &Match, seat: Seat) -> uuid::Uuid {
    m.sitter(seat).unwrap().player
}

fn notifications(m: &Match, command: &Command) -> Vec<Notification> {
    let decision = m.decide(command, at(1)).unwrap();
    decision.next.notifications(command.player(), &decision.events)
}

/// What a command gives notice of.
fn notified(m: &Match, command: &Command) -> Vec<(NotificationKind, Option<Seat>)> {
    notifications(m, command).into_iter().map(|told| (told.kind, told.seat)).collect()
}

#[test]
fn a_creation_says_that_a_seat_was_taken_and_a_solo_match_starts_at_once() {
    let told = |game, seats| {
        let decision = create(game, seats, Visibility::Public).unwrap();
        let told = decision.next.notifications(ANA, &decision.events);
        told.into_iter().map(|told| (told.kind, told.seat)).collect::<Vec<_>>()
    };
    let first = Some(Seat::FIRST);
    assert_eq!(told("qwinto", 2), [(SeatTaken, first)]);
    assert_eq!(told("tapestry", 1), [(SeatTaken, first), (Started, None), (Turn, first)]);
}

#[test]
fn seats_are_taken_and_left() {
    let m = open("qwinto", 3);
    assert_eq!(notified(&m, &sit(BEN)), [(SeatTaken, Some(Seat::at::<1>()))]);
    let m = then(&m, &sit(BEN));
    let leave = Command::Leave { player: BEN };
    assert_eq!(notified(&m, &leave), [(SeatLeft, Some(Seat::at::<1>()))]);
    let m = then(&m, &leave);
    let leave = Command::Leave { player: ANA };
    assert_eq!(notified(&m, &leave), [(SeatLeft, Some(Seat::FIRST)), (Abandoned, None)]);
}

#[test]
fn the_last_seat_starts_the_match_and_somebody_has_the_turn() {
    let (_, active, _) = started();
    assert_eq!(
        notified(&open("qwinto", 2), &sit(BEN)),
        [(SeatTaken, Some(Seat::at::<1>())), (Started, None), (Turn, Some(active))]
    );
}

#[test]
fn a_turn_is_told_only_to_seats_that_were_not_waited_for() {
    let (m, active, other) = started();
    let roll = play(player(&m, active), ROLL);
    assert_eq!(notified(&m, &roll), [(Moved, Some(active))], "it knows from the answer");
    let m = then(&m, &roll);
    let keep = play(player(&m, active), r#"{"type":"keep"}"#);
    assert_eq!(notified(&m, &keep), [(Moved, Some(active)), (Turn, Some(other))]);
    // The other one is still waited for; the turn then passes to it.
    let m = then(&m, &keep);
    let pass = |seat| play(player(&m, seat), r#"{"type":"pass"}"#);
    assert_eq!(notified(&m, &pass(active)), [(Moved, Some(active))]);
    let m = then(&m, &pass(active));
    assert_eq!(notified(&m, &pass(other)), [(Moved, Some(other))]);
    assert!(then(&m, &pass(other)).to_act().contains(other));
}

#[test]
fn after_a_pause_it_is_told_whose_turn_it_is() {
    let (m, active, _) = started();
    let m = then(&m, &Command::Pause { player: ANA });
    let pause = Command::Pause { player: BEN };
    assert_eq!(notified(&m, &pause), [(Moved, m.seat_of(BEN))]);
    let m = then(&m, &pause);
    let resume = Command::Resume { player: ANA };
    assert_eq!(notified(&m, &resume), [(Moved, m.seat_of(ANA)), (Turn, Some(active))]);
}

#[test]
fn a_resignation_of_all_but_one_ends_the_match() {
    let (m, ..) = started();
    let resign = Command::Resign { player: BEN };
    assert_eq!(notified(&m, &resign), [(Moved, m.seat_of(BEN)), (Finished, None)]);
}

#[test]
fn nobody_in_particular_moves_when_time_runs_out() {
    let m = timed(2, OnTimeout::Forfeit);
    let decision = m.decide(&Command::TimeOut, second(11)).unwrap();
    let told = decision.next.notifications(Command::TimeOut.player(), &decision.events);
    let told: Vec<_> = told.iter().map(|told| (told.kind, told.seat)).collect();
    assert_eq!(told, [(Moved, None), (Finished, None)]);
}

#[test]
fn a_notification_is_for_those_whom_it_concerns() {
    let told = notifications(&open("qwinto", 2), &sit(BEN));
    let (_, active, other) = started();
    let audiences: Vec<Audience> = told.iter().map(|told| told.audience).collect();
    assert_eq!(audiences, [Audience::EveryoneBut(BEN), Audience::Everyone, Audience::Seat(active)]);
    let [taken, started, turn] = told[..] else { panic!("{told:?}") };
    assert!(taken.is_for(ANA, Some(Seat::FIRST)) && taken.is_for(EVE, None));
    assert!(!taken.is_for(BEN, Some(Seat::at::<1>())));
    assert!(started.is_for(BEN, Some(Seat::at::<1>())) && started.is_for(EVE, None));
    assert!(turn.is_for(ANA, Some(active)));
    assert!(!turn.is_for(ANA, Some(other)) && !turn.is_for(EVE, None));
}
