//! R6: the score, and the rulebook's worked examples.

use super::{
    super::{
        cards::{Pattern, PatternKind},
        loom::Loom,
        score,
        state::{PlayerArea, State},
    },
    *,
};
use crate::outcome::{MeasureValue, Measured};

fn adjacent(a: Colour, b: Colour) -> Pattern {
    Pattern { kind: PatternKind::Adjacent, a, b }
}

fn interlaced(a: Colour, b: Colour) -> Pattern {
    Pattern { kind: PatternKind::Interlaced, a, b }
}

/// A colour by the first letter of its name, pink by `k`.
fn colour(letter: char) -> Option<Colour> {
    match letter {
        'r' => Some(Red),
        'k' => Some(Pink),
        's' => Some(Sky),
        'b' => Some(Blue),
        'p' => Some(Purple),
        _ => None,
    }
}

/// A loom from the letters of its horizontal cords, then of its vertical ones, each with its way past the horizontal
/// slots: `o` for over, anything else for under.
fn loom(horizontal: &str, vertical: &[(char, &str)]) -> Loom {
    let mut loom = Loom::default();
    for (at, letter) in Slot::all().zip(horizontal.chars()) {
        if let Some(colour) = colour(letter) {
            loom.weave(colour, Horizontal, at, Slots::default());
        }
    }
    for (at, (letter, way)) in Slot::all().zip(vertical) {
        if let Some(colour) = colour(*letter) {
            let over = Slot::all().zip(way.chars()).filter(|(_, passes)| *passes == 'o');
            loom.weave(colour, Vertical, at, over.map(|(slot, _)| slot).collect());
        }
    }
    loom
}

/// The same loom seen from the other side of its diagonal: verticals become horizontals.
fn turned(loom: &Loom) -> Loom {
    let mut turned = Loom::default();
    for at in loom.taken(Vertical).iter() {
        turned.weave(loom.cord(Vertical, at).unwrap(), Horizontal, at, Slots::default());
    }
    for at in loom.taken(Horizontal).iter() {
        turned.weave(loom.cord(Horizontal, at).unwrap(), Vertical, at, loom.over(Horizontal, at));
    }
    turned
}

#[track_caller]
fn assert_times(loom: &Loom, pattern: Pattern, times: i64) {
    assert_eq!(score::times(loom, pattern), times, "{pattern:?}");
    assert_eq!(score::times(&turned(loom), pattern), times, "{pattern:?} with the axes swapped");
}

/// The rulebook: three pinks with skies between them, 1 + 2 + 1.
#[test]
fn r6_2_the_rulebook_s_adjacent_example_is_worth_4() {
    assert_times(&loom("kskskbbb", &[]), adjacent(Pink, Sky), 4);
    assert_times(&loom("kskskbbb", &[]), adjacent(Sky, Pink), 4);
}

#[test]
fn r6_2_neighbours_are_in_consecutive_slots_of_one_axis() {
    assert_times(&loom("k.s", &[]), adjacent(Pink, Sky), 0);
    assert_times(&loom("kbs", &[]), adjacent(Pink, Sky), 0);
    assert_times(&loom("kk", &[('s', ""), ('s', "")]), adjacent(Pink, Sky), 0);
    assert_times(&loom("ks", &[('s', ""), ('k', "")]), adjacent(Pink, Sky), 2); // both axes
    assert_times(&loom("......ks", &[]), adjacent(Pink, Sky), 1); // up to the edge
    assert_times(&loom("kssk", &[]), adjacent(Pink, Sky), 2);
}

/// The rulebook: A1 once, A2 twice, A3 to A5 once each, because there is no third blue next to the two.
#[test]
fn r6_3_the_rulebook_s_interlaced_example_is_worth_6() {
    let (once, twice) = ([('r', "ouu")], [('r', "ouo")]);
    assert_times(&loom("bbb", &once), interlaced(Red, Blue), 1);
    assert_times(&loom("bbb", &twice), interlaced(Red, Blue), 2);
    assert_times(&loom("bb", &[('r', "ou"), ('r', "ou"), ('r', "ou")]), interlaced(Red, Blue), 3);

    // All of it on one loom: two vertical reds past three blues, three horizontal ones past two vertical blues.
    let mut whole = loom("bbb", &once);
    whole.weave(Red, Vertical, slot(1), slots(&[0, 2]));
    for at in [5, 6] {
        whole.weave(Blue, Vertical, slot(at), Slots::default());
    }
    for at in [4, 5, 6] {
        whole.weave(Red, Horizontal, slot(at), slots(&[5]));
    }
    assert_times(&whole, interlaced(Red, Blue), 6);
}

