//! The events of a match.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{OnTimeout, OriginView, TimeLimit, Visibility, origin::StoredOrigin};
use crate::{
    bot::BotLevel,
    chance::Seed,
    erased::{GameEvent, Json},
    game::Nature,
    outcome::Outcome,
    seat::{Seat, Viewer},
    text::Lang,
};

/// An event of a match or of its game. For the store only: it may contain hidden information.
#[derive(Debug, Clone)]
pub struct Event(pub(super) EventKind);

#[derive(Debug, Clone)]
pub(super) enum EventKind {
    Match(MatchEvent),
    Game {
        /// The seat whose move caused it; `None` for the setup of the game.
        by: Option<Seat>,
        event: GameEvent,
        /// Whether the server chose the move, because the seat had resigned or run out of time.
        automatic: bool,
    },
}

/// An event of the match itself, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum MatchEvent {
    MatchCreated(Box<Created>),
    SeatTaken {
        seat: Seat,
        player: Uuid,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy: Option<String>,
    },
    SeatLeft {
        seat: Seat,
        player: Uuid,
    },
    MatchStarted,
    SeatResigned {
        seat: Seat,
    },
    SeatTimedOut {
        seat: Seat,
    },
    BotSteppedIn {
        seat: Seat,
        level: BotLevel,
    },
    PlayerReturned {
        seat: Seat,
    },
    PauseAsked {
        seat: Seat,
    },
    PauseWithdrawn {
        seat: Seat,
    },
    MatchPaused,
    MatchResumed {
        seat: Seat,
    },
    MatchFinished {
        outcome: Outcome,
    },
    MatchAbandoned,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Created {
    pub(super) id: Uuid,
    pub(super) game: String,
    pub(super) rules_version: u16,
    pub(super) seats: u8,
    pub(super) options: serde_json::Value,
    pub(super) visibility: Visibility,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) invite_code: Option<String>,
    pub(super) creator: Uuid,
    /// In hexadecimal; secret until the match is over.
    #[serde(with = "seed_in_hex")]
    pub(super) seed: Seed,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) time_limit: Option<TimeLimit>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) hints: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) origin: Option<StoredOrigin>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rematch_of: Option<Uuid>,
}

/// `Seed` has no `Serialize`, so that it cannot reach clients. This is for the store only.
mod seed_in_hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::chance::Seed;

    pub(super) fn serialize<S: Serializer>(seed: &Seed, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&seed.to_hex())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Seed, D::Error> {
        let text = String::deserialize(from)?;
        let seed = Seed::from_hex(&text).filter(|seed| seed.to_hex() == text);
        seed.ok_or_else(|| D::Error::custom("a seed is 64 lower-case hexadecimal digits"))
    }
}

/// An event of the match itself, as clients see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MatchEventView {
    /// The match was created.
    MatchCreated {
        /// The game.
        #[schema(example = "qwinto")]
        game: String,
        /// The version of its rules.
        rules_version: u16,
        /// The number of seats.
        #[schema(minimum = 1, maximum = 8)]
        seats: u8,
        /// The options of the game.
        #[schema(value_type = Object)]
        options: serde_json::Value,
        /// The player who created it.
        creator: Uuid,
        /// SHA-256 of the secret seed, in hexadecimal.
        commitment: String,
        /// The time limit for each decision in seconds, if there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1, maximum = 2_592_000)]
        move_deadline: Option<u32>,
        /// What happens when a deadline passes, if there is a time limit.
        #[serde(skip_serializing_if = "Option::is_none")]
        on_timeout: Option<OnTimeout>,
        /// Whether players may ask for hints.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        #[schema(required = false)]
        hints: bool,
        /// The origin of the match, if it is a fork or demonstration data.
        #[serde(skip_serializing_if = "Option::is_none")]
        origin: Option<OriginView>,
        /// The finished match of which this is a rematch.
        #[serde(skip_serializing_if = "Option::is_none")]
        rematch_of: Option<Uuid>,
    },
    /// A player took a seat.
    SeatTaken {
        /// The seat.
        seat: Seat,
        /// The player.
        player: Uuid,
        /// The entropy that the player added to the seed.
        #[serde(skip_serializing_if = "Option::is_none")]
        entropy: Option<String>,
        /// The level of the player, if it is a bot.
        #[serde(skip_serializing_if = "Option::is_none")]
        bot: Option<BotLevel>,
    },
    /// A player left before the match started.
    SeatLeft {
        /// The seat.
        seat: Seat,
        /// The player.
        player: Uuid,
    },
    /// The last seat was taken, and the match started.
    MatchStarted {},
    /// A player resigned.
    SeatResigned {
        /// The seat.
        seat: Seat,
    },
    /// A player missed a deadline. What the match does about it follows.
    SeatTimedOut {
        /// The seat.
        seat: Seat,
    },
    /// A bot plays the seat until its player returns.
    BotSteppedIn {
        /// The seat.
        seat: Seat,
        /// The level of the bot.
        level: BotLevel,
    },
    /// A player took the seat back from the bot.
    PlayerReturned {
        /// The seat.
        seat: Seat,
    },
    /// A player asks for a pause. It begins when all players have asked.
    PauseAsked {
        /// The seat.
        seat: Seat,
    },
    /// A player withdrew the request for a pause.
    PauseWithdrawn {
        /// The seat.
        seat: Seat,
    },
    /// All players have asked for a pause: no moves are made and no clock runs.
    MatchPaused {},
    /// A player ended the pause.
    MatchResumed {
        /// The seat.
        seat: Seat,
    },
    /// The match was played to its end.
    MatchFinished {
        /// The result.
        outcome: Outcome,
    },
    /// All players left before the match started.
    MatchAbandoned {},
}

