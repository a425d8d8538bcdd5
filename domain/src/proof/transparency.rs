//! Documents of the transparency log: its signed head, and the proofs that it includes a match and was only ever appended to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    BadSignature, Keys, Proof, Signature,
    merkle::{self, Hash},
    tree_head,
};

/// A signed head of the log: binds the server to all leaves up to its size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TreeHead)]
pub struct SignedHead {
    /// The number of leaves.
    #[schema(example = 5)]
    pub size: u64,
    /// When it was signed, in microseconds since 1970-01-01T00:00:00Z.
    #[schema(example = 1_790_000_000_000_000_i64)]
    pub at: i64,
    /// The root of the tree, in hexadecimal.
    #[schema(example = "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4")]
    pub root: String,
    /// The id of the key, as the key set of the server names it.
    #[schema(example = "24gEuY50st5qdKIJJszG17Zq1CFVUvA6TddtBNux36o")]
    pub kid: String,
    /// The 64 bytes of the Ed25519 signature, in hexadecimal.
    pub signature: String,
}

/// The proof that a match is in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InclusionProof {
    /// The leaf of the match, in hexadecimal.
    pub leaf: String,
    /// Its position in the log, counted from 0.
    pub index: u64,
    /// The hashes from the leaf to the root, in hexadecimal.
    pub path: Vec<String>,
    /// The head whose tree includes the leaf.
    pub tree_head: SignedHead,
}

/// The proof that the log was only appended to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConsistencyProof {
    /// The size of the earlier tree.
    pub first: u64,
    /// The hashes between the two roots, in hexadecimal.
    pub path: Vec<String>,
    /// The head of the later tree.
    pub tree_head: SignedHead,
}

/// What is wrong with a document of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LogFlaw {
    /// A hash is not 64 hexadecimal digits.
    #[error("expected hashes of 64 lower-case hexadecimal digits")]
    Hash,
    /// The head is not signed by a given key.
    #[error("tree_head: {0}")]
    Head(BadSignature),
    /// The leaf is that of another match.
    #[error("leaf: not that of this match")]
    OtherMatch,
    /// The path does not lead from the leaf to the root.
    #[error("path: the tree does not include the leaf")]
    NotIncluded,
    /// The later tree does not continue the earlier one.
    #[error("path: the tree does not continue the earlier one; the log was rewritten")]
    Rewritten,
    /// The proof is for an earlier tree of another size.
    #[error("first: not the size of the earlier tree")]
    OtherSize,
}

fn hash(digits: &str) -> Result<Hash, LogFlaw> {
    let mut hash = [0; 32];
    match hex::decode_to_slice(digits, &mut hash) {
        Ok(()) if hex::encode(hash) == digits => Ok(hash),
        _ => Err(LogFlaw::Hash),
    }
}

fn hashes(path: &[String]) -> Result<Vec<Hash>, LogFlaw> {
    path.iter().map(|digits| hash(digits)).collect()
}

impl SignedHead {
    /// Checks the signature, and returns the root.
    ///
    /// # Errors
    /// If the head is malformed or not signed by one of these keys.
    pub fn check(&self, keys: &impl Keys) -> Result<Hash, LogFlaw> {
        let root = hash(&self.root)?;
        let Self { kid, signature, .. } = self.clone();
        let bytes = Signature { seq: 0, kid, signature }.bytes();
        let bytes = bytes.map_err(LogFlaw::Head)?;
        keys.check(&self.kid, &tree_head(self.size, self.at, &root), &bytes)
            .map_err(LogFlaw::Head)?;
        Ok(root)
    }
}

impl InclusionProof {
    /// Checks that the log of a server with these keys includes a match.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, proof: &Proof, keys: &impl Keys) -> Result<(), LogFlaw> {
        let root = self.tree_head.check(keys)?;
        let leaf = hash(&self.leaf)?;
        if proof.leaf() != Some(leaf) {
            return Err(LogFlaw::OtherMatch);
        }
        let path = hashes(&self.path)?;
        let included = merkle::includes(&root, self.tree_head.size, self.index, &leaf, &path);
        if included { Ok(()) } else { Err(LogFlaw::NotIncluded) }
    }
}

impl ConsistencyProof {
    /// Checks that the log of a server with these keys was only appended to since an earlier head.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, earlier: &SignedHead, keys: &impl Keys) -> Result<(), LogFlaw> {
        let (before, now) = (earlier.check(keys)?, self.tree_head.check(keys)?);
        if self.first != earlier.size {
            return Err(LogFlaw::OtherSize);
        }
        let path = hashes(&self.path)?;
        let continued =
            merkle::continues((self.first, &before), (self.tree_head.size, &now), &path);
        if continued { Ok(()) } else { Err(LogFlaw::Rewritten) }
    }
}
