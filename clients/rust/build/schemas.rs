//! Generates the types: one per schema of the document, and one for the parameters of each operation.

use std::error::Error;

use serde_json::{Map, Value};
use typify::{TypeSpace, TypeSpacePatch, TypeSpaceSettings};

use crate::operations::{Operation, camel, name_of};

/// Rust code with one type per schema.
pub fn generate(document: &Value, operations: &[Operation]) -> Result<String, Box<dyn Error>> {
    let mut schemas = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    schemas.extend(operations.iter().filter_map(Operation::parameters));
    gather(&mut schemas);
    schemas.values_mut().for_each(restate);
    let mut settings = TypeSpaceSettings::default();
    for (name, _) in schemas.iter().filter(|(_, schema)| needs_default(schema)) {
        settings.with_patch(camel(name), TypeSpacePatch::default().with_derive("Default"));
    }
    let mut types = TypeSpace::new(&settings);
    let definitions = schemas
        .into_iter()
        .map(|(name, schema)| Ok((name, serde_json::from_value(schema)?)))
        .collect::<Result<Vec<_>, serde_json::Error>>()?;
    types.add_ref_types(definitions)?;
    Ok(types.to_stream().to_string())
}

/// Inlines the branches of a tagged union, so that typify generates a tagged enum.
fn gather(schemas: &mut Map<String, Value>) {
    let before = schemas.clone();
    for union in schemas.values_mut().filter(|schema| schema.get("discriminator").is_some()) {
        let branches = union["oneOf"].as_array().into_iter().flatten();
        let objects: Option<Vec<Value>> = branches
            .map(|branch| before.get(name_of(branch)).filter(|object| has_one_tag(object)).cloned())
            .collect();
        if let Some(objects) = objects {
            union["oneOf"] = Value::Array(objects);
        }
    }
    schemas.retain(|name, _| !is_branch(name));
}

/// Branches are named after their union: `qwinto.Move.Keep`, `MatchMessage.End`.
fn is_branch(name: &str) -> bool {
    let is_of_a_game = name.starts_with(|first: char| first.is_lowercase());
    name.split('.').count() > if is_of_a_game { 2 } else { 1 }
}

/// Whether the schema is a request with simple required fields, for `NewMatch { game, seats, ..Default::default() }`.
/// Requests reject unknown fields; those without required fields have a default already.
fn needs_default(schema: &Value) -> bool {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut properties = required.map(|name| &schema["properties"][name]);
    schema["additionalProperties"] == false
        && schema["required"].is_array()
        && properties.all(|property| property["type"].is_string())
}

fn has_one_tag(object: &Value) -> bool {
    object["properties"]["type"]["enum"].as_array().is_some_and(|tags| tags.len() == 1)
}

/// Simplifies a schema for typify.
///
/// Bounds that the server checks need no types of their own (a text of 2 to 30 characters, a number that is not 0), and
/// `anyOf` becomes `oneOf`.
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

/// Removes a keyword, but not a property of the same name.
fn forget(object: &mut Map<String, Value>, keyword: &str, is_keyword: fn(&Value) -> bool) {
    if object.get(keyword).is_some_and(is_keyword) {
        object.remove(keyword);
    }
}
