//! Events in words, as a viewer saw them.

use super::{
    super::{
        board::{octagon_name, tile_name},
        components::ActionCard,
        designs::DesignId,
        event_view::EventView,
        events::{Gait, Means, Roll, RollMethod, Throw},
    },
    place, points, tokens,
};
use crate::{seat::Seat, text::Lang};

#[expect(clippy::too_many_lines, reason = "one arm per event")]
pub(super) fn tell(event: &EventView, lang: Lang) -> String {
    match event {
        EventView::TableLaid { reserve: [one, other], .. } => lang.pick(
            format!("The loom is set: 25 skeins and 16 tiles; a {one} and a {other} are set aside."),
            format!("El telar está listo: 25 ovillos y 16 casillas; se apartan un {one} y un {other}."),
        ),
        EventView::StartRolled { throws } => {
            let throws = thrown(throws, lang);
            lang.pick(
                format!("To decide who begins, {throws}."),
                format!("Para decidir quién empieza, {throws}."),
            )
        }
        EventView::TieRolled { throws } => {
            let throws = thrown(throws, lang);
            lang.pick(format!("To break the tie, {throws}."), format!("Para desempatar, {throws}."))
        }
        EventView::StartDecided { seat } => {
            lang.pick(format!("Seat {seat} begins."), format!("Empieza el puesto {seat}."))
        }
        EventView::PlaceRerolled { seat, number } => lang.pick(
            format!("No tile of that number is free: seat {seat} throws again and gets a {number}."),
            format!("No queda libre ninguna casilla de ese número: el puesto {seat} vuelve a lanzar y saca un {number}."),
        ),
        EventView::PieceSettled { seat, tile } => {
            let tile = tile_name(*tile);
            lang.pick(
                format!("Seat {seat} places its piece on tile {tile}."),
                format!("El puesto {seat} coloca su ficha en la casilla {tile}."),
            )
        }
        EventView::HandDealt { seat, design, card, tokens: dealt } => {
            let (design, card) = (a_design(*design, lang), a_card(*card, lang));
            let dealt = tokens(*dealt);
            lang.pick(
                format!("Seat {seat} is dealt {design}, {card} and {dealt}."),
                format!("El puesto {seat} recibe {design}, {card} y {dealt}."),
            )
        }
        EventView::TurnBegan { seat } => lang
            .pick(format!("It is seat {seat}'s turn."), format!("Es el turno del puesto {seat}.")),
        EventView::DiceRolled { seat, roll } => rolled(*seat, *roll, lang),
        EventView::IncomePaid { tokens } => income(tokens, lang),
        EventView::IncomeWithheld { due, supply } => lang.pick(
            format!("{due} tokens are due, but the supply has only {supply}: nobody is paid."),
            format!("Habría que pagar {due} tokens, pero en la reserva solo hay {supply}: nadie cobra."),
        ),
        EventView::BlackShown { seat } => lang.pick(
            format!("Black: nobody collects; seat {seat} draws an action card if one is left."),
            format!("Negro: nadie cobra; el puesto {seat} roba una carta de acción, si queda alguna."),
        ),
        EventView::PieceMoved { seat, path, tolls, gait } => {
            moved(*seat, path, tolls, *gait, lang)
        }
        EventView::MoveWaived { seat } => lang.pick(
            format!("Seat {seat} has nowhere to go and stays where it is."),
            format!("El puesto {seat} no tiene adónde ir y se queda donde está."),
        ),
        EventView::SkeinsSwapped { seat, octagons, means } => {
            let (one, other) = (octagon_name(octagons.one), octagon_name(octagons.other));
            let (en, es) = match means {
                Means::Free => (" for free", " gratis"),
                Means::Bought => (" for 3 tokens", " por 3 tokens"),
                Means::Card => ("", ""),
            };
            lang.pick(
                format!("Seat {seat} swaps the skeins at {one} and {other}{en}."),
                format!("El puesto {seat} intercambia{es} los ovillos de {one} y {other}."),
            )
        }
        EventView::ActionsReshuffled { cards } => lang.pick(
            format!("The {cards} discards are shuffled into a new action deck."),
            format!("Los {cards} descartes se barajan y forman un nuevo mazo de acción."),
        ),
        EventView::ActionDrawn { seat, card: Some(ActionCard::VictoryPoint), .. } => lang.pick(
            format!("Seat {seat} draws a victory point and reveals it!"),
            format!("¡El puesto {seat} roba un punto de victoria y lo muestra!"),
        ),
        EventView::ActionDrawn { seat, card, means } => {
            drawn(*seat, &a_card(*card, lang), *means, 2, lang)
        }
        EventView::DesignDrawn { seat, design, means } => {
            drawn(*seat, &a_design(*design, lang), *means, 3, lang)
        }
        EventView::DesignExchanged { seat, returned, drawn } => {
            let returned = a_design(*returned, lang);
            let drawn = match drawn {
                Some(design) => a_design(Some(*design), lang),
                None => lang.pick("another", "otro").to_owned(),
            };
            lang.pick(
                format!("Seat {seat} puts {returned} under the deck and draws {drawn}."),
                format!("El puesto {seat} pone {returned} debajo del mazo y roba {drawn}."),
            )
        }
        EventView::CardPlayed { seat, card } => {
            let card = card.name().get(lang);
            lang.pick(format!("Seat {seat} plays {card}."), format!("El puesto {seat} juega {card}."))
        }
        EventView::ActionStolen { seat, from, card } => {
            let card = a_card(*card, lang);
            lang.pick(
                format!("Seat {seat} takes {card} from seat {from}."),
                format!("El puesto {seat} le quita {card} al puesto {from}."),
            )
        }
        EventView::TokensStolen { seat, from, tokens: stolen } => {
            let stolen = tokens(*stolen);
            lang.pick(
                format!("Seat {seat} steals {stolen} from seat {from}."),
                format!("El puesto {seat} le roba {stolen} al puesto {from}."),
            )
        }
        EventView::SkeinReplaced { seat, octagon, from, to } => {
            let place = octagon_name(*octagon);
            let (from, to) = (from.name().get(lang), to.name().get(lang));
            lang.pick(
                format!("Seat {seat} replaces the {from} skein at {place} with a {to} one."),
                format!("El puesto {seat} reemplaza el ovillo {from} de {place} por uno {to}."),
            )
        }
        EventView::TileReplaced { seat, tile, from, to } => {
            let tile = tile_name(*tile);
            lang.pick(
                format!("Seat {seat} replaces tile {tile}, a {from}, with a {to}."),
                format!("El puesto {seat} reemplaza la casilla {tile}, un {from}, por un {to}."),
            )
        }
        EventView::TokensTaken { seat, tokens: taken } => {
            let taken = tokens(*taken);
            lang.pick(
                format!("Seat {seat} takes {taken} from the supply."),
                format!("El puesto {seat} toma {taken} de la reserva."),
            )
        }
        EventView::WagerRolled { seat, named, rolled, tokens: won } => {
            let (en, es) = match won {
                0 => ("wins nothing".to_owned(), "no gana nada".to_owned()),
                _ => (format!("wins {}", tokens(*won)), format!("gana {}", tokens(*won))),
            };
            lang.pick(
                format!("Seat {seat} names {named}, rolls {rolled} and {en}."),
                format!("El puesto {seat} dice {named}, saca {rolled} y {es}."),
            )
        }
        EventView::TaxPaid { seats } => {
            let list = lang.list(seats);
            match seats.len() {
                1 => lang.pick(
                    format!("Seat {list} pays a token in tax."),
                    format!("El puesto {list} paga un token de impuesto."),
                ),
                _ => lang.pick(
                    format!("Seats {list} pay a token each in tax."),
                    format!("Los puestos {list} pagan un token de impuesto cada uno."),
                ),
            }
        }
        EventView::DesignClaimed { seat, design, at, points: worth } => {
            let name = design.card().name(lang);
            let (place, worth) = (place(*at, lang), points(*worth, lang));
            lang.pick(
                format!("Seat {seat} claims “{name}”{place}: {worth}!"),
                format!("¡El puesto {seat} reclama «{name}»{place}: {worth}!"),
            )
        }
        EventView::GameEnded { winner } => lang.pick(
            format!("Seat {winner} has reached 8 points and wins!"),
            format!("¡El puesto {winner} llega a 8 puntos y gana!"),
        ),
    }
}

