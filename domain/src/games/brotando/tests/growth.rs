//! Growth and reward (R5, R6).

use super::*;

/// Where the figure of seat 0's card can be placed, as sets of squares.
fn positions(table: &Given<Brotando>) -> usize {
    let mut squares = Vec::new();
    for mv in table.legal(0) {
        let Move::Grow { segments } = mv else { continue };
        let whole = Segment::all_squares(segments.segments());
        if !squares.contains(&whole) {
            squares.push(whole);
        }
    }
    squares.len()
}

/// The rulebook: the card of its first figure has four positions at the beginning.
#[test]
fn r5_the_rulebook_s_figure_has_four_positions_on_the_first_day() {
    let table = growing(growth(EXAMPLE), 10, &[]);
    assert_eq!(positions(&table), 4);
    assert_eq!(table.legal(0).len(), 4 * figure(EXAMPLE).shape().tilings().len());
}

#[test]
fn r5_1_every_seat_grows_once_and_in_any_order() {
    let table = set(growing(growth("######"), 10, &[]), |state| {
        state.plots[1].grown = false;
        state.plots[1].card = Some(growth("######"));
    });
    assert_eq!(Brotando::to_act(&table.state), seats(&[0, 1]));
    let epoch = Brotando::epoch(&table.state);
    let (left, right) = (table.legal(0), table.legal(1));
    let table = table.play(1, &right[0], []);
    assert_eq!(Brotando::epoch(&table.state), epoch);
    assert_eq!(table.legal(0), left);
    assert_eq!(table.when(1, &right[1]), Err(Refusal::AlreadyGrown));
    assert_eq!(table.when(0, &bid(1)), Err(Refusal::GrowNow));
    assert_eq!(table.when(0, &select(0)), Err(Refusal::GrowNow));
    let table = table.play(0, &left[0], []);
    assert_eq!(table.state.day, 2);
}

#[test]
fn r5_2_three_segments_make_the_figure_as_printed() {
    // Two rows of three: either a mix of both directions, or three upright segments.
    let table = growing(growth("###/###"), 10, &[]);
    let upright = [Segment::down(7, 11), Segment::down(8, 11), Segment::down(9, 11)];
    let mixed = [Segment::right(7, 11), Segment::right(7, 12), Segment::down(9, 11)];
    assert!(table.when(0, &grow(&upright)).is_ok());
    assert!(table.when(0, &grow(&mixed)).is_ok());
    let turned = [Segment::right(7, 10), Segment::right(7, 11), Segment::right(7, 12)];
    assert_eq!(table.when(0, &grow(&turned)), Err(Refusal::NotTheFigure));
    assert_eq!(table.when(0, &grow(&upright[..2])), Err(Refusal::WrongSegmentCount));
    assert_eq!(table.when(0, &grow(&[])), Err(Refusal::WrongSegmentCount));

    let grown = table.play(0, &grow(&upright), []);
    assert_eq!(grown.state.plots[0].reserve, 7);
    assert_eq!(grown.state.plots[0].sprout.segments(), upright);
}

#[test]
fn r5_2_a_mirror_image_is_another_card() {
    let table = growing(growth("#####/#...."), 10, &[]);
    let printed = [Segment::right(4, 12), Segment::right(6, 12), Segment::down(8, 12)];
    assert_eq!(table.when(0, &grow(&printed)), Err(Refusal::NotTheFigure));
    let table = growing(growth("#####/....#"), 10, &[]);
    assert!(table.when(0, &grow(&printed)).is_ok());
}

#[test]
fn r5_2_the_order_of_the_segments_does_not_matter() {
    let table = growing(growth("###/###"), 10, &[]);
    let json = r#"{"type":"grow","segments":[
        {"column":9,"row":11,"direction":"down"},
        {"column":7,"row":11,"direction":"down"},
        {"column":8,"row":11,"direction":"down"}]}"#;
    let mv: Move = serde_json::from_str(json).unwrap();
    assert!(table.legal(0).contains(&mv));
    assert!(table.when(0, &mv).is_ok());
}

