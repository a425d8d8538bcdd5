//! The proof of a match: a document with which anyone can check, offline, that nothing was changed afterwards and that
//! every die and every shuffle follows from the seed. The format is specified in `docs/proof.md`.
//!
//! While a match is being played, its proof binds the server without revealing anything: it contains the commitment to the
//! seed, the entropy of the seats, and a seal for every commit. Seed and commits follow when the match is over.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    matches::{Commit, Corrupt, Match, Sitter, Status, Visibility},
    outcome::Outcome,
    time::Timestamp,
};

mod flaw;
pub mod merkle;
mod signatures;
mod transparency;
mod verify;

pub use flaw::Flaw;
pub use signatures::{
    BadSignature, Keys, Moment, Signature, Signatures, Statement, leaf_of, statements, tree_head,
};
pub use transparency::{ConsistencyProof, InclusionProof, LogFlaw, SignedHead};
pub use verify::Report;

/// The name of the format. An incompatible format gets another number.
pub const FORMAT: &str = "telar/proof/1";

/// The proof of a match.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The name of this format, `telar/proof/1`.
    #[schema(example = "telar/proof/1")]
    pub format: String,
    /// The part of the match that never changes.
    #[serde(rename = "match")]
    pub header: Header,
    /// The status of the match.
    pub status: Status,
    /// The number of events so far.
    #[schema(example = 118)]
    pub version: u64,
    /// SHA-256 of the seed, in hexadecimal; published when the match was created.
    #[schema(example = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925")]
    pub commitment: String,
    /// The seats in order.
    pub seats: Vec<SeatProof>,
    /// The seed, in hexadecimal; only once the match is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The result; only once the match is finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The commits, oldest first.
    pub commits: Vec<CommitProof>,
    /// The signatures of the server on which the match was played, if it has signed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signatures: Option<Signatures>,
}

/// The part of a match that never changes.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The id of the match.
    pub id: Uuid,
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: String,
    /// The version of its rules.
    pub rules_version: u16,
    /// The options of the game, in full.
    #[schema(value_type = Object)]
    pub options: Box<RawValue>,
    /// Who may see the match.
    pub visibility: Visibility,
    /// The player who created it.
    pub creator: Uuid,
}

/// A seat and its entropy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatProof {
    /// The player in the seat; absent if it is free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<Uuid>,
    /// The entropy that the player added to the seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entropy: Option<String>,
}

/// A commit: sealed while the match is being played, open once it is over.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommitProof {
    /// The number of events before it.
    pub seq: u64,
    /// The time in microseconds since 1970-01-01T00:00:00Z.
    #[schema(example = 1_790_000_000_000_000_i64)]
    pub at: i64,
    /// SHA-256 over seed and hash, in hexadecimal: binds the server to the commit before its content can be shown.
    pub seal: String,
    /// The player who sent the command. Present once the match is over, like all fields below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<Uuid>,
    /// The id that the client gave the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_id: Option<Uuid>,
    /// Command, draws and events. The hash covers exactly these bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub payload: Option<Box<RawValue>>,
    /// SHA-256 over the hash of the previous commit and all fields above except the seal, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

impl Proof {
    /// The proof of a match from its commits, oldest first; `None` if there are none.
    ///
    /// # Errors
    /// If a commit cannot be read or one is missing.
    pub fn of(commits: &[Commit]) -> Result<Option<Self>, Corrupt> {
        let Some(m) = Match::fold(commits)? else { return Ok(None) };
        let is_over = m.status().is_over();
        let commits = commits.iter().map(|commit| entry(&m, commit, is_over));
        Ok(Some(Self {
            format: FORMAT.to_owned(),
            header: Header {
                id: m.id(),
                game: m.game().info().key.to_owned(),
                rules_version: m.rules_version(),
                options: m.options().to_owned(),
                visibility: m.visibility(),
                creator: m.creator(),
            },
            status: m.status(),
            version: m.version(),
            commitment: m.commitment().to_string(),
            seats: seats(&m),
            seed: m.revealed_seed().map(|seed| seed.to_hex()),
            outcome: m.outcome().cloned(),
            commits: commits.collect::<Result<_, _>>()?,
            signatures: None,
        }))
    }

