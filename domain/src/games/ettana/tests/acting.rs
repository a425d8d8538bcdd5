//! R5: moving, swapping, buying, exchanging, ending the turn.

use super::*;

#[test]
fn r5_1_actions_come_in_any_order_and_the_move_only_once() {
    let table = acting(&[0, 5], 1).tokens(0, 8);
    let table = table.play(0, &Move::BuyAction {}, [0]).play(0, &walk(&[1]), []);
    let table = table.play(0, &Move::BuyAction {}, [1]).play(0, &Move::BuyDesign {}, [0]);
    assert_eq!(tokens(&table), [1, 0]);
    assert_eq!(table.when(0, &walk(&[2])), Err(Refusal::AlreadyMoved));
    assert_eq!(table.when(0, &Move::Jump { tile: 6 }), Err(Refusal::AlreadyMoved));
    assert_eq!(table.when(0, &Move::BuyAction {}), Err(Refusal::NotEnoughTokens));
}

/// The rulebook: with a two, two steps, also across another piece for a token, or a jump to a free two.
#[test]
fn r5_2_to_r5_4_a_two_is_walked_or_jumped() {
    let table = acting(&[0, 1], 2).tokens(0, 1);
    let moves: Vec<Move> = table
        .legal(0)
        .into_iter()
        .filter(|mv| matches!(mv, Move::Walk { .. } | Move::Jump { .. }))
        .collect();
    let walks = [[1, 2], [1, 5], [4, 5], [4, 8]].map(|path| walk(&path));
    let jumps = [7, 13].map(|tile| Move::Jump { tile });
    assert_eq!(moves, walks.into_iter().chain(jumps).collect::<Vec<_>>());
}

/// The rulebook: a walk of five steps turns as often as it likes.
#[test]
fn r5_2_a_walk_has_as_many_steps_as_the_die_shows() {
    let table = acting(&[0, 15], 5);
    let events = table.when(0, &walk(&[1, 5, 4, 8, 9])).unwrap();
    let moved = table.and(events);
    assert_eq!(moved.state.weavers[0].tile, Some(9));
    let table = acting(&[0, 15], 5);
    assert_eq!(table.when(0, &walk(&[1, 5, 4, 8])), Err(Refusal::WrongLength));
    assert_eq!(table.when(0, &walk(&[])), Err(Refusal::WrongLength));
    assert_eq!(table.when(0, &walk(&[1, 5, 4, 8, 12, 13])), Err(Refusal::WrongLength));
}

#[test]
fn r5_2_steps_go_to_tiles_beside_never_twice_and_end_on_a_free_one() {
    let table = acting(&[5, 7], 3).tokens(0, 9);
    assert_eq!(table.when(0, &walk(&[6, 11, 10])), Err(Refusal::NotBeside));
    assert_eq!(table.when(0, &walk(&[4, 3, 2])), Err(Refusal::NotBeside));
    assert_eq!(table.when(0, &walk(&[6, 5, 4])), Err(Refusal::TileTwice));
    assert_eq!(table.when(0, &walk(&[6, 10, 6])), Err(Refusal::TileTwice));
    assert_eq!(table.when(0, &walk(&[1, 2, 200])), Err(Refusal::NoSuchTile));
    assert_eq!(table.when(0, &walk(&[2, 3, 7])), Err(Refusal::NotBeside));
    assert_eq!(table.when(0, &walk(&[6, 2, 3])).map(|events| events.len()), Ok(1));
    let ends_on_a_piece = acting(&[5, 7], 2);
    assert_eq!(ends_on_a_piece.when(0, &walk(&[6, 7])), Err(Refusal::TileOccupied));
}

