//! JSON Schemas of a game's types, for the OpenAPI document and for `GET /v1/games/{game}`.

use serde_json::{Value, value::RawValue};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};

use crate::{
    game::Game,
    shape::{BadShape, Expected, Misfit},
};

/// A named schema, as in the components of an OpenAPI document.
pub type Component = (String, RefOr<Schema>);

/// The types of a game that clients use, each with the types that it refers to.
#[derive(Debug)]
pub struct Schemas {
    /// The options of a match.
    pub options: Described,
    /// A move.
    pub mv: Described,
    /// The view of a state.
    pub view: Described,
    /// The view of an event.
    pub event: Described,
}

/// A named schema and the components that it refers to (itself included).
#[derive(Debug)]
pub struct Described {
    /// The name of the component.
    pub name: String,
    /// The component and all components that it refers to.
    pub components: Vec<Component>,
}

impl Described {
    fn of<T: ToSchema>() -> Self {
        let name = T::name().into_owned();
        let mut components = vec![(name.clone(), T::schema())];
        T::schemas(&mut components);
        Self { name, components }
    }

    /// A self-contained JSON Schema with all components under `$defs`.
    #[must_use]
    pub fn standalone(&self) -> serde_json::Value {
        let defs: serde_json::Map<String, serde_json::Value> = self
            .components
            .iter()
            .map(|(name, schema)| {
                (name.clone(), serde_json::to_value(schema).expect("a schema is plain data"))
            })
            .collect();
        let mut document = serde_json::json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$ref": format!("#/$defs/{}", self.name),
            "$defs": defs,
        });
        localise(&mut document);
        document
    }
}

fn localise(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                match value {
                    serde_json::Value::String(target) if key == "$ref" => {
                        *target = target.replace("#/components/schemas/", "#/$defs/");
                    }
                    _ => localise(value),
                }
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(localise),
        _ => {}
    }
}

/// An explanation of what is wrong with a value of `T`, a `type`-tagged enum: where a whole number was expected, with the bounds that
/// the schema declares for the field.
pub(crate) fn with_bounds<T: ToSchema>(shape: BadShape, json: &RawValue) -> BadShape {
    let (Some(field), Misfit::Other { found, expected: Expected::Integer { .. } }) =
        (&shape.field, &shape.misfit)
    else {
        return shape;
    };
    match declared_bounds::<T>(json, field) {
        Some((min, max)) => {
            let misfit =
                Misfit::Other { found: found.clone(), expected: Expected::Integer { min, max } };
            BadShape { field: shape.field, misfit }
        }
        None => shape,
    }
}

fn declared_bounds<T: ToSchema>(json: &RawValue, field: &str) -> Option<(i64, u64)> {
    let value: Value = serde_json::from_str(json.get()).ok()?;
    let schema = Described::of::<T>().standalone();
    let resolve = |part: &Value| -> Option<Value> {
        match part["$ref"].as_str() {
            Some(target) => schema.pointer(target.strip_prefix('#')?).cloned(),
            None => Some(part.clone()),
        }
    };
    let branches = resolve(&schema)?;
    let branch = branches["oneOf"].as_array()?.iter().find(|branch| {
        branch.pointer("/properties/type/enum/0").is_some_and(|tag| *tag == value["type"])
    })?;
    let mut property = resolve(branch.pointer("/properties")?.get(field)?)?;
    if property["type"] == "array" {
        property = resolve(&property["items"])?;
    }
    let min = property["minimum"].as_i64().unwrap_or(0);
    Some((min, property["maximum"].as_u64()?))
}

/// The schemas of a game.
#[must_use]
pub fn of<G: Game>() -> Schemas
where
    G::Move: PartialSchema,
{
    Schemas {
        options: Described::of::<G::Options>(),
        mv: Described::of::<G::Move>(),
        view: Described::of::<G::View>(),
        event: Described::of::<G::EventView>(),
    }
}
