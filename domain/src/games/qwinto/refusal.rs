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
                "Está lanzando otro jugador; espera a que se anuncie la suma.",
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
                "Los dados ya se han lanzado: quédate con el resultado o vuelve a lanzarlos.",
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
                "Choose at least one die to roll.",
                "Elige al menos un dado para lanzar.",
            ),
            Self::AlreadyAnswered => (
                "already_answered",
                "R3.1",
                "You have already answered this sum; wait for the other seats.",
                "Ya has respondido a esta suma; espera a los demás.",
            ),
            Self::RowNotRolled => (
                "row_not_rolled",
                "R3.2",
                "No die of this colour was rolled: choose a row whose colour was rolled.",
                "No se ha lanzado ningún dado de este color: elige una fila del color de alguno de los dados lanzados.",
            ),
            Self::NoSuchBox => (
                "no_such_box",
                "R1.1",
                "There is no such box: choose one from 0 to 8, counted from the left.",
                "Esa casilla no existe: elige una del 0 al 8, contando desde la izquierda.",
            ),
            Self::BoxTaken => (
                "box_taken",
                "R3.1",
                "This box already has a number: choose an empty one.",
                "Esta casilla ya tiene un número: elige una vacía.",
            ),
            Self::NotAscending => (
                "not_ascending",
                "R3.3",
                "Rows must ascend: choose a box where the sum is greater than every number to its left and less than every number to its right.",
                "Las filas deben ser ascendentes: elige una casilla donde la suma sea mayor que todos los números a su izquierda y menor que todos los números a su derecha.",
            ),
            Self::TwiceInColumn => (
                "twice_in_column",
                "R3.4",
                "This number is already in the column: choose a box in another column.",
                "Ese número ya está en la columna: elige una casilla de otra columna.",
            ),
        };
        RefusalInfo { code, rule, text: Text::new(en, es) }
    }
}
