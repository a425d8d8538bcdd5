//! Whole matches: the result counted again from public information, and redeals.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::{
    chance::{Chance, Keyed, Seed},
    erased::Json,
    games,
    matches::{Command, Create, Match},
    outcome::{Ending, MeasureValue, Outcome},
    seat::Viewer,
};

fn luck(seed: u8) -> Keyed {
    Keyed::new(Seed::from([seed; 32]).match_key(Uuid::nil(), &[]), 7)
}

fn opened(mode: &str, seed: u8) -> Match {
    let options = serde_json::value::to_raw_value(&json!({ "mode": mode })).unwrap();
    let id = Uuid::from_u128(seed.into());
    let tapestry = games::find("tapestry").unwrap();
    let seed = Seed::from([seed; 32]);
    let create =
        Create { options: Some(&options), ..Create::new(id, tapestry, 1, Uuid::nil(), seed) };
    Match::create(create, Timestamp::from_micros(0)).unwrap().next
}

/// The moves of a finished match.
struct Played {
    table: Match,
    moves: Vec<String>,
}

/// Plays at random, or, if `eager`, without discarding what can be placed.
fn play_out(mode: &str, seed: u8, eager: bool) -> Played {
    let (mut table, mut luck, mut moves) = (opened(mode, seed), luck(seed), Vec::new());
    let chance: &mut dyn Chance = &mut luck;
    while table.outcome().is_none() {
        let listed = table.listing(Seat::FIRST, Lang::En).moves;
        let mut choices: Vec<Json> = listed.into_iter().map(|listed| listed.mv).collect();
        if eager && choices.iter().any(|mv| mv.get().contains("place")) {
            choices.retain(|mv| mv.get().contains("place"));
        }
        let mv = choices.swap_remove(chance.index(choices.len()));
        moves.push(mv.get().to_owned());
        let at = Timestamp::from_micros(i64::try_from(moves.len()).unwrap() * 1_500_000);
        table = table.decide(&Command::Play { player: Uuid::nil(), mv }, at).unwrap().next;
    }
    Played { table, moves }
}

fn name<'a>(card: &'a Value, what: &str) -> &'a str {
    card[what].as_str().unwrap()
}

fn measures(outcome: &Outcome) -> BTreeMap<&str, i64> {
    let number = |value: &MeasureValue| match value {
        MeasureValue::Number(number) => *number,
        MeasureValue::Category(_) => -1,
    };
    outcome.seats[0].measures.iter().map(|m| (&*m.id, number(&m.value))).collect()
}

/// Whether two cards may share a side, implemented a second time.
fn may_touch(one: &Value, other: &Value) -> bool {
    let line = ["red", "orange", "yellow", "green", "blue", "purple"];
    let place = |card| line.iter().position(|colour| *colour == name(card, "colour")).unwrap();
    place(one).abs_diff(place(other)) <= 1 && name(one, "body") != name(other, "body")
}

/// R5.4: every card is where the rules allow it.
fn check_tapestry(tapestry: &Value) {
    let laid = tapestry["cards"].as_array().unwrap();
    let number = |laid: &Value, what: &str| laid[what].as_i64().unwrap();
    for one in laid {
        for other in laid {
            let (rows, columns) = (
                number(one, "row") - number(other, "row"),
                number(one, "column") - number(other, "column"),
            );
            assert!(rows.abs() < 8 && columns.abs() < 8, "wider than the square");
            if rows.abs() + columns.abs() == 1 {
                assert!(may_touch(&one["card"], &other["card"]), "{one} beside {other}");
            }
        }
    }
}

