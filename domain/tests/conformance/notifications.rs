//! Laws about notifications: they follow from events alone, and say exactly what has changed for a player.

use domain::{
    games,
    matches::{Match, NotificationKind, OnTimeout, Status},
    seat::{Seat, SeatSet},
};

use crate::table::Table;

/// Checks every commit of a match against the match before and after it.
fn check(table: &Table) {
    let mut before: Option<Match> = None;
    for commit in &table.commits {
        let game = before.as_ref().map(Match::game);
        let events = commit.read(game).unwrap().events;
        let after = match &before {
            None => Match::open(commit).unwrap(),
            Some(before) => {
                let mut after = before.clone();
                after.apply(commit).unwrap();
                after
            }
        };
        let told = after.notifications(commit.player, &events);
        let seats = |kind| -> SeatSet {
            told.iter().filter(|told| told.kind == kind).filter_map(|told| told.seat).collect()
        };
        let has = |kind| told.iter().any(|told| told.kind == kind);

        let waited = before.as_ref().map_or(SeatSet::NONE, Match::to_act);
        let turns: SeatSet = after.to_act().iter().filter(|seat| !waited.contains(*seat)).collect();
        assert_eq!(seats(NotificationKind::Turn), turns);

        let sat = |m: &Match, seat| m.sitter(seat).map(|sitter| sitter.player);
        let taken: SeatSet = Seat::all(after.seat_count())
            .filter(|seat| before.as_ref().and_then(|m| sat(m, *seat)) != sat(&after, *seat))
            .collect();
        assert_eq!(seats(NotificationKind::SeatTaken), taken);

        let was = before.as_ref().map(Match::status);
        assert_eq!(has(NotificationKind::Moved), was == Some(Status::Playing));
        let starts = was != Some(Status::Playing) && after.started_at().is_some();
        assert_eq!(has(NotificationKind::Started), starts);
        assert_eq!(has(NotificationKind::Finished), after.status() == Status::Finished);
        before = Some(after);
    }
}

#[test]
fn notifications_say_what_has_changed() {
    for game in games::all() {
        for seats in [game.info().min_seats, game.info().max_seats] {
            let mut played = Table::open(game, seats, None, 71);
            played.play_out(|_| {});
            check(&played);
            let mut timed = Table::timed(game, seats, OnTimeout::Automatic, 73);
            timed.play_out(|table| {
                if table.commits.len().is_multiple_of(3) {
                    table.sleep();
                }
            });
            check(&timed);
        }
    }
}