#[test]
fn r5_3_the_figure_fits_on_the_board_and_covers_only_free_squares() {
    let table = growing(growth("######"), 10, &[]);
    let row = |column: u8, row| [0, 2, 4].map(|step| Segment::right(column + step, row));
    assert!(table.when(0, &grow(&row(8, 13))).is_ok());
    assert_eq!(table.when(0, &grow(&row(2, 13))), Err(Refusal::SquareTaken), "the start square");
    assert_eq!(table.when(0, &grow(&row(10, 13))), Err(Refusal::OffBoard));
    assert_eq!(table.when(0, &grow(&row(200, 200))), Err(Refusal::OffBoard));
    let twice = [Segment::right(8, 13); 3];
    assert_eq!(table.when(0, &grow(&twice)), Err(Refusal::SquareTaken));
    let table = growing(growth("######"), 10, &[Segment::down(9, 12)]);
    assert_eq!(table.when(0, &grow(&row(8, 13))), Err(Refusal::SquareTaken));
}

#[test]
fn r5_4_one_segment_is_orthogonally_adjacent_to_the_sprout() {
    let table = growing(growth("######"), 10, &[]);
    let row = |column: u8, row| [0, 2, 4].map(|step| Segment::right(column + step, row));
    assert!(table.when(0, &grow(&row(2, 12))).is_ok(), "its last square is above the start");
    assert_eq!(table.when(0, &grow(&row(1, 12))), Err(Refusal::NotJoined), "only diagonal");
    assert_eq!(table.when(0, &grow(&row(0, 0))), Err(Refusal::NotJoined));
}

#[test]
fn r5_5_with_too_few_segments_the_figure_is_made_in_part() {
    let table = growing(growth("#/#/#/#/#/#"), 2, &[]);
    let stem = |row| Segment::down(7, row);
    assert!(table.when(0, &grow(&[stem(11), stem(9)])).is_ok());
    assert_eq!(table.when(0, &grow(&[stem(11)])), Err(Refusal::WrongSegmentCount));
    assert_eq!(
        table.when(0, &grow(&[stem(11), stem(9), stem(7)])),
        Err(Refusal::WrongSegmentCount)
    );
    // Part of the figure, but with a gap: the upper segment is not connected.
    assert_eq!(table.when(0, &grow(&[stem(11), stem(7)])), Err(Refusal::NotJoined));
    let bent = [stem(11), Segment::right(8, 11)];
    assert_eq!(table.when(0, &grow(&bent)), Err(Refusal::NotTheFigure));

    let grown = table.play(0, &grow(&[stem(11), stem(9)]), []);
    assert_eq!(grown.state.plots[0].reserve, 2, "all are spent, and a yellow sun has paid");
}

#[test]
fn r5_5_the_whole_figure_must_have_room_even_when_a_part_is_placed() {
    // A bar over column 7 leaves no room for six squares above the start, nor for the figure beside it.
    let table = growing(growth("#/#/#/#/#/#"), 1, &[Segment::right(7, 9)]);
    let low = Segment::down(7, 11);
    assert_eq!(table.when(0, &grow(&[low])), Err(Refusal::FigureDoesNotFit));
    assert!(table.when(0, &grow(&[Segment::down(9, 9)])).is_ok());
}

#[test]
fn r5_5_a_part_at_the_edge_whose_figure_would_leave_the_board_does_not_fit() {
    // In this figure, only the segment in the middle of the upper row lies flat.
    let middle = growth("####/#..#");
    for (edge, part, sprout) in [
        ("right", Segment::right(13, 8), Segment::down(13, 9)),
        ("left", Segment::right(0, 8), Segment::down(0, 9)),
        ("bottom", Segment::right(8, 13), Segment::down(9, 11)),
    ] {
        let table = growing(middle, 1, &[sprout]);
        assert_eq!(table.when(0, &grow(&[part])), Err(Refusal::FigureDoesNotFit), "{edge}");
        assert!(!table.legal(0).contains(&grow(&[part])));
    }
    assert_eq!(crate::game::Refusal::info(Refusal::FigureDoesNotFit).rule, "R5.5");
    let row = growing(growth("######"), 1, &[]);
    assert_eq!(row.when(0, &grow(&[Segment::down(8, 12)])), Err(Refusal::NotTheFigure));
}

