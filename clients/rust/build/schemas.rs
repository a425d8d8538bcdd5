//! The types: every schema of the document, and one more for the parameters of each operation.

use std::error::Error;

use serde_json::{Map, Value};
use typify::{TypeSpace, TypeSpaceSettings};

use crate::operations::Operation;

/// Rust code with a type for each schema.
pub fn generate(document: &Value, operations: &[Operation]) -> Result<String, Box<dyn Error>> {
    let mut schemas = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    schemas.extend(operations.iter().filter_map(Operation::parameters));
    schemas.values_mut().for_each(restate);
    let mut types = TypeSpace::new(TypeSpaceSettings::default().with_struct_builder(false));
    let definitions = schemas
        .into_iter()
        .map(|(name, schema)| Ok((name, serde_json::from_value(schema)?)))
        .collect::<Result<Vec<_>, serde_json::Error>>()?;
    types.add_ref_types(definitions)?;
    Ok(types.to_stream().to_string())
}

/// Says the same in fewer words.
///
/// What the server checks need not become types of their own (a text of 2 to 30 characters), nor a number that cannot be 0. And
/// what is one of several types is exactly one of them.
fn restate(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            for bound in ["minLength", "maxLength", "pattern"] {
                forget(object, bound, Value::is_number);
                forget(object, bound, Value::is_string);
            }
            forget(object, "maximum", Value::is_number);
            if let Some(minimum) = object.get_mut("minimum").filter(|it| it.is_number()) {
                *minimum = Value::from(minimum.as_i64().unwrap_or_default().min(0));
            }
            if let Some(branches) = object.remove("anyOf") {
                object.insert("oneOf".to_owned(), branches);
            }
            object.values_mut().for_each(restate);
        }
        Value::Array(items) => items.iter_mut().for_each(restate),
        _ => {}
    }
}

/// Removes a keyword; a property of the same name stays.
fn forget(object: &mut Map<String, Value>, keyword: &str, is_keyword: fn(&Value) -> bool) {
    if object.get(keyword).is_some_and(is_keyword) {
        object.remove(keyword);
    }
}
