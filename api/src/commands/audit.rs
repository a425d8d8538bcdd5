//! `telar audit`

use std::{path::Path, process::ExitCode};

use domain::proof::{ConsistencyProof, SignedHead};

use super::{
    print_error, print_line,
    verify::{read_document, read_keys},
};

use crate::startup::StartError;

/// Checks that a transparency log was only appended to since an earlier tree head.
pub(super) fn run(keys: &Path, earlier: &Path, consistency: &Path) -> Result<ExitCode, StartError> {
    let keys = read_keys(keys)?;
    let before: SignedHead = read_document(earlier)?;
    let now: ConsistencyProof = read_document(consistency)?;
    if let Err(flaw) = now.check(&before, &keys) {
        print_error(&format!("{}: {flaw}", consistency.display()));
        return Ok(ExitCode::FAILURE);
    }
    let (first, second) = (now.first, now.tree_head.size);
    print_line(&format!("the log was only appended to, from {first} leaves to {second}"));
    Ok(ExitCode::SUCCESS)
}
