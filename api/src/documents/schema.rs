//! Schemas that utoipa cannot derive: unions over the types of all registered games, and constant strings.

use domain::{
    games,
    matches::MatchEventView,
    schema::{Component, Described, Schemas},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Ref, RefOr,
        schema::{AnyOfBuilder, Object, ObjectBuilder, Schema, Type},
    },
};

/// Any of these components.
fn any_of(names: impl Iterator<Item = String>, description: &str) -> RefOr<Schema> {
    let union =
        names.fold(AnyOfBuilder::new(), |union, name| union.item(Ref::from_schema_name(name)));
    union.description(Some(description)).into()
}

macro_rules! unions {
    ($($(#[doc = $doc:literal])* $name:ident = $part:expr, $extra:expr;)*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Debug)]
            pub struct $name;

            impl PartialSchema for $name {
                fn schema() -> RefOr<Schema> {
                    let part: fn(Schemas) -> Described = $part;
                    let extra: Option<&str> = $extra;
                    let names = games::all().map(|game| part(game.schemas()).name);
                    let names = extra.map(str::to_owned).into_iter().chain(names);
                    any_of(names, concat!($($doc),*).trim())
                }
            }

            impl ToSchema for $name {
                fn name() -> std::borrow::Cow<'static, str> {
                    std::borrow::Cow::Borrowed(stringify!($name))
                }

                fn schemas(schemas: &mut Vec<Component>) {
                    let part: fn(Schemas) -> Described = $part;
                    for game in games::all() {
                        schemas.extend(part(game.schemas()).components);
                    }
                    let extra: Option<&str> = $extra;
                    if extra.is_some() {
                        schemas.push((MatchEventView::name().into_owned(), MatchEventView::schema()));
                        MatchEventView::schemas(schemas);
                    }
                }
            }
        )*
    };
}

unions! {
    /// The options of a game; see `options_schema` of the game.
    AnyOptions = |schemas| schemas.options, None;
    /// A move of a game; see `move_schema` of the game.
    AnyMove = |schemas| schemas.mv, None;
    /// A game as a viewer sees it; see `view_schema` of the game.
    AnyView = |schemas| schemas.view, None;
    /// An event of a match or of its game; see `event_schema` of the game.
    AnyEvent = |schemas| schemas.event, Some("MatchEventView");
}

/// A constant string, by which clients tell the branches of a union apart.
#[must_use]
pub fn only(text: &str) -> Object {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some([text])).build()
}
