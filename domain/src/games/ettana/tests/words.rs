//! Moves and events in words.

use super::*;
use crate::{seat::Viewer, text::Lang};

fn said(table: &Given<Ettana>, mv: &Move) -> [String; 2] {
    Lang::ALL.map(|lang| Ettana::label(&table.state, seat(0), mv, lang))
}

fn told(event: &Event, viewer: Viewer) -> [String; 2] {
    Lang::ALL.map(|lang| Ettana::tell(&Ettana::event_view(event, viewer), lang))
}

#[test]
fn moves_read_as_somebody_would_say_them() {
    let table = acting(&[0, 1, 2], 3).tokens(0, 9);
    assert_eq!(
        said(&table, &walk(&[1, 2, 3])),
        [
            "Walk via 1-2 and 1-3 to tile 1-4 (a 4), paying a token to seat 1 and seat 2",
            "Camina por 1-2 y 1-3 hasta la casilla 1-4 (un 4), pagando un token al puesto 1 y al puesto 2",
        ]
    );
    assert_eq!(
        said(&table, &Move::BuySwap { octagons: pair("A1", "C2") }),
        [
            "Pay 3 tokens to swap the green skein at A1 and the lilac one at C2",
            "Paga 3 tokens para intercambiar el ovillo verde de A1 y el lila de C2",
        ]
    );
    assert_eq!(
        said(&table, &claim("d05")),
        ["Claim “Flower” for 1 point", "Reclama «Flor» por 1 punto"]
    );
    assert_eq!(
        said(&table, &play(Play::GainTokens { number: 4 })),
        ["Play Gain tokens: name 4 and roll", "Juega Ganar tokens: di 4 y lanza"]
    );
}

#[test]
fn events_read_as_each_viewer_saw_them() {
    let drawn = Event::DesignDrawn { seat: seat(1), design: design("d05"), means: Means::Bought };
    assert_eq!(
        told(&drawn, Viewer::Seat(seat(1))),
        [
            "Seat 1 buys the design “Flower” for 3 tokens.",
            "El puesto 1 compra el diseño «Flor» por 3 tokens.",
        ]
    );
    assert_eq!(
        told(&drawn, Viewer::Spectator),
        ["Seat 1 buys a design for 3 tokens.", "El puesto 1 compra un diseño por 3 tokens."]
    );
    let card = ActionCard::VictoryPoint;
    let lucky = Event::ActionDrawn { seat: seat(1), card, means: Means::Free };
    assert_eq!(
        told(&lucky, Viewer::Spectator),
        [
            "Seat 1 draws a victory point and reveals it!",
            "¡El puesto 1 roba un punto de victoria y lo muestra!",
        ]
    );
    let paid = Event::IncomePaid { tokens: vec![1, 0, 2] };
    assert_eq!(
        told(&paid, Viewer::Spectator),
        [
            "Income: seat 0 gets 1 token and seat 2 gets 2 tokens.",
            "Ingresos: el puesto 0 recibe 1 token y el puesto 2 recibe 2 tokens.",
        ]
    );
}
