//! Matches as a table, a row a seat.

use domain::{
    erased::AnyGame,
    matches::Match,
    outcome::{MeasureValue, Measured, Scope},
    seat::Seat,
    time::Timestamp,
};
use time::format_description::well_known::Rfc3339;

use service::clock;

use crate::http::{Csv, cell};

/// The columns that every export has.
const COLUMNS: [&str; 15] = [
    "match",
    "game",
    "rules_version",
    "status",
    "ending",
    "created_at",
    "started_at",
    "ended_at",
    "seats",
    "seat",
    "player",
    "name",
    "place",
    "won",
    "score",
];

/// The first row. Measures have columns where there is one game only; those of the whole match begin with `match_`.
pub(super) fn head(game: Option<&'static dyn AnyGame>) -> String {
    let measures = measures(game).map(|(id, scope)| match scope {
        Scope::Seat => id.to_owned(),
        Scope::Match => format!("match_{id}"),
    });
    Csv::new(COLUMNS.iter().map(|name| (*name).to_owned()).chain(measures)).finish()
}

/// The rows of a match: one for every seat that somebody sits in.
pub(super) fn rows(
    table: &Match,
    game: Option<&'static dyn AnyGame>,
    name: impl Fn(Seat) -> Option<String>,
) -> String {
    let mut lines = Csv::default();
    let outcome = table.outcome();
    for seat in Seat::all(table.seat_count()) {
        let Some(sitter) = table.sitter(seat) else { continue };
        let standing = outcome.and_then(|outcome| outcome.seats.get(seat.index()));
        let cells = [
            table.id().to_string(),
            table.game().info().key.to_owned(),
            table.rules_version().to_string(),
            table.status().id().to_owned(),
            outcome.map(|outcome| word(&outcome.ending)).unwrap_or_default(),
            time(table.created_at()),
            table.started_at().map(time).unwrap_or_default(),
            time(table.updated_at()),
            table.seat_count().to_string(),
            seat.to_string(),
            sitter.player.to_string(),
            name(seat).unwrap_or_default(),
            cell(standing.map(|standing| standing.place)),
            cell(standing.map(|standing| standing.won)),
            cell(standing.and_then(|standing| standing.score)),
        ];
        let measures = measures(game).map(|(id, scope)| {
            let measured = match scope {
                Scope::Seat => standing.map(|standing| &standing.measures),
                Scope::Match => outcome.map(|outcome| &outcome.measures),
            };
            measured.and_then(|list| value(list, id)).unwrap_or_default()
        });
        lines.line(cells.into_iter().chain(measures));
    }
    lines.finish()
}

fn measures(game: Option<&'static dyn AnyGame>) -> impl Iterator<Item = (&'static str, Scope)> {
    let declared = game.map_or(&[][..], |game| game.info().measures);
    declared.iter().map(|measure| (measure.id, measure.scope))
}

fn value(list: &[Measured], id: &str) -> Option<String> {
    list.iter().find(|measured| measured.id == id).map(|measured| match &measured.value {
        MeasureValue::Number(number) => number.to_string(),
        MeasureValue::Category(category) => category.to_string(),
    })
}

/// An enum as it is written in JSON.
fn word(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_value(value).ok();
    json.as_ref().and_then(|json| json.as_str()).unwrap_or_default().to_owned()
}

fn time(at: Timestamp) -> String {
    clock::to_datetime(at).format(&Rfc3339).unwrap_or_default()
}
