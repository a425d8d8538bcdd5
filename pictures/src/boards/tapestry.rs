//! Universal Tapestry: the growing square, the draw area, the deck, the hand and the discards.

use domain::{
    game::GameInfo,
    games::tapestry::{
        Back, Body, Card, Colour, EndReason, Mode, PhaseView, Rank, SIDE, TapestryView, View,
    },
    text::Lang,
};

use crate::{
    Style,
    frame::{Board, INNER, MARGIN, caption, flow, size},
    palette::{BAD, FAINT, INK, LINE, MUTED, NIGHT, WHITE},
    svg::{Path, Svg, Tone, fill, font, stroke, tone},
};

const fn hue(colour: Colour) -> Tone {
    match colour {
        Colour::Red => tone("red", "#d8433b", "#d8433b"),
        Colour::Orange => tone("orange", "#ee8a2b", "#e58226"),
        Colour::Yellow => tone("yellow", "#efc52f", "#e2b822"),
        Colour::Green => tone("green", "#46a35a", "#3f9a53"),
        Colour::Blue => tone("blue", "#3d7ddb", "#3d7ddb"),
        Colour::Purple => tone("purple", "#8b54c7", "#8b54c7"),
    }
}

/// The last row and column of the field.
const LAST: u8 = 11;

pub fn draw(info: &GameInfo, view: &View, style: Style) -> String {
    let lang = style.lang;
    let seconds = view.elapsed_ms / 1_000;
    let progress = match view.mode {
        Mode::Time => {
            format!("{}/64 · {}:{:02}", view.tapestry.filled, seconds / 60, seconds % 60)
        }
        Mode::Discards => format!("{}/64", view.tapestry.filled),
    };
    let mut board = Board::new(info, style, &progress, &status(view, lang));
    draw_tapestry(&mut board, &view.tapestry);
    draw_area(&mut board, view);
    let lost = view.loss_certain && view.tapestry.filled < SIDE * SIDE;
    let warning = lost.then(|| lang.pick("can no longer be completed", "ya no se puede completar"));
    draw_strip(&mut board, &discards(view, lang), warning, &view.discards.cards);
    if let Some(deck) = view.deck.cards.as_deref().filter(|deck| !deck.is_empty()) {
        let title = lang.pick("The deck, from the top", "El mazo, desde arriba");
        draw_strip(&mut board, title, None, deck);
    }
    let filled = view.tapestry.filled;
    board.say(lang.pick(
        format!("The tapestry has {filled} of 64 cards."),
        format!("El tapiz tiene {filled} de 64 cartas."),
    ));
    board.finish()
}

fn status(view: &View, lang: Lang) -> String {
    match &view.phase {
        PhaseView::Setup {} => {
            lang.pick("The match is being set up.", "Se prepara la partida.").to_owned()
        }
        PhaseView::Drawing {} => lang
            .pick("Draw a card from the draw area.", "Roba una carta de la zona de robo.")
            .to_owned(),
        PhaseView::Holding { card, .. } => {
            let name = card.name(lang);
            lang.pick(format!("In hand: {name}."), format!("En la mano: {name}."))
        }
        PhaseView::Over { reason: EndReason::Completed, rank } => {
            let rank = rank.map(|rank| format!(" ({})", rank_name(rank, lang))).unwrap_or_default();
            lang.pick(format!("Complete{rank}."), format!("Completo{rank}."))
        }
        PhaseView::Over { reason: EndReason::CardsExhausted, .. } => {
            lang.pick("Lost: no cards are left.", "Partida perdida: no quedan cartas.").to_owned()
        }
    }
}

fn rank_name(rank: Rank, lang: Lang) -> &'static str {
    match rank {
        Rank::Cthulhu => "Cthulhu",
        Rank::Legendary => lang.pick("legendary", "legendario"),
        Rank::Advanced => lang.pick("advanced", "avanzado"),
        Rank::Normal => "normal",
        Rank::Novice => lang.pick("novice", "novato"),
    }
}

fn discards(view: &View, lang: Lang) -> String {
    let count = view.discards.cards.len();
    let text = lang.pick(format!("Discards: {count}"), format!("Descartes: {count}"));
    match view.discards.points {
        Some(points) if view.mode == Mode::Discards => {
            lang.pick(format!("{text} · {points} points"), format!("{text} · {points} puntos"))
        }
        _ => {
            let spare = view.discards.spare;
            lang.pick(format!("{text} · {spare} to spare"), format!("{text} · margen de {spare}"))
        }
    }
}

