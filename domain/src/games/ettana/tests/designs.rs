//! R7: claiming designs.

use super::*;
use crate::games::ettana::{
    board::Octagons,
    designs::{Designs, claims},
};

/// The falling diagonal is green except for the middle one, which is blue.
const DIAGONAL: &str = "grrll rgyby yybrr lbygb blrlg";

fn places(picture: &str, id: &str) -> Vec<Vec<u8>> {
    let hand: Designs = [design(id)].into_iter().collect();
    claims(&skeins(picture), hand).map(|(_, place)| place.into()).collect()
}

fn diagonal() -> Vec<u8> {
    ["A1", "B2", "C3", "D4", "E5"].map(at).to_vec()
}

/// The rulebook: three tokens buy the swap that completes the diagonal, and the design is claimed.
#[test]
fn r7_1_the_rulebook_s_diagonal_is_completed_and_claimed() {
    let before = "grrll rlyby yybrr lbygb bgrlg"; // B2 and B5 have to be swapped
    let table = acting(&[15, 0], 1).tokens(0, 3).designs(0, &["d01"]).board(before);
    assert_eq!(table.when(0, &claim("d01")), Err(Refusal::DesignNotOnBoard));
    let table = table.play(0, &Move::BuySwap { octagons: pair("B2", "B5") }, []);
    assert_eq!(table.state.skeins, skeins(DIAGONAL));
    let table = table.play(0, &claim("d01"), []);
    assert_eq!(table.state.weavers[0].points(), 1);
    assert_eq!(table.state.skeins, skeins(DIAGONAL), "the skeins stay");
}

#[test]
fn r7_1_designs_are_claimed_from_the_own_hand_among_the_actions() {
    let table = acting(&[15, 0], 1).designs(1, &["d01"]).board(DIAGONAL);
    assert_eq!(table.when(0, &claim("d01")), Err(Refusal::DesignNotInHand));
    let early = rolled(&[15, 0], 1, Face::Red).designs(0, &["d01"]).board(DIAGONAL);
    assert_eq!(early.when(0, &claim("d01")), Err(Refusal::CollectFirst));
    // Claiming is an action: it ends the chance of a free swap (R5.6).
    let moved = acting(&[15, 0], 1).designs(0, &["d01"]).board(DIAGONAL);
    let moved = moved.play(0, &walk(&[14]), []).play(0, &claim("d01"), []);
    let swap = Move::FreeSwap { octagons: pair("C4", "C5") };
    assert_eq!(moved.when(0, &swap), Err(Refusal::FreeSwapGone));
}

#[test]
fn r7_1_several_designs_are_claimed_in_one_turn() {
    let table = acting(&[15, 0], 1).designs(0, &["d01", "d17", "d33"]);
    let table = table.board("grlbr lgrlb bybgl rylgb lyrgg"); // the diagonal, and two columns
    let table = table.play(0, &claim("d17"), []).play(0, &claim("d01"), []);
    assert_eq!(table.state.weavers[0].points(), 2);
    assert_eq!(table.when(0, &claim("d33")), Err(Refusal::DesignNotOnBoard));
}

#[test]
fn r7_2_letters_are_colours_and_different_letters_different_ones() {
    assert_eq!(places(DIAGONAL, "d01"), [diagonal()]);
    let all_alike = DIAGONAL.replace("yybrr", "yygrr");
    assert!(places(&all_alike, "d01").is_empty(), "the middle one has to differ");
    let other_colours = DIAGONAL.replace('g', "x").replace('b', "g").replace('x', "b");
    assert_eq!(places(&other_colours, "d01"), [diagonal()]);
    let one_off = DIAGONAL.replace("lbygb", "lbylb");
    assert!(places(&one_off, "d01").is_empty());
}

/// The rulebook: the T lies on a diagonal, four of one colour and two across of another, turned any way.
#[test]
fn r7_3_the_leaning_t_is_found_turned_in_all_directions() {
    let falling = "glyry rglyl ylgrb lrygl ryblr";
    let mut turned: Vec<char> = falling.chars().filter(|letter| *letter != ' ').collect();
    for quarter in 0..4 {
        let picture: String = turned.iter().collect();
        assert_eq!(places(&picture, "d19").len(), 1, "after {quarter} quarter turns");
        turned = (0..25).map(|to| turned[(4 - to % 5) * 5 + to / 5]).collect();
    }
}

#[test]
fn r7_3_mirror_images_do_not_count() {
    // AA./.B./.B./.AA and its mirror image .AA/.B./.B./AA.
    let hook = "ggrly lbylr ybrgl rggyb blrby";
    assert_eq!(places(hook, "d18").len(), 1);
    let mirrored = "rggly lbylr ybrgl ggryb blrby";
    assert!(places(mirrored, "d18").is_empty());
}

