//! Every view can be drawn, as well-formed XML, and a picture shows no more than its viewer may know.

use domain::{erased::GameEvent, games, matches::Event, seat::Viewer, text::Lang};
use pictures::{Style, Theme, board};
use serde_json::value::RawValue;

use crate::table::{Table, luck, tables};

/// The largest size of a picture, in bytes.
const HEAVIEST: usize = 100 * 1024;

fn style(viewer: Viewer, theme: Theme, lang: Lang) -> Style {
    let seat = match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator | Viewer::Archive => None,
    };
    Style { theme, lang, seat }
}

/// A view as a picture, checked for soundness.
fn drawn(game: &str, view: &RawValue, style: Style) -> String {
    let svg = board(game, view, style).unwrap_or_else(|| {
        panic!(
            "{game} has no picture: it needs a file in pictures/src/boards and a line in its mod.rs; or else this view of \
             it cannot be read back: {view}"
        )
    });
    check_soundness(game, &svg);
    svg
}

/// What can be checked automatically: well-formed, readable, self-contained, and not too large.
pub fn check_soundness(what: &str, svg: &str) {
    let document =
        roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{what}: {error}\n{svg}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    assert!(root.attribute("viewBox").is_some_and(|edges| edges.starts_with("0 0 400 ")));
    let text = |name: &str| {
        let found = root.children().find(|child| child.tag_name().name() == name);
        found.and_then(|child| child.text()).unwrap_or_default().to_owned()
    };
    assert!(!text("title").is_empty() && text("desc").len() > 10, "{what}: {}", text("desc"));
    for node in document.descendants() {
        let name = node.tag_name().name();
        assert!(!matches!(name, "script" | "image" | "foreignObject" | "a" | "use"), "{name}");
        for attribute in node.attributes() {
            let value = attribute.value();
            assert!(!value.contains("NaN") && !value.contains("inf"), "{what}: {value}");
        }
        if let Some(size) = node.attribute("font-size") {
            assert!(size.parse::<f64>().unwrap() >= 9.0, "{what}: text of {size} cannot be read");
        }
    }
    assert!(!svg.contains("url(") && !svg.contains("@import"), "{what} loads something");
    assert!(svg.len() < HEAVIEST, "{what}: {} bytes", svg.len());
}

#[test]
fn every_view_of_every_game_can_be_drawn() {
    for game in games::all() {
        let key = game.info().key;
        for (seats, options) in tables(game) {
            let mut table = Table::open(game, seats, options.as_deref(), 71);
            let mut seen = 0_usize;
            let look = |table: &Table, viewer: Viewer, theme, lang| {
                drawn(key, &table.state().view(viewer), style(viewer, theme, lang));
            };
            table.play_out(|table| {
                if table.commits.len().is_multiple_of(19) {
                    for viewer in Viewer::at_table(seats) {
                        seen += 1;
                        let theme = Theme::ALL[seen % Theme::ALL.len()];
                        look(table, viewer, theme, Lang::ALL[seen % Lang::ALL.len()]);
                    }
                    // The archive shows finished matches, at any version.
                    look(table, Viewer::Archive, Theme::Auto, Lang::Es);
                }
            });
            for viewer in Viewer::at_table(seats).chain([Viewer::Archive]) {
                look(&table, viewer, Theme::Auto, Lang::En);
            }
        }
    }
}

#[test]
fn a_table_before_its_first_event_can_be_drawn() {
    for game in games::all() {
        let info = game.info();
        let options = game.options(None).unwrap();
        let state = game.open(info.max_seats, &options, info.rules_version).unwrap();
        for viewer in Viewer::at_table(info.max_seats) {
            drawn(info.key, &state.view(viewer), style(viewer, Theme::Auto, Lang::En));
        }
    }
}

#[test]
fn no_picture_depends_on_what_its_viewer_cannot_know() {
    for game in games::all() {
        let (seats, key) = (game.info().max_seats, game.info().key);
        let mut table = Table::open(game, seats, None, 97);
        let mut chance = luck(3);
        let mut redealt = false;
        table.play_out(|table| {
            if !table.commits.len().is_multiple_of(17) {
                return;
            }
            let start = game.open(seats, table.now.options(), table.now.rules_version()).unwrap();
            let log: Vec<&GameEvent> = table.events.iter().filter_map(Event::game_event).collect();
            let times: Vec<_> = table
                .commits
                .iter()
                .flat_map(|commit| {
                    let recorded = commit.read(Some(game)).unwrap();
                    let events = recorded.events.iter().filter_map(Event::game_event).count();
                    std::iter::repeat_n(commit.at, events)
                })
                .collect();
            for viewer in Viewer::at_table(seats) {
                let other_log = game.redeal(start.as_ref(), &log, viewer, &mut chance).unwrap();
                redealt |= log
                    .iter()
                    .zip(&other_log)
                    .any(|(one, two)| one.encode().get() != two.encode().get());
                let mut other = start.clone();
                for (event, at) in other_log.iter().zip(&times) {
                    other.evolve(event, *at);
                }
                let style = style(viewer, Theme::Auto, Lang::En);
                let (one, two) = (table.state().view(viewer), other.view(viewer));
                assert_eq!(drawn(key, &one, style), drawn(key, &two, style), "{key}, {viewer:?}");
            }
        });
        assert!(redealt, "{key}: nothing was ever redealt");
    }
}

#[test]
fn what_is_no_view_of_the_game_has_no_picture() {
    let view = RawValue::from_string("{\"turn\":1}".to_owned()).unwrap();
    for game in games::all() {
        assert_eq!(board(game.info().key, &view, Style::default()), None);
    }
    assert_eq!(board("chess", &view, Style::default()), None);
}