/// The part of the field that the square can still reach, with the names of rows and columns.
fn draw_tapestry(board: &mut Board, tapestry: &TapestryView) {
    let reach = |low: u8, high: u8| (high.saturating_sub(SIDE - 1), (low + SIDE - 1).min(LAST));
    let (top, bottom) = reach(tapestry.top, tapestry.bottom);
    let (left, right) = reach(tapestry.left, tapestry.right);
    let columns = right.saturating_sub(left) + 1;
    let names = 17.0;
    let pitch = (INNER - names) / f64::from(columns);
    let (x, y) = (MARGIN + names, board.y + names);
    let svg = &mut board.svg;
    for column in left..=right {
        let letter = char::from(b'A' + column).to_string();
        let at = x + pitch * (f64::from(column - left) + 0.5);
        svg.text((at, y - 5.0), &letter, font(11.0, MUTED).middle());
    }
    for row in top..=bottom {
        let at = y + pitch * (f64::from(row - top) + 0.5);
        svg.text((x - 4.0, at + 4.0), &(row + 1).to_string(), font(11.0, MUTED).end());
        for column in left..=right {
            let corner = (x + pitch * f64::from(column - left), at - pitch / 2.0);
            let cell = (corner.0 + 1.0, corner.1 + 1.0, pitch - 2.0, pitch - 2.0);
            let laid = tapestry.cards.iter().find(|laid| (laid.row, laid.column) == (row, column));
            match laid {
                Some(laid) => draw_card(svg, (cell.0, cell.1), cell.2, laid.card),
                None => svg.rect(cell, 4.0, fill(FAINT)),
            }
        }
    }
    // The current span of the tapestry, which may grow to eight rows and columns.
    let span = (
        x + pitch * f64::from(tapestry.left.saturating_sub(left)) - 1.0,
        y + pitch * f64::from(tapestry.top.saturating_sub(top)) - 1.0,
        pitch * f64::from(tapestry.right.saturating_sub(tapestry.left) + 1) + 2.0,
        pitch * f64::from(tapestry.bottom.saturating_sub(tapestry.top) + 1) + 2.0,
    );
    if tapestry.rows_left + tapestry.columns_left > 0 {
        svg.rect(span, 5.0, stroke(MUTED, 1.5).dashed(4.0));
    }
    board.y = y + pitch * f64::from(bottom - top + 1) + 10.0;
}

/// The eight slots, the deck, and the card in hand.
fn draw_area(board: &mut Board, view: &View) {
    let lang = board.lang();
    let (x, y) = board.panel(88.0);
    let svg = &mut board.svg;
    caption(svg, (x + 10.0, y + 18.0), lang.pick("Draw area", "Zona de robo"));
    let from = match view.phase {
        PhaseView::Holding { slot, .. } => Some(usize::from(slot)),
        _ => None,
    };
    for (slot, card) in view.draw_area.iter().enumerate() {
        let left = x + 10.0 + 31.0 * size(slot);
        let place = (left, y + 26.0, 27.0, 36.0);
        if let Some(card) = card {
            draw_back(svg, place, card);
        } else {
            let line = if from == Some(slot) { INK } else { LINE };
            svg.rect(place, 4.0, fill(FAINT).outlined(line, 1.2).dashed(3.0));
        }
        svg.text((left + 13.5, y + 77.0), &slot.to_string(), font(11.0, MUTED).middle());
    }
    let deck = x + 272.0;
    caption(svg, (deck, y + 18.0), lang.pick("Deck", "Mazo"));
    match view.deck.top {
        Some(colour) => {
            for shift in [4.0, 2.0] {
                let under = (deck + shift, y + 26.0 + shift, 27.0, 36.0);
                svg.rect(under, 4.0, fill(FAINT).outlined(LINE, 1.0));
            }
            draw_back(svg, (deck, y + 26.0, 27.0, 36.0), &Back { colour, body: None });
        }
        None => {
            svg.rect(
                (deck, y + 26.0, 27.0, 36.0),
                4.0,
                fill(FAINT).outlined(LINE, 1.0).dashed(3.0),
            );
        }
    }
    svg.text(
        (deck + 13.5, y + 79.0),
        &view.deck.count.to_string(),
        font(11.0, INK).bold().middle(),
    );
    let hand = x + INNER - 58.0;
    caption(svg, (hand, y + 18.0), lang.pick("Hand", "Mano"));
    match view.phase {
        PhaseView::Holding { card, .. } => draw_card(svg, (hand, y + 26.0), 48.0, card),
        _ => {
            svg.rect(
                (hand, y + 26.0, 48.0, 48.0),
                6.0,
                fill(FAINT).outlined(LINE, 1.0).dashed(3.0),
            );
        }
    }
}

