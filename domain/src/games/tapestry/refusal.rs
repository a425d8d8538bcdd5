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
                "Moves are made between the setting of the table and the end of the match.",
                "Solo se juega desde que la mesa está preparada hasta el final de la partida.",
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
                "There is no card left in this slot: draw from another one.",
                "En este hueco ya no queda carta: roba de otro.",
            ),
            Self::OutsideField => (
                "outside_field",
                "R2.3",
                "The field has rows and columns 0 to 11: choose a cell inside it.",
                "El campo tiene filas y columnas de 0 a 11: elige una casilla dentro de él.",
            ),
            Self::CellTaken => (
                "cell_taken",
                "R5.1",
                "A card lies on this cell: place yours on an empty one, or exchange them.",
                "En esta casilla ya hay una carta: coloca la tuya en una vacía o intercámbialas.",
            ),
            Self::TooWide => (
                "too_wide",
                "R2.2",
                "Here the tapestry would span more than eight rows or columns: stay within 8 × 8.",
                "Aquí el tapiz abarcaría más de ocho filas o columnas: no salgas de 8 × 8.",
            ),
            Self::NoNeighbour => (
                "no_neighbour",
                "R5.1",
                "The card would touch no other: place it where it shares a side with a card.",
                "La carta no tocaría ninguna otra: colócala donde comparta un lado con alguna.",
            ),
            Self::ColourClash => (
                "colour_clash",
                "R5.2",
                "A card beside this cell has a colour that is neither the same nor next to it in the rainbow: choose another cell.",
                "Junto a esta casilla hay una carta cuyo color no es el mismo ni vecino en el arcoíris: elige otra casilla.",
            ),
            Self::SameBody => (
                "same_body",
                "R5.3",
                "A card beside this cell shows the same body: choose another cell.",
                "Junto a esta casilla hay una carta con el mismo cuerpo: elige otra casilla.",
            ),
            Self::CellEmpty => (
                "cell_empty",
                "R6.1",
                "No card lies on this cell: exchange with one of the tapestry, or place yours.",
                "En esta casilla no hay carta: intercambia con una del tapiz o coloca la tuya.",
            ),
            Self::NotSuperior => (
                "not_superior",
                "R6.1",
                "Your card does not beat this one: asteroid beats comet, comet nebula, nebula asteroid.",
                "Tu carta no vence a esta: el asteroide vence al cometa, el cometa a la nebulosa y la nebulosa al asteroide.",
            ),
        };
        RefusalInfo { code, rule, text: Text::new(en, es) }
    }
}
