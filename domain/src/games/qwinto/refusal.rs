//! The rules that a move can break.

use crate::{
    game::{self, RefusalInfo},
    text::Text,
};

/// Why a move is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    NotYourTurn,
    RollFirst,
    KeepOrReroll,
    WriteOrPass,
    NoDice,
    AlreadyAnswered,
    RowNotRolled,
    NoSuchBox,
    BoxTaken,
    NotAscending,
    TwiceInColumn,
}

impl game::Refusal for Refusal {
    const ALL: &'static [Self] = &[
        Self::NotYourTurn,
        Self::RollFirst,
        Self::KeepOrReroll,
        Self::WriteOrPass,
        Self::NoDice,
        Self::AlreadyAnswered,
        Self::RowNotRolled,
        Self::NoSuchBox,
        Self::BoxTaken,
        Self::NotAscending,
        Self::TwiceInColumn,
    ];

    fn info(self) -> RefusalInfo {
        let (code, rule, en, es) = match self {
            Self::NotYourTurn => (
                "not_your_turn",
                "R2.1",
                "Another seat is rolling; wait for the sum to be announced.",
                "Otro puesto está lanzando; espera a que se anuncie la suma.",
            ),
            Self::RollFirst => (
                "roll_first",
                "R2.2",
                "No dice have been rolled yet: choose one, two or three and roll them.",
                "Aún no se han lanzado dados: elige uno, dos o tres y lánzalos.",
            ),
            Self::KeepOrReroll => (
                "keep_or_reroll",
                "R2.3",
                "The dice have been rolled: keep the result or roll the same dice again.",
                "Los dados ya se han lanzado: conserva el resultado o vuelve a lanzarlos.",
            ),
            Self::WriteOrPass => (
                "write_or_pass",
                "R3.1",
                "The sum has been announced: write it in a box or pass.",
                "La suma ya se ha anunciado: anótala en una casilla o pasa.",
            ),
            Self::NoDice => (
                "no_dice",
                "R2.2",
                "At least one die has to be rolled.",
                "Hay que lanzar al menos un dado.",
            ),
            Self::AlreadyAnswered => (
                "already_answered",
                "R3.1",
                "You have answered this sum; wait for the other seats.",
                "Ya has respondido a esta suma; espera a los demás puestos.",
            ),
            Self::RowNotRolled => (
                "row_not_rolled",
                "R3.2",
                "The colour of this row was not among the dice rolled.",
                "El color de esta fila no estaba entre los dados lanzados.",
            ),
            Self::NoSuchBox => (
                "no_such_box",
                "R1.1",
                "A row has nine boxes, counted 0 to 8 from the left.",
                "Una fila tiene nueve casillas, contadas de 0 a 8 desde la izquierda.",
            ),
            Self::BoxTaken => (
                "box_taken",
                "R3.1",
                "There is a number in this box already.",
                "En esta casilla ya hay un número.",
            ),
            Self::NotAscending => (
                "not_ascending",
                "R3.3",
                "The number must be greater than all to its left and less than all to its right.",
                "El número debe ser mayor que todos los de su izquierda y menor que todos los de su derecha.",
            ),
            Self::TwiceInColumn => (
                "twice_in_column",
                "R3.4",
                "This column holds the number already.",
                "Esta columna ya contiene el número.",
            ),
        };
        RefusalInfo { code, rule, text: Text::new(en, es) }
    }
}
