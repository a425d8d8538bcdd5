//! A match waiting for players, of any game.

use domain::{game::GameInfo, seat::Seat};

use crate::{
    Style,
    frame::{Board, badge, tick},
    palette::{FAINT, GOOD, INK, LINE, MUTED},
    svg::{fill, font, seat_name},
};

/// A match that has not started: which seats are taken.
#[must_use]
pub fn waiting(game: &GameInfo, taken: &[bool], style: Style) -> String {
    let lang = style.lang;
    let here = taken.iter().filter(|taken| **taken).count();
    let progress = format!("{here}/{}", taken.len());
    let status = if here == 0 {
        lang.pick("No seats are taken yet.", "Aún no hay nadie en la mesa.")
    } else {
        lang.pick("Waiting for players.", "Esperando jugadores.")
    };
    let mut board = Board::new(game, style, &progress, status);
    for (seat, taken) in Seat::all(Seat::MAX).zip(taken) {
        let (x, y) = board.panel(44.0);
        let svg = &mut board.svg;
        let name = seat_name(seat, lang);
        let state = match (*taken, style.seat == Some(seat)) {
            (true, true) => lang.pick("you", "tú"),
            (true, false) => lang.pick("taken", "ocupado"),
            (false, _) => lang.pick("free", "libre"),
        };
        if *taken {
            badge(svg, (x + 22.0, y + 22.0), 12.0, seat);
            tick(svg, (x + 350.0, y + 22.0), 11.0, GOOD);
            svg.text((x + 336.0, y + 26.5), state, font(13.0, MUTED).end());
        } else {
            svg.circle((x + 22.0, y + 22.0), 12.0, fill(FAINT).outlined(LINE, 1.5).dashed(3.0));
            let number = seat.to_string();
            svg.text((x + 22.0, y + 26.5), &number, font(13.0, MUTED).bold().middle());
            svg.text((x + 356.0, y + 26.5), state, font(13.0, MUTED).end());
        }
        svg.text((x + 44.0, y + 26.5), &name, font(14.0, INK).bold());
        board.say(format!("{name}: {state}."));
    }
    board.finish()
}
