//! Qwinto: the dice on the table and every sheet.

use domain::{
    game::GameInfo,
    games::qwinto::{
        Answer, BOXES, Colour, Die, EndReason, MAX_FAILURES, PhaseView, SheetView, View, column_of,
        is_pentagon,
    },
    seat::{Seat, SeatSet},
    text::Lang,
};

use crate::{
    Style,
    frame::{
        Board, GAP, INNER, MARGIN, SeatHead, die, failure, seat_panel, size, tell_scores, tick,
        waits_for,
    },
    palette::{self, GOOD, INK, MUTED, NIGHT, PANEL, WHITE},
    svg::{Path, Svg, Tone, fill, font, seat_name, stroke},
};

const BONUS: Tone = tone("bonus", "#ffe9a8", "#6b5410");
const DIE: Tone = tone("die", "#d9d2c7", "#4a453f");

use crate::svg::tone;

const fn band(row: Colour) -> Tone {
    match row {
        Colour::Orange => tone("orange", "#f08c2e", "#c96a17"),
        Colour::Yellow => tone("yellow", "#f3c530", "#bd9416"),
        Colour::Purple => tone("purple", "#8a5bc9", "#7446b3"),
    }
}

/// Between columns.
const PITCH: f64 = 29.6;
/// Between rows.
const ROW: f64 = 32.0;
/// The height of a sheet.
const SHEET: f64 = 34.0 + 3.0 * ROW + 7.0;

pub fn draw(info: &GameInfo, view: &View, style: Style) -> String {
    let lang = style.lang;
    let waiting = waiting(view);
    let turn = view.turn;
    let progress = if turn == 0 {
        String::new()
    } else {
        lang.pick(format!("Turn {turn}"), format!("Turno {turn}"))
    };
    let mut board = Board::new(info, style, &progress, &status(view, waiting, lang));
    if let PhaseView::Rolled { dice, sum } | PhaseView::Writing { dice, sum, .. } = &view.phase {
        draw_dice(&mut board, view.active, dice, *sum);
    }
    let mut sheets: Vec<&SheetView> = view.sheets.iter().collect();
    // The viewer's own sheet comes first.
    sheets.sort_by_key(|sheet| Some(sheet.seat) != style.seat);
    for sheet in sheets {
        let name = seat_name(sheet.seat, lang);
        let top = board.y;
        board.svg.group(&name, |svg| draw_sheet(svg, style, view, sheet, top));
        board.y += SHEET + GAP;
    }
    let scores = view.sheets.iter().map(|sheet| (sheet.seat, sheet.score));
    board.say(tell_scores(scores, lang));
    board.finish()
}

fn waiting(view: &View) -> SeatSet {
    match &view.phase {
        PhaseView::Setup {} | PhaseView::Over { .. } => SeatSet::NONE,
        PhaseView::Rolling {} | PhaseView::Rolled { .. } => SeatSet::one(view.active),
        PhaseView::Writing { answered, .. } => {
            let seats = view.sheets.iter().map(|sheet| sheet.seat);
            seats.filter(|seat| !answered.contains(seat)).collect()
        }
    }
}

fn status(view: &View, waiting: SeatSet, lang: Lang) -> String {
    match &view.phase {
        PhaseView::Setup {} => {
            lang.pick("The match is being set up.", "Se prepara la partida.").to_owned()
        }
        PhaseView::Rolling {} => {
            waits_for(waiting, lang, ("chooses dice to roll", "elige qué dados lanzar"), ("", ""))
        }
        PhaseView::Rolled { .. } => waits_for(
            waiting,
            lang,
            ("keeps this roll or rolls again", "acepta el resultado o vuelve a lanzar"),
            ("", ""),
        ),
        PhaseView::Writing { .. } => waits_for(
            waiting,
            lang,
            ("writes the sum or passes", "anota la suma o pasa"),
            ("write the sum or pass", "anotan la suma o pasan"),
        ),
        PhaseView::Over { reason: EndReason::TwoRows } => {
            lang.pick("Over: two complete rows.", "Fin: dos filas completas.").to_owned()
        }
        PhaseView::Over { reason: EndReason::FourFailures } => {
            lang.pick("Over: four failures.", "Fin: cuatro fallos.").to_owned()
        }
    }
}

