//! The reasons for refusing a command.

use crate::{
    game::{Refusal, RefusalInfo},
    shape::BadShape,
    text::Text,
};

/// Why a command is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// It breaks a rule of every match.
    Match(MatchRefusal),
    /// It breaks a rule of the game.
    Rule(RefusalInfo),
    /// The move or the options are malformed.
    Malformed(BadShape),
    /// It is based on a version that is no longer current.
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

/// A rule of every match that a command breaks; see RULES.md next to this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchRefusal {
    /// The game does not allow this number of seats.
    SeatCount,
    /// The seat does not exist.
    NoSuchSeat,
    /// The seat is taken.
    SeatTaken,
    /// No seat is free.
    MatchFull,
    /// The player already has a seat in this match.
    AlreadySeated,
    /// The player has no seat in this match.
    NotSeated,
    /// The match is private, and the invite code is wrong.
    WrongInviteCode,
    /// The match has started; seats no longer change.
    AlreadyStarted,
    /// The match has not started.
    NotStarted,
    /// The player has resigned.
    HasResigned,
    /// The match is over.
    MatchOver,
    /// The match is not finished.
    NotFinished,
    /// The match cannot be forked at this version.
    ForkPoint,
    /// No deadline has passed.
    NotDue,
    /// The match is paused.
    Paused,
    /// The player has already asked for a pause.
    PauseAsked,
    /// The match is not paused.
    NotPaused,
    /// Only the creator of the match may do this.
    NotCreator,
    /// No bot plays the seat.
    NoBot,
    /// The match does not allow hints.
    NoHints,
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
        Self::NotCreator,
        Self::NoBot,
        Self::NoHints,
    ];

    fn info(self) -> RefusalInfo {
        let (code, rule, en, es) = match self {
            Self::SeatCount => (
                "seat_count",
                "M1",
                "This game does not allow that number of seats.",
                "Este juego no admite ese número de puestos.",
            ),
            Self::NoSuchSeat => (
                "no_such_seat",
                "M2",
                "This match has no such seat; seats are numbered from 0.",
                "Esta partida no tiene ese puesto; los puestos se numeran desde 0.",
            ),
            Self::SeatTaken => {
                ("seat_taken", "M2", "This seat is already taken.", "Ese puesto ya está ocupado.")
            }
            Self::MatchFull => {
                ("match_full", "M2", "All seats are taken.", "Todos los puestos están ocupados.")
            }
            Self::AlreadySeated => (
                "already_seated",
                "M2",
                "You already have a seat in this match.",
                "Ya tienes un puesto en esta partida.",
            ),
            Self::NotSeated => (
                "not_seated",
                "M5",
                "You do not have a seat in this match.",
                "No tienes ningún puesto en esta partida.",
            ),
            Self::WrongInviteCode => (
                "wrong_invite_code",
                "M2",
                "This match is private; send its invite code.",
                "Esta partida es privada; indica su código de invitación.",
            ),
            Self::AlreadyStarted => (
                "already_started",
                "M2",
                "The match has started, so seats can no longer change. You can resign instead.",
                "La partida ya ha empezado y los puestos no se pueden cambiar, pero puedes rendirte.",
            ),
            Self::NotStarted => (
                "not_started",
                "M5",
                "The match has not started yet; it starts when the last seat is taken.",
                "La partida aún no ha empezado; lo hará cuando se ocupe el último puesto.",
            ),
            Self::HasResigned => (
                "has_resigned",
                "M6",
                "You have resigned; your seat is played automatically.",
                "Te has rendido; tu puesto se juega automáticamente.",
            ),
            Self::MatchOver => {
                ("match_over", "M7", "The match is over.", "La partida ha terminado.")
            }
            Self::NotFinished => (
                "not_finished",
                "M8",
                "This is possible once the match is finished.",
                "Podrás hacerlo cuando la partida haya terminado.",
            ),
            Self::ForkPoint => (
                "fork_point",
                "M8",
                "Choose a version after the start and before the end of the match.",
                "Elige una versión posterior al comienzo y anterior al final de la partida.",
            ),
            Self::NotDue => {
                ("not_due", "M10", "No deadline has passed.", "No ha vencido ningún plazo.")
            }
            Self::Paused => (
                "match_paused",
                "M11",
                "The match is paused; any player can resume it.",
                "La partida está en pausa; cualquiera de los jugadores puede reanudarla.",
            ),
            Self::PauseAsked => (
                "pause_asked",
                "M11",
                "You have already asked for a pause; it begins when all players have asked.",
                "Ya has pedido una pausa; empezará cuando la pidan todos.",
            ),
            Self::NotPaused => (
                "not_paused",
                "M11",
                "The match is not paused, and you have not asked for a pause.",
                "La partida no está en pausa ni has pedido una pausa.",
            ),
            Self::NotCreator | Self::NoBot | Self::NoHints => return self.about_bots(),
        };
        RefusalInfo { code, rule, text: Text::new(en, es) }
    }
}

impl MatchRefusal {
    /// The refusals about bots and hints.
    fn about_bots(self) -> RefusalInfo {
        let (code, rule, en, es) = match self {
            Self::NotCreator => (
                "not_creator",
                "M13",
                "Only the player who created the match can seat bots in it.",
                "Solo quien creó la partida puede sentar bots en ella.",
            ),
            Self::NoBot => {
                ("no_bot", "M13", "No bot plays this seat.", "Ningún bot juega en este puesto.")
            }
            _ => (
                "no_hints",
                "M14",
                "This match does not allow hints; create one with `hints`, or play alone.",
                "Esta partida no admite pistas; crea una con `hints`, o juega en solitario.",
            ),
        };
        RefusalInfo { code, rule, text: Text::new(en, es) }
    }
}
