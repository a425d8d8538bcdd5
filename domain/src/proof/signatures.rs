//! What a server signs: that a match starts, and how it ended. This module defines the signed bytes; keys live elsewhere.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{CommitProof, Flaw, Proof, SeatProof, seats};
use crate::{
    matches::{Commit, Corrupt, Match},
    proof::merkle,
};

/// The signatures of the server on which a match was played.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Signatures {
    /// Over the commitment, the players and their entropy; once the match has started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Signature>,
    /// Over the last hash; once the match is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<Signature>,
}

/// An Ed25519 signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The commit that started or ended the match.
    pub seq: u64,
    /// The id of the key, as the key set of the server names it.
    #[schema(example = "24gEuY50st5qdKIJJszG17Zq1CFVUvA6TddtBNux36o")]
    pub kid: String,
    /// The 64 bytes of the signature, in hexadecimal.
    pub signature: String,
}

/// What a signature says about a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    /// It starts, with this commitment and this entropy.
    Start,
    /// It is over, with this hash.
    End,
}

impl Moment {
    /// The moment as it is called in the store and in a proof.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
        }
    }
}

/// Something that a server signs about a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What it says.
    pub moment: Moment,
    /// The commit that started or ended the match.
    pub seq: u64,
    /// The bytes to sign. Those about the end are also a leaf of the transparency log.
    pub bytes: Vec<u8>,
}

/// Why a signature is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadSignature {
    /// It is missing.
    #[error("missing: nothing shows that a server played this match")]
    Missing,
    /// It does not have the form of a signature.
    #[error("expected the id of a key and 128 lower-case hexadecimal digits")]
    Malformed,
    /// It names a commit that did not start or end the match.
    #[error("refers to the wrong commit")]
    OtherCommit,
    /// The key is not among those given.
    #[error("the key is not in the key set")]
    UnknownKey,
    /// It is not a signature of this match by this key.
    #[error("not a signature of this match by its key")]
    Wrong,
}

/// The keys of a server, to check signatures with.
pub trait Keys {
    /// Checks a signature.
    ///
    /// # Errors
    /// If the key is unknown, or the signature is not one of these bytes.
    fn check(&self, kid: &str, bytes: &[u8], signature: &[u8; 64]) -> Result<(), BadSignature>;
}

impl Signature {
    /// A signature of this commit, by the key with this id.
    #[must_use]
    pub fn new(seq: u64, kid: String, bytes: &[u8]) -> Self {
        Self { seq, kid, signature: hex::encode(bytes) }
    }

    /// The 64 bytes of the signature.
    ///
    /// # Errors
    /// If the signature or the id of the key is malformed.
    pub fn bytes(&self) -> Result<[u8; 64], BadSignature> {
        let is_id = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let mut bytes = [0; 64];
        let is_well_formed = (1..=64).contains(&self.kid.len())
            && self.kid.bytes().all(is_id)
            && hex::decode_to_slice(&self.signature, &mut bytes).is_ok()
            && hex::encode(bytes) == self.signature;
        if is_well_formed { Ok(bytes) } else { Err(BadSignature::Malformed) }
    }
}

/// What a server signs about commits of a match: those in `seqs`. `lives` are the commits of the match that hold more than moves,
/// oldest first.
///
/// # Errors
/// If a commit cannot be read.
pub fn statements(lives: &[Commit], seqs: &[u64]) -> Result<Vec<Statement>, Corrupt> {
    let mut statements = Vec::new();
    for (index, commit) in lives.iter().enumerate() {
        let (starts, ends) = (commit.starts_match(), commit.ends_match());
        if !(starts || ends) || !seqs.contains(&commit.seq) {
            continue;
        }
        let Some(m) = Match::fold_life(&lives[..=index])? else { continue };
        let (seq, at) = (commit.seq, commit.at.micros());
        if starts {
            let (commitment, seal) = (m.commitment().to_string(), m.seal(&commit.hash));
            let bytes = start(m.id(), seq, at, &commitment, &seal, &seats(&m));
            let bytes = bytes.expect("a commitment and a seal are 64 hexadecimal digits");
            statements.push(Statement { moment: Moment::Start, seq, bytes });
        }
        if ends {
            let bytes = end(m.id(), m.version(), at, m.hash());
            statements.push(Statement { moment: Moment::End, seq, bytes });
        }
    }
    Ok(statements)
}

/// The bytes that are signed when a match starts; nothing if commitment or seal is malformed.
fn start(
    id: Uuid,
    seq: u64,
    at: i64,
    commitment: &str,
    seal: &str,
    seats: &[SeatProof],
) -> Option<Vec<u8>> {
    let mut bytes = b"telar/start/1".to_vec();
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(&seq.to_be_bytes());
    bytes.extend_from_slice(&at.to_be_bytes());
    for digits in [commitment, seal] {
        let mut hash = [0; 32];
        hex::decode_to_slice(digits, &mut hash).ok()?;
        bytes.extend_from_slice(&hash);
    }
    bytes.push(u8::try_from(seats.len()).ok()?);
    for seat in seats {
        let entropy = seat.entropy.as_deref().unwrap_or("").as_bytes();
        bytes.extend_from_slice(seat.player.unwrap_or_default().as_bytes());
        bytes.extend_from_slice(&u32::try_from(entropy.len()).ok()?.to_be_bytes());
        bytes.extend_from_slice(entropy);
    }
    Some(bytes)
}

