//! Generates the client from `openapi/openapi.json`: its types with typify, its methods with `operations.rs`.

mod operations;
mod schemas;

use std::{env, error::Error, fs, path::PathBuf};

use serde_json::Value;

const DOCUMENT: &str = "../../openapi/openapi.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed={DOCUMENT}");
    let document: Value = serde_json::from_str(&fs::read_to_string(DOCUMENT)?)?;
    let operations = operations::all(&document);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("types.rs"), schemas::generate(&document, &operations)?)?;
    fs::write(out.join("operations.rs"), operations::generate(&operations))?;
    Ok(())
}
