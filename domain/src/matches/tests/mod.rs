//! The life of a match, rule by rule (RULES.md beside this file), and what a commit keeps.

use serde_json::value::RawValue;
use uuid::Uuid;

use super::{
    Command, Commit, Create, Decision, Match, MatchRefusal, Perspective, PlayerSeat, Refused,
    Status, ViewRefusal, Visibility,
};
use crate::{
    games,
    outcome::Ending,
    seat::{Seat, Viewer},
    time::Timestamp,
};

mod bots;
mod clocks;
mod forks;
mod notifications;
mod pauses;
mod versions;

const ANA: Uuid = Uuid::from_u128(1);
const BEN: Uuid = Uuid::from_u128(2);
const EVE: Uuid = Uuid::from_u128(3);

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

fn create(game: &str, seats: u8, visibility: Visibility) -> Result<Decision, Refused> {
    let create = Create {
        visibility,
        invite_code: (visibility == Visibility::Private).then(|| "CODE".to_owned()),
        ..Create::new(Uuid::from_u128(9), games::find(game).unwrap(), seats, ANA, [7; 32].into())
    };
    Match::create(create, at(0))
}

fn open(game: &str, seats: u8) -> Match {
    create(game, seats, Visibility::Public).unwrap().next
}

fn sit(player: Uuid) -> Command {
    Command::Sit { player, seat: None, entropy: None, invite_code: None }
}

fn play(player: Uuid, mv: &str) -> Command {
    Command::Play { player, mv: RawValue::from_string(mv.to_owned()).unwrap() }
}

fn then(m: &Match, command: &Command) -> Match {
    m.decide(command, at(1)).unwrap().next
}

#[track_caller]
fn refused(m: &Match, command: &Command) -> MatchRefusal {
    match m.decide(command, at(1)) {
        Err(Refused::Match(refusal)) => refusal,
        other => panic!("{command:?} led to {other:?}"),
    }
}

#[test]
fn m1_a_match_has_as_many_seats_as_the_game_allows_and_its_creator_sits_in_seat_0() {
    for seats in [0, 1, 7, 255] {
        let refused = create("qwinto", seats, Visibility::Public).unwrap_err();
        assert_eq!(refused, Refused::Match(MatchRefusal::SeatCount));
    }
    let m = open("qwinto", 6);
    assert_eq!(m.seat_of(ANA), Some(Seat::FIRST));
    assert_eq!(m.status(), Status::Open);
}

#[test]
fn m1_further_players_are_seated_at_once_and_the_match_starts_when_it_is_full() {
    let game = games::find("qwinto").unwrap();
    let create = |players: &[(u8, Uuid)]| {
        let players = players.iter().map(|(seat, player)| PlayerSeat {
            seat: Seat::all(8).nth(usize::from(*seat)).unwrap(),
            player: *player,
        });
        let create = Create {
            players: players.collect(),
            ..Create::new(Uuid::from_u128(9), game, 3, ANA, [7; 32].into())
        };
        Match::create(create, at(0))
    };
    let open = create(&[(2, BEN)]).unwrap().next;
    assert_eq!(open.status(), Status::Open);
    assert_eq!(open.seat_of(BEN).map(Seat::number), Some(2));
    let full = create(&[(2, BEN), (1, EVE)]).unwrap();
    assert_eq!(full.next.status(), Status::Playing);
    let (_, _, commit) = full.into_commit(Uuid::from_u128(4));
    let again = commit.decide_again(None).unwrap().unwrap().into_commit(Uuid::from_u128(4));
    assert_eq!(again.2, commit);
    for (players, refusal) in [
        ([(3, BEN)], MatchRefusal::NoSuchSeat),
        ([(0, BEN)], MatchRefusal::SeatTaken),
        ([(1, ANA)], MatchRefusal::AlreadySeated),
    ] {
        let refused = create(&players).unwrap_err();
        assert!(matches!(&refused, Refused::Match(it) if *it == refusal), "{refused:?}");
    }
}

