//! Laws about time: absent players do not block a match.

use domain::{
    games,
    matches::{OnTimeout, Status, Unrated},
};

use crate::{forks::decided_again, table::Table};

#[test]
fn a_match_with_absent_players_is_played_to_its_end() {
    for game in games::all() {
        for seats in [game.info().min_seats, game.info().max_seats] {
            let mut table = Table::timed(game, seats, OnTimeout::Automatic, 83);
            while !table.is_over() {
                table.sleep();
            }
            assert_eq!(table.now.status(), Status::Finished);
            assert_eq!(table.now.due_at(), None);
            assert_eq!(table.now.unrated(), Some(Unrated::AutomaticSeat));
            decided_again(&table.commits);
        }
    }
}

#[test]
fn a_match_that_everybody_forfeits_is_over() {
    for game in games::all() {
        for seats in [game.info().min_seats, game.info().max_seats] {
            let mut table = Table::timed(game, seats, OnTimeout::Forfeit, 89);
            while !table.is_over() {
                table.sleep();
            }
            let winners = table.now.outcome().unwrap().seats.iter().filter(|seat| seat.won).count();
            assert!(winners <= 1);
            decided_again(&table.commits);
        }
    }
}

#[test]
fn moves_and_timeouts_mixed_are_recorded_as_they_were_decided() {
    for game in games::all() {
        let seats = game.info().max_seats;
        let mut table = Table::timed(game, seats, OnTimeout::Automatic, 97);
        table.play_out(|table| {
            for seat in table.now.to_act().iter() {
                assert!(table.now.deadline(seat).is_some());
            }
            if table.commits.len().is_multiple_of(5) {
                table.sleep();
            }
        });
        decided_again(&table.commits);
    }
}