fn thrown(throws: &[Throw], lang: Lang) -> String {
    let throws: Vec<String> = throws
        .iter()
        .map(|Throw { seat, number }| {
            lang.pick(
                format!("seat {seat} throws a {number}"),
                format!("el puesto {seat} saca un {number}"),
            )
        })
        .collect();
    lang.list(&throws)
}

fn rolled(seat: Seat, roll: Roll, lang: Lang) -> String {
    let (number, face) = (roll.number, roll.face.name().get(lang));
    match roll.how {
        RollMethod::Rolled => lang.pick(
            format!("Seat {seat} rolls a {number} and {face}."),
            format!("El puesto {seat} saca un {number} y {face}."),
        ),
        RollMethod::Chosen => lang.pick(
            format!("Seat {seat} chooses {face} and rolls a {number}."),
            format!("El puesto {seat} elige {face} y saca un {number}."),
        ),
        RollMethod::Rerolled => lang.pick(
            format!("Seat {seat} rolls again: a {number} and {face}."),
            format!("El puesto {seat} vuelve a lanzar: un {number} y {face}."),
        ),
    }
}

fn income(paid: &[u8], lang: Lang) -> String {
    let paid: Vec<String> = paid
        .iter()
        .zip(0_u8..)
        .filter(|(tokens, _)| **tokens > 0)
        .map(|(paid, seat)| {
            let paid = tokens(*paid);
            lang.pick(format!("seat {seat} gets {paid}"), format!("el puesto {seat} recibe {paid}"))
        })
        .collect();
    if paid.is_empty() {
        return lang
            .pick("No piece is next to that colour.", "Ninguna ficha está junto a ese color.")
            .to_owned();
    }
    let list = lang.list(&paid);
    lang.pick(format!("Income: {list}."), format!("Ingresos: {list}."))
}

