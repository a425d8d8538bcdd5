//! Events in words.

use super::{
    super::{
        event_view::EventView,
        events::{Deal, Reward},
        sprout::Balance,
        view::CardView,
    },
    back, card, lines, place, places, segments,
};
use crate::{seat::Seat, text::Lang};

#[expect(clippy::too_many_lines, reason = "a table, one entry per event")]
pub(super) fn tell(event: &EventView, lang: Lang) -> String {
    match event {
        EventView::DecksDealt { cards, .. } => lang.pick(
            format!("Every seat is dealt a face-down deck of {cards} cards."),
            format!("Cada jugador recibe un mazo de {cards} cartas boca abajo."),
        ),
        EventView::FirstSeatDrawn { seat } => {
            lang.pick(format!("Seat {seat} begins."), format!("Empieza el puesto {seat}."))
        }
        EventView::DayBegan { day, first, cards } => dawn(*day, *first, cards, lang),
        EventView::BalancePassed { seat, balance } => {
            let spread = spread(*balance, lang);
            lang.pick(
                format!("Seat {seat}'s sprout stands firm in the wind: {spread}."),
                format!("El brote del puesto {seat} resiste el viento: {spread}."),
            )
        }
        EventView::BalanceFailed { seat, balance, lost, paid } => {
            shaken(*seat, *balance, *lost, *paid, lang)
        }
        EventView::SegmentDropped { seat, segment } => {
            let place = place(*segment, lang);
            lang.pick(
                format!("Seat {seat} drops the segment on {place}."),
                format!("El puesto {seat} descarta el segmento de {place}."),
            )
        }
        EventView::DebtPaid { seat, paid } => {
            let paid = segments(*paid, lang);
            lang.pick(
                format!("Seat {seat} pays {paid} for its failed test."),
                format!("El puesto {seat} paga {paid} por la prueba no superada."),
            )
        }
        EventView::SelectionOpened { seat } => lang.pick(
            format!("It is seat {seat}'s turn to select a card."),
            format!("Le toca elegir carta al puesto {seat}."),
        ),
        EventView::CardSelected { seat, face, .. } => {
            let face = card(face, lang);
            lang.pick(
                format!("Seat {seat} puts {face} up for auction."),
                format!("El puesto {seat} saca a subasta {face}."),
            )
        }
        EventView::BidMade { seat, amount } => lang.pick(
            format!("Seat {seat} bids {amount}."),
            format!("El puesto {seat} puja {amount}."),
        ),
        EventView::BidderLeft { seat } => lang.pick(
            format!("Seat {seat} leaves the auction."),
            format!("El puesto {seat} abandona la subasta."),
        ),
        EventView::BiddingClosed { highest } => lang.pick(
            format!("Seat {} has the highest bid: {}.", highest.seat, highest.amount),
            format!("La puja más alta es la del puesto {}: {}.", highest.seat, highest.amount),
        ),
        EventView::CardObtained { seat, face, deal, .. } => obtained(*seat, face, *deal, lang),
        EventView::GrowthOpened {} => lang.pick("Time to grow.", "Es hora de crecer.").to_owned(),
        EventView::SproutGrown { seat, segments, crossed } => {
            let places = places(segments, lang);
            let grown = lang.pick(
                format!("Seat {seat}'s sprout grows on {places}"),
                format!("El brote del puesto {seat} crece por {places}"),
            );
            let lines = lines(crossed, lang);
            match crossed.len() {
                0 => format!("{grown}."),
                _ => lang.pick(
                    format!("{grown}, crossing {lines}."),
                    format!("{grown} y cruza {lines}."),
                ),
            }
        }
        EventView::GrowthSkipped { seat } => lang.pick(
            format!("Seat {seat}'s sprout cannot grow today."),
            format!("El brote del puesto {seat} no puede crecer hoy."),
        ),
        EventView::RewardsPaid { rewards } => sunshine(rewards, lang),
        EventView::WindPlayed { seat, wind, gained } => {
            let name = wind.name().get(lang);
            let played = lang.pick(
                format!("Seat {seat} plays the wind “{name}”"),
                format!("El puesto {seat} juega el viento «{name}»"),
            );
            let taken = segments(*gained, lang);
            match gained {
                0 => format!("{played}."),
                _ => lang.pick(
                    format!("{played} and takes {taken}."),
                    format!("{played} y toma {taken}."),
                ),
            }
        }
        EventView::DeckPeeked { seat, count, cards } => {
            peeked(*seat, *count, cards.as_deref(), lang)
        }
        EventView::DeckArranged { seat, top, .. } => {
            let top = back(*top, lang);
            lang.pick(
                format!("Seat {seat} rearranges its deck; {top} is now on top."),
                format!("El puesto {seat} reordena su mazo; encima queda {top}."),
            )
        }
        EventView::GameEnded { hands } => {
            let left: usize = hands.iter().map(Vec::len).sum();
            match left {
                0 => lang.pick(
                    "The two weeks are over, and every wind has blown.".to_owned(),
                    "Terminan las dos semanas y ya han soplado todos los vientos.".to_owned(),
                ),
                _ => lang.pick(
                    format!("The two weeks are over. Wind cards still in hand: {left}."),
                    format!("Terminan las dos semanas. Cartas de viento aún en mano: {left}."),
                ),
            }
        }
    }
}

