//! Parses JSON, and says in words which field is wrong and why.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::text::Lang;

mod misfit;
mod node;

pub use misfit::{Bilingual, Expected, Found, Misfit};

/// JSON or parameters that do not have the expected shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadShape {
    /// The field that is wrong, if it can be named.
    pub field: Option<String>,
    /// What is wrong with it.
    pub misfit: Misfit,
}

impl BadShape {
    /// A flaw that belongs to no field.
    #[must_use]
    pub const fn whole(misfit: Misfit) -> Self {
        Self { field: None, misfit }
    }
}

impl std::fmt::Display for BadShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.misfit.tell(Lang::En))
    }
}

impl std::error::Error for BadShape {}

/// Reads JSON into `T`.
///
/// # Errors
/// If the JSON does not have the shape of `T`; names the field that is wrong.
pub fn parse<T: DeserializeOwned>(json: &str) -> Result<T, BadShape> {
    if !json.trim_start().starts_with('{') {
        // Serde would also read a tagged enum from an array.
        return Err(BadShape::whole(Misfit::NotAnObject));
    }
    serde_json::from_str(json).map_err(|error| explain::<T>(json, &error))
}

/// Reads the JSON again, slowly: as a tree whose errors keep what was found and what was expected.
fn explain<T: DeserializeOwned>(json: &str, error: &serde_json::Error) -> BadShape {
    let not_json = |error: &serde_json::Error| {
        let (line, column) = (error.line(), error.column());
        BadShape::whole(Misfit::NotJson { line, column })
    };
    let object = match serde_json::from_str(json) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return BadShape::whole(Misfit::NotAnObject),
        Err(error) if error.is_eof() => return BadShape::whole(Misfit::CutOff),
        Err(error) => return not_json(&error),
    };
    match misfit_of::<T>(&object) {
        Some(misfit) => {
            let field = misfit.field().map(str::to_owned).or_else(|| culprit::<T>(&object));
            BadShape { field, misfit }
        }
        // A tree holds each field once, so only a repeated field is lost in it.
        None if error.is_data() => {
            let misfit = Misfit::Repeated(repeated(&error.to_string()));
            BadShape { field: misfit.field().map(str::to_owned), misfit }
        }
        None => not_json(error),
    }
}

/// What is wrong with an object, if anything is.
fn misfit_of<T: DeserializeOwned>(object: &Map<String, Value>) -> Option<Misfit> {
    T::deserialize(node::fields(object)).err()
}

/// The field that serde says is repeated.
fn repeated(message: &str) -> String {
    message.split('`').nth(1).unwrap_or_default().to_owned()
}

/// No type has more fields; larger objects are not searched for the wrong field.
const MOST_FIELDS: usize = 16;

