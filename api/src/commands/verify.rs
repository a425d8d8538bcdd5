//! `telar verify`

use std::{path::Path, process::ExitCode};

use domain::proof::{Flaw, Report};

use super::{Documents, print_error, print_line};
use service::export::Export;

use crate::startup::StartError;

/// Verifies a file of proofs or exports, one per line, and reports the first flaw of each.
pub(super) fn run(file: &Path, earlier: Option<&Path>) -> Result<ExitCode, StartError> {
    let mut before = Vec::new();
    if let Some(earlier) = earlier {
        before = Documents::open(earlier)?.collect::<Result<_, _>>()?;
    }
    let mut code = ExitCode::SUCCESS;
    for (number, document) in (1..).zip(Documents::open(file)?) {
        match check(&document?, &before) {
            Ok(report) => print_line(&report.to_string()),
            Err(flaw) => {
                print_error(&format!("{}:{number}: {flaw}", file.display()));
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

fn check(document: &[u8], earlier: &[Vec<u8>]) -> Result<Report, Flaw> {
    let export = Export::from_text(document)?;
    let (report, _) = export.verify()?;
    for earlier in earlier {
        export.proof.continues(&Export::from_text(earlier)?.proof)?;
    }
    Ok(report)
}