#[test]
fn r7_3_a_design_lies_on_the_board_as_a_whole() {
    assert_eq!(places("ggbgg lrylr rylry ylryl lrylr", "d02"), [vec![0, 1, 2, 3, 4]]);
    assert_eq!(places("lrylr gylry gylry blryl lrylr", "d02"), Vec::<Vec<u8>>::new());
    assert_eq!(places("gylry gylry blryl gylry gylry", "d02")[0], [0, 5, 10, 15, 20]);
}

#[test]
fn r7_4_a_design_counts_once() {
    // Two ribbons lie on the board.
    let table = acting(&[15, 0], 1).designs(0, &["d02"]).board("ggbgg lrylr rrbrr ylryl lrylr");
    assert_eq!(places("ggbgg lrylr rrbrr ylryl lrylr", "d02").len(), 2);
    let table = table.play(0, &claim("d02"), []);
    assert_eq!(table.state.weavers[0].points(), 1);
    assert_eq!(table.when(0, &claim("d02")), Err(Refusal::DesignNotInHand));
    let shown = Ettana::view(&table.state, crate::seat::Viewer::Spectator);
    let shown = serde_json::to_value(shown).unwrap();
    assert_eq!(shown["weavers"][0]["claimed"][0]["id"], "d02");
}

#[test]
fn r7_5_the_place_may_be_named() {
    let table = acting(&[15, 0], 1).designs(0, &["d02"]).board("ggbgg lrylr rrbrr ylryl lrylr");
    let there = |octagons: &[u8]| Move::Claim {
        design: design("d02"),
        at: Some(Octagons::try_from(octagons.to_vec()).unwrap()),
    };
    let third = there(&[14, 13, 12, 11, 10]);
    let events = table.when(0, &third).unwrap();
    assert!(matches!(&events[0], Event::DesignClaimed { at, .. } if at.iter().next() == Some(10)));
    assert_eq!(table.when(0, &there(&[5, 6, 7, 8, 9])), Err(Refusal::DesignNotThere));
    assert_eq!(table.when(0, &there(&[])), Err(Refusal::DesignNotThere));
    let claims: Vec<Move> =
        table.legal(0).into_iter().filter(|mv| matches!(mv, Move::Claim { .. })).collect();
    assert_eq!(claims, [claim("d02"), there(&[0, 1, 2, 3, 4]), third]);
    assert!(Octagons::try_from(vec![25]).is_err() && Octagons::try_from(vec![3, 3]).is_err());
}

#[test]
fn r7_6_an_empty_deck_has_no_more_designs() {
    let mut table = acting(&[15, 0], 1).tokens(0, 9).cards(0, &[ActionCard::Design]);
    table.state.design_deck = Designs::default();
    assert_eq!(table.when(0, &Move::BuyDesign {}), Err(Refusal::NoDesignsLeft));
    assert_eq!(table.when(0, &play(Play::Design {})), Err(Refusal::NoDesignsLeft));
}

/// A slow search that follows R7.2 and R7.3 word by word.
fn slowly(skeins: &Skeins, pattern: &[String]) -> Vec<u32> {
    let mut grid: Vec<Vec<char>> = pattern.iter().map(|line| line.chars().collect()).collect();
    let mut found = Vec::new();
    for _ in 0..4 {
        for down in 0..5 {
            for right in 0..5 {
                let mut cells: Vec<(char, usize)> = Vec::new();
                for (row, line) in grid.iter().enumerate() {
                    for (column, letter) in line.iter().enumerate() {
                        let (row, column) = (row + down, column + right);
                        if *letter != '.' {
                            let inside = row < 5 && column < 5;
                            cells.push((*letter, if inside { row * 5 + column } else { 99 }));
                        }
                    }
                }
                let lies = cells.iter().all(|(letter, cell)| {
                    cells.iter().all(|(other, there)| {
                        let colours = (skeins.get(*cell), skeins.get(*there));
                        colours.0.is_some() && (colours.0 == colours.1) == (letter == other)
                    })
                });
                if lies {
                    found.push(cells.iter().fold(0, |set, (_, cell)| set | 1 << cell));
                }
            }
        }
        let (height, width) = (grid.len(), grid[0].len());
        grid = (0..width)
            .map(|row| (0..height).map(|column| grid[height - 1 - column][row]).collect())
            .collect();
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn r7_the_search_finds_what_a_slow_one_finds() {
    let mut chance = luck(7);
    let mut total = 0;
    for round in 0..400 {
        // With fewer colours, designs are more likely.
        let colours = 2 + round % 4;
        let board =
            [(); 25].map(|()| (&mut chance as &mut dyn Chance).pick(&Colour::ALL[..colours]));
        for id in DesignId::all() {
            let hand: Designs = [id].into_iter().collect();
            let mut fast: Vec<u32> = claims(&board, hand).map(|(_, place)| place.0).collect();
            fast.sort_unstable();
            assert_eq!(fast, slowly(&board, &id.card().pattern), "{id:?} on {board:?}");
            total += fast.len();
        }
    }
    assert!(total > 1_000);
}
