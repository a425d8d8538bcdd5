//! JSON that keeps the order of its fields and can be changed anywhere.

use std::fmt;

use domain::chance::Chance;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};

/// A JSON value. Numbers, strings and constants are kept as they are written.
#[derive(Debug, Clone)]
pub enum Json {
    Object(Vec<(String, Json)>),
    List(Vec<Json>),
    Leaf(String),
}

/// Numbers that are likely to be out of some range.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "8",
    "9",
    "16",
    "25",
    "72",
    "255",
    "256",
    "65535",
    "4294967295",
    "9223372036854775807",
];

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Tree;
        impl<'de> Visitor<'de> for Tree {
            type Value = Json;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
                Ok(Json::Leaf(value.to_string()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
                Ok(Json::Leaf(value.to_string()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
                Ok(Json::Leaf(value.to_string()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
                Ok(Json::Leaf(value.to_string()))
            }

            fn visit_str<E>(self, value: &str) -> Result<Json, E> {
                Ok(Json::Leaf(serde_json::to_string(value).unwrap()))
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Leaf("null".to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = from.next_element()? {
                    items.push(item);
                }
                Ok(Json::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = from.next_entry()? {
                    fields.push(field);
                }
                Ok(Json::Object(fields))
            }
        }
        from.deserialize_any(Tree)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comma = |index: usize| if index == 0 { "" } else { "," };
        match self {
            Self::Leaf(text) => f.write_str(text),
            Self::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", comma(index))?;
                }
                f.write_str("]")
            }
            Self::Object(fields) => {
                f.write_str("{")?;
                for (index, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}\"{name}\":{value}", comma(index))?;
                }
                f.write_str("}")
            }
        }
    }
}

impl Json {
    /// The list at a path of field names and indices.
    pub fn find_mut(&mut self, path: &[&str]) -> &mut Vec<Self> {
        match (self, path) {
            (Self::List(items), []) => items,
            (Self::List(items), [index, rest @ ..]) => {
                items[index.parse::<usize>().unwrap()].find_mut(rest)
            }
            (Self::Object(fields), [name, rest @ ..]) => {
                let field = fields.iter_mut().find(|(field, _)| field == name).unwrap();
                field.1.find_mut(rest)
            }
            _ => panic!("there is no list"),
        }
    }

    pub fn drop_first(items: &mut Vec<Self>) {
        items.remove(0);
    }

    pub fn drop_last(items: &mut Vec<Self>) {
        items.pop();
    }

    pub fn repeat_last(items: &mut Vec<Self>) {
        items.push(items.last().unwrap().clone());
    }

    /// Changes something, anywhere.
    pub fn change(&mut self, chance: &mut dyn Chance) {
        let size = self.size();
        let strings = self.strings();
        self.change_at(chance.index(size), &strings, chance);
    }

    /// The number of values in this one.
    fn size(&self) -> usize {
        match self {
            Self::Leaf(_) => 1,
            Self::List(items) => 1 + items.iter().map(Self::size).sum::<usize>(),
            Self::Object(fields) => 1 + fields.iter().map(|(_, value)| value.size()).sum::<usize>(),
        }
    }

    /// All strings in this value, which may be names of other variants.
    fn strings(&self) -> Vec<String> {
        match self {
            Self::Leaf(text) if text.starts_with('"') => vec![text.clone()],
            Self::Leaf(_) => Vec::new(),
            Self::List(items) => items.iter().flat_map(Self::strings).collect(),
            Self::Object(fields) => fields.iter().flat_map(|(_, value)| value.strings()).collect(),
        }
    }

    /// Changes the value with a number, counted from the root.
    fn change_at(&mut self, mut number: usize, strings: &[String], chance: &mut dyn Chance) {
        if number == 0 {
            return self.change_here(strings, chance);
        }
        number -= 1;
        let children: Vec<&mut Self> = match self {
            Self::Leaf(_) => Vec::new(),
            Self::List(items) => items.iter_mut().collect(),
            Self::Object(fields) => fields.iter_mut().map(|(_, value)| value).collect(),
        };
        for child in children {
            let size = child.size();
            if number < size {
                return child.change_at(number, strings, chance);
            }
            number -= size;
        }
    }

    fn change_here(&mut self, strings: &[String], chance: &mut dyn Chance) {
        match self {
            Self::Leaf(text) if text.starts_with('"') => {
                text.clone_from(&strings[chance.index(strings.len())]);
            }
            Self::Leaf(text) => {
                let near = text.parse::<u64>().unwrap_or(0);
                *text = match chance.below(4) {
                    0 => near.saturating_add(1).to_string(),
                    1 => near.saturating_sub(1).to_string(),
                    _ => NUMBERS[chance.index(NUMBERS.len())].to_owned(),
                };
            }
            Self::List(items) if !items.is_empty() => {
                let (one, other) = (chance.index(items.len()), chance.index(items.len()));
                match chance.below(5) {
                    0 => drop(items.remove(one)),
                    1 => items.insert(one, items[other].clone()),
                    2 => items.swap(one, other),
                    3 => items.truncate(one),
                    // Enough of the same to overflow a counter of one byte.
                    _ => {
                        let again = std::iter::repeat_n(items[one].clone(), 300);
                        items.splice(one..one, again);
                    }
                }
            }
            Self::Object(fields) if !fields.is_empty() => {
                let one = chance.index(fields.len());
                fields.remove(one);
            }
            Self::List(_) | Self::Object(_) => *self = Self::Leaf("null".to_owned()),
        }
    }
}
