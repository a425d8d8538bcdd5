//! Patterns of parameters and fields: exactly what the server accepts.

use domain::games;
use serde_json::{Map, Value};

/// A UUID as it is written everywhere.
const UUID: &str = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$";
/// Visible ASCII characters.
const KEY: &str = "^[!-~]{1,128}$";
/// See `ViewerParam`.
const VIEWER: &str = "^(seat|spectator|archive|[0-7])$";

/// The pattern of a parameter with this name, if it has one.
fn pattern(name: &str) -> Option<String> {
    match name {
        "Idempotency-Key" => Some(KEY.to_owned()),
        "cursor" => Some(UUID.to_owned()),
        "as" => Some(VIEWER.to_owned()),
        "game" => {
            let keys: Vec<&str> = games::all().map(|game| game.info().key).collect();
            Some(format!("^({})$", keys.join("|")))
        }
        _ => None,
    }
}

/// Declares the patterns of an operation's parameters.
pub(super) fn of_parameters(operation: &mut Value) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        let found = parameter["name"].as_str().and_then(pattern);
        declare(&mut parameter["schema"], found);
    }
}

/// Declares the pattern of the game wherever a document names one.
pub(super) fn of_fields(schemas: &mut Map<String, Value>) {
    for schema in schemas.values_mut() {
        if let Some(game) = schema.pointer_mut("/properties/game") {
            declare(game, pattern("game"));
        }
    }
}

/// Only texts have patterns, and an endpoint may have declared one of its own.
fn declare(schema: &mut Value, pattern: Option<String>) {
    let kind = &schema["type"];
    let is_text = kind == "string"
        || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "string"));
    let is_declared = schema.get("pattern").is_some();
    if let (true, false, Some(pattern)) = (is_text, is_declared, pattern) {
        schema["pattern"] = Value::String(pattern);
    }
}
