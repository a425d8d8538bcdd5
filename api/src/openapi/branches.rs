//! Unions for generated clients: every branch has a name, branches are told apart by `type` where they have one, and a client that
//! tries one after the other finds the right one.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

type Schemas = Map<String, Value>;

/// The branches of a union whose objects are told apart by `type` become components of their own.
pub fn name(schemas: &mut Schemas) {
    let mut named = Vec::new();
    for (name, schema) in schemas.iter_mut() {
        let Some(branches) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else {
            continue;
        };
        let Some(tags) = branches.iter().map(tag).collect::<Option<Vec<String>>>() else {
            continue;
        };
        for (branch, tag) in branches.iter_mut().zip(tags) {
            let component = format!("{name}.{}", camel(&tag));
            let reference = json!({ "$ref": format!("{PREFIX}{component}") });
            named.push((component, std::mem::replace(branch, reference)));
        }
    }
    schemas.extend(named);
    schemas.sort_keys();
}

/// A union of named objects that have different values of `type` says so.
pub fn tell_apart(schemas: &mut Schemas) {
    let mappings: Vec<(String, Map<String, Value>)> = schemas
        .iter()
        .filter_map(|(name, schema)| Some((name.clone(), mapping(schema, schemas)?)))
        .collect();
    for (name, mapping) in mappings {
        schemas[&name]["discriminator"] = json!({ "propertyName": "type", "mapping": mapping });
    }
}

/// In a union of games, what says less comes after what says more: many clients take the first branch that fits, and would lose the
/// rest.
pub fn order(schemas: &mut Schemas) {
    let mut ordered = Vec::new();
    for (name, schema) in schemas.iter() {
        let Some(branches) = schema["anyOf"].as_array() else { continue };
        let mut branches = branches.clone();
        // As many times as there are pairs: enough to put them in order, and an end where there is no order.
        for _ in 0..branches.len().pow(2) {
            let swallower = (0..branches.len()).find_map(|at| {
                let after = (at + 1..branches.len()).rev();
                let mut after = after.filter(|to| swallows(&branches[at], &branches[*to], schemas));
                Some((at, after.next()?))
            });
            let Some((at, to)) = swallower else { break };
            branches[at..=to].rotate_left(1);
        }
        ordered.push((name.clone(), branches));
    }
    for (name, branches) in ordered {
        schemas[&name]["anyOf"] = Value::Array(branches);
    }
}

const PREFIX: &str = "#/components/schemas/";

/// What a schema refers to, or itself.
fn resolve<'a>(schema: &'a Value, schemas: &'a Schemas) -> &'a Value {
    let target = schema["$ref"].as_str().and_then(|target| target.strip_prefix(PREFIX));
    target.and_then(|name| schemas.get(name)).unwrap_or(schema)
}

/// Which branch each value of `type` stands for, if all branches are named and have one.
fn mapping(schema: &Value, schemas: &Schemas) -> Option<Map<String, Value>> {
    let mut mapping = Map::new();
    for branch in schema["oneOf"].as_array()? {
        let object = resolve(branch, schemas);
        let tags = resolve(&object["properties"]["type"], schemas)["enum"].as_array()?;
        for tag in tags {
            mapping.insert(tag.as_str()?.to_owned(), branch.get("$ref")?.clone());
        }
    }
    Some(mapping)
}

/// Whether something meant for another schema also fits this one, which knows less of it.
fn swallows(one: &Value, other: &Value, schemas: &Schemas) -> bool {
    let objects = objects(one, schemas);
    self::objects(other, schemas).into_iter().any(|theirs| {
        objects.iter().any(|ours| {
            tag(ours) == tag(theirs)
                && keys(ours).is_subset(&keys(theirs))
                && keys(ours) != keys(theirs)
                && required(ours).is_subset(&required(theirs))
        })
    })
}

/// The objects that a schema stands for: itself, or its branches.
fn objects<'a>(schema: &'a Value, schemas: &'a Schemas) -> Vec<&'a Value> {
    let schema = resolve(schema, schemas);
    match schema["oneOf"].as_array() {
        Some(branches) => branches.iter().map(|branch| resolve(branch, schemas)).collect(),
        None => vec![schema],
    }
}

fn keys(object: &Value) -> BTreeSet<&str> {
    object["properties"].as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}

fn required(object: &Value) -> BTreeSet<&str> {
    object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
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

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{PREFIX, order, swallows};
    use crate::openapi::DOCUMENT;

    #[test]
    fn no_branch_of_a_union_swallows_a_later_one() {
        let schemas = DOCUMENT["components"]["schemas"].as_object().unwrap();
        let unions = schemas.values().filter_map(|schema| schema["anyOf"].as_array());
        let pairs = unions.flat_map(|branches| {
            let earlier = |at: usize| branches[..at].iter();
            (0..branches.len()).flat_map(move |at| earlier(at).map(move |one| (one, &branches[at])))
        });
        for (one, later) in pairs {
            assert!(!swallows(one, later, schemas), "{one} swallows {later}");
        }
    }

    #[test]
    fn what_says_less_comes_last() {
        let mut schemas = serde_json::json!({
            "Nothing": { "type": "object" },
            "Something": { "type": "object", "properties": { "mode": {} } },
            "Any": { "anyOf": [
                { "$ref": format!("{PREFIX}Nothing") },
                { "$ref": format!("{PREFIX}Something") },
            ] },
        });
        order(schemas.as_object_mut().unwrap());
        let names: Vec<&Value> =
            schemas["Any"]["anyOf"].as_array().unwrap().iter().map(|it| &it["$ref"]).collect();
        assert_eq!(names, [&format!("{PREFIX}Something"), &format!("{PREFIX}Nothing")]);
    }

    #[test]
    fn every_branch_of_a_union_is_told_apart_by_its_type() {
        let schemas = DOCUMENT["components"]["schemas"].as_object().unwrap();
        let mapping = schemas["MyMessage"]["discriminator"]["mapping"].as_object().unwrap();
        assert_eq!(mapping["match.invited"], format!("{PREFIX}MyInvitation"));
        assert_eq!(mapping["match.turn"], format!("{PREFIX}Notification"));
        let undecided = schemas.iter().filter(|(_, schema)| {
            let branches = schema["oneOf"].as_array().into_iter().flatten();
            branches.clone().count() > 1
                && branches.clone().all(|branch| branch.get("$ref").is_some())
                && schema.get("discriminator").is_none()
        });
        assert_eq!(undecided.map(|(name, _)| name).collect::<Vec<_>>(), Vec::<&String>::new());
    }
}