/// R7 to R9 from the view and the moves alone.
fn recount(Played { table, moves }: &Played, mode: &str) {
    let outcome = table.outcome().unwrap();
    let view = table.view(Viewer::Spectator).unwrap();
    let view: Value = serde_json::from_str(view.get()).unwrap();
    check_tapestry(&view["tapestry"]);

    let laid = view["tapestry"]["cards"].as_array().unwrap();
    let discards = view["discards"]["cards"].as_array().unwrap();
    assert_eq!(laid.len() + discards.len(), 72);
    let mut copies: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for card in laid.iter().map(|laid| &laid["card"]).chain(discards) {
        *copies.entry((name(card, "colour"), name(card, "body"))).or_default() += 1;
    }
    assert!(copies.len() == 18 && copies.values().all(|copies| *copies == 4));

    let mut by_colour: BTreeMap<&str, i64> = BTreeMap::new();
    for card in discards {
        *by_colour.entry(name(card, "colour")).or_default() += 1;
    }
    let measures = measures(outcome);
    let mut points = 0;
    for (colour, worth) in
        [("red", 0), ("orange", 1), ("yellow", 2), ("green", 2), ("blue", 1), ("purple", 0)]
    {
        let count = by_colour.get(colour).copied().unwrap_or_default();
        points += count * worth;
        let id = format!("discards_{colour}");
        assert_eq!(measures[&*id], count);
        let line = outcome.seats[0].breakdown.iter().find(|line| line.id == id);
        assert_eq!(line.map(|line| line.points), (mode == "discards").then_some(count * worth));
    }
    assert_eq!(outcome.seats[0].score, (mode == "discards").then_some(points));
    assert_eq!(outcome.seats[0].won, laid.len() == 64);
    assert_eq!(view["loss_certain"], discards.len() > 8);

    let exchanged = |mv: &&String| mv.contains("exchange");
    assert_eq!(
        measures["exchanges"],
        i64::try_from(moves.iter().filter(exchanged).count()).unwrap()
    );
    let chains = moves.split(|mv| !mv.contains("exchange")).map(<[String]>::len);
    assert_eq!(measures["longest_chain"], i64::try_from(chains.max().unwrap()).unwrap());
    assert_eq!(measures["cells_filled"], i64::try_from(laid.len()).unwrap());
    assert_eq!(measures["elapsed_ms"], i64::try_from(moves.len()).unwrap() * 1_500);
}

#[test]
fn r5_4_to_r9_2_results_can_be_counted_again_from_what_everybody_sees() {
    for mode in ["time", "discards"] {
        for seed in 0..40 {
            for eager in [false, true] {
                recount(&play_out(mode, seed, eager), mode);
            }
        }
    }
}

#[test]
fn r7_5_resigning_is_a_loss() {
    let resign = Command::Resign { player: Uuid::nil() };
    let table = opened("discards", 1).decide(&resign, Timestamp::from_micros(1)).unwrap().next;
    let outcome = table.outcome().unwrap();
    assert_eq!(outcome.ending, Ending::Resignation);
    assert!(!outcome.seats[0].won);
}

#[test]
fn r1_2_a_redeal_keeps_every_card_that_was_seen_and_every_back() {
    let cards: Vec<Card> = stacked(&[]);
    let mut game = Clocked::new(Mode::Time, &cards, Timestamp::default());
    for slot in [0, 3, 0] {
        game.play(draw(slot), Timestamp::default());
        game.play(DISCARD, Timestamp::default());
    }
    game.play(draw(5), Timestamp::default());
    let start = crate::testing::opened::<Tapestry>(1);
    let mut luck = luck(1);
    let seen = [0, 3, 5, 8]; // of draw area and deck in order; the second draw from slot 0 was the deck's first card
    let backs = 8 + 3 + 1;
    let mut changed = [false; 68];
    for _ in 0..200 {
        let other = Tapestry::redeal(&start, &game.events, Viewer::Spectator, &mut luck).unwrap();
        assert_eq!(other[1..], game.events[1..]);
        let Event::CardsDealt { start, area, deck } = &other[0] else { panic!("a deal") };
        assert_eq!(*start, cards[..4]);
        let dealt: Vec<Card> = area.iter().chain(deck).copied().collect();
        let whole: Vec<Card> = start.iter().chain(&dealt).copied().collect();
        assert_eq!(stacked(&whole), whole, "the same 72 cards");
        for (index, (one, two)) in cards[4..].iter().zip(&dealt).enumerate() {
            changed[index] |= one != two;
            assert!(index >= backs || one.colour == two.colour, "the back of {index}");
        }
    }
    for (index, changed) in changed.into_iter().enumerate() {
        assert_eq!(changed, !seen.contains(&index), "card {index}");
    }
    let archived = Tapestry::redeal(&start, &game.events, Viewer::Archive, &mut luck).unwrap();
    assert_eq!(archived, game.events, "nothing is hidden from the archive");
}
