//! Commands to a match, and how they are recorded.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::{MatchRefusal, OnTimeout, Origin, OriginView, TimeLimit, Visibility};
use crate::{bot::BotLevel, chance::Seed, erased::AnyGame, seat::Seat};

/// The parameters of a new match. [`Create::new`] fills in the defaults.
#[derive(Debug, Clone)]
pub struct Create<'a> {
    /// The id of the new match.
    pub id: Uuid,
    /// Its game.
    pub game: &'static dyn AnyGame,
    /// The version of the game's rules.
    pub rules_version: u16,
    /// The number of seats.
    pub seats: u8,
    /// Options of the game.
    pub options: Option<&'a RawValue>,
    /// Who may see it.
    pub visibility: Visibility,
    /// The player who creates it and takes a seat.
    pub creator: Uuid,
    /// The seat of the creator.
    pub seat: Seat,
    /// Further players who are seated at once.
    pub players: Vec<PlayerSeat>,
    /// The entropy that the creator adds to the seed.
    pub entropy: Option<String>,
    /// The secret from which all randomness of the match is derived.
    pub seed: Seed,
    /// The invite code of a private match.
    pub invite_code: Option<String>,
    /// The time limit, if there is one.
    pub time_limit: Option<TimeLimit>,
    /// The seats that bots take.
    pub bots: Vec<BotSeat>,
    /// Whether players may ask for hints.
    pub hints: bool,
    /// The origin of a fork or of demonstration data.
    pub origin: Option<Origin>,
    /// The finished match of which this is a rematch.
    pub rematch_of: Option<Uuid>,
}

impl Create<'_> {
    /// A public match with the default options; its creator sits in seat 0.
    #[must_use]
    pub fn new(id: Uuid, game: &'static dyn AnyGame, seats: u8, creator: Uuid, seed: Seed) -> Self {
        Self {
            id,
            game,
            rules_version: game.info().rules_version,
            seats,
            options: None,
            visibility: Visibility::Public,
            creator,
            seat: Seat::FIRST,
            players: Vec::new(),
            entropy: None,
            seed,
            invite_code: None,
            time_limit: None,
            bots: Vec::new(),
            hints: false,
            origin: None,
            rematch_of: None,
        }
    }
}

/// A seat that a bot takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct BotSeat {
    /// The seat.
    pub seat: Seat,
    /// The level of the bot.
    pub level: BotLevel,
}

/// A seat that a player is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PlayerSeat {
    /// The seat.
    pub seat: Seat,
    /// The player.
    pub player: Uuid,
}

impl Create<'_> {
    /// Checks that every player gets a seat, and none gets two (M1).
    pub(super) fn check_players(&self) -> Result<(), MatchRefusal> {
        let mut seated = vec![PlayerSeat { seat: self.seat, player: self.creator }];
        for further in &self.players {
            if further.seat.number() >= self.seats {
                return Err(MatchRefusal::NoSuchSeat);
            }
            if seated.iter().any(|it| it.seat == further.seat) {
                return Err(MatchRefusal::SeatTaken);
            }
            if seated.iter().any(|it| it.player == further.player) {
                return Err(MatchRefusal::AlreadySeated);
            }
            seated.push(*further);
        }
        Ok(())
    }
}

impl std::fmt::Debug for dyn AnyGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.info().key)
    }
}

