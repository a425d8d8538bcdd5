//! R3 and R4: the turn, and what the dice pay.

use super::*;
use crate::games::ettana::components::Actions;

const CHOOSE_BLACK: Move = Move::Play { card: Play::Choose { face: Face::Black } };

#[test]
fn r3_1_turns_go_round_and_only_the_active_seat_moves() {
    let table = table(&[0, 5, 10]);
    for mv in [Move::Roll {}, Move::Collect {}, END] {
        assert_eq!(table.when(1, &mv), Err(Refusal::NotYourTurn));
    }
    assert!(table.legal(1).is_empty());
    let table = acting(&[0, 5, 10], 1).play(0, &walk(&[1]), []).play(0, &END, []);
    assert_eq!((table.state.active, table.state.turn), (seat(1), 2));
    let after_the_last = table.and([Event::TurnBegan { seat: seat(2) }]);
    let roll = Roll { number: 1, face: Face::Black, how: RollMethod::Rolled };
    let dice = Event::DiceRolled { seat: seat(2), roll };
    let table = after_the_last.and([dice, Event::BlackShown { seat: seat(2) }]);
    let table = table.play(2, &walk(&[11]), []).play(2, &END, []);
    assert_eq!(table.state.active, seat(0));
}

#[test]
fn r3_2_a_turn_rolls_collects_and_acts_in_this_order() {
    let before = table(&[0, 5]).tokens(0, 9).cards(0, &[ActionCard::Tax]);
    for mv in [Move::Collect {}, Move::BuyAction {}, walk(&[1]), play(Play::Tax {}), END] {
        assert_eq!(before.when(0, &mv), Err(Refusal::RollFirst));
    }
    let rolled = rolled(&[0, 5], 1, Face::Red).tokens(0, 9).cards(0, &[ActionCard::Tax]);
    for mv in [Move::BuyAction {}, walk(&[1]), play(Play::Tax {}), END] {
        assert_eq!(rolled.when(0, &mv), Err(Refusal::CollectFirst));
    }
    assert_eq!(rolled.when(0, &Move::Roll {}), Err(Refusal::AlreadyRolled));
    assert_eq!(acting(&[0, 5], 1).when(0, &Move::Roll {}), Err(Refusal::AlreadyRolled));
}

#[test]
fn r3_3_both_dice_are_rolled_unless_choose_is_played() {
    assert_eq!(table(&[0, 5]).legal(0), [Move::Roll {}]);
    let table = table(&[0, 5]).cards(0, &[ActionCard::Choose]);
    assert_eq!(table.legal(0).len(), 1 + 6);
    assert!(table.legal(0).contains(&CHOOSE_BLACK));
}

#[test]
fn r3_4_after_the_roll_it_is_collected_or_rolled_again() {
    assert_eq!(rolled(&[0, 5], 2, Face::Red).legal(0), [Move::Collect {}]);
    let table = rolled(&[0, 5], 2, Face::Red).cards(0, &[ActionCard::Reroll]);
    assert_eq!(table.legal(0), [Move::Collect {}, play(Play::Reroll {})]);
}

/// The rulebook: red is rolled; three pieces stand beside one red skein each, the fourth beside none.
#[test]
fn r4_1_every_seat_is_paid_for_the_skeins_of_the_colour_around_its_piece() {
    let table = rolled(&[0, 5, 8, 4], 3, Face::Red).play(0, &Move::Collect {}, []);
    assert_eq!(tokens(&table), [1, 1, 1, 0]);
    let many = rolled(&[0, 5], 3, Face::Red).board("rrggg rrggg ggggg ggggg ggggg");
    assert_eq!(tokens(&many.play(0, &Move::Collect {}, [])), [4, 1]);
}

#[test]
fn r4_2_a_supply_that_cannot_pay_all_pays_nobody() {
    let table = rolled(&[0, 5, 8], 3, Face::Red).tokens(0, 40).tokens(1, 6);
    let events = table.when(0, &Move::Collect {}).unwrap();
    assert_eq!(events, [Event::IncomeWithheld { due: 3, supply: 2 }]);
    let table = table.and(events);
    assert_eq!(tokens(&table), [40, 6, 0]);
    assert!(matches!(table.state.phase, Phase::Acting { .. }));
    let enough = rolled(&[0, 5, 8], 3, Face::Red).tokens(0, 40).tokens(1, 5);
    assert_eq!(tokens(&enough.play(0, &Move::Collect {}, [])), [41, 6, 1]);
}

#[test]
fn r4_3_black_gives_the_roller_an_action_card_and_nobody_tokens() {
    let table = rolled(&[0, 5], 3, Face::Black).play(0, &Move::Collect {}, [0]);
    assert_eq!(tokens(&table), [0, 0]);
    assert!(table.state.weavers[0].actions.contains(ActionCard::Move));
    assert!(table.state.weavers[1].actions.is_empty());
    // Playing this card is not an action: a design may still be exchanged (R5.10).
    assert!(matches!(table.state.phase, Phase::Acting { progress, .. } if !progress.acted));

    let mut none = rolled(&[0, 5], 3, Face::Black);
    none.state.action_deck = Actions::default();
    let events = none.when(0, &Move::Collect {}).unwrap();
    assert_eq!(events, [Event::BlackShown { seat: seat(0) }]);
}

#[test]
fn r4_4_only_the_final_result_pays_and_only_once() {
    let table = rolled(&[0, 5], 3, Face::Red).cards(0, &[ActionCard::Reroll]);
    let table = table.play(0, &play(Play::Reroll {}), [0, 0]);
    assert_eq!(tokens(&table), [0, 0]);
    let table = table.play(0, &Move::Collect {}, []);
    assert_eq!(tokens(&table), [1, 1], "green, around both pieces");
    assert_eq!(table.when(0, &Move::Collect {}), Err(Refusal::AlreadyCollected));
}
