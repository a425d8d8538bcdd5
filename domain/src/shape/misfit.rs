//! What is wrong with a value, in words for people and without the names of types.

use std::fmt;

use serde::de::{self, Expected as SerdeExpected, Unexpected};

use crate::text::Lang;

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// It is not an object.
    NotAnObject,
    /// The JSON ends in the middle.
    CutOff,
    /// It is not JSON.
    NotJson {
        /// The line of the error, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
    },
    /// A field is missing.
    Missing(String),
    /// A field is unknown.
    Unknown {
        /// The field.
        field: String,
        /// The fields that are known.
        known: &'static [&'static str],
    },
    /// A field appears more than once.
    Repeated(String),
    /// A name is none of those that are known.
    NotOneOf {
        /// The name.
        name: String,
        /// The names that are known.
        known: &'static [&'static str],
    },
    /// Something else was expected.
    Other {
        /// What was found.
        found: Found,
        /// What was expected.
        expected: Expected,
    },
    /// A reason of its own.
    Because(Bilingual),
}

/// What was found instead of what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, as it is written.
    Number(String),
    /// The beginning of a text.
    Text(String),
    /// A list.
    List,
    /// An object.
    Object,
    /// So many items.
    Items(usize),
    /// Something that need not be named.
    Unnamed,
}

/// What was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// A whole number within bounds.
    Integer {
        /// The smallest one.
        min: i64,
        /// The largest one.
        max: u64,
    },
    /// A number.
    Number,
    /// A text.
    Text,
    /// `true` or `false`.
    Boolean,
    /// An object.
    Object,
    /// A list.
    List,
    /// A list of so many items.
    ListOf(usize),
    /// A UUID.
    Uuid,
    /// Something that has no name for people.
    Unnamed,
}

/// A text in both languages that is put together at run time. It survives `serde::de::Error::custom`, which keeps nothing
/// but what is displayed: both texts are, with a separator that no text contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bilingual {
    /// English.
    pub en: String,
    /// Spanish.
    pub es: String,
}

/// Separates the languages of a displayed [`Bilingual`].
const SEPARATOR: char = '\u{1e}';

impl Bilingual {
    /// A text from its two versions.
    pub fn new(en: impl Into<String>, es: impl Into<String>) -> Self {
        Self { en: en.into(), es: es.into() }
    }
}

impl fmt::Display for Bilingual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{SEPARATOR}{}", self.en, self.es)
    }
}

impl Misfit {
    /// A reason of its own, in both languages.
    pub fn because(en: impl Into<String>, es: impl Into<String>) -> Self {
        Self::Because(Bilingual::new(en, es))
    }

    /// The field that it is about, if it names one.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Missing(field) | Self::Unknown { field, .. } | Self::Repeated(field) => {
                Some(field)
            }
            Self::NotAnObject
            | Self::CutOff
            | Self::NotJson { .. }
            | Self::NotOneOf { .. }
            | Self::Other { .. }
            | Self::Because(_) => None,
        }
    }

    /// What is wrong, in words.
    #[must_use]
    pub fn tell(&self, lang: Lang) -> String {
        match self {
            Self::NotAnObject => {
                lang.pick("Expected a JSON object.", "Se esperaba un objeto JSON.").to_owned()
            }
            Self::CutOff => {
                lang.pick("The JSON is cut off.", "El JSON está incompleto.").to_owned()
            }
            Self::NotJson { line, column } => lang.pick(
                format!("This is not valid JSON; the error is in line {line}, column {column}."),
                format!(
                    "Esto no es JSON válido; el error está en la línea {line}, columna {column}."
                ),
            ),
            Self::Missing(field) => {
                lang.pick(format!("`{field}` is missing."), format!("Falta `{field}`."))
            }
            Self::Unknown { field, known: [] } => lang.pick(
                format!("`{field}` does not belong here."),
                format!("`{field}` no corresponde aquí."),
            ),
            Self::Unknown { field, known } => {
                let known = lang.list(&quoted(known));
                lang.pick(
                    format!("`{field}` does not belong here; allowed: {known}."),
                    format!("`{field}` no corresponde aquí; permitidos: {known}."),
                )
            }
            Self::Repeated(field) => lang.pick(
                format!("`{field}` appears more than once."),
                format!("`{field}` aparece más de una vez."),
            ),
            Self::NotOneOf { name, known } => {
                let known = lang.list(&quoted(known));
                lang.pick(
                    format!("`{name}` is not one of {known}."),
                    format!("`{name}` no es ninguno de estos valores: {known}."),
                )
            }
            Self::Other { expected: Expected::Unnamed, .. } => {
                lang.pick("This value is not valid.", "Este valor no es válido.").to_owned()
            }
            Self::Other { found: Found::Unnamed, expected } => {
                let expected = expected.tell(lang);
                lang.pick(format!("Expected {expected}."), format!("Se esperaba {expected}."))
            }
            Self::Other { found, expected } => {
                let (found, expected) = (found.tell(lang), expected.tell(lang));
                lang.pick(
                    format!("Expected {expected}, but got {found}."),
                    format!("Se esperaba {expected}, pero se recibió {found}."),
                )
            }
            Self::Because(text) => lang.pick(&text.en, &text.es).clone(),
        }
    }
}

fn quoted(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}

