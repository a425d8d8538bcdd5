//! The value of a query parameter, to be read into any type that fits into one.

use domain::shape::Misfit;
use serde::{
    Deserializer,
    de::{Error, IntoDeserializer, Unexpected, Visitor},
    forward_to_deserialize_any,
};

/// The decoded value of a query parameter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameter<'de>(pub(super) &'de str);

impl<'de> IntoDeserializer<'de, Misfit> for Parameter<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Parameter<'de> {
    /// A number that need not fit into the type that is read.
    fn number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if let Ok(number) = self.0.parse() {
            return visitor.visit_u64(number);
        }
        if let Ok(number) = self.0.parse() {
            return visitor.visit_i64(number);
        }
        Err(Misfit::invalid_type(Unexpected::Str(self.0), &visitor))
    }

    fn float<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0.parse() {
            Ok(number) => visitor.visit_f64(number),
            Err(_) => Err(Misfit::invalid_type(Unexpected::Str(self.0), &visitor)),
        }
    }
}

/// Reads numbers of these types.
macro_rules! numbers {
    ($($method:ident => $read:ident;)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
                self.$read(visitor)
            }
        )*
    };
}

impl<'de> Deserializer<'de> for Parameter<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0.parse() {
            Ok(value) => visitor.visit_bool(value),
            Err(_) => Err(Misfit::invalid_type(Unexpected::Str(self.0), &visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    numbers! {
        deserialize_i8 => number;
        deserialize_i16 => number;
        deserialize_i32 => number;
        deserialize_i64 => number;
        deserialize_u8 => number;
        deserialize_u16 => number;
        deserialize_u32 => number;
        deserialize_u64 => number;
        deserialize_f32 => float;
        deserialize_f64 => float;
    }

    forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