/// Small cards in rows under a title.
fn draw_strip(board: &mut Board, title: &str, warning: Option<&str>, cards: &[Card]) {
    let (places, height) = flow(cards.len(), 17, (21.0, 21.0));
    let (x, y) = board.panel(28.0 + height.max(4.0));
    let svg = &mut board.svg;
    caption(svg, (x + 10.0, y + 18.0), title);
    if let Some(warning) = warning {
        svg.text((x + INNER - 10.0, y + 18.0), warning, font(11.0, BAD).bold().end());
    }
    for (card, (right, down)) in cards.iter().zip(places) {
        draw_card(svg, (x + 10.0 + right, y + 25.0 + down), 19.0, *card);
    }
}

/// A card seen from the front: its colour, and its body in a piece of night sky.
fn draw_card(svg: &mut Svg, (x, y): (f64, f64), side: f64, card: Card) {
    svg.rect((x, y, side, side), side * 0.14, fill(hue(card.colour)));
    let middle = (x + side / 2.0, y + side / 2.0);
    svg.circle(middle, side * 0.36, fill(NIGHT));
    draw_body(svg, middle, side * 0.27, card.body);
}

/// The back of a card, which shows only its colour; the archive also knows its body.
fn draw_back(svg: &mut Svg, (x, y, width, height): (f64, f64, f64, f64), card: &Back) {
    svg.rect((x, y, width, height), 4.0, fill(hue(card.colour)));
    let inner = (x + 3.0, y + 3.0, width - 6.0, height - 6.0);
    svg.rect(inner, 2.5, stroke(WHITE, 1.0).faded(0.7));
    let middle = (x + width / 2.0, y + height / 2.0);
    match card.body {
        Some(body) => {
            svg.circle(middle, 9.0, fill(NIGHT));
            draw_body(svg, middle, 6.8, body);
        }
        None => svg.text((middle.0, middle.1 + 5.0), "?", font(14.0, WHITE).bold().middle()),
    }
}

fn draw_body(svg: &mut Svg, (x, y): (f64, f64), radius: f64, body: Body) {
    let at = |right: f64, down: f64| (x + radius * right, y + radius * down);
    match body {
        Body::Asteroid => {
            let rim = [
                (-0.85, -0.2),
                (-0.4, -0.85),
                (0.35, -0.8),
                (0.9, -0.3),
                (0.75, 0.5),
                (0.1, 0.9),
                (-0.65, 0.65),
            ];
            svg.path(&Path::polygon(rim.map(|(right, down)| at(right, down))), fill(WHITE));
            svg.circle(at(-0.25, -0.2), radius * 0.22, fill(NIGHT));
            svg.circle(at(0.35, 0.25), radius * 0.16, fill(NIGHT));
        }
        Body::Comet => {
            let head = at(-0.35, 0.35);
            let tail = Path::from(at(-0.75, 0.0).0, at(-0.75, 0.0).1)
                .to(at(1.0, -1.0).0, at(1.0, -1.0).1)
                .to(at(0.0, 0.75).0, at(0.0, 0.75).1)
                .close();
            svg.path(&tail, fill(WHITE).faded(0.55));
            svg.circle(head, radius * 0.55, fill(WHITE));
        }
        Body::Nebula => {
            // A cloud with a few stars in it.
            for (right, down, puff) in [(-0.45, 0.2, 0.5), (0.4, 0.35, 0.46), (0.05, -0.25, 0.58)] {
                svg.circle(at(right, down), radius * puff, fill(WHITE).faded(0.6));
            }
            for (right, down, reach) in [(0.1, 0.1, 0.42), (0.85, -0.6, 0.3), (-0.8, -0.6, 0.24)] {
                let (x, y) = at(right, down);
                svg.path(
                    &sparkle((x, y), radius * reach),
                    fill(if reach > 0.4 { NIGHT } else { WHITE }),
                );
            }
        }
    }
}

/// A star with four points.
fn sparkle((x, y): (f64, f64), reach: f64) -> Path {
    let near = reach * 0.28;
    let points = [(0.0, -reach), (near, -near), (reach, 0.0), (near, near), (0.0, reach)];
    let left = [(-near, near), (-reach, 0.0), (-near, -near)];
    Path::polygon(points.into_iter().chain(left).map(|(right, down)| (x + right, y + down)))
}
