//! What the generator cannot say: answers that every operation may give, and names for the branches of tagged unions, so
//! that generated clients get real types.

use serde_json::{Map, Value, json};

/// Finishes the document.
pub fn finish(document: &mut Value) {
    if let Some(paths) = document["paths"].as_object_mut() {
        for operation in
            paths.values_mut().filter_map(Value::as_object_mut).flat_map(|item| item.values_mut())
        {
            declare_common_answers(operation);
        }
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        name_branches(schemas);
    }
}

fn declare_common_answers(operation: &mut Value) {
    let secured = operation.get("security").is_some();
    let has_body = operation.get("requestBody").is_some();
    let has_input = has_body || operation.get("parameters").is_some();
    if !secured {
        operation["security"] = json!([]);
    }
    let Some(answers) = operation["responses"].as_object_mut() else { return };
    let mut declare = |status: &str, description: &str| {
        answers.entry(status).or_insert_with(|| {
            json!({
                "description": description,
                "content": {
                    "application/problem+json": {
                        "schema": { "$ref": "#/components/schemas/Problem" }
                    }
                },
            })
        });
    };
    if has_input {
        declare("400", "The request is malformed; `field` says where.");
    }
    if has_body {
        declare("413", "The body is larger than 64 KiB.");
        declare("415", "The body is not JSON.");
    }
    if secured {
        declare("401", "The access token is missing, wrong or has expired.");
    }
    declare("500", "Our fault.");
    declare("503", "The store cannot be reached; try again after `Retry-After` seconds.");
    answers.sort_keys();
}

/// The branches of a union whose objects are told apart by `type` become components of their own.
fn name_branches(schemas: &mut Map<String, Value>) {
    let mut named = Vec::new();
    for (name, schema) in schemas.iter_mut() {
        let Some(branches) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else {
            continue;
        };
        let Some(tags) = branches.iter().map(tag).collect::<Option<Vec<String>>>() else {
            continue;
        };
        let mut mapping = Map::new();
        for (branch, tag) in branches.iter_mut().zip(tags) {
            let component = format!("{name}.{}", camel(&tag));
            let reference = format!("#/components/schemas/{component}");
            let body = std::mem::replace(branch, json!({ "$ref": reference }));
            mapping.insert(tag, Value::String(reference));
            named.push((component, body));
        }
        schema["discriminator"] = json!({ "propertyName": "type", "mapping": mapping });
    }
    schemas.extend(named);
    schemas.sort_keys();
}

/// The value of `type` in a branch.
fn tag(branch: &Value) -> Option<String> {
    branch["properties"]["type"]["enum"].as_array()?.first()?.as_str().map(str::to_owned)
}

fn camel(tag: &str) -> String {
    tag.split('_')
        .map(|word| {
            let (head, tail) = word.split_at(word.len().min(1));
            head.to_uppercase() + tail
        })
        .collect()
}
