//! JSON as a tree whose errors keep their parts. It is read only to explain why something else has failed.

use serde::{
    Deserializer,
    de::{
        Error, IntoDeserializer, Unexpected, Visitor,
        value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::{Map, Value};

use super::Misfit;

/// The name by which `RawValue` asks for JSON as it is.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// A part of the tree.
#[derive(Clone, Copy)]
pub(super) struct Node<'de>(&'de Value);

/// The fields of an object, to be read into a struct or an enum.
pub(super) fn fields(object: &Map<String, Value>) -> impl Deserializer<'_, Error = Misfit> {
    let fields = object.iter().map(|(name, value)| (name.as_str(), Node(value)));
    MapDeserializer::new(fields)
}

impl<'de> IntoDeserializer<'de, Misfit> for Node<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => {
                let mut items = SeqDeserializer::new(items.iter().map(Node));
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Value::Object(object) => fields(object).deserialize_map(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        if name == RAW_VALUE {
            let text = std::iter::once((RAW_VALUE, self.0.to_string()));
            return visitor.visit_map(MapDeserializer::new(text));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            Value::Object(object) => {
                let fields = object.iter().map(|(name, value)| (name.as_str(), Node(value)));
                visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(fields)))
            }
            Value::Null => Err(Misfit::invalid_type(Unexpected::Unit, &"a string")),
            Value::Bool(value) => Err(Misfit::invalid_type(Unexpected::Bool(*value), &"a string")),
            Value::Number(number) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                Err(Misfit::invalid_type(Unexpected::Float(number), &"a string"))
            }
            Value::Array(_) => Err(Misfit::invalid_type(Unexpected::Seq, &"a string")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}
