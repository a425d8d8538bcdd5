//! R6: action cards.

use super::*;
use crate::games::ettana::components::Actions;

/// Seat 0 acts, with a three on the die, holding this card.
fn holding(card: ActionCard) -> Given<Ettana> {
    acting(&[0, 5, 10], 3).cards(0, &[card])
}

fn skein(table: &Given<Ettana>, name: &str) -> Colour {
    table.state.skeins[usize::from(at(name))]
}

#[test]
fn r6_1_a_card_is_played_from_the_hand_and_discarded() {
    let table = holding(ActionCard::ThreeTokens);
    assert_eq!(table.when(0, &play(Play::Design {})), Err(Refusal::CardNotInHand));
    let table = table.play(0, &play(Play::ThreeTokens {}), []);
    assert!(table.state.weavers[0].actions.is_empty());
    assert!(table.state.discards.contains(ActionCard::ThreeTokens));
    assert_eq!(table.when(0, &play(Play::ThreeTokens {})), Err(Refusal::CardNotInHand));
}

#[test]
fn r6_1_any_number_of_cards_may_be_played() {
    let table = holding(ActionCard::ThreeTokens).cards(0, &[ActionCard::Design, ActionCard::Tax]);
    let table = table
        .tokens(1, 1)
        .play(0, &play(Play::ThreeTokens {}), [])
        .play(0, &play(Play::Tax {}), [])
        .play(0, &play(Play::Design {}), [0]);
    assert_eq!(table.state.discards.len(), 3);
}

#[test]
fn r6_1_a_card_without_effect_cannot_be_played() {
    let table = holding(ActionCard::ThreeTokens).cards(0, &[ActionCard::GainTokens]);
    let table = table.tokens(0, 40).tokens(1, 8);
    assert_eq!(table.when(0, &play(Play::ThreeTokens {})), Err(Refusal::SupplyEmpty));
    let wager = play(Play::GainTokens { number: 1 });
    assert_eq!(table.when(0, &wager), Err(Refusal::SupplyEmpty));
    let mut table = holding(ActionCard::Design);
    table.state.design_deck = [].into_iter().collect();
    assert_eq!(table.when(0, &play(Play::Design {})), Err(Refusal::NoDesignsLeft));
}

#[test]
fn r6_2_an_empty_deck_is_made_of_the_discards() {
    let mut table = acting(&[0, 5], 3).tokens(0, 9);
    table.state.action_deck = Actions::default();
    assert_eq!(table.when(0, &Move::BuyAction {}), Err(Refusal::NoActionsLeft));
    table.state.discards.add(ActionCard::Tax);
    table.state.discards.add(ActionCard::Swap);
    let events = table.when_lucky(0, &Move::BuyAction {}, [1]).unwrap();
    let drawn = Event::ActionDrawn { seat: seat(0), card: ActionCard::Tax, means: Means::Bought };
    assert_eq!(events, [Event::ActionsReshuffled { cards: 2 }, drawn]);
    let table = table.and(events);
    assert!(table.state.discards.is_empty());
    assert_eq!(table.state.action_deck.iter().collect::<Vec<_>>(), [ActionCard::Swap]);
}

#[test]
fn r6_3_a_single_receiver_takes_what_the_supply_has() {
    let table = holding(ActionCard::ThreeTokens).tokens(1, 46);
    assert_eq!(tokens(&table.play(0, &play(Play::ThreeTokens {}), [])), [2, 46, 0]);
    let table = holding(ActionCard::GainTokens).tokens(1, 46);
    assert_eq!(tokens(&table.play(0, &play(Play::GainTokens { number: 5 }), [5])), [2, 46, 0]);
}

/// The rulebook: with the card, every tile without a piece can be reached.
#[test]
fn r6_4_move_goes_to_any_free_tile_instead_of_the_die_s_move() {
    let table = holding(ActionCard::Move);
    let goals = table
        .legal(0)
        .into_iter()
        .filter(|mv| matches!(mv, Move::Play { card: Play::Move { .. } }))
        .count();
    assert_eq!(goals, 16 - 3);
    for taken in [0, 5, 10] {
        let mv = play(Play::Move { tile: taken });
        assert_eq!(table.when(0, &mv), Err(Refusal::TileOccupied));
    }
    let gone = table.play(0, &play(Play::Move { tile: 15 }), []);
    assert_eq!(gone.state.weavers[0].tile, Some(15));
    assert_eq!(gone.when(0, &walk(&[14, 13, 12])), Err(Refusal::AlreadyMoved));
    let late = holding(ActionCard::Move).play(0, &walk(&[1, 2, 3]), []);
    assert_eq!(late.when(0, &play(Play::Move { tile: 15 })), Err(Refusal::AlreadyMoved));
}

#[test]
fn r6_5_swap_exchanges_any_two_skeins() {
    let swap = play(Play::Swap { octagons: pair("A1", "E5") });
    let table = holding(ActionCard::Swap).play(0, &swap, []);
    assert_eq!((skein(&table, "A1"), skein(&table, "E5")), (Colour::Yellow, Colour::Green));
    assert_eq!(tokens(&table)[0], 0);
}