#[test]
fn r6_3_the_b_cords_are_consecutive_and_the_a_changes_sides_between_them() {
    assert_times(&loom("b.b", &[('r', "o.u")]), interlaced(Red, Blue), 0);
    assert_times(&loom("bsb", &[('r', "ouu")]), interlaced(Red, Blue), 0);
    assert_times(&loom("bb", &[('r', "oo")]), interlaced(Red, Blue), 0);
    assert_times(&loom("bb", &[('r', "uu")]), interlaced(Red, Blue), 0);
    assert_times(&loom("bb", &[('r', "uo")]), interlaced(Red, Blue), 1); // either way round
    assert_times(&loom("bbbb", &[('r', "ouou")]), interlaced(Red, Blue), 3); // B serves twice
    assert_times(&loom("......bb", &[('r', "......ou")]), interlaced(Red, Blue), 1);
}

#[test]
fn r6_3_a_and_b_have_different_roles() {
    assert_times(&loom("bb", &[('r', "ou")]), interlaced(Blue, Red), 0);
    assert_times(&loom("b", &[('r', "o"), ('r', "u")]), interlaced(Blue, Red), 1);
}

fn at_table(objective: Objective, loom: Loom, buttons: [Option<Card>; 4]) -> State {
    let mut state = given::<Trama>(2, [table_set(objective)]).state;
    state.areas[0] = PlayerArea { loom, buttons, ..PlayerArea::default() };
    state
}

fn points(state: &State) -> Vec<i64> {
    score::breakdown(state, &state.areas[0]).iter().map(|line| line.points).collect()
}

#[test]
fn r6_4_only_cards_with_a_button_of_the_seat_count_for_it() {
    let woven = loom("rkrk", &[]);
    let objective = Objective::PurplePinkAndSkyBlue;
    let with = at_table(objective, woven, [None, Some(Card::AdjacentRedPink), None, None]);
    assert_eq!(points(&with), [3, 0, 0, 0, 0, 0]);
    let second = Some(Card::AdjacentSkyBlue);
    let both = at_table(objective, woven, [second, Some(Card::AdjacentRedPink), None, None]);
    assert_eq!(points(&both), [0, 3, 0, 0, 0, 0], "in the order of placing");
    let mut other = at_table(objective, woven, [None; 4]);
    other.areas[1].buttons[0] = Some(Card::AdjacentRedPink);
    assert_eq!(points(&other), [0; 6]);
}

#[test]
fn r6_5_the_objective_is_worth_5_if_the_loom_shows_both_patterns() {
    let objective = Objective::PurplePinkAndSkyBlue;
    let value = |horizontal: &str, vertical: &[(char, &str)]| {
        points(&at_table(objective, loom(horizontal, vertical), [None; 4]))[4]
    };
    assert_eq!(value("bb....pk", &[('s', "ou")]), 5);
    assert_eq!(
        value("bb.kpkpk", &[('s', "ou"), ('s', "uo")]),
        5,
        "repeated patterns are worth no more"
    );
    assert_eq!(value("bb....p.", &[('s', "ou")]), 0);
    assert_eq!(value("bb....pk", &[('s', "oo")]), 0);
    assert_eq!(value("", &[]), 0);
}

/// The rulebook: five vertical and three horizontal reds cost two points.
#[test]
fn r6_6_the_rulebook_s_penalty_example_costs_2() {
    let example = loom("rrr", &[('r', ""); 5]);
    assert_eq!(score::penalties(&example), 2);
    let objective = Objective::PurplePinkAndSkyBlue;
    assert_eq!(points(&at_table(objective, example, [None; 4])), [0, 0, 0, 0, 0, -2]);
}

#[test]
fn r6_6_every_axis_and_colour_is_counted_separately() {
    assert_eq!(score::penalties(&loom("rrrbbb", &[('r', ""); 3])), 0);
    assert_eq!(score::penalties(&loom("rrrrbbbb", &[('r', ""); 4])), 3);
    assert_eq!(score::penalties(&loom("rrrrrrrr", &[('b', ""); 8])), 10);
}

