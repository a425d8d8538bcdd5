//! Why a command is refused.

use crate::{
    game::{Refusal, RefusalInfo},
    shape::BadShape,
    text::Text,
};

/// Why a command leads to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// A rule of every match forbids it.
    Match(MatchRefusal),
    /// A rule of the game forbids it.
    Rule(RefusalInfo),
    /// The move or the options are not what the game understands.
    Malformed(BadShape),
    /// The player decided upon a version that is no longer current.
    Stale {
        /// The current version.
        current: u64,
    },
}

impl From<MatchRefusal> for Refused {
    fn from(refusal: MatchRefusal) -> Self {
        Self::Match(refusal)
    }
}

/// A rule of every match that a command breaks; see RULES.md beside this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchRefusal {
    /// The game is not played with that many.
    SeatCount,
    /// The seat does not exist.
    NoSuchSeat,
    /// Somebody sits there.
    SeatTaken,
    /// No seat is free.
    MatchFull,
    /// The player sits in this match already.
    AlreadySeated,
    /// The player does not sit in this match.
    NotSeated,
    /// The match is private and the code is another.
    WrongInviteCode,
    /// It has begun; seats no longer change.
    AlreadyStarted,
    /// It has not begun.
    NotStarted,
    /// The player has resigned.
    HasResigned,
    /// It is over.
    MatchOver,
    /// It is not finished.
    NotFinished,
    /// It cannot be forked there.
    ForkPoint,
    /// No deadline has passed.
    NotDue,
    /// It is paused.
    Paused,
    /// The player asks for a pause already.
    PauseAsked,
    /// It is not paused.
    NotPaused,
}

impl Refusal for MatchRefusal {
    const ALL: &'static [Self] = &[
        Self::SeatCount,
        Self::NoSuchSeat,
        Self::SeatTaken,
        Self::MatchFull,
        Self::AlreadySeated,
        Self::NotSeated,
        Self::WrongInviteCode,
        Self::AlreadyStarted,
        Self::NotStarted,
        Self::HasResigned,
        Self::MatchOver,
        Self::NotFinished,
        Self::ForkPoint,
        Self::NotDue,
        Self::Paused,
        Self::PauseAsked,
        Self::NotPaused,
    ];

    fn info(self) -> RefusalInfo {
        let (code, rule, en, es) = match self {
            Self::SeatCount => (
                "seat_count",
                "M1",
                "The game is not played with that many seats.",
                "El juego no se juega con ese número de puestos.",
            ),
            Self::NoSuchSeat => (
                "no_such_seat",
                "M2",
                "This match has no such seat; seats count from 0.",
                "Esta partida no tiene ese puesto; los puestos se cuentan desde 0.",
            ),
            Self::SeatTaken => {
                ("seat_taken", "M2", "Somebody sits there already.", "Ese puesto ya está ocupado.")
            }
            Self::MatchFull => {
                ("match_full", "M2", "Every seat is taken.", "Todos los puestos están ocupados.")
            }
            Self::AlreadySeated => (
                "already_seated",
                "M2",
                "You sit in this match already; a player takes one seat.",
                "Ya estás en esta partida; cada persona ocupa un puesto.",
            ),
            Self::NotSeated => (
                "not_seated",
                "M5",
                "You do not sit in this match.",
                "No ocupas ningún puesto en esta partida.",
            ),
            Self::WrongInviteCode => (
                "wrong_invite_code",
                "M2",
                "This private match asks for its invite code.",
                "Esta partida privada pide su código de invitación.",
            ),
            Self::AlreadyStarted => (
                "already_started",
                "M2",
                "The match has started: seats no longer change; resign instead.",
                "La partida ya empezó: los puestos no cambian; ríndete en su lugar.",
            ),
            Self::NotStarted => (
                "not_started",
                "M5",
                "The match has not started; it does when its last seat is taken.",
                "La partida no ha empezado; lo hará al ocuparse el último puesto.",
            ),
            Self::HasResigned => (
                "has_resigned",
                "M6",
                "You have resigned; the seat is played automatically.",
                "Te has rendido; el puesto se juega automáticamente.",
            ),
            Self::MatchOver => {
                ("match_over", "M7", "The match is over.", "La partida ha terminado.")
            }
            Self::NotFinished => (
                "not_finished",
                "M8",
                "This can be done once the match has been played to its end.",
                "Esto se puede hacer cuando la partida se haya jugado hasta el final.",
            ),
            Self::ForkPoint => (
                "fork_point",
                "M8",
                "Choose a version at which the match was being played: after its start and before its end.",
                "Elige una versión en la que se estuviera jugando: después del comienzo y antes del final.",
            ),
            Self::NotDue => {
                ("not_due", "M10", "No deadline has passed.", "No ha vencido ningún plazo.")
            }
            Self::Paused => (
                "match_paused",
                "M11",
                "The match is paused; any player can resume it.",
                "La partida está en pausa; cualquiera que juegue puede reanudarla.",
            ),
            Self::PauseAsked => (
                "pause_asked",
                "M11",
                "You have asked for a pause already; it begins when everybody has.",
                "Ya has pedido una pausa; empieza cuando la pidan todos.",
            ),
            Self::NotPaused => (
                "not_paused",
                "M11",
                "The match is not paused, and you do not ask for a pause.",
                "La partida no está en pausa, ni has pedido una.",
            ),
        };
        RefusalInfo { code, rule, text: Text::new(en, es) }
    }
}
