//! The board, the cards, and how a match begins (R1, R2).

use super::*;
use crate::{
    chance::{Chance, Keyed, Seed},
    game::{Context, Game},
    games::brotando::{
        cards::{Back, Figure},
        components::{Between, LineColour, Lines, Sun},
        squares::{COLUMNS, ROWS, Squares},
    },
    time::Timestamp,
};

/// The picture in RULES.md, which players rely on.
pub(super) fn picture() -> Vec<&'static str> {
    let lines = Brotando::INFO.rules.en.lines().map(str::trim);
    let rows = lines.filter(|line| line.starts_with("row "));
    rows.filter_map(|line| line.split_whitespace().nth(2)).collect()
}

#[test]
fn r1_1_the_board_has_fifteen_columns_and_fourteen_rows_and_a_start_square() {
    assert_eq!(picture().len(), usize::from(ROWS));
    assert!(picture().iter().all(|row| row.len() == usize::from(COLUMNS)));
    let body = Sprout::EMPTY.body();
    assert_eq!(body, Squares::one(7, 13));
    assert_eq!(&picture()[13][7..8], "S");
}

#[test]
fn r1_2_suns_are_where_the_picture_shows_them() {
    for (sun, mark, count) in [(Sun::Red, 'R', 2), (Sun::Yellow, 'Y', 17), (Sun::Orange, 'O', 8)] {
        let marked: Squares = (0..)
            .zip(picture())
            .flat_map(|(row, line)| {
                (0..).zip(line.chars()).map(move |(column, c)| (c, (column, row)))
            })
            .filter(|(c, _)| *c == mark)
            .map(|(_, square)| square)
            .collect();
        assert_eq!(sun.squares(), marked);
        assert_eq!(marked.count(), count);
    }
}

#[test]
fn r2_1_the_rules_show_the_figure_of_every_growth_card() {
    for rules in [Brotando::INFO.rules.en, Brotando::INFO.rules.es] {
        let mut shown = Vec::new();
        for line in rules.lines().filter(|line| line.starts_with("| `")) {
            let mut columns = line.trim_matches('|').split('|').map(str::trim);
            let figure = columns.next().unwrap().trim_matches('`');
            let copies: usize = columns.next().unwrap().parse().unwrap();
            shown.extend(std::iter::repeat_n(figure.to_owned(), copies));
        }
        let cards = Figure::all_cards();
        let figures: Vec<String> =
            cards.iter().map(|figure| figure.shape().picture.join("/")).collect();
        assert_eq!(shown, figures);
        assert_eq!(shown.len(), 94);
    }
}

#[test]
fn r1_3_the_board_has_two_sides_and_a_centre() {
    let across = sprout(&[Segment::right(6, 0), Segment::right(7, 1), Segment::right(0, 2)]);
    let balance = across.balance();
    assert_eq!((balance.left, balance.right, balance.centre), (3, 1, 2));
}

#[test]
fn r1_4_and_r1_5_nine_lines_run_as_the_rules_say() {
    let every: Squares =
        (0..COLUMNS).flat_map(|column| (0..ROWS).map(move |row| (column, row))).collect();
    let lines: Vec<_> = Lines::crossed_by(every).infos().collect();
    assert_eq!(lines.len(), 9);
    assert_eq!(lines.iter().filter(|line| line.colour == LineColour::Purple).count(), 5);

    // Every pair of neighbouring squares, compared with the rules in words.
    for column in 0..COLUMNS {
        for row in 0..ROWS {
            let right = Segment::right(column, row);
            if right.is_on_board() {
                let crossed: Vec<_> = Lines::crossed_by(right.squares()).infos().collect();
                let purple = [0, 2, 11, 13].contains(&column);
                let blue = [5, 8].contains(&column) && [0, 1, 6, 7].contains(&row);
                assert_eq!(crossed.len(), usize::from(purple || blue), "{right:?}");
                assert!(crossed.iter().all(|line| line.between == Between::Columns));
                assert!(crossed.iter().all(|line| (line.colour == LineColour::Blue) == blue));
            }
            let down = Segment::down(column, row);
            if down.is_on_board() {
                let crossed: Vec<_> = Lines::crossed_by(down.squares()).infos().collect();
                let purple = row == 2;
                let blue = row == 6 && [0, 1, 4, 5, 6, 7, 8, 9, 10, 13, 14].contains(&column)
                    || row == 10 && [0, 14].contains(&column);
                assert_eq!(crossed.len(), usize::from(purple || blue), "{down:?}");
                assert!(crossed.iter().all(|line| line.between == Between::Rows));
                assert!(crossed.iter().all(|line| (line.colour == LineColour::Blue) == blue));
            }
        }
    }
}

#[test]
fn r1_6_a_segment_covers_two_neighbouring_squares() {
    assert_eq!(Segment::right(3, 4).squares(), [(3, 4), (4, 4)].into_iter().collect());
    assert_eq!(Segment::down(3, 4).squares(), [(3, 4), (3, 5)].into_iter().collect());
    assert!(!Segment::right(14, 0).is_on_board());
    assert!(!Segment::down(0, 13).is_on_board());
    assert!(!Segment::right(255, 255).is_on_board());
}

