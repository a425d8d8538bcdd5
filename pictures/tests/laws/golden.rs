//! Golden pictures: the start, the middle and the end of one match per game.
//!
//! After an intended change, rewrite them with `TELAR_BLESS=1 cargo test -p pictures` and look at them.

use std::{fs, path::PathBuf};

use domain::{
    games,
    seat::{Seat, Viewer},
    text::Lang,
};
use pictures::{Style, Theme, board, waiting};

use crate::table::Table;

/// Compares a picture with its golden file, or writes it.
pub fn check(name: &str, svg: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let file = folder.join(format!("{name}.svg"));
    if std::env::var_os("TELAR_BLESS").is_some() {
        fs::write(&file, svg).unwrap();
    }
    let golden = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        svg == golden,
        "{} changed: bless it with TELAR_BLESS=1 and look at it",
        file.display()
    );
}

#[test]
fn boards_look_as_they_did() {
    for game in games::all() {
        let info = game.info();
        let seats = info.max_seats.min(3);
        let mut length = 0;
        Table::open(game, seats, None, 2026).play_out(|_| length += 1);
        let draw = |table: &Table, viewer: Viewer, moment: &str, theme: Theme, lang: Lang| {
            let seat = match viewer {
                Viewer::Seat(seat) => Some(seat),
                Viewer::Spectator | Viewer::Archive => None,
            };
            let view = table.state().view(viewer);
            let svg = board(info.key, &view, Style { theme, lang, seat }).unwrap();
            check(&format!("{}-{moment}-{}", info.key, theme.id()), &svg);
        };
        let mut table = Table::open(game, seats, None, 2026);
        draw(&table, Viewer::Spectator, "start", Theme::Light, Lang::En);
        for _ in 0..length / 2 {
            table.step();
        }
        let someone = Viewer::Seat(Seat::new(seats - 1).unwrap());
        draw(&table, someone, "middle", Theme::Dark, Lang::Es);
        draw(&table, someone, "middle", Theme::Light, Lang::En);
        table.play_out(|_| {});
        draw(&table, Viewer::Archive, "end", Theme::Auto, Lang::Es);
    }
}

#[test]
fn a_table_that_waits_looks_as_it_did() {
    let game = games::find("ettana").unwrap().info();
    let style = Style { theme: Theme::Light, lang: Lang::Es, seat: Some(Seat::FIRST) };
    check("waiting-light", &waiting(game, &[true, false, true, false], style));
}
