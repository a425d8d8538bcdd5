//! Bots (M13), stand-ins (M10) and hints (M14).

use serde_json::value::RawValue;
use uuid::Uuid;

use super::{
    ANA, BEN, at,
    clocks::{second, timed, when},
    open, refused, sit, then,
};
use crate::{
    bot::BotLevel,
    games,
    matches::{
        BotSeat, Command, Commit, Create, Match, MatchRefusal, OnTimeout, Refused, Status, Unrated,
    },
    outcome::Ending,
    seat::{Seat, SeatSet},
};

const ONE: Seat = Seat::at::<1>();
const TWO: Seat = Seat::at::<2>();

fn bot(seat: Seat, level: BotLevel) -> BotSeat {
    BotSeat { seat, level }
}

fn creation(seats: u8, bots: Vec<BotSeat>) -> Create<'static> {
    let qwinto = games::find("qwinto").unwrap();
    Create { bots, ..Create::new(Uuid::from_u128(9), qwinto, seats, ANA, [7; 32].into()) }
}

fn with_bots(seats: u8, bots: Vec<BotSeat>) -> Match {
    Match::create(creation(seats, bots), at(0)).unwrap().next
}

fn two_clubs() -> Vec<BotSeat> {
    vec![bot(ONE, BotLevel::Club), bot(TWO, BotLevel::Club)]
}

fn seat_bot(player: Uuid, seat: Option<Seat>) -> Command {
    Command::SeatBot { player, seat, level: BotLevel::Novice }
}

/// The first legal move of a seat, made by its bot.
fn bot_move(m: &Match, seat: Seat) -> Command {
    let mv = m.state().unwrap().legal_moves(seat).next().unwrap();
    Command::PlayForBot { level: m.bot_in(seat).unwrap(), seat, mv }
}

#[test]
fn m13_the_creator_seats_bots_and_one_bot_may_have_several_seats() {
    let m = with_bots(3, two_clubs());
    assert_eq!(m.status(), Status::Playing);
    assert_eq!([ONE, TWO].map(|seat| m.bot_in(seat)), [Some(BotLevel::Club); 2]);
    assert_eq!(m.bot_in(Seat::FIRST), None);
    assert_eq!(m.seat_of(BotLevel::Club.player()), None);
    assert_eq!(m.unrated(), Some(Unrated::Bot));
    for (seats, bots, refusal) in [
        (2, two_clubs(), MatchRefusal::MatchFull),
        (4, vec![bot(Seat::at::<4>(), BotLevel::Club)], MatchRefusal::NoSuchSeat),
        (4, vec![bot(Seat::FIRST, BotLevel::Club)], MatchRefusal::SeatTaken),
        (4, vec![bot(ONE, BotLevel::Club), bot(ONE, BotLevel::Novice)], MatchRefusal::SeatTaken),
    ] {
        let refused = Match::create(creation(seats, bots), at(0)).unwrap_err();
        assert_eq!(refused, Refused::Match(refusal));
    }
}

#[test]
fn m13_bots_are_seated_in_open_seats_by_the_creator_only() {
    let m = then(&open("qwinto", 4), &sit(BEN));
    assert_eq!(refused(&m, &seat_bot(BEN, None)), MatchRefusal::NotCreator);
    assert_eq!(refused(&m, &seat_bot(ANA, Some(ONE))), MatchRefusal::SeatTaken);
    let m = then(&m, &seat_bot(ANA, Some(Seat::at::<3>())));
    let m = then(&m, &seat_bot(ANA, None));
    assert_eq!(m.bot_in(TWO), Some(BotLevel::Novice));
    assert_eq!(m.status(), Status::Playing);
    assert_eq!(refused(&m, &seat_bot(ANA, None)), MatchRefusal::AlreadyStarted);
    let left = then(&then(&open("qwinto", 4), &sit(BEN)), &Command::Leave { player: ANA });
    assert_eq!(refused(&left, &seat_bot(ANA, None)), MatchRefusal::NotSeated);
}

#[test]
fn m4_a_match_that_only_bots_are_left_in_is_abandoned() {
    let m = with_bots(4, two_clubs());
    let m = then(&m, &Command::Leave { player: ANA });
    assert_eq!(m.status(), Status::Abandoned);
}

#[test]
fn m6_a_match_ends_when_only_bots_remain() {
    let m = with_bots(3, two_clubs());
    let m = then(&m, &Command::Resign { player: ANA });
    assert_eq!(m.status(), Status::Finished);
    let outcome = m.outcome().unwrap();
    assert_eq!(outcome.ending, Ending::Resignation);
    let places: Vec<u8> = outcome.seats.iter().map(|standing| standing.place).collect();
    assert_eq!(places, [3, 1, 1]);
}

#[test]
fn m13_a_bot_moves_in_its_seats_and_in_no_other() {
    let mut m = with_bots(3, two_clubs());
    while m.bots_to_act().is_empty() {
        let mv = m.state().unwrap().legal_moves(Seat::FIRST).next().unwrap();
        m = then(&m, &Command::Play { player: ANA, mv });
    }
    let seat = m.bots_to_act().iter().next().unwrap();
    let command = bot_move(&m, seat);
    let Command::PlayForBot { mv, .. } = command.clone() else { unreachable!() };
    let other = |level, seat| Command::PlayForBot { level, seat, mv: mv.clone() };
    assert_eq!(refused(&m, &other(BotLevel::Master, seat)), MatchRefusal::NoBot);
    assert_eq!(refused(&m, &other(BotLevel::Club, Seat::FIRST)), MatchRefusal::NoBot);
    let based_on = m.asked_at(seat);
    let decision = m.decide_upon(&[based_on], &command, at(2)).unwrap();
    assert_eq!(decision.player(), BotLevel::Club.player());
    let record = r#"{"type":"play_for_bot","seat":"#;
    assert!(decision.command().starts_with(record), "{}", decision.command());
    // The second of two replicas that thought about the same decision comes too late.
    let late = decision.next.decide_upon(&[based_on], &command, at(2)).unwrap_err();
    assert_eq!(late, Refused::Stale { current: decision.next.version() });
}

