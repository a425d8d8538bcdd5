//! The rules that a move can break.

use crate::{
    game::{self, RefusalInfo},
    text::Text,
};

/// Why a move is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    NotPlaying,
    DrawFirst,
    HandFull,
    NoSuchSlot,
    SlotEmpty,
    OutsideField,
    CellTaken,
    TooWide,
    NoNeighbour,
    ColourClash,
    SameBody,
    CellEmpty,
    NotSuperior,
}

impl game::Refusal for Refusal {
    const ALL: &'static [Self] = &[
        Self::NotPlaying,
        Self::DrawFirst,
        Self::HandFull,
        Self::NoSuchSlot,
        Self::SlotEmpty,
        Self::OutsideField,
        Self::CellTaken,
        Self::TooWide,
        Self::NoNeighbour,
        Self::ColourClash,
        Self::SameBody,
        Self::CellEmpty,
        Self::NotSuperior,
    ];

    fn info(self) -> RefusalInfo {
        let (code, rule, en, es) = match self {
            Self::NotPlaying => (
                "not_playing",
                "R7.2",
                "The match is not in progress: no move can be made now.",
                "La partida no está en curso: ahora no se puede jugar.",
            ),
            Self::DrawFirst => (
                "draw_first",
                "R4.1",
                "Your hand is empty: draw a card from the draw area first.",
                "Tu mano está vacía: roba primero una carta de la zona de robo.",
            ),
            Self::HandFull => (
                "hand_full",
                "R4.2",
                "You hold a card: place, exchange or discard it before you draw another.",
                "Tienes una carta en mano: colócala, intercámbiala o descártala antes de robar otra.",
            ),
            Self::NoSuchSlot => (
                "no_such_slot",
                "R3.2",
                "The draw area has eight slots: choose one from 0 to 7.",
                "La zona de robo tiene ocho huecos: elige uno del 0 al 7.",
            ),
            Self::SlotEmpty => (
                "slot_empty",
                "R4.1",
                "This slot is empty: draw from another one.",
                "Este hueco está vacío: roba de otro.",
            ),
            Self::OutsideField => (
                "outside_field",
                "R2.3",
                "This cell is outside the field: choose a row and a column from 0 to 11.",
                "Esta casilla está fuera del campo: elige una fila y una columna del 0 al 11.",
            ),
            Self::CellTaken => (
                "cell_taken",
                "R5.1",
                "There is already a card on this cell: choose an empty one, or exchange the cards.",
                "En esta casilla ya hay una carta: elige una vacía o intercambia las cartas.",
            ),
            Self::TooWide => (
                "too_wide",
                "R2.2",
                "With a card here, the tapestry would span more than eight rows or columns: choose another cell.",
                "Con una carta aquí, el tapiz abarcaría más de ocho filas o columnas: elige otra casilla.",
            ),
            Self::NoNeighbour => (
                "no_neighbour",
                "R5.1",
                "The card would not touch the tapestry: choose a cell that shares a side with a card.",
                "La carta no tocaría el tapiz: elige una casilla que comparta un lado con alguna carta.",
            ),
            Self::ColourClash => (
                "colour_clash",
                "R5.2",
                "The colour does not match a neighbouring card: choose a cell whose neighbours have the same colour or one next to it in the rainbow.",
                "El color no combina con el de una carta vecina: elige una casilla cuyas vecinas tengan el mismo color o uno contiguo en el arcoíris.",
            ),
            Self::SameBody => (
                "same_body",
                "R5.3",
                "A neighbouring card shows the same body: choose another cell.",
                "Una carta vecina muestra el mismo cuerpo: elige otra casilla.",
            ),
            Self::CellEmpty => (
                "cell_empty",
                "R6.1",
                "There is no card on this cell: choose one with a card, or place yours.",
                "En esta casilla no hay ninguna carta: elige una ocupada o coloca la tuya.",
            ),
            Self::NotSuperior => (
                "not_superior",
                "R6.1",
                "Your card does not beat this one: an asteroid beats a comet, a comet a nebula, a nebula an asteroid.",
                "Tu carta no vence a esta: el asteroide vence al cometa, el cometa a la nebulosa y la nebulosa al asteroide.",
            ),
        };
        RefusalInfo { code, rule, text: Text::new(en, es) }
    }
}