/// A command to a match, usually from a player.
#[derive(Debug, Clone)]
pub enum Command {
    /// Take a seat; the first free one if `seat` is `None`.
    Sit {
        /// The player.
        player: Uuid,
        /// The seat.
        seat: Option<Seat>,
        /// The entropy that the player adds to the seed.
        entropy: Option<String>,
        /// The invite code of a private match.
        invite_code: Option<String>,
    },
    /// Seat a bot; in the first free seat if `seat` is `None`.
    SeatBot {
        /// The player who asks for it.
        player: Uuid,
        /// The seat.
        seat: Option<Seat>,
        /// The level of the bot.
        level: BotLevel,
    },
    /// Leave a match that has not started.
    Leave {
        /// The player.
        player: Uuid,
    },
    /// Resign from a match that is being played.
    Resign {
        /// The player.
        player: Uuid,
    },
    /// Make a move.
    Play {
        /// The player.
        player: Uuid,
        /// The move.
        mv: Box<RawValue>,
    },
    /// Make a move in a seat that a bot plays. Sent by the server.
    PlayForBot {
        /// The level of the bot.
        level: BotLevel,
        /// The seat, because a bot may have several.
        seat: Seat,
        /// The move.
        mv: Box<RawValue>,
    },
    /// Take one's seat back from the bot that stands in.
    Return {
        /// The player.
        player: Uuid,
    },
    /// Ask for a pause.
    Pause {
        /// The player.
        player: Uuid,
    },
    /// End a pause, or withdraw the request for one.
    Resume {
        /// The player.
        player: Uuid,
    },
    /// Act on the deadlines that have passed. Sent by the server.
    TimeOut,
    /// Close a match that has not started. Sent by the server.
    Expire,
}

impl Command {
    /// The player who sent it; the nil id if it was the server.
    #[must_use]
    pub const fn player(&self) -> Uuid {
        match self {
            Self::Sit { player, .. }
            | Self::SeatBot { player, .. }
            | Self::Leave { player }
            | Self::Resign { player }
            | Self::Play { player, .. }
            | Self::Return { player }
            | Self::Pause { player }
            | Self::Resume { player } => *player,
            Self::PlayForBot { level, .. } => level.player(),
            Self::TimeOut | Self::Expire => Uuid::nil(),
        }
    }

    /// Reads a recorded command to an existing match. What is not recorded is passed in.
    ///
    /// # Errors
    /// If Telar did not write it.
    pub fn recorded(
        json: &RawValue,
        player: Uuid,
        invite_code: Option<&str>,
    ) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Record<'a> {
            #[serde(rename = "type")]
            kind: String,
            seat: Option<Seat>,
            entropy: Option<String>,
            level: Option<BotLevel>,
            #[serde(borrow, rename = "move")]
            mv: Option<&'a RawValue>,
        }
        let recorded: Record<'_> =
            serde_json::from_str(json.get()).map_err(|error| error.to_string())?;
        let unknown = || "an unknown type of command".to_owned();
        Ok(match (recorded.kind.as_str(), recorded.mv) {
            ("sit", None) => Self::Sit {
                player,
                seat: recorded.seat,
                entropy: recorded.entropy,
                invite_code: invite_code.map(str::to_owned),
            },
            ("seat_bot", None) => Self::SeatBot {
                player,
                seat: recorded.seat,
                level: recorded.level.ok_or_else(unknown)?,
            },
            ("play_for_bot", Some(mv)) => Self::PlayForBot {
                level: BotLevel::of(player).ok_or_else(unknown)?,
                seat: recorded.seat.ok_or_else(unknown)?,
                mv: mv.to_owned(),
            },
            ("return", None) => Self::Return { player },
            ("leave", None) => Self::Leave { player },
            ("resign", None) => Self::Resign { player },
            ("play", Some(mv)) => Self::Play { player, mv: mv.to_owned() },
            ("pause", None) => Self::Pause { player },
            ("resume", None) => Self::Resume { player },
            ("time_out", None) => Self::TimeOut,
            ("expire", None) => Self::Expire,
            _ => return Err(unknown()),
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
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        players: &'a [PlayerSeat],
        #[serde(skip_serializing_if = "Option::is_none")]
        entropy: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        move_deadline: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        on_timeout: Option<OnTimeout>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        bots: &'a [BotSeat],
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        hints: bool,
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
    SeatBot {
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        level: BotLevel,
    },
    Leave,
    Resign,
    Return,
    Pause,
    Resume,
    TimeOut,
    Expire,
}