#[test]
fn r5_3_crossing_pieces_costs_a_token_each() {
    let table = acting(&[0, 1, 2], 3).tokens(0, 2).tokens(2, 4);
    let events = table.when(0, &walk(&[1, 2, 3])).unwrap();
    assert!(matches!(&events[0], Event::PieceMoved { tolls, .. } if *tolls == [seat(1), seat(2)]));
    let paid = table.and(events);
    assert_eq!(tokens(&paid), [0, 1, 5]);
    let counters = |number: usize| paid.state.weavers[number].counters;
    assert_eq!(
        (counters(0).tolls_paid, counters(1).tolls_received, counters(2).tolls_received),
        (2, 1, 1)
    );

    let poor = acting(&[0, 1, 2], 3).tokens(0, 1);
    assert_eq!(poor.when(0, &walk(&[1, 2, 3])), Err(Refusal::CannotPayToll));
    assert!(poor.when(0, &walk(&[1, 5, 6])).is_ok());
    assert!(!poor.legal(0).contains(&walk(&[1, 2, 3])));
}

#[test]
fn r5_4_a_jump_goes_to_a_free_tile_of_the_number_without_toll() {
    let table = acting(&[0, 6], 1);
    let jumps = |table: &Given<Ettana>| -> Vec<Move> {
        table.legal(0).into_iter().filter(|mv| matches!(mv, Move::Jump { .. })).collect()
    };
    assert_eq!(jumps(&table), [Move::Jump { tile: 12 }], "neither the own tile nor a taken one");
    assert_eq!(table.when(0, &Move::Jump { tile: 0 }), Err(Refusal::TileOccupied));
    assert_eq!(table.when(0, &Move::Jump { tile: 6 }), Err(Refusal::TileOccupied));
    assert_eq!(table.when(0, &Move::Jump { tile: 1 }), Err(Refusal::WrongNumber));
    assert_eq!(table.when(0, &Move::Jump { tile: 99 }), Err(Refusal::NoSuchTile));
    let table = table.play(0, &Move::Jump { tile: 12 }, []);
    assert_eq!(table.state.weavers[0].tile, Some(12));
}

#[test]
fn r5_5_a_seat_that_cannot_move_skips_the_move_and_the_free_swap() {
    // In the corner between two pieces, without a token, and both other ones taken or gone.
    let mut table = acting(&[0, 1, 4], 6);
    table.state.tiles.iter_mut().filter(|number| **number == 6).for_each(|number| *number = 5);
    assert_eq!(table.legal(0), [END]);
    let events = table.when(0, &END).unwrap();
    let next = Event::TurnBegan { seat: seat(1) };
    assert_eq!(events, [Event::MoveWaived { seat: seat(0) }, next]);
    let near = Move::FreeSwap { octagons: pair("A1", "B1") };
    assert_eq!(table.when(0, &near), Err(Refusal::FreeSwapGone));
    let rich = table.tokens(0, 1);
    assert_eq!(rich.when(0, &END), Err(Refusal::MoveFirst));
}

/// Seat 0 is in the corner between two pieces and can only walk across one of them; no tile shows a six.
fn hemmed_in(tokens: u8) -> Given<Ettana> {
    let mut table = acting(&[0, 1, 4], 6).tokens(0, tokens);
    table.state.tiles.iter_mut().filter(|number| **number == 6).for_each(|number| *number = 5);
    table
}

#[test]
fn r5_13_the_tokens_that_the_move_needs_are_not_spent_before_it() {
    let swap = Move::BuySwap { octagons: pair("A1", "B1") };
    let purchases = [(2, Move::BuyAction {}), (3, swap), (3, Move::BuyDesign {})];
    for (price, purchase) in purchases {
        let table = hemmed_in(price);
        assert_eq!(table.when(0, &purchase), Err(Refusal::TokensNeededToMove));
        assert!(!table.legal(0).contains(&purchase));
        assert_eq!(table.when(0, &END), Err(Refusal::MoveFirst));
        let listed = hemmed_in(price + 1).legal(0);
        assert!(listed.contains(&purchase), "one token is left for the toll");
        let moved = hemmed_in(price + 1).play(0, &walk(&[1, 2, 3, 7, 6, 5]), []);
        assert!(moved.legal(0).contains(&purchase), "after the move every token is free");
    }
}

