//! Laws over whole matches: nothing gets lost, scores can be recounted, and hidden cards stay hidden even in matches
//! that are long enough to exhaust the decks.

use serde_json::Value;

use super::*;
use crate::{games::ettana::designs::Designs, seat::Viewer};

/// A uniformly random legal move: matches last for thousands of moves.
fn aimless(state: &State, seat: Seat, chance: &mut dyn Chance) -> Option<Move> {
    let mut moves: Vec<Move> = Ettana::legal_moves(state, seat).collect();
    (!moves.is_empty()).then(|| moves.swap_remove(chance.index(moves.len())))
}

fn assert_complete(state: &State) {
    assert!(state.weavers.iter().map(|weaver| u32::from(weaver.tokens)).sum::<u32>() <= 48);
    for colour in Colour::ALL {
        let laid = state.skeins.iter().filter(|skein| **skein == colour).count();
        assert_eq!(laid + usize::from(state.skein_reserve[colour.index()]), 6);
    }
    for number in 1..=6 {
        let tiles = state.tiles.iter().chain(&state.tile_reserve);
        assert_eq!(tiles.filter(|tile| **tile == number).count(), 3);
    }
    let mut cards: Vec<ActionCard> =
        state.action_deck.iter().chain(state.discards.iter()).collect();
    let mut designs: Vec<DesignId> =
        state.design_deck.iter().chain(state.returned.clone()).collect();
    for weaver in &state.weavers {
        assert!(!weaver.actions.contains(ActionCard::VictoryPoint));
        cards.extend(weaver.actions.iter());
        let turned_up = std::iter::repeat_n(ActionCard::VictoryPoint, weaver.victory_cards.into());
        cards.extend(turned_up);
        designs.extend(weaver.designs.iter().chain(weaver.claimed.iter()));
    }
    for card in ActionCard::ALL {
        assert_eq!(cards.iter().filter(|other| **other == card).count(), 3, "{card:?}");
    }
    assert_eq!(designs.len(), 36);
    assert_eq!(designs.into_iter().collect::<Designs>(), Designs::ALL);
}

#[test]
fn nothing_gets_lost_however_long_a_match_lasts() {
    let mut reshuffles = 0;
    for seats in 2..=4 {
        let (_, log) = play_out(seats, 1, aimless, |state, _| assert_complete(state));
        let shuffled = |event: &&Event| matches!(event, Event::ActionsReshuffled { .. });
        reshuffles += log.iter().filter(shuffled).count();
    }
    assert!(reshuffles > 0, "long matches use up the action deck");
}

/// The events and the view of a viewer.
fn seen(state: &State, log: &[Event], viewer: Viewer) -> (Vec<String>, String) {
    let told = |event| serde_json::to_string(&Ettana::event_view(event, viewer)).unwrap();
    let view = serde_json::to_string(&Ettana::view(state, viewer)).unwrap();
    (log.iter().map(told).collect(), view)
}

#[test]
fn hidden_cards_stay_hidden_however_long_a_match_lasts() {
    let (mut worlds, mut changed) = (0, 0);
    for seats in 2..=4 {
        let start = opened::<Ettana>(seats);
        let mut chance = luck(99);
        let mut moves = 0;
        play_out(seats, 2, aimless, |state, log| {
            moves += 1;
            if moves % 400 != 0 {
                return;
            }
            for viewer in Viewer::at_table(seats) {
                worlds += 1;
                let Some(dealt) = Ettana::redeal(&start, log, viewer, &mut chance) else {
                    continue;
                };
                let mut other = start.clone();
                for event in &dealt {
                    Ettana::evolve(&mut other, event, Timestamp::default());
                }
                assert_complete(&other);
                assert_eq!(seen(state, log, viewer), seen(&other, &dealt, viewer));
                changed += usize::from(dealt != log);
            }
        });
    }
    assert!(changed * 2 > worlds, "{changed} of {worlds} histories were redealt");
}

/// The score of every seat, only from what a spectator sees.
fn recount(view: &Value) -> Vec<(i64, [i64; 4])> {
    let printed: Value = serde_json::from_str(include_str!("../designs.json")).unwrap();
    let worth = |id: &Value| {
        let cards = printed.as_array().unwrap();
        cards.iter().find(|card| card["id"] == *id).unwrap()["points"].as_i64().unwrap()
    };
    let weavers = view["weavers"].as_array().unwrap().iter();
    weavers
        .map(|weaver| {
            let mut lines = [0, 0, 0, weaver["victory_cards"].as_i64().unwrap()];
            for design in weaver["claimed"].as_array().unwrap() {
                let points = worth(&design["id"]);
                lines[usize::try_from(points).unwrap() - 1] += points;
            }
            (lines.iter().sum(), lines)
        })
        .collect()
}

#[test]
fn scores_can_be_recounted_from_what_everybody_sees() {
    for seed in 0..60 {
        let seats = 2 + u8::try_from(seed % 3).unwrap();
        let (state, _) = play_out(seats, seed, Ettana::random_move, |_, _| {});
        let view = serde_json::to_value(Ettana::view(&state, Viewer::Spectator)).unwrap();
        let standings = Ettana::standings(&state).seats;
        let recounted = recount(&view);
        assert_eq!(recounted.len(), standings.len());
        for (standing, (total, lines)) in standings.iter().zip(&recounted) {
            assert_eq!(standing.score, Some(*total));
            let breakdown: Vec<i64> = standing.breakdown.iter().map(|line| line.points).collect();
            assert_eq!(breakdown, lines);
        }
        let winners: Vec<usize> =
            (0..standings.len()).filter(|seat| standings[*seat].won).collect();
        assert_eq!(winners.len(), 1);
        assert!(recounted[winners[0]].0 >= 8);
        assert!(recounted.iter().filter(|(total, _)| *total >= 8).count() == 1);
        assert_eq!(view["phase"]["winner"], winners[0]);
    }
}

#[test]
fn random_moves_are_legal_and_finish_a_match_soon() {
    for seats in 2..=4 {
        let mut moves = 0;
        play_out(seats, 5, Ettana::random_move, |state, _| {
            moves += 1;
            assert!(Ettana::legal_moves(state, state.active).next().is_some());
        });
        assert!(moves < 1_500, "{moves} moves");
    }
}