#[test]
fn r2_1_there_are_94_growth_cards_and_18_wind_cards() {
    let cards = Figure::all_cards();
    assert_eq!(cards.len(), 94);
    for card in &cards {
        let tilings = card.shape().tilings();
        assert!(!tilings.is_empty(), "{:?} cannot be laid out", card.shape().picture);
        for tiling in tilings {
            assert_eq!(tiling.len(), 3);
            assert_eq!(Segment::all_squares(tiling).count(), 6);
            assert!(tiling.is_sorted());
        }
    }
    let pictures: std::collections::BTreeSet<_> =
        cards.iter().map(|card| card.shape().picture.join("/")).collect();
    assert_eq!(pictures.len(), 84);
    for wind in Wind::ALL {
        assert_eq!(Wind::all_cards().iter().filter(|other| **other == wind).count(), 3);
    }
}

fn dealt(seats: u8, seed: u8) -> (Vec<Event>, State) {
    let key = Seed::from([seed; 32]).match_key(uuid::Uuid::nil(), &[]);
    let mut chance = Keyed::new(key, 0);
    let mut cx = Context { chance: &mut chance as &mut dyn Chance, at: Timestamp::default() };
    let events = Brotando::setup(&opened::<Brotando>(seats), &mut cx);
    let state = given::<Brotando>(seats, events.clone()).state;
    (events, state)
}

#[test]
fn r2_2_every_seat_gets_eleven_growth_cards_and_three_winds_and_no_wind_on_top() {
    for seed in 0..40 {
        let (events, _) = dealt(6, seed);
        let Some(Event::DecksDealt { decks }) = events.first() else { panic!("decks come first") };
        assert_eq!(decks.len(), 6);
        let mut winds = Vec::new();
        let mut figures = Vec::new();
        for deck in decks {
            assert_eq!(deck.len(), 14);
            assert_eq!(deck[0].back(), Back::Growth);
            assert_eq!(deck.iter().filter(|card| card.back() == Back::Wind).count(), 3);
            for card in deck {
                match card {
                    Card::Growth(figure) => figures.push(*figure),
                    Card::Wind(wind) => winds.push(*wind),
                }
            }
        }
        winds.sort();
        assert_eq!(winds, Wind::all_cards(), "six seats hold every wind card");
        for figure in Figure::all_cards() {
            let copies = Figure::all_cards().iter().filter(|other| **other == figure).count();
            assert!(figures.iter().filter(|other| **other == figure).count() <= copies);
        }
    }
}

#[test]
fn r2_3_every_seat_begins_with_ten_segments() {
    let (_, state) = dealt(4, 1);
    assert!(state.plots.iter().all(|plot| plot.reserve == 10));
}

#[test]
fn r2_4_the_first_seat_is_drawn_and_moves_to_the_left_every_day() {
    let firsts: std::collections::BTreeSet<u8> =
        (0..40).map(|seed| dealt(3, seed).1.first.number()).collect();
    assert_eq!(firsts.len(), 3);

    let mut table = set(dusk(&[growth(EXAMPLE); 3], 1), |state| state.first = seat(2));
    table = table.play(0, &SKIP, []);
    assert_eq!((table.state.day, table.state.first), (2, seat(0)));
    assert_eq!(table.state.phase, Phase::Selecting { active: seat(0) });
}

#[test]
fn r2_5_nothing_can_be_played_before_the_first_day_or_after_the_last() {
    let early = given::<Brotando>(2, []);
    assert_eq!(early.when(0, &select(0)), Err(Refusal::NotPlaying));
    assert!(early.legal(0).is_empty());
    let late = dusk(&[growth(EXAMPLE); 2], 14).play(0, &SKIP, []);
    assert!(Brotando::finished(&late.state));
    let late = set(late, |state| hold(state, 0, Wind::TakeSix));
    assert_eq!(late.when(0, &SKIP), Err(Refusal::NotPlaying));
    assert_eq!(late.when(0, &TAKE_SIX), Err(Refusal::NotPlaying));
    assert!(late.legal(0).is_empty());
}

#[test]
fn r2_6_everybody_sees_the_backs_of_top_cards_and_nobody_more_of_a_deck() {
    let table = set(table(2), |state| state.plots[1].deck[0] = Card::Wind(Wind::TakeSix));
    for viewer in Viewer::at_table(2) {
        let decks = shown(&table, viewer);
        assert_eq!(decks["seats"][0]["deck"], serde_json::json!({ "cards": 4, "top": "growth" }));
        assert_eq!(decks["seats"][1]["deck"], serde_json::json!({ "cards": 4, "top": "wind" }));
    }
    let (events, _) = dealt(2, 1);
    for viewer in Viewer::at_table(2) {
        let event = told(&events[0], viewer);
        assert_eq!(event, serde_json::json!({ "type": "decks_dealt", "cards": 14 }));
    }
}