#[test]
fn r6_6_steal_a_card_takes_a_random_one_from_a_hand() {
    let table = holding(ActionCard::StealAction).cards(1, &[ActionCard::Move, ActionCard::Tax]);
    let steal = |number| play(Play::StealAction { seat: seat(number) });
    assert_eq!(table.when(0, &steal(2)), Err(Refusal::NoCardToSteal));
    assert_eq!(table.when(0, &steal(0)), Err(Refusal::NotAnOpponent));
    assert_eq!(table.when(0, &steal(3)), Err(Refusal::NotAnOpponent));
    assert_eq!(table.when(0, &steal(7)), Err(Refusal::NotAnOpponent));
    let table = table.play(0, &steal(1), [1]);
    assert!(table.state.weavers[0].actions.contains(ActionCard::Tax));
    assert_eq!(table.state.weavers[1].actions.iter().collect::<Vec<_>>(), [ActionCard::Move]);
}

#[test]
fn r6_7_steal_tokens_takes_two_or_the_only_one() {
    let steal = |number| play(Play::StealTokens { seat: seat(number) });
    let from = |number| {
        let table = holding(ActionCard::StealTokens).tokens(1, 5).tokens(2, 1);
        table.play(0, &steal(number), [])
    };
    assert_eq!(tokens(&from(1)), [2, 3, 1]);
    assert_eq!(tokens(&from(2)), [1, 5, 0]);
    let poor = holding(ActionCard::StealTokens);
    assert_eq!(poor.when(0, &steal(1)), Err(Refusal::NoTokenToSteal));
    assert_eq!(poor.when(0, &steal(0)), Err(Refusal::NotAnOpponent));
}

/// The rulebook's two examples: a skein or a tile for one from the reserve.
#[test]
fn r6_8_replace_exchanges_a_skein_or_a_tile_with_the_reserve() {
    let skein_at = |name, colour| play(Play::ReplaceSkein { octagon: at(name), colour });
    let table = holding(ActionCard::Replace).play(0, &skein_at("A1", Colour::Lilac), []);
    assert_eq!(skein(&table, "A1"), Colour::Lilac);
    assert_eq!(table.state.skein_reserve, [2, 1, 1, 1, 0]);
    assert_eq!(table.when(0, &skein_at("A1", Colour::Red)), Err(Refusal::CardNotInHand));

    let tile = |tile, number| play(Play::ReplaceTile { tile, number });
    let table = holding(ActionCard::Replace).play(0, &tile(1, 6), []);
    assert_eq!(table.state.tiles[1], 6);
    assert_eq!(table.state.tile_reserve, [5, 2]);

    let mut table = holding(ActionCard::Replace);
    table.state.skein_reserve = [2, 0, 1, 1, 1];
    assert_eq!(table.when(0, &skein_at("A1", Colour::Green)), Err(Refusal::SameColour));
    assert_eq!(table.when(0, &skein_at("A1", Colour::Red)), Err(Refusal::NotInReserve));
    let beyond = play(Play::ReplaceSkein { octagon: 25, colour: Colour::Blue });
    assert_eq!(table.when(0, &beyond), Err(Refusal::NoSuchOctagon));
    assert_eq!(table.when(0, &tile(5, 5)), Err(Refusal::TileOccupied));
    assert_eq!(table.when(0, &tile(1, 1)), Err(Refusal::NotInReserve));
    assert_eq!(table.when(0, &tile(4, 5)), Err(Refusal::SameNumber));
    assert_eq!(table.when(0, &tile(16, 5)), Err(Refusal::NoSuchTile));
}

#[test]
fn r6_9_choose_names_the_colour_and_rolls_the_number() {
    let table = table(&[0, 5]).cards(0, &[ActionCard::Choose]);
    let choose = play(Play::Choose { face: Face::Green });
    let chosen = table.play(0, &choose, [4]);
    let roll = Roll { number: 5, face: Face::Green, how: RollMethod::Chosen };
    assert_eq!(chosen.state.phase, Phase::Rolled { roll });
    assert_eq!(tokens(&chosen.play(0, &Move::Collect {}, [])), [1, 1]);
    let late = rolled(&[0, 5], 3, Face::Red).cards(0, &[ActionCard::Choose]);
    assert_eq!(late.when(0, &choose), Err(Refusal::ChooseBeforeRoll));
    let later = acting(&[0, 5], 3).cards(0, &[ActionCard::Choose]);
    assert_eq!(later.when(0, &choose), Err(Refusal::ChooseBeforeRoll));
}

#[test]
fn r6_9_choose_may_name_black() {
    let table = table(&[0, 5]).cards(0, &[ActionCard::Choose]);
    let table = table.play(0, &play(Play::Choose { face: Face::Black }), [4]);
    let table = table.play(0, &Move::Collect {}, [0]);
    assert_eq!(table.state.weavers[0].actions.iter().collect::<Vec<_>>(), [ActionCard::Move]);
}

