//! The cords drawn, compared with what was in the bag.

use super::*;

fn drawn(hands: &[&[Colour]]) -> Event {
    Event::CordsDrawn { round: 2, hands: hands.iter().map(|hand| cords(hand)).collect() }
}

/// 36 of the 90 cords in the bag are red or pink, so 2 of 5 are expected; the variance is that of drawing without replacement.
#[test]
fn wanted_cords_are_those_of_the_cards_that_hold_a_button() {
    let table = placing(1, &[Card::AdjacentRedPink]);
    let hands = drawn(&[&[Red, Red, Pink, Sky, Blue], &[Red, Red, Red, Red, Red]]);
    assert_eq!(table.luck(&hands, 0, "wanted_cords"), (1, 3.0, 2.0, 1.146_067));
    assert_eq!(table.luck(&hands, 1, "wanted_cords"), (0, 0.0, 0.0, 0.0));
}

/// Two drawn from two reds and a pink: both red in one case of three, otherwise two colours.
#[test]
fn colours_drawn_are_counted_against_all_draws_from_the_bag() {
    let mut table = placing(1, &[]);
    table.state.bag = cords(&[Red, Red, Pink]);
    let hands = drawn(&[&[Red, Pink], &[Red]]);
    assert_eq!(table.luck(&hands, 0, "colours_drawn"), (1, 2.0, 1.666_667, 0.222_222));
    assert_eq!(table.luck(&hands, 1, "colours_drawn"), (1, 1.0, 1.0, 0.0));
}