fn dawn(day: u8, first: Seat, cards: &[CardView], lang: Lang) -> String {
    let cards: Vec<String> = (0_u8..)
        .zip(cards)
        .map(|(seat, face)| {
            let face = card(face, lang);
            lang.pick(format!("seat {seat}, {face}"), format!("puesto {seat}, {face}"))
        })
        .collect();
    let cards = cards.join("; ");
    lang.pick(
        format!("Day {day} dawns, and seat {first} goes first. Revealed: {cards}."),
        format!("Amanece el día {day} y el puesto {first} va primero. Se revelan: {cards}."),
    )
}

fn spread(balance: Balance, lang: Lang) -> String {
    let Balance { left, right, centre } = balance;
    lang.pick(
        format!("{left} left, {right} right, {centre} in the centre"),
        format!("{left} a la izquierda, {right} a la derecha, {centre} en el centro"),
    )
}

fn shaken(seat: Seat, balance: Balance, lost: u16, paid: u16, lang: Lang) -> String {
    let spread = spread(balance, lang);
    let shaken = lang.pick(
        format!("The wind shakes seat {seat}'s sprout: {spread}."),
        format!("El viento sacude el brote del puesto {seat}: {spread}."),
    );
    let cost = segments(lost, lang);
    let price = match lost {
        0 => lang.pick("It costs nothing.", "No le cuesta nada.").to_owned(),
        _ if lost == paid => lang.pick(format!("It costs {cost}."), format!("Le cuesta {cost}.")),
        _ => lang.pick(
            format!("It costs {cost}; the reserve pays {paid}."),
            format!("Le cuesta {cost}; la reserva paga {paid}."),
        ),
    };
    format!("{shaken} {price}")
}

fn obtained(seat: Seat, face: &CardView, deal: Deal, lang: Lang) -> String {
    let face = card(face, lang);
    match deal {
        Deal::Unbid {} => lang.pick(
            format!("Nobody bids: seat {seat} takes {face} for free."),
            format!("Nadie puja: el puesto {seat} se lleva gratis {face}."),
        ),
        Deal::Kept { bidder, paid } => {
            let paid = segments(paid, lang);
            lang.pick(
                format!("Seat {seat} keeps {face} and pays {paid} to seat {bidder}."),
                format!("El puesto {seat} se queda {face} y paga {paid} al puesto {bidder}."),
            )
        }
        Deal::Bought { seller, price } => {
            let price = segments(price, lang);
            lang.pick(
                format!("Seat {seat} buys {face} from seat {seller} for {price}."),
                format!("El puesto {seat} compra {face} al puesto {seller} por {price}."),
            )
        }
        Deal::Last {} => lang.pick(
            format!("The last card of the day goes to seat {seat}: {face}."),
            format!("La última carta del día es para el puesto {seat}: {face}."),
        ),
        Deal::ByWind {} => lang.pick(
            format!("Seat {seat} takes {face} without an auction."),
            format!("El puesto {seat} se lleva {face} sin puja."),
        ),
    }
}

fn sunshine(rewards: &[Reward], lang: Lang) -> String {
    let paid: Vec<String> = (0_u8..)
        .zip(rewards)
        .filter(|(_, reward)| reward.total() > 0)
        .map(|(seat, reward)| {
            let paid = segments(reward.total(), lang);
            lang.pick(format!("{paid} to seat {seat}"), format!("{paid} al puesto {seat}"))
        })
        .collect();
    let list = lang.list(&paid);
    match paid.len() {
        0 => lang.pick("The suns pay nobody today.", "Hoy los soles no pagan a nadie.").to_owned(),
        _ => lang.pick(format!("The suns pay {list}."), format!("Los soles pagan {list}.")),
    }
}

fn peeked(seat: Seat, count: u8, cards: Option<&[CardView]>, lang: Lang) -> String {
    let looked = match count {
        1 => lang.pick(
            format!("Seat {seat} looks at the last card of its deck"),
            format!("El puesto {seat} mira la última carta de su mazo"),
        ),
        _ => lang.pick(
            format!("Seat {seat} looks at the next {count} cards of its deck"),
            format!("El puesto {seat} mira las próximas {count} cartas de su mazo"),
        ),
    };
    match cards {
        None => format!("{looked}."),
        Some(cards) => {
            let cards: Vec<String> = cards.iter().map(|face| card(face, lang)).collect();
            format!("{looked}: {}.", lang.list(&cards))
        }
    }
}
