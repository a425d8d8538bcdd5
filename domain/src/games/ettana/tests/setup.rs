//! R1 and R2: the table, and how a match starts.

use super::*;
use crate::{
    chance::Scripted,
    games::ettana::{board, components::Actions, designs::Designs},
    seat::{SeatSet, Viewer},
};

fn laid(seed: u64) -> State {
    let mut state = opened::<Ettana>(2);
    let mut chance = luck(seed);
    let mut cx = Context { chance: &mut chance, at: Timestamp::default() };
    let events = Ettana::setup(&state, &mut cx);
    for event in &events {
        Ettana::evolve(&mut state, event, Timestamp::default());
    }
    state
}

/// The throws that setup makes after laying the table, with this luck.
fn throws(seats: u8, dice: &[u8]) -> Vec<Event> {
    // Skeins and tiles stay sorted: the shuffle swaps every item with itself.
    let lay = (1..25).rev().chain([0, 0]).chain((1..16).rev());
    let dice = dice.iter().map(|face| u32::from(*face) - 1);
    let mut chance = Scripted::new(lay.chain(dice));
    let mut cx = Context { chance: &mut chance, at: Timestamp::default() };
    let events = Ettana::setup(&opened::<Ettana>(seats), &mut cx);
    assert_eq!(chance.left(), 0);
    events[1..].to_vec()
}

#[test]
fn r1_1_a_tile_touches_four_octagons_and_has_orthogonal_neighbours() {
    let names = |octagons: [u8; 4]| octagons.map(board::octagon_name).join(" ");
    assert_eq!(names(board::around(0)), "A1 B1 A2 B2");
    assert_eq!(names(board::around(6)), "C2 D2 C3 D3");
    assert_eq!(names(board::around(15)), "D4 E4 D5 E5");
    let beside = |tile| board::neighbours(tile).collect::<Vec<_>>();
    assert_eq!(beside(0), [1, 4]);
    assert_eq!(beside(3), [2, 7]);
    assert_eq!(beside(5), [1, 4, 6, 9]);
    assert_eq!(beside(15), [11, 14]);
    assert_eq!(board::tile_name(6), "2-3");
}

#[test]
fn r1_2_and_r1_3_five_skeins_and_two_tiles_stay_aside() {
    for seed in 0..20 {
        let state = laid(seed);
        for colour in Colour::ALL {
            assert_eq!(state.skeins.iter().filter(|skein| **skein == colour).count(), 5);
        }
        assert_eq!(state.skein_reserve, [1; 5]);
        let [one, other] = state.tile_reserve;
        assert_ne!(one, other);
        for number in 1..=6 {
            let all = state.tiles.iter().chain(&state.tile_reserve);
            assert_eq!(all.filter(|tile| **tile == number).count(), 3);
        }
    }
}

#[test]
fn r1_4_the_colour_die_has_five_colours_and_black() {
    let faces: Vec<Option<Colour>> = Face::ALL.iter().map(|face| face.colour()).collect();
    assert_eq!(faces[..5], Colour::ALL.map(Some));
    assert_eq!(faces[5], None);
    for (number, face) in Face::ALL.into_iter().enumerate() {
        let luck = [2, u32::try_from(number).unwrap()];
        let table = table(&[0, 5]).play(0, &Move::Roll {}, luck);
        let roll = Roll { number: 3, face, how: RollMethod::Rolled };
        assert_eq!(table.state.roll(), Some(roll));
    }
}

#[test]
fn r1_5_there_are_48_tokens() {
    assert_eq!(laid(1).supply(), 48);
    assert_eq!(table(&[0, 5]).tokens(0, 7).tokens(1, 1).state.supply(), 40);
}

#[test]
fn r1_6_there_are_three_copies_of_twelve_action_cards() {
    assert_eq!(Actions::ALL.len(), 36);
    let cards: Vec<ActionCard> = Actions::ALL.iter().collect();
    for card in ActionCard::ALL {
        assert_eq!(cards.iter().filter(|other| **other == card).count(), 3);
    }
}

