//! R1 and R2: the material and the setup.

use std::collections::BTreeSet;

use super::{
    super::{
        cards::{Button, PatternKind},
        state::Phase,
    },
    *,
};
use crate::{
    chance::{Chance, Keyed, Scripted, Seed},
    game::Context,
    seat::{SeatSet, Viewer},
    time::Timestamp,
};

fn setup(seats: u8, chance: &mut dyn Chance) -> Vec<Event> {
    let mut cx = Context { chance, at: Timestamp::default() };
    Trama::setup(&opened::<Trama>(seats), &mut cx)
}

#[test]
fn r1_1_an_axis_has_eight_slots_counted_from_0() {
    let table = collected(&[[Red, Red, Red, Red]; 2]);
    assert_eq!(table.legal(0).len(), 8 + 8);
    let parse = |slot: i32| {
        let json = format!(
            r#"{{"type":"weave","colour":"red","axis":"vertical","slot":{slot},"over":[]}}"#
        );
        serde_json::from_str::<Move>(&json)
    };
    assert_eq!(parse(7).unwrap(), weave(Red, Vertical, 7, &[]));
    assert!(parse(8).unwrap_err().to_string().contains("slots are numbered from 0 to 7"));
    assert!(parse(-1).is_err());
}

#[test]
fn r1_2_the_bag_holds_twenty_cords_of_each_colour() {
    let bag = opened::<Trama>(2).bag;
    assert_eq!(bag.len(), 100);
    assert!(Colour::ALL.into_iter().all(|colour| bag.count(colour) == 20));
}

#[test]
fn r1_3_every_seat_has_two_round_and_two_square_buttons() {
    for area in opened::<Trama>(5).areas {
        assert_eq!(area.buttons_left(PatternKind::Adjacent), 2);
        assert_eq!(area.buttons_left(PatternKind::Interlaced), 2);
    }
    assert_eq!(PatternKind::Adjacent.button(), Button::Round);
    assert_eq!(PatternKind::Interlaced.button(), Button::Square);
}

#[test]
fn r1_4_the_adjacent_cards_are_the_ten_pairs_of_colours() {
    let pairs: BTreeSet<[Colour; 2]> = Card::of(PatternKind::Adjacent)
        .map(|card| {
            let mut pair = [card.pattern().a, card.pattern().b];
            pair.sort();
            pair
        })
        .collect();
    assert_eq!(Card::of(PatternKind::Adjacent).count(), 10);
    assert_eq!(pairs.len(), 10);
    assert!(pairs.iter().all(|[a, b]| a != b));
}

#[test]
fn r1_5_the_interlaced_cards_are_the_ten_of_the_list() {
    let listed = "red/pink red/sky pink/sky pink/blue sky/blue sky/purple blue/purple blue/red \
                  purple/red purple/pink";
    let cards: Vec<String> = Card::of(PatternKind::Interlaced)
        .map(|card| format!("{}/{}", card.pattern().a.name().en, card.pattern().b.name().en))
        .collect();
    assert_eq!(cards.join(" "), listed);
}

#[test]
fn r1_6_the_objectives_are_the_ten_of_the_list_in_four_colours_each() {
    let listed = "red-pink+sky/purple pink-sky+blue/red sky-blue+purple/pink blue-purple+red/sky \
                  purple-red+pink/blue red-sky+blue/purple pink-blue+purple/red \
                  sky-purple+red/pink blue-red+pink/sky purple-pink+sky/blue";
    let mut cards = Vec::new();
    for objective in Objective::ALL {
        let [adjacent, interlaced] = objective.patterns();
        assert_eq!(
            (adjacent.kind, interlaced.kind),
            (PatternKind::Adjacent, PatternKind::Interlaced)
        );
        let colours = [adjacent.a, adjacent.b, interlaced.a, interlaced.b];
        assert_eq!(colours.iter().collect::<BTreeSet<_>>().len(), 4, "{objective:?}");
        let [a, b, over, under] = colours.map(|colour| colour.name().en);
        cards.push(format!("{a}-{b}+{over}/{under}"));
    }
    assert_eq!(cards.join(" "), listed);
}

#[test]
fn r1_the_ids_of_cards_say_what_they_show() {
    for card in Card::ALL {
        let pattern = card.pattern();
        let kind = serde_json::to_value(pattern.kind).unwrap();
        let (a, b) = (pattern.a.name().en, pattern.b.name().en);
        let id = format!("{}_{a}_{b}", kind.as_str().unwrap());
        assert_eq!(serde_json::to_value(card).unwrap(), id);
    }
    for objective in Objective::ALL {
        let [one, two] = objective
            .patterns()
            .map(|pattern| format!("{}_{}", pattern.a.name().en, pattern.b.name().en));
        assert_eq!(serde_json::to_value(objective).unwrap(), format!("{one}_and_{two}"));
    }
}

