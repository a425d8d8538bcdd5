//! A match as a file: its proof, and the names of its players, which live outside the log.

use std::collections::BTreeSet;

use domain::{
    matches::Commit,
    proof::{self, Flaw, Proof},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{error::Result, names::NameCache};

/// What the format is called; another one gets another number.
pub const FORMAT: &str = "telar/match/1";

/// A match that is over, as a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Export {
    /// The name of this format, `telar/match/1`.
    #[schema(example = "telar/match/1")]
    pub format: String,
    /// Everybody who had to do with the match.
    pub players: Vec<NamedPlayer>,
    /// Header, commits with their events, and outcome.
    pub proof: Proof,
}

/// A player and what others call it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedPlayer {
    /// The id of the player.
    pub id: Uuid,
    /// The public name; left out for one who is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Ana")]
    pub name: Option<String>,
}

impl Export {
    /// A match from its commits, oldest first; nothing if there are none.
    pub async fn of(names: &NameCache, commits: &[Commit], now: Timestamp) -> Result<Option<Self>> {
        let Some(proof) = Proof::of(commits)? else { return Ok(None) };
        let sitters = proof.seats.iter().filter_map(|seat| seat.player);
        let ids: BTreeSet<Uuid> = proof
            .commits
            .iter()
            .filter_map(|commit| commit.player)
            .chain(sitters)
            .filter(|id| !id.is_nil())
            .collect();
        let mut names = names.of(ids.clone(), now).await?;
        let mut name = |id: Uuid| names.remove(&id).map(|player| player.name);
        let players = ids.into_iter().map(|id| NamedPlayer { id, name: name(id) });
        Ok(Some(Self { format: FORMAT.to_owned(), players: players.collect(), proof }))
    }

    /// The document: one line without its end.
    #[must_use]
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("an export is plain data")
    }

    /// Reads a document that has to be exactly what [`Self::to_text`] writes. A proof is one too, without names.
    pub fn from_text(bytes: &[u8]) -> Result<Self, Flaw> {
        if bytes.starts_with(format!("{{\"format\":\"{}\"", proof::FORMAT).as_bytes()) {
            let proof = Proof::from_text(bytes)?;
            return Ok(Self { format: FORMAT.to_owned(), players: Vec::new(), proof });
        }
        let export: Self = proof::exactly(bytes)?;
        if export.format == FORMAT { Ok(export) } else { Err(Flaw::Format(export.format)) }
    }
}
