//! Moves and events in words, and the phrases that both use.

use super::{
    Brotando,
    cards::Back,
    components::{LineColour, LineInfo},
    event_view::EventView,
    moves::Move,
    sprout::{Direction, Segment},
    state::State,
    view::CardView,
};
use crate::{game::Words, seat::Seat, text::Lang};

mod label;
mod tell;

impl Words for Brotando {
    fn label(state: &State, seat: Seat, mv: &Move, lang: Lang) -> String {
        label::label(state, seat, mv, lang)
    }

    fn tell(event: &EventView, lang: Lang) -> String {
        tell::tell(event, lang)
    }
}

/// A card as its viewer sees it.
fn card(card: &CardView, lang: Lang) -> String {
    match card {
        // Full stops would be hard to see at the end of a sentence.
        CardView::Growth { figure } => figure.join("/").replace('#', "■").replace('.', "·"),
        CardView::Wind { wind: Some(wind) } => {
            let wind = wind.name().get(lang);
            lang.pick(format!("the wind “{wind}”"), format!("el viento «{wind}»"))
        }
        CardView::Wind { wind: None } => lang.pick("a wind card", "una carta de viento").to_owned(),
    }
}

/// The back of a card.
fn back(back: Back, lang: Lang) -> &'static str {
    match back {
        Back::Growth => lang.pick("a growth card", "una carta de crecimiento"),
        Back::Wind => lang.pick("a wind card", "una carta de viento"),
    }
}

/// The squares of a segment.
fn place(segment: Segment, lang: Lang) -> String {
    let Segment { column, row, direction } = segment;
    match direction {
        Direction::Right => {
            let next = column.saturating_add(1);
            lang.pick(
                format!("columns {column}–{next} of row {row}"),
                format!("las columnas {column}–{next} de la fila {row}"),
            )
        }
        Direction::Down => {
            let next = row.saturating_add(1);
            lang.pick(
                format!("rows {row}–{next} of column {column}"),
                format!("las filas {row}–{next} de la columna {column}"),
            )
        }
    }
}

/// The squares of several segments.
fn places(segments: &[Segment], lang: Lang) -> String {
    lang.list(&segments.iter().map(|segment| place(*segment, lang)).collect::<Vec<_>>())
}

/// `1 segment`, `2 segments`.
fn segments(count: u16, lang: Lang) -> String {
    match count {
        1 => lang.pick("1 segment", "1 segmento").to_owned(),
        _ => format!("{count} {}", lang.pick("segments", "segmentos")),
    }
}

/// Lines by colour: `1 purple line and 2 blue lines`.
fn lines(lines: &[LineInfo], lang: Lang) -> String {
    let counted: Vec<String> = [LineColour::Purple, LineColour::Blue]
        .into_iter()
        .map(|colour| (colour, lines.iter().filter(|line| line.colour == colour).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(colour, count)| {
            let (one, several) = match colour {
                LineColour::Purple => {
                    (("purple line", "línea morada"), ("purple lines", "líneas moradas"))
                }
                LineColour::Blue => (("blue line", "línea azul"), ("blue lines", "líneas azules")),
            };
            let (en, es) = if count == 1 { one } else { several };
            format!("{count} {}", lang.pick(en, es))
        })
        .collect();
    lang.list(&counted)
}
