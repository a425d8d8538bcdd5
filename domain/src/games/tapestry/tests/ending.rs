//! R7 to R9: the end, the clock and the points.

use serde_json::Value;

use super::*;
use crate::{
    games::tapestry::{
        components::Colour,
        events::EndReason,
        refusal::Refusal,
        score::{self, Rank},
    },
    outcome::{MeasureValue, Standing},
    seat::{SeatSet, Viewer},
};

const MINUTE: i64 = 60_000_000;

fn minute(number: i64) -> Timestamp {
    Timestamp::from_micros(number * MINUTE)
}

fn view(game: &Given<Tapestry>) -> Value {
    serde_json::to_value(Tapestry::view(&game.state, Viewer::Spectator)).unwrap()
}

fn standing(game: &Given<Tapestry>) -> Standing {
    Tapestry::standings(&game.state).seats.remove(0)
}

fn measure(standing: &Standing, id: &str) -> MeasureValue {
    standing.measures.iter().find(|measure| measure.id == id).unwrap().value.clone()
}

fn category(standing: &Standing, id: &str) -> String {
    match measure(standing, id) {
        MeasureValue::Category(value) => value.into_owned(),
        MeasureValue::Number(number) => panic!("{id} is {number}"),
    }
}

/// Draws and discards until nothing is left.
fn discard_all(game: &mut Clocked, at: Timestamp) {
    while !Tapestry::finished(&game.table.state) {
        let mv = game.table.legal(0)[0];
        let mv = if matches!(mv, Move::Draw { .. }) { mv } else { DISCARD };
        game.play(mv, at);
    }
}

#[test]
fn r2_1_and_r7_1_by_time_the_64th_card_ends_and_wins_the_match() {
    let (mut game, last) = one_card_short(Mode::Time);
    assert!(!Tapestry::finished(&game.table.state));
    assert!(!standing(&game.table).won);
    game.play(place(last.row, last.column), minute(16));

    let ended = Event::GameEnded { reason: EndReason::Completed, rank: Some(Rank::Legendary) };
    assert_eq!(game.events.last(), Some(&ended));
    assert_eq!(game.table.state.phase, Phase::Over { reason: EndReason::Completed });
    assert_eq!(Tapestry::to_act(&game.table.state), SeatSet::NONE);
    let laid: Vec<_> = game.table.state.tapestry.cards().collect();
    assert_eq!(laid, complete());
    let standing = standing(&game.table);
    assert!(standing.won);
    assert_eq!((standing.place, standing.score, standing.breakdown.len()), (1, None, 0));
    assert_eq!(measure(&standing, "cells_filled"), MeasureValue::Number(64));
    assert_eq!(view(&game.table)["phase"]["rank"], "legendary");
}

#[test]
fn r7_2_by_discards_a_complete_tapestry_is_played_on_until_the_cards_are_used_up() {
    let (mut game, last) = one_card_short(Mode::Discards);
    game.play(place(last.row, last.column), minute(2));
    assert!(game.table.state.tapestry.is_complete());
    assert!(!Tapestry::finished(&game.table.state));
    assert_eq!(game.table.legal(0).len(), 8, "eight cards are left over");

    game.play(game.table.legal(0)[0], minute(2));
    let legal = game.table.legal(0);
    assert!(legal.iter().all(|mv| matches!(mv, Move::Exchange { .. } | Move::Discard {})));
    discard_all(&mut game, minute(3));

    let ended = Event::GameEnded { reason: EndReason::Completed, rank: None };
    assert_eq!(game.events.last(), Some(&ended));
    let standing = standing(&game.table);
    assert!(standing.won);
    assert_eq!(game.table.state.discards.len(), 8);
    assert_eq!(category(&standing, "rank"), "none");
    // What the plan leaves over: 1 red, 1 orange, 1 yellow, 1 green, 1 blue and 3 purple cards.
    assert_eq!(standing.score, Some(6));
}

#[test]
fn r7_2_moves_are_refused_before_the_table_is_set_and_after_the_end() {
    let before = given_with::<Tapestry>(1, &Options::default(), []);
    let mut game = Clocked::new(Mode::Time, &stacked(&[]), minute(0));
    discard_all(&mut game, minute(0));
    for table in [&before, &game.table] {
        assert!(table.legal(0).is_empty());
        assert_eq!(Tapestry::to_act(&table.state), SeatSet::NONE);
        for mv in [draw(0), place(4, 5), exchange(4, 4), DISCARD] {
            assert_eq!(table.when(0, &mv), Err(Refusal::NotPlaying));
        }
    }
}

#[test]
fn r7_2_and_r7_3_gaps_at_the_end_are_a_loss_in_both_modes() {
    for mode in [Mode::Time, Mode::Discards] {
        let mut game = Clocked::new(mode, &stacked(&[]), minute(0));
        discard_all(&mut game, minute(5));
        let ended = Event::GameEnded { reason: EndReason::CardsExhausted, rank: None };
        assert_eq!(game.events.last(), Some(&ended));
        let standing = standing(&game.table);
        assert!(!standing.won);
        assert_eq!(category(&standing, "rank"), "none");
        assert_eq!(game.table.state.discards.len(), 68);
        assert_eq!(game.table.state.draws, 68);
    }
}

