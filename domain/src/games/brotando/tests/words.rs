//! Moves and events as people read them.

use super::*;
use crate::text::Lang;

fn label(table: &Given<Brotando>, number: u8, mv: &Move) -> [String; 2] {
    Lang::ALL.map(|lang| Brotando::label(&table.state, seat(number), mv, lang))
}

fn tell(event: &Event, viewer: Viewer) -> [String; 2] {
    Lang::ALL.map(|lang| Brotando::tell(&Brotando::event_view(event, viewer), lang))
}

#[test]
fn growth_says_where_and_what_it_covers_and_crosses() {
    let table = growing(Card::Wind(Wind::TakeSix), 5, &[Segment::right(3, 9)]);
    assert_eq!(
        label(&table, 0, &grow(&[Segment::right(1, 9)])),
        [
            "Grow on columns 1–2 of row 9; cover 1 yellow sun",
            "Crece por las columnas 1–2 de la fila 9; cubre 1 sol amarillo",
        ]
    );
    let table = growing(Card::Wind(Wind::TakeSix), 5, &[Segment::right(4, 8)]);
    assert_eq!(
        label(&table, 0, &grow(&[Segment::right(2, 8)]))[1],
        "Crece por las columnas 2–3 de la fila 8; cruza 1 línea morada"
    );
}

#[test]
fn auctions_name_cards_prices_and_seats() {
    let table = table(2);
    assert_eq!(
        label(&table, 0, &select(1)),
        [
            "Put seat 1's card up for auction: ■■·/·■■/·■■",
            "Saca a subasta la carta del puesto 1: ■■·/·■■/·■■",
        ]
    );
    let table = table.play(0, &select(1), []).play(1, &bid(5), []);
    assert_eq!(label(&table, 0, &KEEP)[1], "Quédate la carta y paga 3 segmentos al puesto 1");
    assert_eq!(label(&table, 0, &SELL)[0], "Sell the card to seat 1 for 5 segments");
}

#[test]
fn a_wind_card_is_told_to_its_owner_only() {
    let face = Card::Wind(Wind::TakeSix);
    let event = Event::CardObtained { seat: seat(0), card: 1, face, deal: Deal::Unbid {} };
    assert_eq!(
        tell(&event, Viewer::Seat(seat(0)))[1],
        "Nadie puja: el puesto 0 se lleva gratis el viento «Toma seis segmentos»."
    );
    assert_eq!(
        tell(&event, Viewer::Spectator),
        [
            "Nobody bids: seat 0 takes a wind card for free.",
            "Nadie puja: el puesto 0 se lleva gratis una carta de viento.",
        ]
    );
}

#[test]
fn a_failed_test_says_what_it_costs() {
    let balance = spread(8, 4, 2).balance();
    let told = |lost, paid| {
        let event = Event::BalanceFailed { seat: seat(1), balance, lost, paid };
        tell(&event, Viewer::Spectator)[1].clone()
    };
    let shaken =
        "El viento sacude el brote del puesto 1: 8 a la izquierda, 4 a la derecha, 2 en el centro.";
    assert_eq!(told(2, 2), format!("{shaken} Le cuesta 2 segmentos."));
    assert_eq!(told(2, 1), format!("{shaken} Le cuesta 2 segmentos; la reserva paga 1."));
    assert_eq!(told(0, 0), format!("{shaken} No le cuesta nada."));
}