#[test]
fn r5_5_every_part_is_listed_once() {
    for reserve in [1, 2] {
        let table = growing(growth("##/##/##"), reserve, &[Segment::down(7, 11)]);
        let legal = table.legal(0);
        for (index, mv) in legal.iter().enumerate() {
            assert!(!legal[..index].contains(mv));
            let Move::Grow { segments } = mv else { panic!("only growth") };
            assert_eq!(segments.segments().len(), usize::from(reserve));
        }
    }
}

/// The listing searches for positions and the check looks at segments: they have to agree on every case.
#[test]
fn r5_what_is_listed_is_what_passes_the_check() {
    let every: Vec<Segment> = (0..15)
        .flat_map(|column| (0..14).map(move |row| (column, row)))
        .flat_map(|(column, row)| [Segment::right(column, row), Segment::down(column, row)])
        .collect();
    let pairs = every
        .iter()
        .zip(0..)
        .flat_map(|(one, index)| every[index + 1..].iter().map(|two| vec![*one, *two]));
    let (singles, pairs) = (every.iter().map(|one| vec![*one]).collect(), pairs.collect());
    let stem =
        [Segment::down(7, 11), Segment::right(8, 11), Segment::down(6, 9), Segment::right(0, 4)];
    let check = |card: Card, reserve: u16, choices: &Vec<Vec<Segment>>| {
        let table = growing(card, reserve, &stem);
        let accepted = choices.iter().map(|choice| grow(choice));
        let accepted: Vec<Move> = accepted.filter(|mv| table.when(0, mv).is_ok()).collect();
        let listed = table.legal(0);
        assert!(!listed.is_empty());
        assert_eq!(accepted.len(), listed.len());
        assert!(accepted.iter().all(|mv| listed.contains(mv)));
    };
    check(Card::Wind(Wind::TakeSix), 5, &singles);
    for picture in [EXAMPLE, "##/##/##", "#..#/####", "..###/###.."] {
        check(growth(picture), 1, &singles);
    }
    check(growth("##/##/##"), 2, &pairs);
    check(growth("#..#/####"), 2, &pairs);
}

#[test]
fn r5_6_wind_places_one_segment_anywhere_at_the_sprout() {
    let table = growing(Card::Wind(Wind::ScoreYellow), 10, &[]);
    // Above the start: two lying and one standing; beside it: one lying and one standing on each side.
    assert_eq!(table.legal(0).len(), 3 + 2 + 2);
    let far = Segment::right(0, 0);
    assert_eq!(table.when(0, &grow(&[far])), Err(Refusal::NotJoined));
    let two = [Segment::right(8, 13), Segment::right(5, 13)];
    assert_eq!(table.when(0, &grow(&two)), Err(Refusal::WrongSegmentCount));
    assert_eq!(table.when(0, &SKIP), Err(Refusal::GrowthPossible));
    let grown = table.play(0, &grow(&[Segment::right(8, 13)]), []);
    // One is spent, and column 8 of row 13 is a yellow sun.
    assert_eq!(grown.state.plots[0].reserve, 10 - 1 + 2);
}

#[test]
fn r5_7_only_a_seat_that_cannot_place_anything_skips() {
    let table = growing(growth("######"), 0, &[]);
    assert_eq!(table.legal(0), [SKIP]);
    assert_eq!(table.when(0, &grow(&[])), Err(Refusal::WrongSegmentCount));
    assert!(table.when(0, &SKIP).is_ok());
    let table = growing(growth("######"), 1, &[]);
    assert_eq!(table.when(0, &SKIP), Err(Refusal::GrowthPossible));

    // A board that is full except for a corner has no room for a figure.
    let full: Vec<Segment> = (0..14)
        .flat_map(|row| (0..7).map(move |pair| Segment::right(2 * pair, row)))
        .filter(|segment| !segment.squares().contains(7, 13))
        .collect();
    let table = growing(growth("######"), 10, &full);
    assert_eq!(table.legal(0), [SKIP]);
}

