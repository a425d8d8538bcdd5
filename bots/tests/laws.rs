//! The laws of bots, for every registered game. A new game adds nothing here.

#![expect(clippy::unwrap_used, reason = "a law that cannot be checked has failed")]

#[path = "../benches/arena/mod.rs"]
mod arena;
#[path = "../benches/arena/duel.rs"]
mod duel;

use arena::{Player, Table};
use bots::{Choice, Contestant, Generator, Position, Settings};
use domain::{
    bot::BotLevel,
    erased::{AnyGame, AnyState, GameEvent, GameMove},
    game::Context,
    games,
    seat::{Seat, SeatSet, Viewer},
    time::Timestamp,
};
use duel::duel;

/// Settings with which a test is quick.
const QUICK: Settings = Settings { playouts: 24, horizon: 6, width: 12, knowledge: true };

/// A choice in full: every move, with visits and values to the last bit.
fn exactly(choice: &Choice) -> Vec<(String, u32, u64)> {
    let moves = choice.moves.iter();
    moves.map(|it| (it.mv.encode().get().to_owned(), it.visits, it.value.to_bits())).collect()
}

/// A match of every game with every number of seats, played at random; `look` sees some of its positions.
fn some_positions(
    mut look: impl FnMut(&'static dyn AnyGame, u8, &dyn AnyState, &[GameEvent], Seat),
) {
    for game in games::all() {
        for seats in game.info().min_seats..=game.info().max_seats {
            let options = game.options(None).unwrap();
            let start = game.open(seats, &options, game.info().rules_version).unwrap();
            let mut chance = Generator::new(seats.into());
            let at = Timestamp::default();
            let mut log = start.setup(&mut Context { chance: &mut chance, at });
            let mut state = start.clone();
            for event in &log {
                state.evolve(event, at);
            }
            for number in 0..90 {
                if state.finished() {
                    break;
                }
                let acting: Vec<Seat> = state.to_act().iter().collect();
                // The last one, so that others have already decided what is hidden from it.
                let seat = *acting.last().unwrap();
                if number % 15 == 14 {
                    look(game, seats, start.as_ref(), &log, seat);
                }
                let seat = acting[0];
                let mv = state.random_move(seat, &mut chance).unwrap();
                let events =
                    state.decide(seat, &mv, &mut Context { chance: &mut chance, at }).unwrap();
                for event in &events {
                    state.evolve(event, at);
                }
                log.extend(events);
            }
        }
    }
}

fn choice(
    game: &'static dyn AnyGame,
    seats: u8,
    start: &dyn AnyState,
    log: &[GameEvent],
    seat: Seat,
    settings: Settings,
) -> Choice {
    let log: Vec<_> = log.iter().map(|event| (Timestamp::default(), event)).collect();
    bots::choose_with(&Position::new(game, seats, start, &log), seat, settings, 5).unwrap()
}

#[test]
fn a_bot_does_not_peek() {
    let mut redealt = 0;
    some_positions(|game, seats, start, log, seat| {
        let events: Vec<&GameEvent> = log.iter().collect();
        let mut chance = Generator::new(11);
        let other = game.redeal(start, &events, Viewer::Seat(seat), &mut chance).unwrap();
        let differs =
            log.iter().zip(&other).any(|(one, two)| one.encode().get() != two.encode().get());
        redealt += usize::from(differs);
        for knowledge in [true, false] {
            let settings = Settings { knowledge, ..QUICK };
            let think = |log: &[GameEvent]| choice(game, seats, start, log, seat, settings);
            assert_eq!(exactly(&think(log)), exactly(&think(&other)), "{}", game.info().key);
        }
    });
    // If nothing was hidden, the test would prove nothing.
    assert!(redealt > 20, "only {redealt} positions had something to hide");
}

#[test]
fn a_judgement_does_not_peek_and_blames_no_choice_of_its_own() {
    some_positions(|game, seats, start, log, seat| {
        let events: Vec<&GameEvent> = log.iter().collect();
        let other =
            game.redeal(start, &events, Viewer::Seat(seat), &mut Generator::new(12)).unwrap();
        let judge = |log: &[GameEvent], mv: &GameMove| {
            let log: Vec<_> = log.iter().map(|event| (Timestamp::default(), event)).collect();
            let position = Position::new(game, seats, start, &log);
            bots::judge(&position, seat, mv, BotLevel::Novice, 5).unwrap()
        };
        let own =
            choice(game, seats, start, log, seat, Settings::of(BotLevel::Novice, game.info().key));
        let judged = judge(log, &own.best().mv);
        assert_eq!(judged.played.mv, own.best().mv);
        assert!(judged.cost(seat) < f64::EPSILON, "{}: {}", game.info().key, judged.cost(seat));
        let mut state = start.boxed_clone();
        for event in log {
            state.evolve(event, Timestamp::default());
        }
        let mv = state.random_move(seat, &mut Generator::new(3)).unwrap();
        let (one, two) = (judge(log, &mv), judge(&other, &mv));
        assert_eq!(one.played.visits, one.best.visits);
        assert!((0.0..=1.0).contains(&one.cost(seat)));
        assert_eq!(
            (one.best.mv, one.best.value.to_bits(), one.played.value.to_bits()),
            (two.best.mv, two.best.value.to_bits(), two.played.value.to_bits()),
            "{}",
            game.info().key
        );
    });
}

#[test]
fn the_same_position_level_and_seed_give_the_same_move() {
    some_positions(|game, seats, start, log, seat| {
        let think = || {
            choice(game, seats, start, log, seat, Settings::of(BotLevel::Novice, game.info().key))
        };
        assert_eq!(exactly(&think()), exactly(&think()), "{}", game.info().key);
    });
}

#[test]
fn every_game_can_be_played_without_knowledge() {
    let rules_only =
        Player::Tuned(Settings { playouts: 4, horizon: 4, width: 4, knowledge: false });
    for game in games::all() {
        let seats = game.info().max_seats;
        let mut table = Table::open(game, seats, 3);
        for _ in 0..60 {
            if table.is_over() {
                break;
            }
            let seat = table.next_seat();
            let (mv, (playouts, _)) = table.decide(seat, rules_only);
            assert!(playouts <= 4, "the budget is kept");
            table.play(seat, &mv);
        }
    }
}

#[test]
fn seats_that_have_resigned_cannot_win() {
    some_positions(|game, seats, start, log, seat| {
        let log: Vec<_> = log.iter().map(|event| (Timestamp::default(), event)).collect();
        let others: SeatSet = Seat::all(seats).filter(|other| *other != seat).collect();
        let position = Position::new(game, seats, start, &log).with_resigned(others);
        let choice = bots::choose_with(&position, seat, QUICK, 5).unwrap();
        for (index, win) in choice.best().wins.iter().enumerate() {
            assert!(index == seat.index() || *win == 0.0, "{}: {win}", game.info().key);
        }
    });
}

#[test]
fn a_club_player_beats_random_play() {
    for game in games::all().filter(|game| game.info().max_seats > 1) {
        let club = Settings::of(BotLevel::Club, game.info().key);
        let players =
            [Player::Tuned(Settings { playouts: 24, ..club }), Player::Listed(Contestant::Random)];
        let won: f64 =
            (0..4).map(|number| duel(game, 2, players, 1000 + number / 2, number % 2 == 1)).sum();
        assert!(won >= 3.0, "{}: {won} of 4", game.info().key);
    }
}

/// A level that was changed has to be measured again.
#[test]
fn the_ladder_was_measured_with_these_levels() {
    for row in &bots::ladder().rows {
        let players = [Some(row.player), row.against].into_iter().flatten();
        let today: Vec<String> = players.map(|it| it.described(&row.game)).collect();
        assert_eq!(
            row.settings, today,
            "{} {} {}: run `make ladder`",
            row.game, row.seats, row.player
        );
    }
}

#[test]
fn every_level_has_a_measured_strength_and_higher_ones_are_stronger() {
    let ladder = bots::ladder();
    for game in games::all().map(AnyGame::info) {
        let strength = |level| match game.max_seats {
            1 => ladder.completion(game.key, Contestant::Bot(level)).unwrap().share,
            _ => ladder.rating(game.key, level).unwrap().points.into(),
        };
        let strengths = BotLevel::ALL.map(strength);
        assert!(strengths.is_sorted(), "{}: {strengths:?}", game.key);
    }
}