#[test]
fn r6_7_a_cord_serves_in_any_number_of_patterns() {
    // Purple and pink serve on a card and in the objective; so does the vertical sky, on another card.
    let objective = Objective::PurplePinkAndSkyBlue;
    let woven = loom("pkbb", &[('s', "ooou"), ('b', "")]);
    let buttons = [Some(Card::AdjacentPinkPurple), Some(Card::AdjacentSkyBlue), None, None];
    assert_eq!(points(&at_table(objective, woven, buttons)), [1, 1, 0, 0, 5, 0]);
}

/// The rulebook: Fran's 5 + 3 + 3 + 6 + 0 - 2.
#[test]
fn r6_the_rulebook_s_example_of_fran_is_worth_15() {
    let vertical = [
        ('k', ""),
        ('p', "ouu"),
        ('k', ""),
        ('p', "ouo"),
        ('p', "ouu"),
        ('p', "ouu"),
        ('p', "ouu"),
        ('s', "......ou"),
    ];
    let fran = at_table(
        Objective::PurplePinkAndSkyBlue,
        loom("rrrsbsbb", &vertical),
        [
            Some(Card::InterlacedPurpleRed),
            Some(Card::AdjacentPinkPurple),
            Some(Card::AdjacentSkyBlue),
            Some(Card::InterlacedPurplePink),
        ],
    );
    assert_eq!(points(&fran), [3, 3, 6, 0, 5, -2]);
    let standings = Trama::standings(&fran);
    assert_eq!(standings.seats[0].score, Some(15));
    let measure = |id: &str| {
        let found = standings.seats[0].measures.iter().find(|measured| measured.id == id);
        found.map(|measured| measured.value.clone())
    };
    assert_eq!(measure("objective"), Some(MeasureValue::Category("met".into())));
    for (id, value) in [
        ("penalties", 2),
        ("patterns_completed", 3),
        ("best_card", 6),
        ("cords_red", 3),
        ("cords_pink", 2),
        ("cords_sky", 3),
        ("cords_blue", 3),
        ("cords_purple", 5),
    ] {
        assert_eq!(measure(id), Some(MeasureValue::Number(value)), "{id}");
    }
}

#[test]
fn r6_statistics_tell_shared_cards_crossings_and_met_objectives() {
    let objective = Objective::PurplePinkAndSkyBlue;
    let card = Some(Card::AdjacentRedPink);
    let mut state = at_table(objective, loom("bb....pk", &[('s', "ou")]), [card, None, None, None]);
    state.areas[1].buttons = [Some(Card::AdjacentRedBlue), card, None, None];
    (state.areas[1].passed_over, state.areas[1].passed_under) = (3, 4);
    let standings = Trama::standings(&state);
    let number = |measures: &[Measured], id: &str| {
        measures.iter().find(|measured| measured.id == id).map(|measured| measured.value.clone())
    };
    let expected = |value| Some(MeasureValue::Number(value));
    assert_eq!(number(&standings.measures, "seats_with_objective"), expected(1));
    assert_eq!(number(&standings.measures, "rounds"), expected(0));
    let other = &standings.seats[1].measures;
    assert_eq!(number(other, "cards_shared"), expected(1));
    assert_eq!(number(other, "crossings_over"), expected(3));
    assert_eq!(number(other, "crossings_under"), expected(4));
    assert_eq!(number(other, "objective"), Some(MeasureValue::Category("neither".into())));
}

#[test]
fn r6_8_most_points_win_and_equal_totals_share_the_win() {
    let mut state = given::<Trama>(4, [table_set(Objective::PurplePinkAndSkyBlue)]).state;
    state.areas[0].loom = loom("rrrr", &[]);
    state.areas[3].loom = loom("rk", &[]);
    let places = |state: &State| -> Vec<_> {
        let seats = Trama::standings(state).seats;
        seats.iter().map(|seat| (seat.place, seat.won, seat.score)).collect()
    };
    let (zero, minus) = (Some(0), Some(-1));
    assert_eq!(
        places(&state),
        [(4, false, minus), (1, true, zero), (1, true, zero), (1, true, zero)]
    );
    state.areas[3].buttons[0] = Some(Card::AdjacentRedPink);
    assert_eq!(
        places(&state),
        [(4, false, minus), (2, false, zero), (2, false, zero), (1, true, Some(1))]
    );
}