/// Finds the field by removing each in turn until the error changes, because tagged enums lose the path of an error.
fn culprit<T: DeserializeOwned>(object: &Map<String, Value>) -> Option<String> {
    if object.len() > MOST_FIELDS {
        return None;
    }
    let original = misfit_of::<T>(object);
    object
        .keys()
        .find(|key| {
            let mut without = object.clone();
            without.remove(*key);
            misfit_of::<T>(&without) != original
        })
        .cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::value::RawValue;

    #[derive(Debug, Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
    #[expect(dead_code, reason = "only its shape matters")]
    enum Move {
        Write { row: u8, cell: u8 },
        Pair { octagons: [u8; 2], sure: Option<bool> },
        Deep { inner: Inner },
        Keep {},
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Inner {
        id: uuid::Uuid,
        names: Vec<String>,
        shares: Option<i16>,
        ratio: Option<f64>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Request {
        #[serde(rename = "move")]
        mv: Box<RawValue>,
        limit: u16,
    }

    fn field(json: &str) -> Option<String> {
        parse::<Move>(json).expect_err("a wrong shape").field
    }

    fn told(json: &str) -> [String; 2] {
        let shape = parse::<Move>(json).expect_err("a wrong shape");
        Lang::ALL.map(|lang| shape.misfit.tell(lang))
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
    fn says_what_is_wrong_in_both_languages() {
        for (json, en, es) in [
            ("", "Expected a JSON object.", "Se esperaba un objeto JSON."),
            ("[]", "Expected a JSON object.", "Se esperaba un objeto JSON."),
            ("null", "Expected a JSON object.", "Se esperaba un objeto JSON."),
            (r#"{"type""#, "The JSON is cut off.", "El JSON está incompleto."),
            (
                r#"{"type":"keep"} x"#,
                "This is not valid JSON; the error is in line 1, column 17.",
                "Esto no es JSON válido; el error está en la línea 1, columna 17.",
            ),
            (
                "{type: 1}",
                "This is not valid JSON; the error is in line 1, column 2.",
                "Esto no es JSON válido; el error está en la línea 1, columna 2.",
            ),
            ("{}", "`type` is missing.", "Falta `type`."),
            (r#"{"type":"keep","x":3}"#, "`x` does not belong here.", "`x` no corresponde aquí."),
            (
                r#"{"type":"write","row":1,"cell":2,"x":3}"#,
                "`x` does not belong here; allowed: `row` and `cell`.",
                "`x` no corresponde aquí; permitidos: `row` y `cell`.",
            ),
            (
                r#"{"type":"write","row":1,"row":2,"cell":2}"#,
                "`row` appears more than once.",
                "`row` aparece más de una vez.",
            ),
            (
                r#"{"type":"dance"}"#,
                "`dance` is not one of `write`, `pair`, `deep` and `keep`.",
                "`dance` no es ninguno de estos valores: `write`, `pair`, `deep` y `keep`.",
            ),
            (
                r#"{"type":7}"#,
                "Expected a string, but got the number 7.",
                "Se esperaba una cadena de texto, pero se recibió el número 7.",
            ),
            (
                r#"{"type":"write","row":"one","cell":2}"#,
                "Expected a whole number from 0 to 255, but got the string `one`.",
                "Se esperaba un número entero de 0 a 255, pero se recibió la cadena `one`.",
            ),
            (
                r#"{"type":"write","row":300,"cell":2}"#,
                "Expected a whole number from 0 to 255, but got the number 300.",
                "Se esperaba un número entero de 0 a 255, pero se recibió el número 300.",
            ),
            (
                r#"{"type":"write","row":1.5,"cell":2}"#,
                "Expected a whole number from 0 to 255, but got the number 1.5.",
                "Se esperaba un número entero de 0 a 255, pero se recibió el número 1.5.",
            ),
            (
                r#"{"type":"pair","octagons":[1]}"#,
                "Expected a list of 2 items, but got 1.",
                "Se esperaba una lista de 2 elementos, pero se recibió 1.",
            ),
            (
                r#"{"type":"pair","octagons":true}"#,
                "Expected a list of 2 items, but got `true`.",
                "Se esperaba una lista de 2 elementos, pero se recibió `true`.",
            ),
            (
                r#"{"type":"pair","octagons":[1,2],"sure":[]}"#,
                "Expected `true` or `false`, but got a list.",
                "Se esperaba `true` o `false`, pero se recibió una lista.",
            ),
            (
                r#"{"type":"deep","inner":null}"#,
                "Expected an object, but got `null`.",
                "Se esperaba un objeto, pero se recibió `null`.",
            ),
            (
                r#"{"type":"deep","inner":{"id":"x","names":[]}}"#,
                "Expected a UUID, such as 0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10.",
                "Se esperaba un UUID, como 0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10.",
            ),
        ] {
            assert_eq!(told(json), [en, es], "{json}");
        }
    }

    #[test]
    fn long_texts_are_not_repeated_in_full() {
        let json = format!(r#"{{"type":"write","row":"{}","cell":2}}"#, "ñ".repeat(5_000));
        assert!(told(&json).iter().all(|text| text.len() < 200 && text.contains('…')));
    }

    #[test]
    fn a_field_beside_raw_json_is_named() {
        let shape = parse::<Request>(r#"{"move":{"type":"any"},"limit":"x"}"#).expect_err("limit");
        assert_eq!(shape.field.as_deref(), Some("limit"));
        assert_eq!(
            shape.to_string(),
            "Expected a whole number from 0 to 65535, but got the string `x`."
        );
        let shape = parse::<Request>(r#"{"limit":1}"#).expect_err("no move");
        assert_eq!(shape.field.as_deref(), Some("move"));
    }
}
