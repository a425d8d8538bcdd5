//! Parses JSON and names the field that is wrong.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// JSON that does not have the expected shape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadShape {
    /// The field that is wrong, if it can be named.
    pub field: Option<String>,
    /// What is wrong with it.
    pub message: String,
}

/// Reads JSON into `T`.
///
/// # Errors
/// If the JSON does not have the shape of `T`; names the field that is wrong.
pub fn parse<T: DeserializeOwned>(json: &str) -> Result<T, BadShape> {
    if !json.trim_start().starts_with('{') {
        // Serde would also read a tagged enum from an array.
        return Err(BadShape { field: None, message: "an object was expected".to_owned() });
    }
    serde_json::from_str(json).map_err(|error| explain::<T>(json, &error))
}

fn explain<T: DeserializeOwned>(json: &str, error: &serde_json::Error) -> BadShape {
    let message = plain(error);
    let field = match serde_json::from_str::<Value>(json) {
        Ok(Value::Object(object)) => named_field(&message).or_else(|| culprit::<T>(&object)),
        _ => None,
    };
    BadShape { field, message }
}

/// The message without line and column, which are useless to clients.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(cut) => text[..cut].to_owned(),
        None => text,
    }
}

/// The field that a message names, if it names one.
#[must_use]
pub fn named_field(message: &str) -> Option<String> {
    if message.starts_with("unknown variant") {
        return None;
    }
    ["unknown field `", "missing field `", "duplicate field `"]
        .iter()
        .find_map(|start| message.strip_prefix(start))
        .and_then(|rest| rest.split('`').next())
        .map(str::to_owned)
}

/// No type has more fields; larger objects are not searched for the wrong field.
const MOST_FIELDS: usize = 16;

/// Finds the field by removing each in turn until the error changes, because tagged enums lose the path of an error.
fn culprit<T: DeserializeOwned>(object: &Map<String, Value>) -> Option<String> {
    let complaint = |object: Map<String, Value>| {
        serde_json::from_value::<T>(Value::Object(object)).err().map(|error| plain(&error))
    };
    if object.len() > MOST_FIELDS {
        return None;
    }
    let original = complaint(object.clone());
    object
        .keys()
        .find(|key| {
            let mut without = object.clone();
            without.remove(*key);
            complaint(without) != original
        })
        .cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
    #[expect(dead_code, reason = "only its shape matters")]
    enum Move {
        Write { row: u8, cell: u8 },
        Keep {},
    }

    fn field(json: &str) -> Option<String> {
        parse::<Move>(json).expect_err("a wrong shape").field
    }

    #[test]
    fn names_the_field_that_is_wrong() {
        assert_eq!(field(r#"{"type":"write","row":"one","cell":2}"#).as_deref(), Some("row"));
        assert_eq!(field(r#"{"type":"write","row":1,"cell":-2}"#).as_deref(), Some("cell"));
        assert_eq!(field(r#"{"type":"write","row":1}"#).as_deref(), Some("cell"));
        assert_eq!(field(r#"{"type":"write","row":1,"cell":2,"x":3}"#).as_deref(), Some("x"));
        assert_eq!(field(r#"{"type":"keep","x":3}"#).as_deref(), Some("x"));
        assert_eq!(field(r#"{"type":"dance"}"#).as_deref(), Some("type"));
        assert_eq!(field("{}").as_deref(), Some("type"));
    }

    #[test]
    fn says_what_is_wrong_with_something_that_is_no_object() {
        for json in [r#"["keep"]"#, "null", "7", ""] {
            let error = parse::<Move>(json).expect_err("not an object");
            assert_eq!(error.field, None);
            assert_eq!(error.message, "an object was expected");
        }
        assert!(parse::<Move>(r#"{"type""#).expect_err("cut off").message.contains("EOF"));
    }
}