#[test]
fn bots_think_with_a_seed_of_the_decision() {
    let m = with_bots(3, two_clubs());
    assert_eq!(m.bot_seed(ONE), m.clone().bot_seed(ONE));
    assert_ne!(m.bot_seed(ONE), m.bot_seed(TWO));
}

#[test]
fn m11_bots_agree_to_a_pause_and_have_no_deadlines() {
    let create = Create {
        time_limit: timed(2, OnTimeout::Forfeit).time_limit(),
        ..creation(3, two_clubs())
    };
    let m = Match::create(create, second(0)).unwrap().next;
    assert!([ONE, TWO].iter().all(|seat| m.deadline(*seat).is_none()));
    let m = when(&m, &Command::Pause { player: ANA }, 1);
    assert!(m.paused_at().is_some());
    assert_eq!(m.bots_to_act(), SeatSet::NONE);
    let m = when(&m, &Command::Resume { player: ANA }, 2);
    assert_eq!(m.paused_at(), None);
}

/// A match in which the seat in turn is played by a bot since second 11, that seat and its player.
fn stood_in() -> (Match, Seat, Uuid) {
    let m = timed(2, OnTimeout::Bot);
    let seat = m.to_act().iter().next().unwrap();
    let player = m.sitter(seat).unwrap().player;
    (when(&m, &Command::TimeOut, 11), seat, player)
}

#[test]
fn m10_a_bot_plays_for_somebody_whose_time_ran_out() {
    let (m, seat, player) = stood_in();
    assert_eq!(m.bot_in(seat), Some(BotLevel::Casual));
    assert!(m.has_stand_in(seat));
    assert_eq!(m.seat_of(player), Some(seat));
    assert_eq!((m.deadline(seat), m.due_at()), (None, None));
    assert_eq!(m.unrated(), Some(Unrated::Bot));
    let m = when(&m, &bot_move(&m, seat), 12);
    assert!(m.has_stand_in(seat), "until its player returns");
}

#[test]
fn m10_any_command_of_the_player_is_a_return() {
    let (m, seat, player) = stood_in();
    let mv = m.state().unwrap().legal_moves(seat).next().unwrap();
    let thought = bot_move(&m, seat);
    for command in [
        Command::Return { player },
        Command::Play { player, mv },
        Command::Pause { player },
        Command::Resign { player },
    ] {
        let m = when(&m, &command, 20);
        assert!(!m.has_stand_in(seat), "{command:?}");
        assert_eq!(m.unrated(), Some(Unrated::Bot), "a bot played for a while");
        if m.status() == Status::Playing {
            assert_eq!(refused(&m, &thought), MatchRefusal::NoBot);
        }
    }
    let back = when(&m, &Command::Return { player }, 20);
    assert_eq!(back.deadline(seat), Some(second(30)), "the full time again");
    assert_eq!(refused(&back, &Command::Return { player }), MatchRefusal::NoBot);
}

#[test]
fn m14_hints_are_allowed_where_the_match_says_so_and_alone() {
    let create = Create { hints: true, ..creation(2, Vec::new()) };
    let m = Match::create(create, at(0)).unwrap().next;
    assert!(m.allows_hints());
    assert_eq!(m.unrated(), Some(Unrated::Hints));
    assert!(!open("qwinto", 2).allows_hints());
    let solo = open("tapestry", 1);
    assert!(solo.allows_hints());
    assert_eq!(solo.unrated(), None);
}

#[test]
fn commits_of_and_about_bots_are_decided_again_byte_for_byte() {
    let create = Create { hints: true, ..creation(4, two_clubs()) };
    let (mut m, _, first) = Match::create(create, at(0)).unwrap().into_commit(Uuid::nil());
    let mut commits: Vec<Commit> = vec![first];
    let mut befores: Vec<Option<Match>> = vec![None];
    let mut commands = vec![seat_bot(ANA, Some(Seat::at::<3>()))];
    while let Some(command) = commands.pop() {
        let (next, _, commit) = m.decide(&command, at(5)).unwrap().into_commit(Uuid::nil());
        befores.push(Some(std::mem::replace(&mut m, next)));
        commits.push(commit);
        if commits.len() < 40 {
            let seat = m.to_act().iter().next().unwrap();
            let command = if m.bot_in(seat).is_some() {
                bot_move(&m, seat)
            } else {
                let mv: Box<RawValue> = m.state().unwrap().legal_moves(seat).next().unwrap();
                Command::Play { player: ANA, mv }
            };
            commands.push(command);
        }
    }
    for (before, commit) in befores.iter().zip(&commits) {
        let again = commit.decide_again(before.as_ref()).unwrap().unwrap();
        assert_eq!(again.into_commit(Uuid::nil()).2, *commit);
    }
    assert_eq!(Match::fold(&commits).unwrap().unwrap().version(), m.version());
    let life = commits.iter().filter(|commit| commit.has_life());
    assert_eq!(Match::fold_life(life).unwrap().unwrap().unrated(), Some(Unrated::Bot));
    let started = m.game_log(&commits).unwrap();
    assert!(!started.is_empty());
}
