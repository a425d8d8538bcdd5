//! The errors that verification can find in a proof.

use uuid::Uuid;

use super::{BadSignature, LogFlaw};
use crate::chance::Draw;

/// The first error in a proof.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The document is not a proof: not JSON, or with missing, duplicate or unknown fields.
    #[error("not a proof: {0}")]
    Shape(String),
    /// The document has the same content as one by Telar, but not the same bytes.
    #[error("byte {byte} differs from what Telar writes")]
    Form {
        /// The position of the byte, counted from 1.
        byte: usize,
    },
    /// The format is not supported.
    #[error("format: `{0}` is not supported; expected telar/proof/1")]
    Format(String),
    /// The match is not over, so seed and commits are not published yet.
    #[error(
        "status: the match is not over; keep this file and compare its seals with the final proof"
    )]
    NotOver,
    /// The game is unknown.
    #[error("match.game: unknown game `{0}`")]
    Game(String),
    /// The match was played by rules that this program does not know.
    #[error(
        "match.rules_version: the match was played with version {recorded}, but this verifier supports versions 1 to {known}"
    )]
    Rules {
        /// The version in the proof.
        recorded: u16,
        /// The newest version that this program knows.
        known: u16,
    },
    /// The seed is missing or malformed.
    #[error("seed: expected 64 lower-case hexadecimal digits")]
    Seed,
    /// The seed is not the one that was committed to.
    #[error("commitment: not the SHA-256 of the seed")]
    Commitment,
    /// The match was created with another seed.
    #[error("commit 0: contains a different seed")]
    OtherSeed,
    /// A commit is sealed although the match is over.
    #[error("commit {seq}: player, command_id, payload or hash is missing")]
    Sealed {
        /// The sequence number of the commit.
        seq: u64,
    },
    /// A commit is missing, duplicated or out of order.
    #[error("commit {expected} is missing; found commit {found} instead")]
    Missing {
        /// The sequence number of the missing commit.
        expected: u64,
        /// The sequence number of the commit in its place.
        found: u64,
    },
    /// The commits do not lead to the end of the match.
    #[error("commit {expected} is missing: the match does not end with the last commit")]
    Cut {
        /// The sequence number of the missing commit.
        expected: u64,
    },
    /// There are commits after the end of the match, or a command that the rules forbid.
    #[error("commit {seq}: the rules do not allow its command ({code})")]
    Refused {
        /// The sequence number of the commit.
        seq: u64,
        /// The code of the refusal.
        code: String,
    },
    /// A payload cannot be read.
    #[error("commit {seq}: {reason}")]
    Unreadable {
        /// The sequence number of the commit.
        seq: u64,
        /// What is wrong.
        reason: String,
    },
    /// The time runs backwards.
    #[error("commit {seq}: `at` is earlier than in the previous commit")]
    Time {
        /// The sequence number of the commit.
        seq: u64,
    },
    /// No clock shows this time.
    #[error("commit {seq}: `at` is not in the years 1970 to 9999")]
    Clock {
        /// The sequence number of the commit.
        seq: u64,
    },
    /// The command cannot have come from this player.
    #[error("commit {seq}: the command came from another player")]
    Player {
        /// The sequence number of the commit.
        seq: u64,
    },
    /// The command is not in its canonical form.
    #[error("commit {seq}: the command is not in its canonical form")]
    Command {
        /// The sequence number of the commit.
        seq: u64,
    },
    /// A draw does not follow from the seed.
    #[error("commit {seq}, draw {index}: recorded {}, expected {}", shown(*recorded), shown(*expected))]
    Draw {
        /// The sequence number of the commit.
        seq: u64,
        /// The index of the draw, counted from 0.
        index: usize,
        /// The draw in the proof.
        recorded: Option<Draw>,
        /// The draw that follows from the seed.
        expected: Option<Draw>,
    },
    /// An event does not follow from the command, the draws and the rules.
    #[error("commit {seq}, event {index}: does not follow from the command and the draws")]
    Event {
        /// The sequence number of the commit.
        seq: u64,
        /// The index of the event, counted from 0.
        index: usize,
    },
    /// The hash of a commit is wrong.
    #[error(
        "commit {seq}: the hash does not match this commit and the previous one; the chain is broken"
    )]
    Chain {
        /// The sequence number of the commit.
        seq: u64,
    },
    /// The seal of a commit does not match its hash.
    #[error("commit {seq}: the seal does not match the hash")]
    Seal {
        /// The sequence number of the commit.
        seq: u64,
    },
    /// The entropy of a seat differs from the commits.
    #[error("seats[{seat}].entropy: differs from the commits")]
    Entropy {
        /// The seat.
        seat: usize,
    },
    /// A field differs from what follows from the commits.
    #[error("{field}: differs from the commits")]
    Field {
        /// The field.
        field: &'static str,
    },
    /// A signature is missing or wrong.
    #[error("signatures.{which}: {reason}")]
    Signature {
        /// `start` or `end`.
        which: &'static str,
        /// What is wrong with it.
        reason: BadSignature,
    },
    /// The transparency log does not include the match.
    #[error("inclusion: {0}")]
    Inclusion(LogFlaw),
    /// The proof belongs to another match.
    #[error("match.id: this is the proof of another match, {0}")]
    OtherMatch(Uuid),
}

fn shown(draw: Option<Draw>) -> String {
    draw.map_or_else(|| "no draw".to_owned(), |draw| format!("{} of {}", draw.value, draw.n))
}
