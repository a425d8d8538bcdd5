//! The cards drawn and revealed, compared with what was possible.

use super::*;
use crate::games::tapestry::components::Colour;

/// Four red asteroids on the diagonal: ten cells share a side with them.
fn red_start() -> Given<Tapestry> {
    let cards = ["red asteroid", "red asteroid", "red asteroid", "red asteroid", "red comet"];
    table(Mode::Time, &stacked(&cards.map(card)))
}

/// The unseen red cards are four comets, each with ten places, and four nebulas, which can also be exchanged for the four
/// asteroids.
#[test]
fn uses_are_counted_against_all_unseen_cards_of_the_colour() {
    let drawn = Event::CardDrawn { slot: 0, card: card("red comet") };
    assert_eq!(red_start().luck(&drawn, 0, "uses"), (1, 10.0, 12.0, 4.0));
}

/// Below the top are two purple cards, which match nothing on the field, and a red one, which matches everything.
#[test]
fn colours_are_counted_against_the_cards_below_the_top() {
    let mut table = red_start();
    table.state.deck =
        ["purple comet", "purple nebula", "red comet", "blue comet"].map(card).into();
    let refilled = Event::SlotRefilled { slot: 0, colour: Colour::Blue, next: Some(Colour::Red) };
    assert_eq!(table.luck(&refilled, 0, "colours"), (1, 10.0, 3.333_333, 22.222_222));
    let last = Event::SlotRefilled { slot: 0, colour: Colour::Blue, next: None };
    assert_eq!(table.luck(&last, 0, "colours"), (0, 0.0, 0.0, 0.0));
}