/// The leaf of a match that is over in the transparency log.
#[must_use]
pub fn leaf_of(m: &Match) -> merkle::Hash {
    merkle::leaf(&end(m.id(), m.version(), m.updated_at().micros(), m.hash()))
}

/// The bytes that are signed when a match is over.
fn end(id: Uuid, version: u64, at: i64, hash: &[u8; 32]) -> Vec<u8> {
    let mut bytes = b"telar/end/1".to_vec();
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(&version.to_be_bytes());
    bytes.extend_from_slice(&at.to_be_bytes());
    bytes.extend_from_slice(hash);
    bytes
}

/// The bytes that are signed as the head of a transparency log.
#[must_use]
pub fn tree_head(size: u64, at: i64, root: &merkle::Hash) -> Vec<u8> {
    let mut bytes = b"telar/tree-head/1".to_vec();
    bytes.extend_from_slice(&size.to_be_bytes());
    bytes.extend_from_slice(&at.to_be_bytes());
    bytes.extend_from_slice(root);
    bytes
}

impl Proof {
    /// The proof with these signatures, if there are any.
    #[must_use]
    pub fn signed(self, signatures: Signatures) -> Self {
        let is_empty = signatures == Signatures::default();
        Self { signatures: (!is_empty).then_some(signatures), ..self }
    }

    /// Checks that the signatures are those of a server with these keys: about the start, if the match has started, and about
    /// the end, if it is over.
    ///
    /// # Errors
    /// The first signature that is missing or wrong.
    pub fn check_signatures(&self, keys: &impl Keys) -> Result<(), Flaw> {
        for moment in self.signed_moments() {
            self.check_signature(moment, keys)
                .map_err(|reason| Flaw::Signature { which: moment.id(), reason })?;
        }
        Ok(())
    }

    /// Checks the form of the signatures, which needs no keys.
    pub(super) fn check_form(&self) -> Result<(), Flaw> {
        let signatures = self.signatures.iter();
        let signatures = signatures.flat_map(|signatures| {
            [(Moment::Start, &signatures.start), (Moment::End, &signatures.end)]
        });
        for (moment, signature) in signatures {
            if let Some(Err(reason)) = signature.as_ref().map(Signature::bytes) {
                return Err(Flaw::Signature { which: moment.id(), reason });
            }
        }
        Ok(())
    }

    /// The leaf of this match in the transparency log, once it is over.
    #[must_use]
    pub fn leaf(&self) -> Option<[u8; 32]> {
        self.end_statement().map(|bytes| merkle::leaf(&bytes))
    }

    /// What there has to be a signature about.
    fn signed_moments(&self) -> impl Iterator<Item = Moment> {
        // While the match is being played, only its signature says which commit started it.
        let has_started = if self.status.is_over() {
            self.commits.iter().any(CommitProof::starts_match)
        } else {
            self.signatures.as_ref().is_some_and(|signatures| signatures.start.is_some())
        };
        let start = has_started.then_some(Moment::Start);
        start.into_iter().chain(self.status.is_over().then_some(Moment::End))
    }

    fn check_signature(&self, moment: Moment, keys: &impl Keys) -> Result<(), BadSignature> {
        let signatures = self.signatures.as_ref().ok_or(BadSignature::Missing)?;
        let (signature, bytes) = match moment {
            Moment::Start => {
                let signature = signatures.start.as_ref().ok_or(BadSignature::Missing)?;
                (signature, self.start_statement(signature.seq))
            }
            Moment::End => {
                let signature = signatures.end.as_ref().ok_or(BadSignature::Missing)?;
                let is_last = self.commits.last().map(|last| last.seq) == Some(signature.seq);
                (signature, self.end_statement().filter(|_| is_last))
            }
        };
        let bytes = bytes.ok_or(BadSignature::OtherCommit)?;
        keys.check(&signature.kid, &bytes, &signature.bytes()?)
    }

    /// The bytes that the server signed if this commit started the match.
    fn start_statement(&self, seq: u64) -> Option<Vec<u8>> {
        let commit = self.commits.iter().find(|commit| commit.seq == seq)?;
        if self.status.is_over() && !commit.starts_match() {
            return None;
        }
        start(self.header.id, seq, commit.at, &self.commitment, &commit.seal, &self.seats)
    }

    /// The bytes that the server signed if the match is over.
    fn end_statement(&self) -> Option<Vec<u8>> {
        let last = self.commits.last().filter(|_| self.status.is_over())?;
        let mut hash = [0; 32];
        hex::decode_to_slice(last.hash.as_deref()?, &mut hash).ok()?;
        Some(end(self.header.id, self.version, last.at, &hash))
    }
}

impl CommitProof {
    fn starts_match(&self) -> bool {
        self.payload.as_ref().is_some_and(|payload| Commit::payload_starts_match(payload.get()))
    }
}
