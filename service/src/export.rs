//! A match as a file: its proof, the names of its players, which live outside the log, and its events in the form in which the
//! API shows them.

use std::collections::BTreeSet;

use domain::{
    erased::AnyGame,
    games,
    matches::{Commit, Corrupt, Match},
    proof::{self, Flaw, Proof, Report},
    seat::{Seat, Viewer},
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::names::KnownPlayers;

/// What the format is called; another one gets another number.
pub const FORMAT: &str = "telar/match/2";

/// A match that is over, as a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Export {
    /// The name of this format, `telar/match/2`.
    #[schema(example = "telar/match/2")]
    pub format: String,
    /// Everybody who had to do with the match.
    pub players: Vec<NamedPlayer>,
    /// Header, commits as they are stored, and outcome.
    pub proof: Proof,
    /// The events, oldest first, with everything that was hidden during the match.
    pub events: Vec<EventRecord>,
}

/// An event as `GET /v1/matches/{id}/frames` shows it with `as=archive`; frames add the event in words and the view.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventRecord {
    /// The version of the match after the event.
    #[schema(example = 6)]
    pub version: u64,
    /// When it happened.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The seat that caused it; `null` if no seat did.
    pub by: Option<Seat>,
    /// Whether the server chose the move, because the seat had resigned or run out of time.
    pub automatic: bool,
    /// What happened.
    #[schema(value_type = Object)]
    pub event: Box<RawValue>,
}

impl EventRecord {
    /// The events in these commits.
    fn all(commits: &[Commit], game: &'static dyn AnyGame) -> Result<Vec<Self>, Corrupt> {
        let mut records = Vec::new();
        for commit in commits {
            let events = commit.read(Some(game))?.events;
            records.extend((commit.seq + 1..).zip(events).map(|(version, event)| Self {
                version,
                at: crate::clock::to_datetime(commit.at),
                by: event.by(),
                automatic: event.automatic(),
                event: event.view(Viewer::Archive),
            }));
        }
        Ok(records)
    }

    fn is(&self, other: &Self) -> bool {
        (self.version, self.at, self.by, self.automatic)
            == (other.version, other.at, other.by, other.automatic)
            && self.event.get() == other.event.get()
    }
}

/// Everybody who had to do with a match.
#[must_use]
pub fn named_in(proof: &Proof) -> BTreeSet<Uuid> {
    let sitters = proof.seats.iter().filter_map(|seat| seat.player);
    let commits = proof.commits.iter().filter_map(|commit| commit.player);
    commits.chain(sitters).filter(|id| !id.is_nil()).collect()
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
    /// A match from its proof, the commits that it proves, and the names of its players.
    ///
    /// # Errors
    /// If a commit cannot be read.
    pub fn new(proof: Proof, commits: &[Commit], names: &KnownPlayers) -> Result<Self, Corrupt> {
        let player = |id| NamedPlayer { id, name: names.get(&id).map(|known| known.name.clone()) };
        let players = named_in(&proof).into_iter().map(player).collect();
        let game = games::find(&proof.header.game);
        let events = game.map(|game| EventRecord::all(commits, game)).transpose()?;
        let events = events.unwrap_or_default();
        Ok(Self { format: FORMAT.to_owned(), players, proof, events })
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
            let (format, players, events) = (proof.format.clone(), Vec::new(), Vec::new());
            return Ok(Self { format, players, proof, events });
        }
        let export: Self = proof::exactly(bytes)?;
        if export.format == FORMAT { Ok(export) } else { Err(Flaw::Format(export.format)) }
    }

    /// Verifies the proof, and that the events are those of the proof. A bare proof has none.
    pub fn verify(&self) -> Result<(Report, Match), Flaw> {
        let (report, end) = self.proof.verify()?;
        if self.format != FORMAT {
            return Ok((report, end));
        }
        let wrong = || Flaw::Field { field: "events" };
        let rows = self.proof.rows()?;
        // Times that no calendar has come from nowhere but a forged file.
        if rows.iter().any(|row| !crate::clock::is_on_calendar(row.at)) {
            return Err(wrong());
        }
        let events = EventRecord::all(&rows, end.game()).map_err(|_| wrong())?;
        let is_same = events.len() == self.events.len()
            && events.iter().zip(&self.events).all(|(ours, theirs)| ours.is(theirs));
        if is_same { Ok((report, end)) } else { Err(wrong()) }
    }
}