fn draw_dice(board: &mut Board, active: Seat, dice: &[Die], sum: u8) {
    let lang = board.lang();
    let (x, y) = board.panel(58.0);
    let svg = &mut board.svg;
    let rolled = lang.pick("rolled", "ha lanzado");
    crate::frame::badge(svg, (x + 20.0, y + 29.0), 11.0, active);
    svg.text((x + 38.0, y + 33.5), rolled, font(13.0, MUTED));
    let across = size(dice.len()) * 44.0;
    let mut left = x + (INNER - across) / 2.0 + 14.0;
    for one in dice {
        let pips = if one.colour == Colour::Yellow { NIGHT } else { WHITE };
        let body = fill(band(one.colour)).outlined(DIE, 1.0);
        die(svg, (left, y + 11.0, 36.0), one.face, body, pips);
        left += 44.0;
    }
    svg.text((x + INNER - 48.0, y + 38.0), &format!("= {sum}"), font(26.0, INK).bold().middle());
    board.say(lang.pick(format!("The dice show {sum}."), format!("Los dados suman {sum}.")));
}

fn row_of(sheet: &SheetView, row: Colour) -> &[Option<u8>; BOXES] {
    match row {
        Colour::Orange => &sheet.orange,
        Colour::Yellow => &sheet.yellow,
        Colour::Purple => &sheet.purple,
    }
}

/// Whether a column of three boxes is full, so that its pentagon counts.
fn is_full(sheet: &SheetView, column: u8) -> bool {
    let filled = |row: Colour| {
        (0..BOXES).any(|cell| column_of(row, cell) == column && row_of(sheet, row)[cell].is_some())
    };
    Colour::ALL.into_iter().all(filled)
}

fn draw_sheet(svg: &mut Svg, style: Style, view: &View, sheet: &SheetView, top: f64) {
    let seat = sheet.seat;
    let to_act = waiting(view).contains(seat);
    let head = SeatHead { seat, to_act, score: sheet.score };
    seat_panel(svg, style, (MARGIN, top, INNER, SHEET), head);
    let (mut answered, mut pending) = (false, None);
    if let PhaseView::Writing { answered: seats, my_answer, sum, .. } = &view.phase {
        answered = seats.contains(&seat);
        if let (Some(Answer::Write { row, cell }), true) = (my_answer, style.seat == Some(seat)) {
            pending = Some((*row, usize::from(*cell), *sum));
        }
    }
    if answered {
        tick(svg, (MARGIN + 118.0, top + 17.0), 11.0, GOOD);
    }
    for failures in 0..MAX_FAILURES {
        let left = MARGIN + INNER - 140.0 + f64::from(failures) * 20.0;
        failure(svg, (left, top + 9.0), 16.0, failures < sheet.failures);
    }
    for (row, down) in Colour::ALL.into_iter().zip([0.0, 1.0, 2.0]) {
        let y = top + 34.0 + ROW * (down + 0.5);
        let across = |cell| MARGIN + 10.0 + PITCH * (f64::from(column_of(row, cell)) + 0.5);
        let (first, last) = (across(0), across(BOXES - 1));
        // A row is one shape, thin where it has no box.
        let gap = (1..BOXES).find(|cell| column_of(row, *cell) > column_of(row, cell - 1) + 1);
        let (before, after) = gap.map_or((last, last), |cell| (across(cell - 1), across(cell)));
        for (from, to) in [(first, before), (after, last)] {
            svg.rect((from - 14.5, y - 15.0, to - from + 29.0, 30.0), 9.0, fill(band(row)));
        }
        svg.rect((before, y - 4.0, after - before, 8.0), 0.0, fill(band(row)));
        let boxes = row_of(sheet, row);
        let complete = boxes.iter().all(Option::is_some);
        for (cell, number) in boxes.iter().enumerate() {
            let pentagon = is_pentagon(row, cell);
            let counts = (pentagon && is_full(sheet, column_of(row, cell)))
                || (complete && cell == BOXES - 1);
            let at = (across(cell), y);
            draw_box(svg, at, pentagon, counts);
            if let Some(number) = number {
                // Two digits need room in a pentagon.
                let size = if pentagon && *number > 9 { 12.5 } else { 15.0 };
                let text = font(size, INK).bold().middle();
                svg.text((at.0, y + size * 0.36), &number.to_string(), text);
            }
            if let Some((_, _, sum)) = pending.filter(|(there, at, _)| (*there, *at) == (row, cell))
            {
                let tone = palette::seat(seat);
                svg.circle(at, 10.5, stroke(tone, 1.6).dashed(3.0));
                svg.text((at.0, y + 5.0), &sum.to_string(), font(13.0, tone).bold().middle());
            }
        }
    }
}

fn draw_box(svg: &mut Svg, (x, y): (f64, f64), pentagon: bool, counts: bool) {
    let paint = fill(if counts { BONUS } else { PANEL });
    if pentagon {
        svg.path(&Path::regular(5, (x, y + 1.0), 13.8, 0.0), paint.outlined(INK, 1.4).round());
    } else if counts {
        svg.circle((x, y), 12.2, paint.outlined(INK, 1.4));
    } else {
        svg.circle((x, y), 12.2, paint);
    }
}
