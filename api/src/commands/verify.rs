//! `telar verify`

use std::{path::Path, process::ExitCode};

use domain::proof::{Flaw, InclusionProof, Proof};

use super::{Documents, print_error, print_line};
use service::{
    export::Export,
    notary::{NoKeys, PublicKeys},
};

use crate::{config::VerifyArgs, startup::StartError};

/// What the signatures of a proof show, if they were not checked.
const UNSIGNED: &str = "it is not signed, so nothing shows that a server played this match: \
     its author may have made it up and computed every hash";
const UNCHECKED: &str =
    "its signatures were not checked; with --keys they show which server played this match";
const SIGNED: &str = "signed by the server with these keys";

/// Verifies a file of proofs or exports, one per line, and reports the first flaw of each.
pub(super) fn run(args: &VerifyArgs) -> Result<ExitCode, StartError> {
    let verifier = Verifier::new(args)?;
    let mut code = ExitCode::SUCCESS;
    for (number, document) in (1..).zip(Documents::open(&args.file)?) {
        match verifier.check(&document?) {
            Ok(report) => print_line(&report),
            Err(flaw) => {
                print_error(&format!("{}:{number}: {flaw}", args.file.display()));
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// Everything that proofs are compared with.
struct Verifier {
    keys: Option<PublicKeys>,
    earlier: Vec<Vec<u8>>,
    inclusion: Option<InclusionProof>,
}

impl Verifier {
    fn new(args: &VerifyArgs) -> Result<Self, StartError> {
        let documents = |path: &Path| Documents::open(path)?.collect::<Result<Vec<_>, _>>();
        let earlier = args.earlier.as_deref().map(documents).transpose()?.unwrap_or_default();
        let keys = args.keys.as_deref().map(read_keys).transpose()?;
        let inclusion = args.inclusion.as_deref().map(read_document).transpose()?;
        Ok(Self { keys, earlier, inclusion })
    }

    /// What a document proves, in words.
    fn check(&self, document: &[u8]) -> Result<String, Flaw> {
        let export = Export::from_text(document)?;
        let (report, _) = export.verify()?;
        let proof = export.proof;
        for earlier in &self.earlier {
            let earlier = Export::from_text(earlier)?.proof;
            proof.continues(&earlier)?;
            if let Some(keys) = &self.keys {
                earlier.check_signatures(keys)?;
            }
        }
        let signed = self.signed(&proof)?;
        Ok(format!("{report}; {signed}"))
    }

    /// What the signatures show, in words.
    fn signed(&self, proof: &Proof) -> Result<String, Flaw> {
        let Some(keys) = &self.keys else {
            let unchecked = if proof.signatures.is_some() { UNCHECKED } else { UNSIGNED };
            return Ok(unchecked.to_owned());
        };
        proof.check_signatures(keys)?;
        let Some(inclusion) = &self.inclusion else { return Ok(SIGNED.to_owned()) };
        inclusion.check(proof, keys).map_err(Flaw::Inclusion)?;
        let (index, size) = (inclusion.index, inclusion.tree_head.size);
        Ok(format!("{SIGNED}, and leaf {index} of {size} in its transparency log"))
    }
}

/// Reads the key set of a server.
pub(super) fn read_keys(path: &Path) -> Result<PublicKeys, StartError> {
    PublicKeys::read(&read(path)?).map_err(|NoKeys| StartError::Document {
        path: path.display().to_string(),
        reason: NoKeys.to_string(),
    })
}

/// Reads a JSON document.
pub(super) fn read_document<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, StartError> {
    serde_json::from_slice(&read(path)?).map_err(|error| StartError::Document {
        path: path.display().to_string(),
        reason: error.to_string(),
    })
}

fn read(path: &Path) -> Result<Vec<u8>, StartError> {
    std::fs::read(path).map_err(|error| super::unreadable(path, error))
}
