//! Boards as text: what a seat sees of any game, laid out for a terminal.
//!
//! It knows no game. Short things stand on one line, lists of lists of the same length are grids, and everything else is
//! indented.

use std::fmt::Write;

use serde_json::{Value, value::RawValue};

/// The longest line.
const WIDTH: usize = 96;
/// What stands for nothing, as in an empty cell.
const NOTHING: &str = "·";

/// A view as text.
pub(super) fn text(view: &RawValue) -> String {
    let view: Value = serde_json::from_str(view.get()).unwrap_or_default();
    let mut text = String::new();
    match &view {
        Value::Object(fields) => {
            for (name, value) in fields {
                entry(&mut text, &name.replace('_', " "), value, 0);
            }
        }
        other => entry(&mut text, "", other, 0),
    }
    text
}

/// Writes something with a name.
fn entry(text: &mut String, name: &str, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    if let Some(line) = inline(value).filter(|line| line.chars().count() + name.len() <= WIDTH) {
        let _ = writeln!(text, "{indent}{name}: {line}");
        return;
    }
    let _ = writeln!(text, "{indent}{name}:");
    match (grid(value), value) {
        (Some(rows), _) => {
            for row in rows {
                let _ = writeln!(text, "{indent}  {row}");
            }
        }
        (None, Value::Array(items)) => {
            for (number, item) in items.iter().enumerate() {
                entry(text, &number.to_string(), item, depth + 1);
            }
        }
        (None, Value::Object(fields)) => {
            for (name, field) in fields {
                entry(text, &name.replace('_', " "), field, depth + 1);
            }
        }
        (None, other) => {
            let _ = writeln!(text, "{indent}  {other}");
        }
    }
}

/// A value on one line; nothing for a list of lists.
fn inline(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => NOTHING.to_owned(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().any(Value::is_array) => return None,
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect::<Option<_>>()?;
            if items.is_empty() { "–".to_owned() } else { items.join(" ") }
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                Some(format!("{} {}", name.replace('_', " "), inline(value)?))
            });
            format!("({})", fields.collect::<Option<Vec<_>>>()?.join(", "))
        }
    })
}

/// The rows of a list of lists of the same length, in columns.
fn grid(value: &Value) -> Option<Vec<String>> {
    let rows = value.as_array()?.iter();
    let rows: Vec<Vec<String>> =
        rows.map(|row| row.as_array()?.iter().map(inline).collect()).collect::<Option<_>>()?;
    let columns = rows.first()?.len();
    if rows.iter().any(|row| row.len() != columns) {
        return None;
    }
    let width = rows.iter().flatten().map(|cell| cell.chars().count()).max()?;
    let fits = columns * (width + 1) <= WIDTH;
    fits.then(|| {
        let padded = |cell: &String| format!("{cell:width$}");
        rows.iter().map(|row| row.iter().map(padded).collect::<Vec<_>>().join(" ")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(json: &str) -> String {
        text(&RawValue::from_string(json.to_owned()).unwrap())
    }

    #[test]
    fn short_things_stand_on_one_line_and_grids_in_columns() {
        let board = shown(
            r#"{"active":1,"dice":["orange",null],"sheet":{"rows":[[1,null],[12,3]]},"last_roll":{"sum":7}}"#,
        );
        for line in [
            "active: 1\n",
            "dice: orange ·\n",
            "  rows:\n    1  · \n    12 3 \n",
            "last roll: (sum 7)\n",
        ] {
            assert!(board.contains(line), "{board}");
        }
    }

    #[test]
    fn long_things_are_indented() {
        let items: Vec<String> = (0..40).map(|number| format!("\"item {number}\"")).collect();
        let board = shown(&format!("{{\"cards\":[{}]}}", items.join(",")));
        assert!(board.starts_with("cards:\n  0: item 0\n  1: item 1\n"), "{board}");
    }
}
