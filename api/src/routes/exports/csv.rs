//! Matches as CSV, one row per seat.

use domain::{
    erased::AnyGame,
    matches::Match,
    outcome::{MeasureValue, Measured, Scope},
    seat::Seat,
    time::Timestamp,
};
use service::clock;

use crate::http::{Csv, cell, time_cell};

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

/// The header line. With one game, its measures have columns; those per match begin with `match_`.
pub(super) fn head(game: Option<&'static dyn AnyGame>) -> String {
    let measures = measures(game).map(|(id, scope)| match scope {
        Scope::Seat => id.to_owned(),
        Scope::Match => format!("match_{id}"),
    });
    Csv::new(COLUMNS.iter().map(|name| (*name).to_owned()).chain(measures)).finish()
}

/// The rows of a match: one per taken seat.
pub(super) fn rows(
    m: &Match,
    game: Option<&'static dyn AnyGame>,
    name: impl Fn(Seat) -> Option<String>,
) -> String {
    let mut csv = Csv::default();
    let outcome = m.outcome();
    for seat in Seat::all(m.seat_count()) {
        let Some(sitter) = m.sitter(seat) else { continue };
        let standing = outcome.and_then(|outcome| outcome.seats.get(seat.index()));
        let cells = [
            m.id().to_string(),
            m.game().info().key.to_owned(),
            m.rules_version().to_string(),
            m.status().id().to_owned(),
            cell(outcome.map(|outcome| wire_name(&outcome.ending))),
            time(m.created_at()),
            cell(m.started_at().map(time)),
            time(m.updated_at()),
            m.seat_count().to_string(),
            seat.to_string(),
            sitter.player.to_string(),
            cell(name(seat)),
            cell(standing.map(|standing| standing.place)),
            cell(standing.map(|standing| standing.won)),
            cell(standing.and_then(|standing| standing.score)),
        ];
        let measures = measures(game).map(|(id, scope)| {
            let measured = match scope {
                Scope::Seat => standing.map(|standing| &standing.measures),
                Scope::Match => outcome.map(|outcome| &outcome.measures),
            };
            cell(measured.and_then(|list| value(list, id)))
        });
        csv.line(cells.into_iter().chain(measures));
    }
    csv.finish()
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
fn wire_name(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => unreachable!("an enum without fields is a string"),
    }
}

fn time(at: Timestamp) -> String {
    time_cell(clock::to_datetime(at))
}