#[test]
fn m2_a_free_seat_is_taken_once_a_player_and_can_be_left() {
    let m = open("qwinto", 3);
    assert_eq!(refused(&m, &sit(ANA)), MatchRefusal::AlreadySeated);
    let want = |seat| Command::Sit {
        player: BEN,
        seat: Some(Seat::new(seat).expect("a seat")),
        entropy: None,
        invite_code: None,
    };
    assert_eq!(refused(&m, &want(0)), MatchRefusal::SeatTaken);
    assert_eq!(refused(&m, &want(3)), MatchRefusal::NoSuchSeat);
    assert_eq!(refused(&m, &Command::Leave { player: BEN }), MatchRefusal::NotSeated);
    let m = then(&m, &want(2));
    assert_eq!(m.seat_of(BEN), Some(Seat::at::<2>()));
    let m = then(&m, &Command::Leave { player: BEN });
    assert_eq!(m.seat_of(BEN), None);
    assert_eq!(m.status(), Status::Open);
}

#[test]
fn m2_a_private_match_asks_for_its_code() {
    let m = create("qwinto", 2, Visibility::Private).unwrap().next;
    assert_eq!(refused(&m, &sit(BEN)), MatchRefusal::WrongInviteCode);
    let with_code = Command::Sit {
        player: BEN,
        seat: None,
        entropy: None,
        invite_code: Some("CODE".to_owned()),
    };
    assert_eq!(then(&m, &with_code).status(), Status::Playing);
}

#[test]
fn m3_the_last_seat_starts_the_match_and_a_solo_match_starts_at_once() {
    let m = then(&open("qwinto", 2), &sit(BEN));
    assert_eq!(m.status(), Status::Playing);
    assert_eq!(m.started_at(), Some(at(1)));
    assert_eq!(refused(&m, &sit(EVE)), MatchRefusal::AlreadyStarted);
    assert_eq!(refused(&m, &Command::Leave { player: BEN }), MatchRefusal::AlreadyStarted);
    assert_eq!(open("tapestry", 1).status(), Status::Playing);
}

#[test]
fn m4_and_m7_a_match_that_everybody_left_is_abandoned_for_good() {
    let m = then(&open("qwinto", 2), &Command::Leave { player: ANA });
    assert_eq!(m.status(), Status::Abandoned);
    assert_eq!(refused(&m, &sit(BEN)), MatchRefusal::MatchOver);
}

