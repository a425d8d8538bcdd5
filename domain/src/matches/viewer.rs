//! Which view of a match a caller may get. The only place that decides it.

use std::str::FromStr;

use uuid::Uuid;

use super::Match;
use crate::seat::{Seat, Viewer};

/// The view that a caller asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Perspective {
    /// That of the caller's own seat.
    OwnSeat,
    /// That of any seat.
    Seat(Seat),
    /// What is public.
    Spectator,
    /// Everything.
    Archive,
}

/// A text that names no perspective.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("neither `seat`, `spectator`, `archive` nor the number of a seat")]
pub struct NoPerspective;

impl FromStr for Perspective {
    type Err = NoPerspective;

    fn from_str(text: &str) -> Result<Self, NoPerspective> {
        match text {
            "seat" => Ok(Self::OwnSeat),
            "spectator" => Ok(Self::Spectator),
            "archive" => Ok(Self::Archive),
            number => {
                // One digit: neither `+1` nor `01` names a seat.
                let digit = Some(number).filter(|number| number.len() == 1);
                let seat = digit.and_then(|digit| digit.parse().ok()).and_then(Seat::new);
                seat.map(Self::Seat).ok_or(NoPerspective)
            }
        }
    }
}

/// Why a caller does not get a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewRefusal {
    /// The caller asks for its own seat, but has none in this match.
    NotSeated,
    /// The match does not have this seat.
    NoSuchSeat,
    /// The view shows what is hidden from the caller until the match is over.
    StillSecret,
}

impl Match {
    /// The viewer that sees everything that a player may see: all there is once the match is over.
    #[must_use]
    pub fn viewer(&self, player: Option<Uuid>) -> Viewer {
        if self.status.is_over() { Viewer::Archive } else { self.seated_viewer(player) }
    }

    /// The viewer for a perspective that a player asks for; by default that of its own seat, or a spectator's.
    ///
    /// # Errors
    /// If the player may not use this perspective.
    pub fn viewer_from(
        &self,
        player: Option<Uuid>,
        perspective: Option<Perspective>,
    ) -> Result<Viewer, ViewRefusal> {
        let own = player.and_then(|player| self.seat_of(player));
        let is_over = self.status.is_over();
        match perspective {
            None => Ok(self.seated_viewer(player)),
            Some(Perspective::Spectator) => Ok(Viewer::Spectator),
            Some(Perspective::OwnSeat) => own.map(Viewer::Seat).ok_or(ViewRefusal::NotSeated),
            Some(Perspective::Seat(seat)) if seat.number() >= self.seat_count() => {
                Err(ViewRefusal::NoSuchSeat)
            }
            Some(Perspective::Seat(seat)) if is_over || own == Some(seat) => Ok(Viewer::Seat(seat)),
            Some(Perspective::Archive) if is_over => Ok(Viewer::Archive),
            Some(Perspective::Seat(_) | Perspective::Archive) => Err(ViewRefusal::StillSecret),
        }
    }

    /// What a player sees while the match is being played.
    fn seated_viewer(&self, player: Option<Uuid>) -> Viewer {
        let seat = player.and_then(|player| self.seat_of(player));
        seat.map_or(Viewer::Spectator, Viewer::Seat)
    }
}
