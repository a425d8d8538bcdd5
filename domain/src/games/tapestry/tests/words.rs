//! Moves and events in words.

use super::*;
use crate::seat::Viewer;

fn labels(table: &Given<Tapestry>, mv: Move) -> [String; 2] {
    Lang::ALL.map(|lang| Tapestry::label(&table.state, Seat::FIRST, &mv, lang))
}

fn told(event: &Event) -> [String; 2] {
    Lang::ALL.map(|lang| Tapestry::tell(&Tapestry::event_view(event, Viewer::Spectator), lang))
}

#[test]
fn a_draw_names_the_colour_and_hides_the_body() {
    let labels = labels(&any_table(Mode::Time), draw(2));
    assert_eq!(labels, ["Draw the red card from slot 2", "Roba la carta roja del hueco 2"]);
}

#[test]
fn a_placement_names_what_lies_beside_it() {
    let table = holding("red comet", &[(4, 5, "red nebula"), (5, 4, "orange asteroid")]);
    assert_eq!(
        labels(&table, place(5, 5)),
        [
            "Place the red comet at F6, beside the red nebula (F5) and the orange asteroid (E6)",
            "Coloca el cometa rojo en F6, junto a la nebulosa roja (F5) y al asteroide naranja (E6)",
        ]
    );
}

#[test]
fn an_exchange_names_both_cards() {
    let table = holding("purple nebula", &[(4, 5, "blue asteroid")]);
    assert_eq!(
        labels(&table, exchange(4, 5)),
        [
            "Exchange the purple nebula for the blue asteroid at F5",
            "Intercambia la nebulosa morada por el asteroide azul de F5",
        ]
    );
}

#[test]
fn a_discard_says_what_it_is_worth_where_that_matters() {
    let mut table = holding("orange comet", &[]);
    assert_eq!(labels(&table, DISCARD), ["Discard the orange comet", "Descarta el cometa naranja"]);
    table.state.mode = Mode::Discards;
    assert_eq!(
        labels(&table, DISCARD),
        ["Discard the orange comet (1 point)", "Descarta el cometa naranja (1 punto)"]
    );
    table.state.phase = Phase::Holding { card: card("green comet"), slot: 0, chain: 0 };
    assert_eq!(
        labels(&table, DISCARD),
        ["Discard the green comet (2 points)", "Descarta el cometa verde (2 puntos)"]
    );
}

#[test]
fn an_exchange_is_told_with_the_right_article() {
    let exchanged = |card, lifted| Event::CardExchanged { row: 4, column: 6, card, lifted };
    assert_eq!(
        told(&exchanged(card("red comet"), card("yellow nebula"))),
        [
            "At G5, the red comet takes the place of the yellow nebula.",
            "En G5, el cometa rojo ocupa el lugar de la nebulosa amarilla.",
        ]
    );
    assert_eq!(
        told(&exchanged(card("red asteroid"), card("orange comet")))[1],
        "En G5, el asteroide rojo ocupa el lugar del cometa naranja."
    );
}

#[test]
fn every_move_has_a_label_even_when_it_is_not_legal() {
    let table = any_table(Mode::Time);
    for mv in [draw(255), place(255, 255), exchange(255, 255), DISCARD] {
        let [en, es] = labels(&table, mv);
        assert!(!en.is_empty() && !es.is_empty() && en != es);
    }
    let table = table.play(0, &draw(0), []);
    for mv in [place(255, 255), exchange(0, 0), exchange(255, 255)] {
        let [en, es] = labels(&table, mv);
        assert!(!en.is_empty() && en != es);
    }
}