impl MatchEventView {
    /// The event in words.
    #[must_use]
    pub fn tell(&self, lang: Lang) -> String {
        match self {
            Self::MatchCreated { .. } => {
                lang.pick("The match was created.", "Se creó la partida.").to_owned()
            }
            Self::SeatTaken { seat, bot: Some(level), .. } => lang.pick(
                format!("A bot ({}) took seat {seat}.", level.id()),
                format!("Un bot ({}) ocupó el puesto {seat}.", level.id()),
            ),
            Self::SeatTaken { seat, .. } => {
                lang.pick(format!("Seat {seat} was taken."), format!("Se ocupó el puesto {seat}."))
            }
            Self::SeatLeft { seat, .. } => lang
                .pick(format!("Seat {seat} was left."), format!("Quedó libre el puesto {seat}.")),
            Self::MatchStarted {} => {
                lang.pick("The match started.", "Empezó la partida.").to_owned()
            }
            Self::SeatResigned { seat } => {
                lang.pick(format!("Seat {seat} resigned."), format!("El puesto {seat} se rindió."))
            }
            Self::SeatTimedOut { seat } => lang.pick(
                format!("Seat {seat} ran out of time."),
                format!("Al puesto {seat} se le acabó el tiempo."),
            ),
            Self::BotSteppedIn { seat, level } => lang.pick(
                format!("A bot ({}) plays seat {seat} until its player returns.", level.id()),
                format!(
                    "Un bot ({}) juega el puesto {seat} hasta que vuelva su jugador.",
                    level.id()
                ),
            ),
            Self::PlayerReturned { seat } => lang.pick(
                format!("The player of seat {seat} is back."),
                format!("Ha vuelto el jugador del puesto {seat}."),
            ),
            Self::PauseAsked { seat } => lang.pick(
                format!("Seat {seat} asks for a pause."),
                format!("El puesto {seat} pide una pausa."),
            ),
            Self::PauseWithdrawn { seat } => lang.pick(
                format!("Seat {seat} no longer asks for a pause."),
                format!("El puesto {seat} ya no pide una pausa."),
            ),
            Self::MatchPaused {} => {
                lang.pick("The match is paused.", "La partida está en pausa.").to_owned()
            }
            Self::MatchResumed { seat } => lang.pick(
                format!("Seat {seat} ended the pause."),
                format!("El puesto {seat} terminó la pausa."),
            ),
            Self::MatchFinished { outcome } => {
                let winners: Vec<String> = (0..)
                    .zip(&outcome.seats)
                    .filter(|(_, standing)| standing.won)
                    .map(|(seat, _): (u8, _)| seat.to_string())
                    .collect();
                let list = lang.list(&winners);
                match winners.len() {
                    0 => lang.pick("The match is lost.", "La partida está perdida.").to_owned(),
                    1 => lang.pick(format!("Seat {list} won."), format!("Ganó el puesto {list}.")),
                    _ => lang.pick(
                        format!("Seats {list} share the win."),
                        format!("Los puestos {list} comparten la victoria."),
                    ),
                }
            }
            Self::MatchAbandoned {} => {
                lang.pick("The match was abandoned.", "La partida fue abandonada.").to_owned()
            }
        }
    }
}

