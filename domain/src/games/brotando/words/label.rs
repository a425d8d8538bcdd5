//! Moves in words.

use super::{
    super::{
        components::{LineInfo, Lines, Sun},
        moves::{Move, WindPlay},
        sprout::Segment,
        state::{Phase, State},
        view::CardView,
    },
    card, lines, place, places, segments,
};
use crate::{seat::Seat, text::Lang};

pub(super) fn label(state: &State, seat: Seat, mv: &Move, lang: Lang) -> String {
    match mv {
        Move::Drop { segment } => {
            let place = place(*segment, lang);
            lang.pick(
                format!("Drop the segment on {place}"),
                format!("Descarta el segmento de {place}"),
            )
        }
        Move::Select { card } => {
            let face = centre(state, *card, lang);
            lang.pick(
                format!("Put seat {card}'s card up for auction: {face}"),
                format!("Saca a subasta la carta del puesto {card}: {face}"),
            )
        }
        Move::Bid { amount } => lang.pick(format!("Bid {amount}"), format!("Puja {amount}")),
        Move::Leave {} => lang.pick("Leave the auction", "Abandona la subasta").to_owned(),
        Move::Keep {} => {
            let Phase::Deciding { highest, .. } = state.phase else {
                return lang.pick("Keep the card", "Quédate la carta").to_owned();
            };
            let (price, bidder) = (segments(highest.half(), lang), highest.seat);
            lang.pick(
                format!("Keep the card and pay {price} to seat {bidder}"),
                format!("Quédate la carta y paga {price} al puesto {bidder}"),
            )
        }
        Move::Sell {} => {
            let Phase::Deciding { highest, .. } = state.phase else {
                return lang.pick("Sell the card", "Vende la carta").to_owned();
            };
            let (price, bidder) = (segments(highest.amount, lang), highest.seat);
            lang.pick(
                format!("Sell the card to seat {bidder} for {price}"),
                format!("Vende la carta al puesto {bidder} por {price}"),
            )
        }
        Move::Grow { segments } => growth(state, seat, segments.segments(), lang),
        Move::Skip {} => lang
            .pick(
                "Place nothing: your sprout cannot grow",
                "No coloques nada: tu brote no puede crecer",
            )
            .to_owned(),
        Move::PlayWind { wind } => wind_play(state, *wind, lang),
        Move::Arrange { order } => {
            let deck = &state.plot(seat).deck;
            let cards: Vec<String> = order
                .iter()
                .map(|from| {
                    let face = CardView::open(deck[usize::from(from.0)]);
                    format!("({}) {}", from.0, card(&face, lang))
                })
                .collect();
            let cards = lang.list(&cards);
            lang.pick(
                format!("Put back, from the top: {cards}"),
                format!("Devuelve, desde arriba: {cards}"),
            )
        }
    }
}

/// Where the sprout grows, which suns it covers and which lines it crosses.
fn growth(state: &State, seat: Seat, segments: &[Segment], lang: Lang) -> String {
    let squares = Segment::all_squares(segments);
    let crossed = Lines::crossed_by(squares).without(state.plot(seat).crossed);
    let mut text = format!("{} {}", lang.pick("Grow on", "Crece por"), places(segments, lang));
    let suns: Vec<String> = Sun::ALL
        .into_iter()
        .map(|sun| (sun, (squares & sun.squares()).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(sun, count)| self::suns(sun, count, lang))
        .collect();
    if !suns.is_empty() {
        text = format!("{text}; {} {}", lang.pick("cover", "cubre"), lang.list(&suns));
    }
    let crossed: Vec<LineInfo> = crossed.infos().collect();
    if !crossed.is_empty() {
        text = format!("{text}; {} {}", lang.pick("cross", "cruza"), lines(&crossed, lang));
    }
    text
}

fn wind_play(state: &State, play: WindPlay, lang: Lang) -> String {
    let wind = play.wind().name().get(lang);
    let text = lang.pick(format!("Play the wind “{wind}”"), format!("Juega el viento «{wind}»"));
    match play {
        WindPlay::TakeSix {} | WindPlay::ReorderDeck {} | WindPlay::BalanceFour {} => text,
        WindPlay::TakeCard { card } => {
            let face = centre(state, card, lang);
            lang.pick(
                format!("{text} for seat {card}'s card: {face}"),
                format!("{text} para la carta del puesto {card}: {face}"),
            )
        }
    }
}

/// A card of the centre as everybody sees it.
fn centre(state: &State, place: u8, lang: Lang) -> String {
    card(&CardView::closed(state.figure(place)), lang)
}

/// `1 red sun`, `2 red suns`.
fn suns(sun: Sun, count: u16, lang: Lang) -> String {
    let (one, several) = match sun {
        Sun::Yellow => (("yellow sun", "sol amarillo"), ("yellow suns", "soles amarillos")),
        Sun::Red => (("red sun", "sol rojo"), ("red suns", "soles rojos")),
        Sun::Orange => (("orange sun", "sol naranja"), ("orange suns", "soles naranjas")),
    };
    let (en, es) = if count == 1 { one } else { several };
    format!("{count} {}", lang.pick(en, es))
}
