//! R8: the end, places, scores and measures.

use super::*;
use crate::{games::ettana::components::Actions, outcome::MeasureValue};

const SEVEN: &[&str] = &["d31", "d32", "d03"];
const RIBBON: &str = "ggbgg lrylr rylry ylryl lrylr";

#[test]
fn r8_1_eight_points_end_the_match_in_mid_turn() {
    let table = acting(&[0, 5], 1).claimed(0, SEVEN).designs(0, &["d02"]).board(RIBBON);
    let events = table.when(0, &claim("d02")).unwrap();
    assert_eq!(events.last(), Some(&Event::GameEnded { winner: seat(0) }));
    let table = table.and(events);
    assert!(Ettana::finished(&table.state));
    assert!(Ettana::to_act(&table.state).is_empty() && table.legal(0).is_empty());
    assert_eq!(table.when(0, &END), Err(Refusal::MatchOver));
    assert_eq!(table.when(1, &Move::Roll {}), Err(Refusal::MatchOver));
}

#[test]
fn r8_1_seven_points_do_not_end_the_match() {
    let table = acting(&[0, 5], 1).claimed(0, &["d31", "d32"]).designs(0, &["d02"]).board(RIBBON);
    let table = table.play(0, &claim("d02"), []);
    assert_eq!(table.state.weavers[0].points(), 7);
    assert!(!Ettana::finished(&table.state));
}

#[test]
fn r8_1_a_victory_point_for_a_black_roll_can_end_the_match() {
    let mut table = rolled(&[0, 5], 1, Face::Black).claimed(0, SEVEN);
    let only = ActionCard::VictoryPoint;
    table.state.action_deck = Actions::default();
    table.state.action_deck.add(only);
    let table = table.play(0, &Move::Collect {}, [0]);
    assert_eq!(table.state.phase, Phase::Over { winner: seat(0) });
}

#[test]
fn r8_2_places_go_by_points() {
    let mut table = acting(&[0, 5, 10, 15], 1).claimed(0, &["d01"]).claimed(1, &["d33", "d20"]);
    table.state.weavers[2].victory_cards = 1;
    let seats = Ettana::standings(&table.state).seats;
    let places: Vec<(u8, bool, Option<i64>)> =
        seats.iter().map(|seat| (seat.place, seat.won, seat.score)).collect();
    let expected = [(2, false, 1), (1, true, 5), (2, false, 1), (4, false, 0)];
    assert_eq!(places, expected.map(|(place, won, score)| (place, won, Some(score))));
    let lines = |number: usize| -> Vec<i64> {
        seats[number].breakdown.iter().map(|line| line.points).collect()
    };
    assert_eq!(lines(1), [0, 2, 3, 0]);
    assert_eq!(lines(2), [0, 0, 0, 1]);
}

#[test]
fn measures_count_what_happened() {
    let table = acting(&[0, 1], 2)
        .tokens(0, 8)
        .tokens(1, 2)
        .cards(0, &[ActionCard::StealTokens, ActionCard::GainTokens])
        .play(0, &play(Play::StealTokens { seat: seat(1) }), [])
        .play(0, &play(Play::GainTokens { number: 2 }), [3])
        .play(0, &walk(&[1, 2]), [])
        .play(0, &Move::FreeSwap { octagons: pair("C1", "D1") }, [])
        .play(0, &Move::BuySwap { octagons: pair("A1", "E1") }, [])
        .play(0, &Move::BuyAction {}, [0])
        .play(0, &Move::BuyDesign {}, [0])
        .play(0, &END, []);
    let standings = Ettana::standings(&table.state);
    let measure = |number: usize, id: &str| {
        let measures = &standings.seats[number].measures;
        measures.iter().find(|measured| measured.id == id).map(|measured| measured.value.clone())
    };
    for (id, value) in [
        ("tokens_from_steals", 2),
        ("tokens_from_cards", 2),
        ("tolls_paid", 1),
        ("swaps_free", 1),
        ("swaps_bought", 1),
        ("actions_bought", 1),
        ("designs_drawn", 1),
        ("played_steal_tokens", 1),
        ("played_gain_tokens", 1),
        ("played_tax", 0),
    ] {
        assert_eq!(measure(0, id), Some(MeasureValue::Number(value)), "{id}");
    }
    assert_eq!(measure(1, "tokens_from_tolls"), Some(MeasureValue::Number(1)));
    assert_eq!(measure(1, "tokens_lost"), Some(MeasureValue::Number(2)));
    assert_eq!(standings.measures[0].value, MeasureValue::Number(2));
    assert_eq!(standings.measures[1].value, MeasureValue::Number(1));
}
