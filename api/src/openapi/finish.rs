//! What the generator cannot say: answers that every operation may give, and the unions (`branches.rs`), so that generated clients
//! get real types.

use serde_json::{Value, json};

use super::{branches, patterns};
use crate::middleware::endpoint::declared_requirement;
use service::identity::{Requirement, Scope};

/// Finishes the document.
pub fn finish(document: &mut Value) {
    let optional = schemas_without_required_fields(document);
    if let Some(paths) = document["paths"].as_object_mut() {
        for (method, operation) in paths.values_mut().filter_map(Value::as_object_mut).flatten() {
            declare_requirement(operation);
            declare_common_answers(operation, method != "get");
            declare_headers(operation);
            declare_answers(operation);
            forbid_null_parameters(operation);
            patterns::of_parameters(operation);
            let body = &mut operation["requestBody"];
            let schema = body["content"]["application/json"]["schema"]["$ref"].as_str();
            if schema.is_some_and(|schema| optional.iter().any(|name| schema.ends_with(name))) {
                body["required"] = json!(false);
            }
            if body.is_null() {
                operation.as_object_mut().map(|operation| operation.remove("requestBody"));
            }
        }
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        // Exports are documents of the service, which does not know the schemas of the API.
        let record = schemas.get_mut("EventRecord");
        if let Some(event) = record.and_then(|record| record.pointer_mut("/properties/event")) {
            *event = any_event();
        }
        patterns::of_fields(schemas);
        branches::name(schemas);
        branches::tell_apart(schemas);
        branches::order(schemas);
    }
}

fn any_event() -> Value {
    json!({ "$ref": "#/components/schemas/AnyEvent", "description": "What happened." })
}

/// Says in words which scope is needed, and that 403 is the answer without it.
fn declare_requirement(operation: &mut Value) {
    let Some(need) = declared_requirement(&operation["security"]) else { return };
    declare_on_behalf(operation, need);
    let (text, without) = match need {
        Requirement::Scope(scope) => (
            format!("Scope: `{}`.", scope.id()),
            format!("The token lacks the scope `{}` (`missing_scope`).", scope.id()),
        ),
        Requirement::Application(scope) => (
            format!("Scope: `{}`, for applications.", scope.id()),
            format!(
                "The token is not one of an application, or lacks the scope `{}` (`missing_scope`).",
                scope.id()
            ),
        ),
        Requirement::Session => (
            "Scope: `session`; personal access tokens are refused.".to_owned(),
            "Personal access tokens may not do this (`missing_scope`).".to_owned(),
        ),
    };
    let description = match operation["description"].as_str().filter(|text| !text.is_empty()) {
        Some(before) => format!("{before}\n\n{text}"),
        None => text,
    };
    operation["description"] = Value::String(description);
    match operation["responses"].get_mut("403") {
        Some(answer) => {
            let before = answer["description"].as_str().unwrap_or_default();
            answer["description"] = Value::String(format!("{before} {without}"));
        }
        None => operation["responses"]["403"] = problem(&without),
    }
}

/// An application may do for its players what a token with the same scope may do.
fn declare_on_behalf(operation: &mut Value, need: Requirement) {
    let Requirement::Scope(scope @ (Scope::MatchRead | Scope::MatchPlay)) = need else { return };
    if let Some(ways) = operation["security"].as_array_mut() {
        ways.push(json!({ "application": [scope.id()], "player": [] }));
    }
}

fn problem(description: &str) -> Value {
    json!({
        "description": description,
        "content": {
            "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } }
        },
    })
}

