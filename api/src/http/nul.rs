//! The character NUL (U+0000). Postgres cannot store it in a text, so it is refused before anything else is done with a request.

use domain::text::Text;
use serde_json::Value;

use crate::error::ApiError;

/// Refuses JSON that contains NUL, and names the field. JSON that cannot be read is left to the parser.
pub fn refuse_in_json(json: &str) -> Result<(), ApiError> {
    if !has_escape(json) {
        return Ok(());
    }
    match serde_json::from_str::<Value>(json).ok().and_then(|value| place(&value, String::new())) {
        Some(field) => Err(refusal(&field)),
        None => Ok(()),
    }
}

/// Refuses a query string that contains NUL, and names the parameter.
pub fn refuse_in_query(query: &str) -> Result<(), ApiError> {
    let Some(pair) = query.split('&').find(|pair| pair.contains("%00") || pair.contains('\0'))
    else {
        return Ok(());
    };
    Err(refusal(pair.split('=').next().unwrap_or(pair)))
}

fn refusal(field: &str) -> ApiError {
    ApiError::bad_field(
        field,
        Text::new(
            "Texts cannot contain the character U+0000.",
            "Los textos no pueden contener el carácter U+0000.",
        ),
    )
}

/// Whether there is an escape of NUL. A backslash that is itself escaped begins none.
fn has_escape(json: &str) -> bool {
    json.match_indices("\\u0000").any(|(at, _)| {
        let before = json.as_bytes()[..at].iter().rev();
        before.take_while(|byte| **byte == b'\\').count() % 2 == 0
    })
}

/// Where in a value there is a NUL, as in `move.tiles[0].name`.
fn place(value: &Value, path: String) -> Option<String> {
    match value {
        Value::String(text) => text.contains('\0').then_some(path),
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(index, item)| place(item, format!("{path}[{index}]")))
        }
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            let dot = if path.is_empty() { "" } else { "." };
            let inside = format!("{path}{dot}{name}");
            if name.contains('\0') { Some(inside) } else { place(value, inside) }
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(json: &str) -> Option<String> {
        let value: Value = serde_json::from_str(json).expect("JSON");
        has_escape(json).then(|| place(&value, String::new())).flatten()
    }

    #[test]
    fn names_the_field_with_the_nul() {
        assert_eq!(field(r#"{"name":"a\u0000b"}"#).as_deref(), Some("name"));
        assert_eq!(field(r#"{"move":{"tiles":[1,"\u0000"]}}"#).as_deref(), Some("move.tiles[1]"));
        assert_eq!(field(r#"{"move":{"a\u0000":1}}"#).as_deref(), Some("move.a\0"));
        assert_eq!(field(r#"{"name":"\\\u0000"}"#).as_deref(), Some("name"));
    }

    #[test]
    fn an_escaped_backslash_is_no_nul() {
        for json in [r#"{"name":"ab"}"#, r#"{"name":"\\u0000"}"#, r#"{"name":"\\\\u0000"}"#] {
            assert!(refuse_in_json(json).is_ok(), "{json}");
        }
        assert!(refuse_in_json("{\"name\":\"\\u0000").is_ok(), "the parser says what is wrong");
    }

    #[test]
    fn names_the_parameter_with_the_nul() {
        assert!(refuse_in_query("game=qwinto&cursor=a%2500").is_ok());
        let refused = refuse_in_query("limit=5&game=qw%00").expect_err("refused").to_string();
        assert!(refused.contains("U+0000"), "{refused}");
    }
}