#[test]
fn r5_13_a_seat_that_cannot_move_or_can_jump_spends_what_it_likes() {
    // A six cannot be walked from a corner whose only way out is a dead end of two tiles.
    let mut stuck = hemmed_in(0);
    assert_eq!(stuck.legal(0), [END]);
    stuck.state.rules = 1;
    assert_eq!(stuck.legal(0), [END]);
    let jumping = acting(&[0, 1, 4], 6).tokens(0, 2);
    assert!(jumping.legal(0).contains(&Move::BuyAction {}), "a jump is free of toll");
    let carded = hemmed_in(2).cards(0, &[ActionCard::Move]);
    let refused = carded.when(0, &Move::BuyAction {});
    assert_eq!(refused, Err(Refusal::TokensNeededToMove), "the card is not the die's move");
}

#[test]
fn r5_13_did_not_exist_in_the_first_version_of_the_rules() {
    let mut table = hemmed_in(2);
    table.state.rules = 1;
    assert!(table.legal(0).contains(&Move::BuyAction {}));
    assert!(table.play(0, &Move::BuyAction {}, [0]).legal(0).contains(&END));
}

#[test]
fn r5_6_the_free_swap_is_the_very_next_action_and_around_the_piece() {
    let moved = acting(&[0, 15], 1).tokens(0, 9).play(0, &walk(&[1]), []);
    let swap = |one, other| Move::FreeSwap { octagons: pair(one, other) };
    let swaps = moved.legal(0).into_iter().filter(|mv| matches!(mv, Move::FreeSwap { .. })).count();
    assert_eq!(swaps, 6, "two of B1, C1, B2 and C2");
    assert_eq!(moved.when(0, &swap("A1", "B1")), Err(Refusal::NotAroundPiece));
    let swapped = acting(&[0, 15], 1).play(0, &walk(&[1]), []).play(0, &swap("C2", "B1"), []);
    assert_eq!(swapped.state.skeins[usize::from(at("B1"))], Colour::Lilac);
    assert_eq!(swapped.state.skeins[usize::from(at("C2"))], Colour::Red);
    assert_eq!(swapped.when(0, &swap("B1", "C1")), Err(Refusal::FreeSwapGone));
    let later = moved.play(0, &Move::BuyAction {}, [0]);
    assert_eq!(later.when(0, &swap("B1", "C1")), Err(Refusal::FreeSwapGone));
    assert_eq!(acting(&[0, 15], 1).when(0, &swap("A1", "B1")), Err(Refusal::FreeSwapGone));
}

#[test]
fn r5_6_jumps_and_move_cards_open_the_free_swap_too() {
    let open = |table: Given<Ettana>| has_listed(&table, |mv| matches!(mv, Move::FreeSwap { .. }));
    assert!(open(acting(&[0, 15], 1).play(0, &Move::Jump { tile: 6 }, [])));
    let table = acting(&[0, 15], 1).cards(0, &[ActionCard::Move]);
    assert!(open(table.play(0, &play(Play::Move { tile: 9 }), [])));
}

#[test]
fn r5_7_to_r5_9_cards_swaps_and_designs_are_bought() {
    let table = acting(&[0, 15], 1).tokens(0, 8);
    let table = table.play(0, &Move::BuyAction {}, [0]);
    assert_eq!(tokens(&table), [6, 0]);
    assert_eq!(table.state.weavers[0].actions.len(), 1);
    let table = table.play(0, &Move::BuySwap { octagons: pair("E5", "A1") }, []);
    assert_eq!(tokens(&table), [3, 0]);
    assert_eq!(table.state.skeins[0], Colour::Yellow);
    assert_eq!(table.state.skeins[24], Colour::Green);
    let table = table.play(0, &Move::BuyDesign {}, [35]);
    assert_eq!(tokens(&table), [0, 0]);
    assert!(table.state.weavers[0].designs.contains(design("d36")));
    let counters = table.state.weavers[0].counters;
    assert_eq!((counters.actions_bought, counters.bought_swaps, counters.designs_drawn), (1, 1, 1));

    let one = acting(&[0, 15], 1).tokens(0, 1);
    assert_eq!(one.when(0, &Move::BuyAction {}), Err(Refusal::NotEnoughTokens));
    let two = acting(&[0, 15], 1).tokens(0, 2);
    let swap = Move::BuySwap { octagons: pair("A1", "B1") };
    assert_eq!(two.when(0, &swap), Err(Refusal::NotEnoughTokens));
    assert_eq!(two.when(0, &Move::BuyDesign {}), Err(Refusal::NotEnoughTokens));
}