fn moved(seat: Seat, path: &[u8], tolls: &[Seat], gait: Gait, lang: Lang) -> String {
    let names: Vec<String> = path.iter().map(|tile| tile_name(*tile)).collect();
    let way = names.join(" → ");
    let toll = if tolls.is_empty() {
        String::new()
    } else {
        let owners: Vec<String> = tolls
            .iter()
            .map(|owner| lang.pick(format!("seat {owner}"), format!("al puesto {owner}")))
            .collect();
        let owners = lang.list(&owners);
        lang.pick(format!(" and pays a token to {owners}"), format!(" y paga un token {owners}"))
    };
    match gait {
        Gait::Walk => lang.pick(
            format!("Seat {seat} walks {way}{toll}."),
            format!("El puesto {seat} camina {way}{toll}."),
        ),
        Gait::Jump => lang.pick(
            format!("Seat {seat} jumps to tile {way}."),
            format!("El puesto {seat} salta a la casilla {way}."),
        ),
        Gait::Card => lang.pick(
            format!("Seat {seat} goes to tile {way}."),
            format!("El puesto {seat} va a la casilla {way}."),
        ),
    }
}

fn a_card(card: Option<ActionCard>, lang: Lang) -> String {
    match card.map(|card| card.name().get(lang)) {
        Some(name) => {
            lang.pick(format!("the action card {name}"), format!("la carta de acción {name}"))
        }
        None => lang.pick("an action card", "una carta de acción").to_owned(),
    }
}

fn a_design(design: Option<DesignId>, lang: Lang) -> String {
    match design.map(|design| design.card().name(lang)) {
        Some(name) => lang.pick(format!("the design “{name}”"), format!("el diseño «{name}»")),
        None => lang.pick("a design", "un diseño").to_owned(),
    }
}

fn drawn(seat: Seat, what: &str, means: Means, price: u8, lang: Lang) -> String {
    match means {
        Means::Bought => lang.pick(
            format!("Seat {seat} buys {what} for {price} tokens."),
            format!("El puesto {seat} compra {what} por {price} tokens."),
        ),
        Means::Free | Means::Card => lang
            .pick(format!("Seat {seat} draws {what}."), format!("El puesto {seat} roba {what}.")),
    }
}
