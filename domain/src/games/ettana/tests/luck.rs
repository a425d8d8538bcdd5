//! Luck with the dice and the deck, compared with the expectation.

use super::*;

/// Around the piece of seat 0 are four red skeins; around that of seat 1 one red and three green ones.
const BOARD: &str = "rrggg rrggg ggggg ggggg ggggg";

fn rolls(face: Face, how: RollMethod) -> Event {
    Event::DiceRolled { seat: seat(0), roll: Roll { number: 1, face, how } }
}

#[test]
fn income_is_what_the_face_pays_against_the_mean_of_all_six() {
    let table = table(&[0, 5]).board(BOARD);
    for how in [RollMethod::Rolled, RollMethod::Rerolled] {
        let red = rolls(Face::Red, how);
        assert_eq!(table.luck(&red, 0, "income"), (1, 4.0, 0.666_667, 2.222_222));
        assert_eq!(table.luck(&red, 1, "income"), (1, 1.0, 0.666_667, 1.222_222));
        let black = rolls(Face::Black, how);
        assert_eq!(table.luck(&black, 1, "income"), (1, 0.0, 0.666_667, 1.222_222));
    }
}

#[test]
fn a_chosen_colour_is_not_luck() {
    let table = table(&[0, 5]).board(BOARD);
    assert_eq!(table.luck(&rolls(Face::Red, RollMethod::Chosen), 0, "income"), (0, 0.0, 0.0, 0.0));
}

/// Three tokens are left: enough for green (0 + 3), not for red (4 + 1).
#[test]
fn tokens_that_the_supply_cannot_pay_are_not_expected() {
    let table = table(&[0, 5]).board(BOARD).tokens(0, 45);
    assert_eq!(table.luck(&rolls(Face::Red, RollMethod::Rolled), 0, "income"), (1, 0.0, 0.0, 0.0));
    assert_eq!(
        table.luck(&rolls(Face::Green, RollMethod::Rolled), 1, "income"),
        (1, 3.0, 0.5, 1.25)
    );
}

#[test]
fn a_wager_on_four_is_won_every_other_time() {
    let won = Event::WagerRolled { seat: seat(1), named: 4, rolled: 5, tokens: 4 };
    assert_eq!(table(&[0, 5]).luck(&won, 1, "income"), (1, 4.0, 2.0, 4.0));
    assert_eq!(table(&[0, 5]).luck(&won, 0, "income"), (0, 0.0, 0.0, 0.0));
    // Only one token is left to win.
    let poor = Event::WagerRolled { seat: seat(1), named: 4, rolled: 3, tokens: 0 };
    let table = table(&[0, 5]).tokens(0, 47);
    assert_eq!(table.luck(&poor, 1, "income"), (1, 0.0, 0.5, 0.25));
}

/// Three of the 36 cards are victory points; after one of them is drawn, two of 35.
#[test]
fn victory_points_are_drawn_by_their_share_of_the_deck() {
    let drawn = |card| Event::ActionDrawn { seat: seat(1), card, means: Means::Free };
    let table = table(&[0, 5]);
    let victory = drawn(ActionCard::VictoryPoint);
    assert_eq!(table.luck(&victory, 1, "victory_cards"), (1, 1.0, 0.083_333, 0.076_389));
    let table = table.and([victory]);
    let tax = drawn(ActionCard::Tax);
    assert_eq!(table.luck(&tax, 1, "victory_cards"), (1, 0.0, 0.057_143, 0.053_878));
}