impl MatchEvent {
    fn shown(&self) -> MatchEventView {
        match self {
            Self::MatchCreated(created) => MatchEventView::MatchCreated {
                game: created.game.clone(),
                rules_version: created.rules_version,
                seats: created.seats,
                options: created.options.clone(),
                creator: created.creator,
                commitment: created.seed.commitment().to_string(),
                move_deadline: created.time_limit.map(TimeLimit::seconds),
                on_timeout: created.time_limit.map(TimeLimit::on_timeout),
                hints: created.hints,
                origin: created.origin.as_ref().map(StoredOrigin::shown),
                rematch_of: created.rematch_of,
            },
            Self::SeatTaken { seat, player, entropy } => MatchEventView::SeatTaken {
                seat: *seat,
                player: *player,
                entropy: entropy.clone(),
                bot: BotLevel::of(*player),
            },
            Self::SeatLeft { seat, player } => {
                MatchEventView::SeatLeft { seat: *seat, player: *player }
            }
            Self::MatchStarted => MatchEventView::MatchStarted {},
            Self::SeatResigned { seat } => MatchEventView::SeatResigned { seat: *seat },
            Self::SeatTimedOut { seat } => MatchEventView::SeatTimedOut { seat: *seat },
            Self::BotSteppedIn { seat, level } => {
                MatchEventView::BotSteppedIn { seat: *seat, level: *level }
            }
            Self::PlayerReturned { seat } => MatchEventView::PlayerReturned { seat: *seat },
            Self::PauseAsked { seat } => MatchEventView::PauseAsked { seat: *seat },
            Self::PauseWithdrawn { seat } => MatchEventView::PauseWithdrawn { seat: *seat },
            Self::MatchPaused => MatchEventView::MatchPaused {},
            Self::MatchResumed { seat } => MatchEventView::MatchResumed { seat: *seat },
            Self::MatchFinished { outcome } => {
                MatchEventView::MatchFinished { outcome: outcome.clone() }
            }
            Self::MatchAbandoned => MatchEventView::MatchAbandoned {},
        }
    }
}

impl Event {
    /// What a viewer may see of it.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> Json {
        match &self.0 {
            EventKind::Match(life) => serde_json::value::to_raw_value(&life.shown())
                .expect("plain data: no serialiser fails"),
            EventKind::Game { event, .. } => event.view(viewer),
        }
    }

    /// The event in words, as the viewer saw it.
    #[must_use]
    pub fn tell(&self, viewer: Viewer, lang: Lang) -> String {
        match &self.0 {
            EventKind::Match(life) => life.shown().tell(lang),
            EventKind::Game { event, .. } => event.tell(viewer, lang),
        }
    }

    /// The seat that caused it or to which it happened, if it is about one.
    #[must_use]
    pub fn by(&self) -> Option<Seat> {
        match &self.0 {
            EventKind::Match(
                MatchEvent::SeatTaken { seat, .. }
                | MatchEvent::SeatLeft { seat, .. }
                | MatchEvent::SeatResigned { seat }
                | MatchEvent::SeatTimedOut { seat }
                | MatchEvent::BotSteppedIn { seat, .. }
                | MatchEvent::PlayerReturned { seat }
                | MatchEvent::PauseAsked { seat }
                | MatchEvent::PauseWithdrawn { seat }
                | MatchEvent::MatchResumed { seat },
            ) => Some(*seat),
            EventKind::Match(_) => None,
            EventKind::Game { by, .. } => *by,
        }
    }

    /// Whether the server chose the move, because the seat had resigned or run out of time.
    #[must_use]
    pub const fn automatic(&self) -> bool {
        matches!(self.0, EventKind::Game { automatic: true, .. })
    }

    /// Choice, luck or reveal.
    #[must_use]
    pub fn nature(&self) -> Nature {
        match &self.0 {
            EventKind::Match(_) => Nature::Choice,
            EventKind::Game { event, .. } => event.nature(),
        }
    }

    /// The event of the game, unless it is one of the match itself.
    #[must_use]
    pub fn game_event(&self) -> Option<&GameEvent> {
        match &self.0 {
            EventKind::Match(_) => None,
            EventKind::Game { event, .. } => Some(event),
        }
    }
}