#[test]
fn r5_8_a_line_is_crossed_when_both_sides_are_covered_in_one_growth() {
    let crossed = |table: &Given<Brotando>, segments: &[Segment]| {
        let events = table.when(0, &grow(segments)).unwrap();
        let Some(Event::SproutGrown { crossed, .. }) = events.first() else { panic!("it grows") };
        crossed.len()
    };
    let wind = Card::Wind(Wind::TakeSix);
    // By one segment over the line between columns 2 and 3.
    let table = growing(wind, 9, &[Segment::right(4, 8)]);
    assert_eq!(crossed(&table, &[Segment::right(2, 8)]), 1);
    // By two segments that lie along the line on either side.
    let table = growing(growth("##/##/##"), 9, &[Segment::right(4, 8)]);
    let both = [Segment::down(2, 8), Segment::down(3, 8), Segment::right(2, 10)];
    assert_eq!(crossed(&table, &both), 1);
    // Touched from both sides on different days: not crossed.
    let table = growing(wind, 9, &[Segment::down(3, 8)]);
    assert_eq!(crossed(&table, &[Segment::down(2, 8)]), 0);
    // A blue line only where it is marked: between columns 5 and 6 on row 6, not on row 5.
    let table = growing(wind, 9, &[Segment::down(7, 5)]);
    assert_eq!(crossed(&table, &[Segment::right(5, 6)]), 1);
    assert_eq!(crossed(&table, &[Segment::right(5, 5)]), 0);
}

#[test]
fn r5_8_a_line_is_crossed_only_once() {
    let table =
        growing(Card::Wind(Wind::TakeSix), 9, &[Segment::right(4, 8), Segment::right(4, 9)]);
    let table = table.play(0, &grow(&[Segment::right(2, 8)]), []);
    let before = table.state.plots[0].crossed;
    let again = set(table, |state| {
        state.phase = Phase::Growing;
        state.plots[0].grown = false;
        state.plots[0].card = Some(Card::Wind(Wind::TakeSix));
        state.plots[1].grown = true;
    });
    let events = again.when(0, &grow(&[Segment::right(2, 9)])).unwrap();
    assert!(
        matches!(events.first(), Some(Event::SproutGrown { crossed, .. }) if crossed.is_empty())
    );
    assert_eq!(again.and(events).state.plots[0].crossed, before);
}

#[test]
fn r6_1_yellow_pays_two_and_red_five_on_the_day_they_are_covered() {
    // Column 2 of row 0 is yellow, column 0 of row 0 is red.
    let table = growing(growth("######"), 3, &[Segment::down(0, 1), Segment::right(6, 1)]);
    let row = [0, 2, 4].map(|column| Segment::right(column, 0));
    let grown = table.play(0, &grow(&row), []);
    assert_eq!(grown.state.plots[0].reserve, 2 + 5);
    assert_eq!(grown.state.plots[0].counters.income.yellow, 2);
    assert_eq!(grown.state.plots[0].counters.income.red, 5);
    // The day after they pay nothing.
    assert_eq!(grown.state.plots[0].reward().total(), 0);
}

#[test]
fn r6_2_orange_pays_one_on_every_day() {
    // Column 4 of row 9 and column 6 of row 0 are orange.
    let table = set(dusk(&[growth(EXAMPLE); 2], 3), |state| {
        state.plots[1].sprout = sprout(&[Segment::right(4, 9), Segment::right(6, 0)]);
    });
    let table = table.play(0, &SKIP, []);
    assert_eq!(table.state.plots[1].reserve, 12);
    assert_eq!(table.state.plots[1].reward().orange, 2);
}

#[test]
fn r6_3_growth_cards_are_discarded_and_the_next_day_begins() {
    let table = set(dusk(&[growth(EXAMPLE); 2], 3), |state| {
        state.plots[1].card = Some(growth("######"));
        hold(state, 1, Wind::IgnoreLine);
    });
    let table = table.play(0, &SKIP, []);
    assert_eq!(table.state.day, 4);
    assert!(table.state.plots.iter().all(|plot| plot.card.is_none() && !plot.grown));
    assert!(table.state.plots[1].holds(Wind::IgnoreLine), "wind stays until it is used");
}
