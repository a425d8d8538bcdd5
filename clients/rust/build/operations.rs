//! Generates the methods: one per operation of the document.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// An operation of the document.
pub struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    said: &'a Value,
}

/// The body of a successful response.
enum Answer {
    Nothing,
    /// A generated type.
    Json(String),
    Text,
    /// A stream, or a file of unknown length.
    Stream,
}

/// All operations.
pub fn all(document: &Value) -> Vec<Operation<'_>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths
        .flat_map(|(path, item)| {
            let operations = item.as_object().into_iter().flatten();
            operations.map(move |(method, said)| Operation { method, path, said })
        })
        .collect()
}

/// Rust code with one method per operation.
pub fn generate(operations: &[Operation]) -> String {
    let methods: String = operations.iter().map(Operation::code).collect();
    format!("impl Client {{\n{methods}}}\n")
}

impl Operation<'_> {
    fn name(&self) -> &str {
        self.said["operationId"].as_str().unwrap_or_default()
    }

    /// The parameters in this location.
    fn parameters_in(&self, place: &str) -> impl Iterator<Item = &Value> {
        let parameters = self.said["parameters"].as_array().into_iter().flatten();
        parameters.filter(move |parameter| parameter["in"] == place)
    }

    /// The name and the schema of all parameters except those in the path.
    pub fn parameters(&self) -> Option<(String, Value)> {
        let properties: Map<String, Value> = self
            .parameters_in("query")
            .chain(self.parameters_in("header"))
            .map(|parameter| {
                let mut schema = parameter["schema"].clone();
                schema["description"] = parameter["description"].clone();
                (text(&parameter["name"]).to_owned(), schema)
            })
            .collect();
        let schema = json!({
            "type": "object",
            "description": format!("What can be said to `{}`.", self.name()),
            "properties": properties,
        });
        (!properties.is_empty()).then(|| (format!("{}Parameters", camel(self.name())), schema))
    }

    fn answer(&self) -> Answer {
        let answers = self.said["responses"].as_object().into_iter().flatten();
        let content = answers
            .filter(|(status, _)| status.starts_with('2'))
            .find_map(|(_, answer)| answer["content"].as_object());
        let Some(content) = content else { return Answer::Nothing };
        if let Some(json) = content.get("application/json") {
            return Answer::Json(type_of(&json["schema"]));
        }
        let is_stream = |kind: &String| kind.ends_with("ndjson") || kind.ends_with("event-stream");
        if content.keys().any(is_stream) { Answer::Stream } else { Answer::Text }
    }

    fn code(&self) -> String {
        let mut arguments = String::new();
        let path = self.path;
        for parameter in self.parameters_in("path") {
            let name = text(&parameter["name"]);
            let kind = if parameter["schema"]["format"] == "uuid" { "uuid::Uuid" } else { "&str" };
            let _ = write!(arguments, ", {name}: {kind}");
        }
        let mut request = format!(
            "self.request(reqwest::Method::{}, &format!({path:?}))",
            self.method.to_uppercase()
        );
        if let Some((name, _)) = self.parameters() {
            let _ = write!(arguments, ", parameters: Option<&types::{name}>");
            let headers: Vec<&str> =
                self.parameters_in("header").map(|it| text(&it["name"])).collect();
            request = format!("say({request}, parameters, &{headers:?})?");
        }
        let body = &self.said["requestBody"]["content"]["application/json"]["schema"];
        if !body.is_null() {
            let _ = write!(arguments, ", body: &types::{}", type_of(body));
            request = format!("{request}.json(body)");
        }
        let (kind, read) = match self.answer() {
            Answer::Nothing => ("()".to_owned(), "nothing"),
            Answer::Json(kind) => (format!("types::{kind}"), "json"),
            Answer::Text => ("String".to_owned(), "text"),
            Answer::Stream => ("reqwest::Response".to_owned(), "stream"),
        };
        format!(
            "{docs}#[doc = \"\"]\n#[doc = {address:?}]\n\
             pub async fn {name}(&self{arguments}) -> Result<{kind}, Error> {{ {read}({request}).await }}\n\n",
            docs = self.docs(),
            address = format!("`{} {}`", self.method.to_uppercase(), self.path),
            name = self.name(),
        )
    }

    fn docs(&self) -> String {
        let summary = text(&self.said["summary"]);
        let description = text(&self.said["description"]);
        let lines = [summary, ""].into_iter().chain(description.lines());
        lines.fold(String::new(), |mut docs, line| {
            let _ = writeln!(docs, "#[doc = {line:?}]");
            docs
        })
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The name of the referenced schema.
pub fn name_of(reference: &Value) -> &str {
    text(&reference["$ref"]).rsplit('/').next().unwrap_or_default()
}

/// The name of its type.
fn type_of(reference: &Value) -> String {
    camel(name_of(reference))
}

/// The name of the type for a schema of this name.
pub fn camel(name: &str) -> String {
    name.split(['_', '.'])
        .map(|word| {
            let (head, tail) = word.split_at(word.len().min(1));
            head.to_uppercase() + tail
        })
        .collect()
}