#[test]
fn r1_7_there_are_36_designs_of_one_two_and_three_points() {
    assert_eq!(Designs::ALL.len(), 36);
    let worth = |points| DesignId::all().filter(|id| id.card().points == points).count();
    assert_eq!([worth(1), worth(2), worth(3)], [18, 12, 6]);
    let rules = [include_str!("../RULES.md"), include_str!("../RULES.es.md")];
    for id in DesignId::all() {
        let (card, key) = (id.card(), String::from(id));
        for (lang, rules) in crate::text::Lang::ALL.into_iter().zip(rules) {
            let (name, points, pattern) = (card.name(lang), card.points, card.pattern.join("/"));
            assert!(rules.contains(&format!("| {key} | {name} | {points} | `{pattern}` |")));
        }
    }
    let data: serde_json::Value = serde_json::from_str(include_str!("../designs.json")).unwrap();
    let ids: Vec<&str> =
        data.as_array().unwrap().iter().map(|card| card["id"].as_str().unwrap()).collect();
    assert_eq!(ids, DesignId::all().map(String::from).collect::<Vec<_>>());
}

#[test]
fn r1_8_hands_are_seen_by_their_owners_only() {
    let table = table(&[0, 5, 9])
        .designs(1, &["d07", "d33"])
        .cards(1, &[ActionCard::Tax, ActionCard::Move]);
    let shown = |viewer| serde_json::to_value(Ettana::view(&table.state, viewer)).unwrap();
    let weaver = |viewer| shown(viewer)["weavers"][1].clone();
    let mine = weaver(Viewer::Seat(seat(1)));
    assert_eq!(mine["actions"], serde_json::json!(["move", "tax"]));
    assert_eq!(mine["designs"][1]["id"], "d33");
    assert_eq!(mine["designs"][1]["pattern"], serde_json::json!(["ABA", "BAB", "ABA"]));
    assert_eq!(weaver(Viewer::Archive), mine);
    for viewer in [Viewer::Seat(seat(0)), Viewer::Seat(seat(2)), Viewer::Spectator] {
        let theirs = weaver(viewer);
        assert_eq!((&theirs["designs_held"], &theirs["actions_held"]), (&2.into(), &2.into()));
        assert!(theirs.get("designs").is_none() && theirs.get("actions").is_none());
    }
    assert_eq!(shown(Viewer::Spectator)["design_deck"], 34);
}

#[test]
fn r1_8_drawn_and_stolen_cards_are_told_to_those_who_see_them() {
    let told = |event: &Event, number| {
        let viewer = Viewer::Seat(seat(number));
        serde_json::to_value(Ettana::event_view(event, viewer)).unwrap()
    };
    let card = ActionCard::Tax;
    let drawn = Event::ActionDrawn { seat: seat(0), card, means: Means::Free };
    assert_eq!(told(&drawn, 0)["card"], "tax");
    assert!(told(&drawn, 1).get("card").is_none());
    let stolen = Event::ActionStolen { seat: seat(0), from: seat(1), card };
    assert_eq!(told(&stolen, 0)["card"], "tax");
    assert_eq!(told(&stolen, 1)["card"], "tax");
    assert!(told(&stolen, 2).get("card").is_none());
    let (returned, drawn) = (design("d01"), design("d02"));
    let exchanged = Event::DesignExchanged { seat: seat(0), returned, drawn };
    assert_eq!(told(&exchanged, 0)["drawn"], "d02");
    let hidden = serde_json::json!({ "type": "design_exchanged", "seat": 0 });
    assert_eq!(told(&exchanged, 2), hidden);
}

#[test]
fn r2_1_the_highest_throw_begins() {
    let events = throws(3, &[2, 5, 4]);
    assert!(matches!(&events[0], Event::StartRolled { throws } if throws.len() == 3));
    assert_eq!(events[1..], [Event::StartDecided { seat: seat(1) }]);
}