    /// The document exactly as it is published: one line without a line break.
    #[must_use]
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a proof is plain data")
    }

    /// Reads a document, which must be exactly what [`Self::to_text`] writes.
    ///
    /// # Errors
    /// If the document is not a proof or differs in any byte.
    pub fn from_text(bytes: &[u8]) -> Result<Self, Flaw> {
        exactly(bytes)
    }

    /// The commits as they are stored, once the match is over.
    ///
    /// # Errors
    /// If a commit is sealed or malformed.
    pub fn rows(&self) -> Result<Vec<Commit>, Flaw> {
        self.commits.iter().map(|commit| commit.row(self.header.id)).collect()
    }
}

/// Reads a document, every byte of which must be as Telar writes it.
///
/// # Errors
/// If the document is malformed or differs in any byte.
pub fn exactly<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T, Flaw> {
    let document: T =
        serde_json::from_slice(bytes).map_err(|error| Flaw::Shape(error.to_string()))?;
    let written = serde_json::to_vec(&document).expect("what was read can be written");
    if written == bytes {
        return Ok(document);
    }
    let same = written.iter().zip(bytes).take_while(|(one, other)| one == other).count();
    Err(Flaw::Form { byte: same + 1 })
}

/// A commit as the proof shows it.
fn entry(m: &Match, commit: &Commit, is_over: bool) -> Result<CommitProof, Corrupt> {
    let open = if is_over { Some(commit) } else { None };
    let payload = open.map(|commit| RawValue::from_string(commit.payload.clone())).transpose();
    Ok(CommitProof {
        seq: commit.seq,
        at: commit.at.micros(),
        seal: m.seal(&commit.hash),
        player: open.map(|commit| commit.player),
        command_id: open.map(|commit| commit.command_id),
        payload: payload.map_err(|error| commit.corrupt(error.to_string()))?,
        hash: open.map(|commit| hex::encode(commit.hash)),
    })
}

/// The seats as the proof shows them.
fn seats(m: &Match) -> Vec<SeatProof> {
    let shown = |sitter: &Option<Sitter>| match sitter {
        Some(sitter) => SeatProof { player: Some(sitter.player), entropy: sitter.entropy.clone() },
        None => SeatProof { player: None, entropy: None },
    };
    m.seats().iter().map(shown).collect()
}

impl CommitProof {
    /// The commit as it is stored.
    fn row(&self, match_id: Uuid) -> Result<Commit, Flaw> {
        let sealed = || Flaw::Sealed { seq: self.seq };
        let mut hash = [0; 32];
        let text = self.hash.as_deref().ok_or_else(sealed)?;
        if hex::decode_to_slice(text, &mut hash).is_err() || hex::encode(hash) != text {
            return Err(Flaw::Chain { seq: self.seq });
        }
        let at = Timestamp::from_micros(self.at);
        if !at.is_plausible() {
            return Err(Flaw::Clock { seq: self.seq });
        }
        let payload = self.payload.as_ref().ok_or_else(sealed)?.get();
        let unreadable = |reason: String| Flaw::Unreadable { seq: self.seq, reason };
        let events: Events<'_> =
            serde_json::from_str(payload).map_err(|error| unreadable(error.to_string()))?;
        Ok(Commit {
            match_id,
            seq: self.seq,
            count: u32::try_from(events.events.len())
                .map_err(|error| unreadable(error.to_string()))?,
            at,
            player: self.player.ok_or_else(sealed)?,
            command_id: self.command_id.ok_or_else(sealed)?,
            payload: payload.to_owned(),
            hash,
        })
    }
}

/// The part of a payload that is needed to count its events.
#[derive(Deserialize)]
struct Events<'a> {
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
}