#[test]
fn r6_10_roll_again_comes_before_collecting_and_not_after_choose() {
    let again = play(Play::Reroll {});
    let two = [ActionCard::Reroll, ActionCard::Reroll];
    let table = rolled(&[0, 5], 3, Face::Red).cards(0, &two);
    let table = table.play(0, &again, [0, 5]).play(0, &again, [5, 0]);
    let roll = Roll { number: 6, face: Face::Green, how: RollMethod::Rerolled };
    assert_eq!(table.state.phase, Phase::Rolled { roll });
    assert_eq!(holding(ActionCard::Reroll).when(0, &again), Err(Refusal::RerollBeforeCollect));
    let cards = [ActionCard::Reroll, ActionCard::Choose];
    let table = super::table(&[0, 5]).cards(0, &cards);
    assert_eq!(table.when(0, &again), Err(Refusal::RollFirst));
    let table = table.play(0, &play(Play::Choose { face: Face::Red }), [0]);
    assert_eq!(table.when(0, &again), Err(Refusal::RerollAfterChoose));
    assert_eq!(table.legal(0), [Move::Collect {}]);
}

#[test]
fn r6_11_design_draws_a_design() {
    let table = holding(ActionCard::Design).play(0, &play(Play::Design {}), [6]);
    assert_eq!(table.state.weavers[0].designs.iter().collect::<Vec<_>>(), [design("d07")]);
    assert_eq!(tokens(&table)[0], 0);
}

#[test]
fn r6_12_three_tokens_gives_three_tokens() {
    let table = holding(ActionCard::ThreeTokens).play(0, &play(Play::ThreeTokens {}), []);
    assert_eq!(tokens(&table), [3, 0, 0]);
    assert_eq!(table.state.weavers[0].counters.from_cards, 3);
}

#[test]
fn r6_13_gain_tokens_pays_the_named_number_if_it_is_reached() {
    for (named, rolled, won) in [(4, 4, 4), (4, 6, 4), (4, 3, 0), (1, 1, 1), (6, 6, 6), (6, 5, 0)] {
        let wager = play(Play::GainTokens { number: named });
        let table = holding(ActionCard::GainTokens).play(0, &wager, [rolled - 1]);
        assert_eq!(tokens(&table), [won, 0, 0], "named {named}, rolled {rolled}");
    }
    for number in [0, 7] {
        let wager = play(Play::GainTokens { number });
        assert_eq!(holding(ActionCard::GainTokens).when(0, &wager), Err(Refusal::NotOnTheDie));
    }
}

#[test]
fn r6_14_a_victory_point_is_revealed_at_once_and_stays() {
    let place = Actions::ALL.iter().position(|card| card == ActionCard::VictoryPoint).unwrap();
    let luck = u32::try_from(place).unwrap();
    let table = acting(&[0, 5, 10], 3).tokens(0, 2).play(0, &Move::BuyAction {}, [luck]);
    let weaver = &table.state.weavers[0];
    assert_eq!((weaver.victory_cards, weaver.points(), weaver.actions.len()), (1, 1, 0));
    assert_eq!(table.state.action_deck.len(), 35, "it is not replaced");
    assert!(table.state.discards.is_empty());
    let card = ActionCard::VictoryPoint;
    let drawn = Event::ActionDrawn { seat: seat(0), card, means: Means::Bought };
    let told = Ettana::event_view(&drawn, crate::seat::Viewer::Spectator);
    assert_eq!(serde_json::to_value(told).unwrap()["card"], "victory_point");
    // It is in no hand, so it cannot be stolen.
    let thief =
        table.and([Event::TurnBegan { seat: seat(1) }]).cards(1, &[ActionCard::StealAction]);
    let roll = Roll { number: 3, face: Face::Black, how: RollMethod::Rolled };
    let dice = Event::DiceRolled { seat: seat(1), roll };
    let thief = thief.and([dice, Event::BlackShown { seat: seat(1) }]);
    let steal = play(Play::StealAction { seat: seat(0) });
    assert_eq!(thief.when(1, &steal), Err(Refusal::NoCardToSteal));
}

#[test]
fn r6_14_a_dealt_victory_point_is_revealed_too() {
    let (design, card) = (design("d01"), ActionCard::VictoryPoint);
    let table = table(&[0, 5]).and([Event::HandDealt { seat: seat(1), design, card, tokens: 2 }]);
    let weaver = &table.state.weavers[1];
    assert_eq!((weaver.victory_cards, weaver.points(), weaver.actions.len()), (1, 1, 0));
}

#[test]
fn r6_15_tax_takes_a_token_from_every_opponent_who_has_one() {
    let table = holding(ActionCard::Tax).tokens(0, 3).tokens(1, 5);
    let events = table.when(0, &play(Play::Tax {})).unwrap();
    assert_eq!(events[1], Event::TaxPaid { seats: vec![seat(1)] });
    let table = table.and(events);
    assert_eq!(tokens(&table), [3, 4, 0]);
    assert_eq!(table.state.supply(), 48 - 7);
    let poor = holding(ActionCard::Tax).tokens(0, 3);
    assert_eq!(poor.when(0, &play(Play::Tax {})), Err(Refusal::NobodyToTax));
}