#[test]
fn m12_a_match_that_does_not_start_can_be_closed_and_one_that_has_started_cannot() {
    let m = open("qwinto", 2);
    let (closed, _, commit) =
        m.decide(&Command::Expire, at(1)).unwrap().into_commit(Uuid::from_u128(4));
    assert_eq!(closed.status(), Status::Abandoned);
    assert_eq!(closed.seat_of(ANA), Some(Seat::FIRST), "nobody has left");
    assert_eq!(refused(&closed, &sit(BEN)), MatchRefusal::MatchOver);
    assert!(commit.payload.contains(r#""command":{"type":"expire"}"#));
    let again = commit.decide_again(Some(&m)).unwrap().unwrap().into_commit(Uuid::from_u128(4));
    assert_eq!(again.2, commit);
    let started = then(&m, &sit(BEN));
    assert_eq!(refused(&started, &Command::Expire), MatchRefusal::AlreadyStarted);
}

#[test]
fn m5_moves_are_made_by_those_who_sit_while_it_is_played() {
    let m = open("qwinto", 2);
    let keep = |player| play(player, r#"{"type":"keep"}"#);
    assert_eq!(refused(&m, &keep(ANA)), MatchRefusal::NotStarted);
    let m = then(&m, &sit(BEN));
    assert_eq!(refused(&m, &keep(EVE)), MatchRefusal::NotSeated);
}

#[test]
fn m6_with_two_the_other_one_wins() {
    let m = then(&open("qwinto", 2), &sit(BEN));
    let m = then(&m, &Command::Resign { player: ANA });
    let outcome = m.outcome().unwrap();
    assert_eq!(outcome.ending, Ending::Resignation);
    let places: Vec<(u8, bool)> = outcome.seats.iter().map(|seat| (seat.place, seat.won)).collect();
    assert_eq!(places, [(2, false), (1, true)]);
    assert_eq!(refused(&m, &Command::Resign { player: BEN }), MatchRefusal::MatchOver);
}

#[test]
fn m6_with_three_the_seat_is_played_on_until_one_remains() {
    let m = then(&then(&open("qwinto", 3), &sit(BEN)), &sit(EVE));
    let m = then(&m, &Command::Resign { player: ANA });
    assert_eq!(m.status(), Status::Playing);
    assert!(!m.to_act().contains(Seat::FIRST));
    assert_eq!(refused(&m, &Command::Resign { player: ANA }), MatchRefusal::HasResigned);
    let m = then(&m, &Command::Resign { player: EVE });
    let places: Vec<u8> = m.outcome().unwrap().seats.iter().map(|seat| seat.place).collect();
    assert_eq!(places, [2, 1, 2]);
}

#[test]
fn m6_seats_that_resigned_share_the_place_after_all_others() {
    const ZOE: Uuid = Uuid::from_u128(4);
    let mut m = open("qwinto", 4);
    for player in [BEN, EVE, ZOE] {
        m = then(&m, &sit(player));
    }
    for player in [BEN, ANA] {
        m = then(&m, &Command::Resign { player });
    }
    let result = m.result(Ending::Rules);
    let places: Vec<(u8, bool)> = result.seats.iter().map(|seat| (seat.place, seat.won)).collect();
    assert_eq!(places, [(3, false), (3, false), (1, true), (1, true)], "nobody has points yet");
    let m = then(&m, &Command::Resign { player: ZOE });
    let result = m.outcome().unwrap();
    let places: Vec<(u8, bool)> = result.seats.iter().map(|seat| (seat.place, seat.won)).collect();
    assert_eq!(places, [(2, false), (2, false), (1, true), (2, false)]);
}

#[test]
fn m6_resigning_alone_is_a_loss() {
    let m = then(&open("tapestry", 1), &Command::Resign { player: ANA });
    assert_eq!(m.status(), Status::Finished);
    assert!(!m.outcome().unwrap().seats[0].won);
}

#[test]
fn everything_is_shown_once_the_match_is_over_and_the_seed_not_before() {
    let m = then(&open("qwinto", 2), &sit(BEN));
    assert_eq!(m.viewer(Some(ANA)), Viewer::Seat(Seat::FIRST));
    assert_eq!(m.viewer(Some(EVE)), Viewer::Spectator);
    assert_eq!(m.viewer(None), Viewer::Spectator);
    assert!(m.revealed_seed().is_none());
    let m = then(&m, &Command::Resign { player: ANA });
    assert_eq!(m.viewer(None), Viewer::Archive);
    assert_eq!(m.revealed_seed().unwrap().commitment(), m.commitment());
}

#[test]
fn a_caller_chooses_among_the_views_that_it_may_see() {
    let m = then(&open("qwinto", 2), &sit(BEN));
    let own = Viewer::Seat(Seat::FIRST);
    let seat = |number| Some(Perspective::Seat(Seat::new(number).unwrap()));
    let cases = [
        (Some(ANA), None, Ok(own), Ok(own)),
        (Some(EVE), None, Ok(Viewer::Spectator), Ok(Viewer::Spectator)),
        (None, None, Ok(Viewer::Spectator), Ok(Viewer::Spectator)),
        (Some(ANA), Some(Perspective::Spectator), Ok(Viewer::Spectator), Ok(Viewer::Spectator)),
        (Some(ANA), Some(Perspective::OwnSeat), Ok(own), Ok(own)),
        (
            Some(EVE),
            Some(Perspective::OwnSeat),
            Err(ViewRefusal::NotSeated),
            Err(ViewRefusal::NotSeated),
        ),
        (Some(ANA), seat(0), Ok(own), Ok(own)),
        (Some(BEN), seat(0), Err(ViewRefusal::StillSecret), Ok(own)),
        (None, seat(0), Err(ViewRefusal::StillSecret), Ok(own)),
        (Some(BEN), seat(2), Err(ViewRefusal::NoSuchSeat), Err(ViewRefusal::NoSuchSeat)),
        (Some(ANA), Some(Perspective::Archive), Err(ViewRefusal::StillSecret), Ok(Viewer::Archive)),
    ];
    let over = then(&m, &Command::Resign { player: ANA });
    for (player, perspective, playing, afterwards) in cases {
        assert_eq!(m.viewer_from(player, perspective), playing, "{player:?} {perspective:?}");
        assert_eq!(over.viewer_from(player, perspective), afterwards, "{player:?} {perspective:?}");
    }
    assert_eq!("1".parse(), Ok(Perspective::Seat(Seat::at::<1>())));
    assert_eq!("seat".parse(), Ok(Perspective::OwnSeat));
    assert!(["8", "200", "-1", "god", ""].iter().all(|text| text.parse::<Perspective>().is_err()));
}

#[test]
fn time_never_runs_backwards() {
    let m = then(&open("qwinto", 2), &sit(BEN));
    let next = m.decide(&Command::Resign { player: ANA }, at(-5)).unwrap().next;
    assert_eq!(next.updated_at(), at(1));
}

fn commits() -> Vec<Commit> {
    let (m, _, first) =
        create("qwinto", 2, Visibility::Public).unwrap().into_commit(Uuid::from_u128(50));
    let (m, _, second) = m.decide(&sit(BEN), at(1)).unwrap().into_commit(Uuid::from_u128(51));
    let (_, _, third) =
        m.decide(&Command::Resign { player: ANA }, at(2)).unwrap().into_commit(Uuid::from_u128(52));
    vec![first, second, third]
}

#[test]
fn a_match_as_of_a_version_is_the_fold_of_that_many_events() {
    let commits = commits();
    let versions: Vec<u64> = (0..=8)
        .map(|version| Match::as_of(&commits, version).unwrap().map_or(0, |m| m.version()))
        .collect();
    assert_eq!(versions, [0, 1, 2, 3, 4, 5, 6, 7, 0]);
}

#[test]
fn a_gap_or_a_broken_row_is_found() {
    let commits = commits();
    assert!(Match::fold([&commits[0], &commits[2]]).is_err());
    assert!(Match::fold([&commits[1]]).is_err());
    assert!(commits[1].read(Some(games::find("qwinto").unwrap())).is_ok());
    let miscounted = Commit { count: 2, ..commits[1].clone() };
    assert!(miscounted.read(Some(games::find("qwinto").unwrap())).is_err());
    for payload in ["", "{}", r#"{"command":{},"events":[{"what":1}]}"#] {
        let broken = Commit { payload: payload.to_owned(), ..commits[0].clone() };
        assert!(Match::open(&broken).is_err(), "{payload}");
    }
}

#[test]
fn a_stored_event_that_cannot_have_happened_is_corrupt() {
    let commits = commits();
    let resigned = r#"{"type":"seat_resigned","seat":0}"#;
    for (index, from, to) in [
        (0, r#""seats":2"#, r#""seats":9"#),
        (0, r#""game":"qwinto""#, r#""game":"chess""#),
        (0, r#""options":{}"#, r#""options":{"dice":7}"#),
        (0, r#""seed":"07"#, r#""seed":"0x"#),
        (1, r#""type":"seat_taken","seat":1"#, r#""type":"seat_taken","seat":5"#),
        (1, r#""type":"seat_taken","seat":1"#, r#""type":"seat_taken","seat":200"#),
        (1, r#""type":"seat_taken","seat":1"#, r#""type":"seat_left","seat":1"#),
        (1, r#"{"type":"match_started"}"#, r#"{"type":"match_paused"}"#),
        (2, resigned, r#"{"type":"match_resumed","seat":0}"#),
        (2, resigned, r#"{"type":"match_started"}"#),
        (
            2,
            r#"{"life":{"type":"seat_resigned","seat":0}}"#,
            r#"{"game":{"type":"turn_passed","seat":0},"by":3}"#,
        ),
    ] {
        let mut broken = commits.clone();
        let payload = &mut broken[index].payload;
        assert!(payload.contains(from), "{payload} has no {from}");
        *payload = payload.replace(from, to);
        assert!(Match::fold(&broken).is_err(), "{to}");
        assert!(Match::as_of(&broken, 7).is_err(), "{to}");
    }
}

#[test]
fn a_changed_byte_breaks_the_chain() {
    let commits = commits();
    let hash = commits[0].hash;
    assert!(commits[1].follows(&hash));
    let changed = [
        Commit {
            payload: commits[1].payload.replace("seat_taken", "seat_faken"),
            ..commits[1].clone()
        },
        Commit { at: at(3), ..commits[1].clone() },
        Commit { player: EVE, ..commits[1].clone() },
        Commit { command_id: EVE, ..commits[1].clone() },
        Commit { seq: 3, ..commits[1].clone() },
        Commit { match_id: EVE, ..commits[1].clone() },
    ];
    assert!(changed.iter().all(|commit| !commit.follows(&hash)));
}
