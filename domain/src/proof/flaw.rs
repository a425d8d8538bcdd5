//! What can be wrong with a proof: which commit, and what of it.

use uuid::Uuid;

use crate::chance::Draw;

/// The first thing that is wrong with a proof.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// It is not such a document: not JSON, or with fields missing, twice or unknown.
    #[error("this is no proof: {0}")]
    Shape(String),
    /// The document says the same as one by Telar, but not in the same bytes.
    #[error("byte {byte} is not as Telar writes it")]
    Form {
        /// Which byte of the line, counted from 1.
        byte: usize,
    },
    /// The format has another name.
    #[error("format: `{0}` is unknown; this is a verifier of telar/proof/1")]
    Format(String),
    /// Seed and commits are shown once the match is over.
    #[error(
        "status: the match is not over; keep this file, and compare its seals with the proof at the end"
    )]
    NotOver,
    /// There is no such game.
    #[error("match.game: `{0}` is no game that this verifier knows")]
    Game(String),
    /// The rules have changed since.
    #[error(
        "match.rules_version: the match was played under version {recorded}, but this verifier knows version {known}"
    )]
    Rules {
        /// The version in the proof.
        recorded: u16,
        /// The version of this program.
        known: u16,
    },
    /// The seed is missing or is not one.
    #[error("seed: 64 lower-case hexadecimal digits are expected")]
    Seed,
    /// The seed is not the one that was committed to.
    #[error("commitment: it is not the SHA-256 of the seed")]
    Commitment,
    /// The match was created with another seed.
    #[error("commit 0: the seed in it is another one")]
    OtherSeed,
    /// A commit is not shown although the match is over.
    #[error("commit {seq}: player, command_id, payload or hash is missing")]
    Sealed {
        /// Which commit.
        seq: u64,
    },
    /// A commit is missing, twice, or out of order.
    #[error("commit {expected} is missing; commit {found} stands in its place")]
    Missing {
        /// Which one comes next.
        expected: u64,
        /// Which one stands there.
        found: u64,
    },
    /// The commits do not lead to the end of the match.
    #[error("commit {expected} is missing: the match does not end with the last one")]
    Cut {
        /// Which one comes next.
        expected: u64,
    },
    /// There are commits after the end of the match, or a command that the rules forbid.
    #[error("commit {seq}: the rules do not allow its command ({code})")]
    Refused {
        /// Which commit.
        seq: u64,
        /// The code of the refusal.
        code: String,
    },
    /// A payload is not one.
    #[error("commit {seq}: {reason}")]
    Unreadable {
        /// Which commit.
        seq: u64,
        /// What is wrong.
        reason: String,
    },
    /// The time runs backwards.
    #[error("commit {seq}: `at` is earlier than that of the commit before")]
    Time {
        /// Which commit.
        seq: u64,
    },
    /// The player is not the one who could have given this command.
    #[error("commit {seq}: another player gave this command")]
    Player {
        /// Which commit.
        seq: u64,
    },
    /// The command is not written as Telar writes it.
    #[error("commit {seq}: the command is not as Telar writes it")]
    Command {
        /// Which commit.
        seq: u64,
    },
    /// A draw does not follow from the seed.
    #[error("commit {seq}, draw {index}: recorded {}, but it follows {}", shown(*recorded), shown(*expected))]
    Draw {
        /// Which commit.
        seq: u64,
        /// Which draw of it, counted from 0.
        index: usize,
        /// What the proof says.
        recorded: Option<Draw>,
        /// What follows from the seed.
        expected: Option<Draw>,
    },
    /// An event does not follow from the command, the draws and the rules.
    #[error("commit {seq}, event {index}: something else follows from command and draws")]
    Event {
        /// Which commit.
        seq: u64,
        /// Which event of it, counted from 0.
        index: usize,
    },
    /// The hash of a commit is not the hash over it.
    #[error(
        "commit {seq}: the hash does not fit this commit and the one before; the chain is broken"
    )]
    Chain {
        /// Which commit.
        seq: u64,
    },
    /// The seal of a commit is not the one of its hash.
    #[error("commit {seq}: the seal does not fit the hash")]
    Seal {
        /// Which commit.
        seq: u64,
    },
    /// The entropy of a seat is not what its player said.
    #[error("seats[{seat}].entropy: the commits say something else")]
    Entropy {
        /// Which seat.
        seat: usize,
    },
    /// Something beside the commits does not follow from them.
    #[error("{field}: the commits say something else")]
    Field {
        /// Which field.
        field: &'static str,
    },
    /// It is the proof of another match.
    #[error("match.id: this is the proof of another match, {0}")]
    OtherMatch(Uuid),
}

fn shown(draw: Option<Draw>) -> String {
    draw.map_or_else(|| "no draw".to_owned(), |draw| format!("{} of {}", draw.value, draw.n))
}
