//! What can be asked of a match, and how it is recorded.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::{OnTimeout, Origin, OriginView, TimeLimit, Visibility};
use crate::{chance::Seed, erased::AnyGame, seat::Seat, shape::BadShape};

/// What it takes to create a match. [`Create::new`] knows the usual values.
#[derive(Debug, Clone)]
pub struct Create<'a> {
    /// The id of the new match.
    pub id: Uuid,
    /// Its game.
    pub game: &'static dyn AnyGame,
    /// How many seats it has.
    pub seats: u8,
    /// Options of the game.
    pub options: Option<&'a RawValue>,
    /// Who may see it.
    pub visibility: Visibility,
    /// Takes the first seat.
    pub creator: Uuid,
    /// Where the creator sits.
    pub seat: Seat,
    /// What the creator adds to the luck.
    pub entropy: Option<String>,
    /// The secret that all luck follows from.
    pub seed: Seed,
    /// For private matches.
    pub invite_code: Option<String>,
    /// How long a seat may think.
    pub time_limit: Option<TimeLimit>,
    /// Where it comes from, if it is no ordinary match.
    pub origin: Option<Origin>,
    /// The match that its players have finished before.
    pub rematch_of: Option<Uuid>,
}

impl Create<'_> {
    /// A public match with the default options; its creator sits in seat 0.
    #[must_use]
    pub const fn new(
        id: Uuid,
        game: &'static dyn AnyGame,
        seats: u8,
        creator: Uuid,
        seed: Seed,
    ) -> Self {
        Self {
            id,
            game,
            seats,
            options: None,
            visibility: Visibility::Public,
            creator,
            seat: Seat::FIRST,
            entropy: None,
            seed,
            invite_code: None,
            time_limit: None,
            origin: None,
            rematch_of: None,
        }
    }
}

impl std::fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.info().key)
    }
}

/// What is asked for, mostly by a player.
#[derive(Debug, Clone)]
pub enum Command {
    /// Take a seat, the first free one if none is named.
    Sit {
        /// Who.
        player: Uuid,
        /// Where.
        seat: Option<Seat>,
        /// What the player adds to the luck.
        entropy: Option<String>,
        /// For private matches.
        invite_code: Option<String>,
    },
    /// Leave a match that has not started.
    Leave {
        /// Who.
        player: Uuid,
    },
    /// Give up a match that is being played.
    Resign {
        /// Who.
        player: Uuid,
    },
    /// Make a move.
    Play {
        /// Who.
        player: Uuid,
        /// The move.
        mv: Box<RawValue>,
    },
    /// Ask for a pause.
    Pause {
        /// Who.
        player: Uuid,
    },
    /// Go on after a pause, or no longer ask for one.
    Resume {
        /// Who.
        player: Uuid,
    },
    /// Do what the match does about seats that have let their deadline pass. Sent by the server.
    TimeOut,
}

impl Command {
    /// Who asks; nobody (the nil id) when it is the server.
    #[must_use]
    pub const fn player(&self) -> Uuid {
        match self {
            Self::Sit { player, .. }
            | Self::Leave { player }
            | Self::Resign { player }
            | Self::Play { player, .. }
            | Self::Pause { player }
            | Self::Resume { player } => *player,
            Self::TimeOut => Uuid::nil(),
        }
    }

    /// Reads a recorded command of a match that exists. What only the asker knew is handed in again.
    ///
    /// # Errors
    /// When it is not what Telar wrote.
    pub fn recorded(
        json: &RawValue,
        player: Uuid,
        invite_code: Option<&str>,
    ) -> Result<Self, BadShape> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Record<'a> {
            #[serde(rename = "type")]
            kind: String,
            seat: Option<Seat>,
            entropy: Option<String>,
            #[serde(borrow, rename = "move")]
            mv: Option<&'a RawValue>,
        }
        let bad = |message: &str| BadShape { field: None, message: message.to_owned() };
        let recorded: Record<'_> =
            serde_json::from_str(json.get()).map_err(|error| bad(&error.to_string()))?;
        Ok(match (recorded.kind.as_str(), recorded.mv) {
            ("sit", None) => Self::Sit {
                player,
                seat: recorded.seat,
                entropy: recorded.entropy,
                invite_code: invite_code.map(str::to_owned),
            },
            ("leave", None) => Self::Leave { player },
            ("resign", None) => Self::Resign { player },
            ("play", Some(mv)) => Self::Play { player, mv: mv.to_owned() },
            ("pause", None) => Self::Pause { player },
            ("resume", None) => Self::Resume { player },
            ("time_out", None) => Self::TimeOut,
            _ => return Err(bad("a command of no known kind")),
        })
    }
}

/// A command as it is recorded: canonical, and without what only its sender knows. Moves are recorded by
/// [`Payload::of_move`](super::payload::Payload::of_move).
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum CommandRecord<'a> {
    Create {
        game: &'a str,
        seats: u8,
        options: &'a RawValue,
        visibility: Visibility,
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        #[serde(skip_serializing_if = "Option::is_none")]
        entropy: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        move_deadline: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        on_timeout: Option<OnTimeout>,
        #[serde(skip_serializing_if = "Option::is_none")]
        origin: Option<OriginView>,
        #[serde(skip_serializing_if = "Option::is_none")]
        rematch_of: Option<Uuid>,
    },
    Sit {
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        #[serde(skip_serializing_if = "Option::is_none")]
        entropy: Option<&'a str>,
    },
    Leave,
    Resign,
    Pause,
    Resume,
    TimeOut,
}
