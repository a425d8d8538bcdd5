//! Writes `openapi/openapi.json`; with `--check`, only checks that it is up to date.

use std::{fs, path::PathBuf, process::ExitCode};

fn main() -> ExitCode {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let text = serde_json::to_string_pretty(&*api::openapi::DOCUMENT).unwrap_or_default() + "\n";
    if std::env::args().any(|argument| argument == "--check") {
        if fs::read_to_string(&file).is_ok_and(|committed| committed == text) {
            return ExitCode::SUCCESS;
        }
        eprintln!("openapi/openapi.json is out of date: run `make openapi`");
        return ExitCode::FAILURE;
    }
    match fs::write(&file, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            ExitCode::FAILURE
        }
    }
}