impl Found {
    fn tell(&self, lang: Lang) -> String {
        match self {
            Self::Null => "`null`".to_owned(),
            Self::Boolean(value) => format!("`{value}`"),
            Self::Number(number) => {
                lang.pick(format!("the number {number}"), format!("el número {number}"))
            }
            Self::Text(text) => {
                lang.pick(format!("the string `{text}`"), format!("la cadena `{text}`"))
            }
            Self::List => lang.pick("a list", "una lista").to_owned(),
            Self::Object => lang.pick("an object", "un objeto").to_owned(),
            Self::Items(count) => count.to_string(),
            Self::Unnamed => lang.pick("something else", "otra cosa").to_owned(),
        }
    }
}

impl From<Unexpected<'_>> for Found {
    fn from(unexpected: Unexpected<'_>) -> Self {
        match unexpected {
            Unexpected::Bool(value) => Self::Boolean(value),
            Unexpected::Unsigned(number) => Self::Number(number.to_string()),
            Unexpected::Signed(number) => Self::Number(number.to_string()),
            Unexpected::Float(number) => Self::Number(number.to_string()),
            Unexpected::Char(text) => Self::Text(text.to_string()),
            Unexpected::Str(text) => Self::Text(shortened(text)),
            Unexpected::Unit | Unexpected::Option => Self::Null,
            Unexpected::Seq => Self::List,
            Unexpected::Map => Self::Object,
            Unexpected::Bytes(_)
            | Unexpected::NewtypeStruct
            | Unexpected::Enum
            | Unexpected::UnitVariant
            | Unexpected::NewtypeVariant
            | Unexpected::TupleVariant
            | Unexpected::StructVariant
            | Unexpected::Other(_) => Self::Unnamed,
        }
    }
}

/// How much of a text is repeated to the one who sent it.
const SHOWN: usize = 40;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

impl Expected {
    fn tell(&self, lang: Lang) -> String {
        match self {
            Self::Integer { min, max } => lang.pick(
                format!("a whole number from {min} to {max}"),
                format!("un número entero de {min} a {max}"),
            ),
            Self::Number => lang.pick("a number", "un número").to_owned(),
            Self::Text => lang.pick("a string", "una cadena de texto").to_owned(),
            Self::Boolean => lang.pick("`true` or `false`", "`true` o `false`").to_owned(),
            Self::Object => lang.pick("an object", "un objeto").to_owned(),
            Self::List => lang.pick("a list", "una lista").to_owned(),
            Self::ListOf(count) => lang.pick(
                format!("a list of {count} items"),
                format!("una lista de {count} elementos"),
            ),
            Self::Uuid => {
                let example = "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10";
                lang.pick(format!("a UUID, such as {example}"), format!("un UUID, como {example}"))
            }
            Self::Unnamed => lang.pick("another value", "otro valor").to_owned(),
        }
    }

    /// What serde and the types that it reads call by this name.
    fn named(name: &str) -> Self {
        let signed = |min: i64, max: i64| Self::Integer { min, max: max.unsigned_abs() };
        match name {
            "u8" => Self::Integer { min: 0, max: u8::MAX.into() },
            "u16" => Self::Integer { min: 0, max: u16::MAX.into() },
            "u32" => Self::Integer { min: 0, max: u32::MAX.into() },
            "u64" | "usize" => Self::Integer { min: 0, max: u64::MAX },
            "i8" => signed(i8::MIN.into(), i8::MAX.into()),
            "i16" => signed(i16::MIN.into(), i16::MAX.into()),
            "i32" => signed(i32::MIN.into(), i32::MAX.into()),
            "i64" | "isize" => signed(i64::MIN, i64::MAX),
            "f32" | "f64" => Self::Number,
            "a boolean" => Self::Boolean,
            "a sequence" => Self::List,
            "a UUID string" | "a formatted UUID string" => Self::Uuid,
            _ if name.contains("string") || name.starts_with("variant ") => Self::Text,
            _ if name.starts_with("struct ") || name.contains("enum ") || name.contains("map") => {
                Self::Object
            }
            _ => {
                let length = name
                    .strip_prefix("an array of length ")
                    .or_else(|| name.strip_suffix(" elements in sequence"))
                    .or_else(|| name.strip_suffix(" element in sequence"));
                match length.map(str::parse) {
                    Some(Ok(length)) => Self::ListOf(length),
                    _ => Self::Unnamed,
                }
            }
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tell(Lang::En))
    }
}

impl std::error::Error for Misfit {}

impl de::Error for Misfit {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let message = message.to_string();
        if let Some((en, es)) = message.split_once(SEPARATOR) {
            return Self::because(en, es);
        }
        let expected = if message.starts_with("UUID parsing failed") {
            Expected::Uuid
        } else {
            Expected::Unnamed
        };
        Self::Other { found: Found::Unnamed, expected }
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn SerdeExpected) -> Self {
        let expected = Expected::named(&expected.to_string());
        Self::Other { found: unexpected.into(), expected }
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn SerdeExpected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn invalid_length(length: usize, expected: &dyn SerdeExpected) -> Self {
        let expected = Expected::named(&expected.to_string());
        Self::Other { found: Found::Items(length), expected }
    }

    fn unknown_variant(variant: &str, known: &'static [&'static str]) -> Self {
        Self::NotOneOf { name: shortened(variant), known }
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        Self::Unknown { field: shortened(field), known }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field.to_owned())
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::Repeated(field.to_owned())
    }
}