#[test]
fn r7_3_the_last_card_of_all_may_complete_the_tapestry() {
    let (cards, cells) = plan();
    // The eight cards that are left over come first, and are discarded.
    let mut order = cards[..4].to_vec();
    order.extend(&cards[64..]);
    order.extend(&cards[4..64]);
    for mode in [Mode::Time, Mode::Discards] {
        let mut game = Clocked::new(mode, &order, minute(0));
        for turn in 0..68_u8 {
            game.play(draw(turn % 8), minute(0));
            match usize::from(turn).checked_sub(8) {
                None => game.play(DISCARD, minute(0)),
                Some(index) => game.play(place(cells[index].row, cells[index].column), minute(0)),
            }
        }
        assert_eq!(game.table.state.phase, Phase::Over { reason: EndReason::Completed });
        assert!(standing(&game.table).won);
        assert_eq!(view(&game.table)["loss_certain"], false);
    }
}

#[test]
fn r7_4_the_ninth_discard_makes_the_loss_certain_but_play_goes_on() {
    for mode in [Mode::Time, Mode::Discards] {
        let mut game = Clocked::new(mode, &stacked(&[]), minute(0));
        for discards in 1..=9 {
            game.play(draw(0), minute(0));
            game.play(DISCARD, minute(0));
            let view = view(&game.table);
            assert_eq!(view["loss_certain"], discards == 9, "after {discards}");
            assert_eq!(view["discards"]["spare"], 8_u8.saturating_sub(discards));
        }
        assert!(!Tapestry::finished(&game.table.state));
        assert_eq!(game.table.legal(0).len(), 8);
    }
}

#[test]
fn r8_1_the_clock_runs_from_the_deal_to_the_last_card() {
    let (mut game, last) = one_card_short(Mode::Time); // began at minute 1
    game.play(place(last.row, last.column), Timestamp::from_micros(12 * MINUTE + 345_678));
    let elapsed = 11 * 60_000 + 345;
    assert_eq!(measure(&standing(&game.table), "elapsed_ms"), MeasureValue::Number(elapsed));
    assert_eq!(view(&game.table)["elapsed_ms"], elapsed);
}

#[test]
fn r8_2_the_time_gives_the_rank() {
    let minute = 60_000;
    for (elapsed, rank) in [
        (0, Rank::Cthulhu),
        (10 * minute - 1, Rank::Cthulhu),
        (10 * minute, Rank::Legendary),
        (20 * minute, Rank::Legendary),
        (20 * minute + 1, Rank::Advanced),
        (30 * minute, Rank::Advanced),
        (30 * minute + 1, Rank::Normal),
        (40 * minute, Rank::Normal),
        (40 * minute + 1, Rank::Novice),
        (i64::MAX, Rank::Novice),
    ] {
        assert_eq!(Rank::of(elapsed), rank, "{elapsed} ms");
    }
}

#[test]
fn r8_2_every_rank_is_declared_and_told() {
    for (minutes, id) in
        [(9, "cthulhu"), (15, "legendary"), (25, "advanced"), (35, "normal"), (45, "novice")]
    {
        let (mut game, last) = one_card_short(Mode::Time);
        game.play(place(last.row, last.column), minute(1 + minutes));
        assert_eq!(category(&standing(&game.table), "rank"), id);
        assert_eq!(view(&game.table)["phase"]["rank"], id);
        let ended = Tapestry::event_view(game.events.last().unwrap(), Viewer::Spectator);
        assert_eq!(serde_json::to_value(&ended).unwrap()["rank"], id);
        let told = Tapestry::tell(&ended, Lang::En).to_lowercase();
        assert!(told.contains(id), "{told}");
    }
}

#[test]
fn r8_3_by_time_there_are_no_points() {
    let table = any_table(Mode::Time).play(0, &draw(0), []).play(0, &DISCARD, []);
    assert_eq!(score::total(&table.state), None);
    assert!(standing(&table).breakdown.is_empty());
    assert!(view(&table)["discards"].get("points").is_none());
}

#[test]
fn r9_1_discards_are_worth_what_their_colour_says() {
    let worth: Vec<u8> = Colour::ALL.into_iter().map(Colour::points).collect();
    assert_eq!(worth, [0, 1, 2, 2, 1, 0]);
}

#[test]
fn r9_2_the_score_is_the_sum_of_the_discards() {
    let mut table = any_table(Mode::Discards);
    let names = ["green comet", "yellow nebula", "yellow comet", "blue comet", "red comet"];
    table.state.discards = names.map(card).to_vec();
    let standing = standing(&table);
    assert_eq!(standing.score, Some(7));
    let lines: Vec<(&str, i64)> =
        standing.breakdown.iter().map(|line| (&*line.id, line.points)).collect();
    assert_eq!(
        lines,
        [
            ("discards_red", 0),
            ("discards_orange", 0),
            ("discards_yellow", 4),
            ("discards_green", 2),
            ("discards_blue", 1),
            ("discards_purple", 0)
        ]
    );
    assert_eq!(measure(&standing, "discards_yellow"), MeasureValue::Number(2));
    assert_eq!(measure(&standing, "discards_red"), MeasureValue::Number(1));
    assert_eq!(view(&table)["discards"]["points"], 7);
    assert!(!standing.won, "points do not make up for gaps");
}
