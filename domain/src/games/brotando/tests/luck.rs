//! The cards revealed, compared with all unseen ones.

use super::*;

/// Covers the suns of rows 9 and 7 in the centre column.
const TWO_SUNS: &str = "#/#/#/#/#/#";
/// Each covers one of the suns beside the start, and never two.
const ONE_SUN: [&str; 2] = ["######", "##/##/##"];

/// A past in which all growth cards were revealed except one of each of these.
fn past(unseen: &[&str]) -> Vec<Event> {
    let mut seen = Figure::all_cards();
    for picture in unseen {
        let left = seen.iter().position(|seen| *seen == figure(picture)).unwrap();
        seen.remove(left);
    }
    let cards = seen.into_iter().map(Some).collect();
    vec![Event::DayBegan { day: 1, first: seat(0), cards }]
}

/// The next morning of two bare sprouts, with these cards on top of the decks.
fn morning(tops: [Card; 2]) -> (Given<Brotando>, Event) {
    let decks = tops.map(|top| vec![top, growth(EXAMPLE)]).to_vec();
    let cards = tops.map(Card::figure).to_vec();
    let table = given(2, [Event::DecksDealt { decks }, Event::FirstSeatDrawn { seat: seat(0) }]);
    (table, Event::DayBegan { day: 2, first: seat(0), cards })
}

/// Two of three cards are revealed, so the best one is missing in one case of three.
#[test]
fn suns_within_reach_are_those_of_the_best_card() {
    let past = past(&[TWO_SUNS, ONE_SUN[0], ONE_SUN[1]]);
    let (table, day) = morning([growth(TWO_SUNS), growth(ONE_SUN[0])]);
    for number in [0, 1] {
        let luck = table.luck_after(&past, &day, number, "suns_within_reach");
        assert_eq!(luck, (1, 2.0, 1.666_667, 0.222_222));
    }
    let (table, day) = morning(ONE_SUN.map(growth));
    let luck = table.luck_after(&past, &day, 0, "suns_within_reach");
    assert_eq!(luck, (1, 1.0, 1.666_667, 0.222_222));
}

/// The back already showed that it was wind: one segment covers one of the suns next to the start.
#[test]
fn wind_is_not_luck_but_reaches_a_sun() {
    let past = past(&[TWO_SUNS, ONE_SUN[0]]);
    let (table, day) = morning([growth(ONE_SUN[0]), Card::Wind(Wind::TakeSix)]);
    let luck = table.luck_after(&past, &day, 0, "suns_within_reach");
    assert_eq!(luck, (1, 1.0, 1.5, 0.25));
}

/// If a seat has looked at its next card with a wind card, nothing is left to chance.
#[test]
fn a_card_that_the_seat_has_seen_is_not_luck() {
    let past = past(&[TWO_SUNS, ONE_SUN[0]]);
    let (table, day) = morning([growth(TWO_SUNS), growth(ONE_SUN[0])]);
    let table = set(table, |state| state.plots[0].known = 1);
    let luck = table.luck_after(&past, &day, 1, "suns_within_reach");
    assert_eq!(luck, (1, 2.0, 2.0, 0.0));
}

/// A sprout that fills the centre column has covered both suns there; beside it the figure reaches one.
#[test]
fn suns_that_are_covered_are_out_of_reach() {
    let past = past(&[TWO_SUNS, TWO_SUNS]);
    let (table, day) = morning([growth(TWO_SUNS); 2]);
    let table = set(table, |state| {
        let centre: Vec<Segment> = (0..6).map(|pair| Segment::down(7, 1 + 2 * pair)).collect();
        state.plots[0].sprout = sprout(&centre);
    });
    let luck = |number| table.luck_after(&past, &day, number, "suns_within_reach");
    assert_eq!((luck(0), luck(1)), ((1, 1.0, 1.0, 0.0), (1, 2.0, 2.0, 0.0)));
}