/// The headers of responses that ask clients to wait.
fn declare_headers(operation: &mut Value) {
    let Some(answers) = operation["responses"].as_object_mut() else { return };
    for status in ["429", "503"] {
        if let Some(answer) = answers.get_mut(status) {
            answer["headers"]["Retry-After"] = json!({
                "description": "The number of seconds to wait before the next attempt.",
                "schema": { "type": "integer", "minimum": 0 },
            });
        }
    }
    if let Some(answer) = answers.get_mut("429") {
        answer["headers"]["RateLimit"] = json!({
            "description": "The number of requests left (`r`), and the seconds until all of them are available again (`t`).",
            "schema": { "type": "string" },
            "example": "\"requests\";r=0;t=60",
        });
        answer["headers"]["RateLimit-Policy"] = json!({
            "description": "The number of requests (`q`) allowed per window of `w` seconds.",
            "schema": { "type": "string" },
            "example": "\"requests\";q=1200;w=60",
        });
    }
}

fn declare_common_answers(operation: &mut Value, changes: bool) {
    let limited = operation["tags"][0] != "System";
    let secured = operation.get("security").is_some();
    let has_body = operation.get("requestBody").is_some();
    let is_json = !operation["requestBody"]["content"]["application/json"].is_null();
    let has_input = has_body || operation.get("parameters").is_some();
    if !secured {
        operation["security"] = json!([]);
    }
    let Some(answers) = operation["responses"].as_object_mut() else { return };
    let mut declare = |status: &str, description: &str| {
        answers.entry(status).or_insert_with(|| problem(description));
    };
    if has_input {
        declare("400", "The request is malformed; `field` says where.");
    }
    if has_body {
        declare("408", "The body did not arrive in time.");
        declare("413", "The body is larger than 64 KiB.");
    }
    if is_json {
        declare("415", "The body is not JSON.");
    }
    if secured {
        declare("401", "The access token is missing, wrong or has expired.");
    }
    if limited {
        declare("429", "Too many requests; try again after `Retry-After` seconds.");
    }
    declare("500", "Our fault.");
    declare(
        "503",
        if changes {
            "The store cannot be reached, or the server has too much to do; try again after `Retry-After` seconds. A read-only server refuses every change (`read_only`)."
        } else {
            "The store cannot be reached, or the server has too much to do; try again after `Retry-After` seconds."
        },
    );
    answers.sort_keys();
}

/// Bodies in which nothing has to be said may be left out.
fn schemas_without_required_fields(document: &Value) -> Vec<String> {
    let schemas = document["components"]["schemas"].as_object();
    schemas
        .into_iter()
        .flatten()
        .filter(|(_, schema)| schema["type"] == "object" && schema.get("required").is_none())
        .map(|(name, _)| format!("/{name}"))
        .collect()
}

/// What a request says in one header, and a good answer to it in another.
const ANSWERED: [(&str, &str, &str, &str); 2] = [
    (
        "Idempotency-Key",
        "Idempotency-Replayed",
        "`true` where this is the answer to an earlier request with the same key.",
        "true",
    ),
    (
        "Prefer",
        "Preference-Applied",
        "`return=minimal` where that was asked for.",
        "return=minimal",
    ),
];

/// Declares the headers that answer headers of the request.
fn declare_answers(operation: &mut Value) {
    for (asked, answered, description, value) in ANSWERED {
        let is_asked = operation["parameters"]
            .as_array()
            .is_some_and(|parameters| parameters.iter().any(|it| it["name"] == asked));
        let answers = operation["responses"].as_object_mut().filter(|_| is_asked);
        let good = answers.into_iter().flatten().filter(|(status, _)| status.starts_with('2'));
        for (_, answer) in good {
            answer["headers"][answered] = json!({
                "description": description,
                "schema": { "type": "string", "enum": [value] },
            });
        }
    }
}

/// A header or a part of the query is said or left out; it is never `null`.
fn forbid_null_parameters(operation: &mut Value) {
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    let parameters = parameters.into_iter().flatten();
    for kind in parameters.filter_map(|parameter| parameter["schema"].get_mut("type")) {
        if let Some([one, other]) = kind.as_array().map(Vec::as_slice) {
            *kind = if one == "null" { other.clone() } else { one.clone() };
        }
    }
}