#[test]
fn r2_1_one_objective_and_four_cards_of_each_kind_are_drawn() {
    // Shuffling ten cards takes nine draws; always drawing the last position leaves them in order.
    let unshuffled = (1..10).rev();
    let luck = [2].into_iter().chain(unshuffled.clone()).chain(unshuffled).chain([0; 10]);
    let mut chance = Scripted::new(luck);
    let events = setup(2, &mut chance);
    assert_eq!(chance.left(), 0);
    assert_eq!(
        events[0],
        Event::TableSet {
            objective: Objective::SkyBlueAndPurplePink,
            adjacent: Card::ALL[..4].to_vec(),
            interlaced: Card::ALL[10..14].to_vec(),
        }
    );
    let hands = vec![cords(&[Red; 5]); 2];
    assert_eq!(events[1], Event::CordsDrawn { round: 1, hands });
}

#[test]
fn r2_1_every_card_comes_to_the_table_sooner_or_later_and_none_twice() {
    let mut seen = BTreeSet::new();
    let mut objectives = BTreeSet::new();
    let key = Seed::from([3; 32]).match_key(uuid::Uuid::nil(), &[]);
    for seq in 0..200 {
        let table = given::<Trama>(3, setup(3, &mut Keyed::new(key, seq)));
        let cards: BTreeSet<Card> = table.state.cards.iter().copied().collect();
        assert_eq!(cards.len(), 8);
        assert!(table.state.cards[..4].iter().all(|card| card.kind() == PatternKind::Adjacent));
        assert!(table.state.cards[4..].iter().all(|card| card.kind() == PatternKind::Interlaced));
        seen.extend(cards);
        objectives.extend(table.state.objective);
    }
    assert_eq!((seen.len(), objectives.len()), (20, 10));
}

#[test]
fn r2_2_in_every_phase_all_seats_act_at_once_and_independently() {
    let table = dealt(&[[Red, Pink, Sky, Blue, Purple]; 3]);
    assert_eq!(Trama::to_act(&table.state), SeatSet::all(3));
    let (epoch, others) = (Trama::epoch(&table.state), table.legal(2));
    let table = table.play(0, &pick(Red), []).play(1, &pick(Pink), []);
    assert_eq!(Trama::to_act(&table.state), SeatSet::one(seat(2)));
    assert_eq!((Trama::epoch(&table.state), table.legal(2)), (epoch, others));
    assert_ne!(Trama::epoch(&table.play(2, &pick(Sky), []).state), epoch);

    let table = collected(&[[Red, Pink, Sky, Blue]; 2]);
    assert_eq!(Trama::to_act(&table.state), SeatSet::all(2));
    let (epoch, others) = (Trama::epoch(&table.state), table.legal(1));
    let table = table.play(0, &weave(Red, Vertical, 0, &[]), []);
    assert_eq!((Trama::epoch(&table.state), table.legal(1)), (epoch, others));

    let table = placing(1, &[]);
    assert_eq!(Trama::to_act(&table.state), SeatSet::all(2));
    let (epoch, others) = (Trama::epoch(&table.state), table.legal(1));
    let table = table.play(0, &place(ADJACENT[0]), []);
    assert_eq!((Trama::epoch(&table.state), table.legal(1)), (epoch, others));
}

#[test]
fn r2_2_a_phase_begins_when_every_seat_has_finished_the_one_before() {
    let mut table = collected(&[[Red; 4]; 2]);
    for at in 0..4 {
        table = table.play(1, &weave(Red, Vertical, at, &[]), []);
    }
    assert_eq!(table.state.phase, Phase::Weaving, "seat 0 still weaves");
    for at in 0..3 {
        table = table.play(0, &weave(Red, Vertical, at, &[]), []);
    }
    let events = table.when(0, &weave(Red, Vertical, 3, &[])).unwrap();
    assert_eq!(events.last(), Some(&Event::WeavingFinished {}));
    assert_eq!(table.and(events).state.phase, Phase::Pattern);
}

#[test]
fn r2_3_every_seat_draws_five_cords_from_the_bag_at_the_start_of_a_round() {
    let table = placing(1, &[]).play(0, &place(ADJACENT[0]), []);
    let bag = table.state.bag;
    assert_eq!(bag.len(), 90, "two hands of five are out");
    assert_eq!(bag.count(Red), 18);
    let table = table.play(1, &place(ADJACENT[0]), [0, 0, 0, 0, 0, 13, 13, 13, 81, 80]);
    assert_eq!((table.state.round, table.state.phase), (2, Phase::Draft));
    assert_eq!(table.state.areas[0].hand, cords(&[Red; 5]));
    // 13 of the 18 reds are left, so the next index is the first pink.
    assert_eq!(table.state.areas[1].hand, cords(&[Pink, Pink, Pink, Purple, Purple]));
    assert_eq!(table.state.bag, bag.without(cords(&[Red; 5])).without(table.state.areas[1].hand));
}

#[test]
fn r2_3_hands_and_the_bag_are_public() {
    let table = dealt(&[[Red, Red, Red, Red, Red], [Sky, Pink, Sky, Blue, Purple]]);
    for viewer in Viewer::at_table(2) {
        let view = shown(&table, viewer);
        assert_eq!(
            view["places"][0]["hand"],
            serde_json::json!(["red", "red", "red", "red", "red"])
        );
        assert_eq!(view["bag"]["red"], 15);
        assert_eq!(view["bag"]["sky"], 18);
    }
}