#[test]
fn r2_2_tied_seats_throw_again_only_to_decide_who_begins() {
    let events = throws(4, &[6, 1, 6, 6, 3, 3, 2, 1, 5]);
    let tied = |event: &Event| match event {
        Event::TieRolled { throws } => throws.iter().map(|throw| throw.seat.number()).collect(),
        _ => Vec::new(),
    };
    assert_eq!(tied(&events[1]), [0, 2, 3]);
    assert_eq!(tied(&events[2]), [0, 2]);
    assert_eq!(events[3..], [Event::StartDecided { seat: seat(2) }]);
    let laid = Event::TableLaid { skeins: skeins(MOTLEY), tiles: TILES, reserve: [5, 6] };
    let table = given::<Ettana>(4, [laid]).and(events);
    assert_eq!(table.state.weavers[2].rolled, 6, "the place is that of the first throw");
}

/// Pieces are being placed, in this order of throws, seat 0 first.
fn settling(numbers: &[u8]) -> Given<Ettana> {
    let laid = Event::TableLaid { skeins: skeins(MOTLEY), tiles: TILES, reserve: [5, 6] };
    let throws = numbers
        .iter()
        .zip(0..)
        .map(|(number, at)| crate::games::ettana::events::Throw { seat: seat(at), number: *number })
        .collect();
    let seats = u8::try_from(numbers.len()).unwrap();
    let start = Event::StartDecided { seat: seat(0) };
    given(seats, [laid, Event::StartRolled { throws }, start])
}

#[test]
fn r2_3_pieces_are_placed_clockwise_on_free_tiles_of_the_number_thrown() {
    let table = settling(&[3, 3, 2]);
    assert_eq!(Ettana::to_act(&table.state), SeatSet::one(seat(0)));
    assert_eq!(table.legal(0), [2, 8, 14].map(|tile| Move::Settle { tile }));
    assert_eq!(table.when(1, &Move::Settle { tile: 2 }), Err(Refusal::NotYourTurn));
    assert_eq!(table.when(0, &Move::Settle { tile: 1 }), Err(Refusal::NotYourNumber));
    assert_eq!(table.when(0, &Move::Settle { tile: 16 }), Err(Refusal::NoSuchTile));
    assert_eq!(table.when(0, &Move::Roll {}), Err(Refusal::SettleFirst));
    let table = table.play(0, &Move::Settle { tile: 8 }, []);
    assert_eq!(table.legal(1), [2, 14].map(|tile| Move::Settle { tile }));
    assert_eq!(table.when(1, &Move::Settle { tile: 8 }), Err(Refusal::TileOccupied));
    let after = acting(&[0, 5], 2).when(0, &Move::Settle { tile: 1 });
    assert_eq!(after, Err(Refusal::AlreadySettled));
}

#[test]
fn r2_4_a_seat_without_a_free_tile_throws_again() {
    // Only two fives are on the board: seat 2 throws five once more, and then a one.
    let table = settling(&[5, 5, 5]).play(0, &Move::Settle { tile: 4 }, []);
    let events = table.when_lucky(1, &Move::Settle { tile: 10 }, [4, 0]).unwrap();
    let again = |number| Event::PlaceRerolled { seat: seat(2), number };
    assert_eq!(events[1..], [again(5), again(1)]);
    let table = table.and(events);
    assert_eq!(table.legal(2), [0, 6, 12].map(|tile| Move::Settle { tile }));
}

#[test]
fn r2_5_each_gets_a_design_an_action_card_and_two_tokens_from_the_first_seat_on() {
    let table = settling(&[1, 2]).play(0, &Move::Settle { tile: 0 }, []);
    let table = table.play(1, &Move::Settle { tile: 1 }, [0, 0, 0, 35 - 1]);
    assert_eq!(table.state.phase, Phase::Rolling);
    assert_eq!((table.state.active, table.state.turn), (seat(0), 1));
    assert_eq!(tokens(&table), [2, 2]);
    let hand = |number: usize| {
        let weaver = &table.state.weavers[number];
        (weaver.designs.iter().collect::<Vec<_>>(), weaver.actions.iter().collect::<Vec<_>>())
    };
    assert_eq!(hand(0), (vec![design("d01")], vec![ActionCard::Move]));
    assert_eq!(hand(1), (vec![design("d02")], vec![ActionCard::Tax]));
}