#[test]
fn r5_10_a_design_is_exchanged_instead_of_everything_else() {
    let table = acting(&[0, 15], 1).tokens(0, 2).designs(0, &["d05"]);
    let exchange = |id| Move::ExchangeDesign { design: design(id) };
    let events = table.when_lucky(0, &exchange("d05"), [0]).unwrap();
    let (returned, drawn) = (design("d05"), design("d01"));
    let exchanged = Event::DesignExchanged { seat: seat(0), returned, drawn };
    assert_eq!(events, [exchanged, Event::TurnBegan { seat: seat(1) }]);
    let after = table.and(events);
    assert_eq!(after.state.weavers[0].tile, Some(0), "the piece stays");
    assert_eq!(after.state.returned, [design("d05")]);
    assert_eq!(after.state.designs_left(), 35);

    let table = acting(&[0, 15], 1).tokens(0, 2).designs(0, &["d05"]);
    assert_eq!(table.when(0, &exchange("d06")), Err(Refusal::DesignNotInHand));
    let acted = table.play(0, &Move::BuyAction {}, [0]);
    assert_eq!(acted.when(0, &exchange("d05")), Err(Refusal::ExchangeComesFirst));
    let moved = acting(&[0, 15], 1).designs(0, &["d05"]).play(0, &walk(&[1]), []);
    assert_eq!(moved.when(0, &exchange("d05")), Err(Refusal::ExchangeComesFirst));
}

#[test]
fn r5_10_designs_under_the_deck_come_last_and_in_order() {
    let mut table = acting(&[0, 15], 1).tokens(0, 9).designs(0, &["d05"]);
    table.state.design_deck = [design("d09")].into_iter().collect();
    table.state.returned = vec![design("d20"), design("d10")];
    let table = table.play(0, &Move::BuyDesign {}, [0]).play(0, &Move::BuyDesign {}, []).play(
        0,
        &Move::BuyDesign {},
        [],
    );
    let held: Vec<DesignId> = table.state.weavers[0].designs.iter().collect();
    assert_eq!(held, ["d05", "d09", "d10", "d20"].map(design));
    let mut table = acting(&[0, 15], 1).designs(0, &["d05"]);
    table.state.design_deck = [].into_iter().collect();
    let exchange = Move::ExchangeDesign { design: design("d05") };
    assert_eq!(table.when(0, &exchange), Err(Refusal::NoDesignsLeft));
}

#[test]
fn r5_11_the_turn_ends_after_the_move() {
    let table = acting(&[0, 15], 1);
    assert_eq!(table.when(0, &END), Err(Refusal::MoveFirst));
    let table = table.play(0, &walk(&[1]), []).play(0, &END, []);
    assert_eq!((table.state.active, table.state.phase), (seat(1), Phase::Rolling));
}

#[test]
fn r5_12_a_swap_of_equal_skeins_is_refused() {
    let card = ActionCard::Swap;
    let alike = pair("A1", "D2");
    let table = acting(&[0, 15], 1).tokens(0, 3).cards(0, &[card]);
    let card = play(Play::Swap { octagons: alike });
    assert_eq!(table.when(0, &card), Err(Refusal::SameColour));
    assert_eq!(table.when(0, &Move::BuySwap { octagons: alike }), Err(Refusal::SameColour));
    let itself = Move::BuySwap { octagons: pair("A1", "A1") };
    assert_eq!(table.when(0, &itself), Err(Refusal::SameColour));
    let beyond = Move::BuySwap { octagons: Pair::new(3, 25) };
    assert_eq!(table.when(0, &beyond), Err(Refusal::NoSuchOctagon));
    let bought = table.legal(0).into_iter().filter(|mv| matches!(mv, Move::BuySwap { .. })).count();
    assert_eq!(bought, 300 - 5 * 10);
    let moved = acting(&[0, 15], 1).board("grrbl yblgr lgryb ryblg blgry").play(0, &walk(&[1]), []);
    let free = Move::FreeSwap { octagons: pair("B1", "C1") };
    assert_eq!(moved.when(0, &free), Err(Refusal::SameColour));
}
