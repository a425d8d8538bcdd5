//! The rules that a move can break.

use crate::{
    game::{self, RefusalInfo},
    text::Text,
};

/// Why a move is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    CordsAreBeingSelected,
    AlreadyPicked,
    NotInHand,
    LoomsAreBeingWoven,
    NothingLeftToWeave,
    CordNotCollected,
    SlotTaken,
    NothingToCross,
    ButtonsAreBeingPlaced,
    AlreadyPlaced,
    CardNotOnTable,
    CardUsed,
    NoRoundButtonLeft,
    NoSquareButtonLeft,
    LoomsComplete,
}

impl game::Refusal for Refusal {
    const ALL: &'static [Self] = &[
        Self::CordsAreBeingSelected,
        Self::AlreadyPicked,
        Self::NotInHand,
        Self::LoomsAreBeingWoven,
        Self::NothingLeftToWeave,
        Self::CordNotCollected,
        Self::SlotTaken,
        Self::NothingToCross,
        Self::ButtonsAreBeingPlaced,
        Self::AlreadyPlaced,
        Self::CardNotOnTable,
        Self::CardUsed,
        Self::NoRoundButtonLeft,
        Self::NoSquareButtonLeft,
        Self::LoomsComplete,
    ];

    fn info(self) -> RefusalInfo {
        let (code, rule, en, es) = match self {
            Self::CordsAreBeingSelected => (
                "cords_are_being_selected",
                "R2.2",
                "Cords are being selected: pick one from your hand, or wait for the other seats.",
                "Se están seleccionando cordeles: elige uno de tu mano o espera a los demás puestos.",
            ),
            Self::AlreadyPicked => (
                "already_picked",
                "R3.1",
                "You have picked a cord; wait for the other seats.",
                "Ya has elegido un cordel; espera a los demás puestos.",
            ),
            Self::NotInHand => (
                "not_in_hand",
                "R3.1",
                "Your hand has no cord of this colour: pick one that it has.",
                "En tu mano no hay ningún cordel de este color: elige uno que tengas.",
            ),
            Self::LoomsAreBeingWoven => (
                "looms_are_being_woven",
                "R2.2",
                "Looms are being woven: weave the cords you have left, or wait for the other seats.",
                "Se está tejiendo: teje los cordeles que te quedan o espera a los demás puestos.",
            ),
            Self::NothingLeftToWeave => (
                "nothing_left_to_weave",
                "R4.1",
                "You have woven all your cords; wait for the other seats.",
                "Ya has tejido todos tus cordeles; espera a los demás puestos.",
            ),
            Self::CordNotCollected => (
                "cord_not_collected",
                "R4.1",
                "You have no cord of this colour left to weave: choose one of those before you.",
                "No te queda ningún cordel de este color por tejer: elige uno de los que tienes ante ti.",
            ),
            Self::SlotTaken => (
                "slot_taken",
                "R4.2",
                "There is a cord in this slot already: choose an empty one.",
                "En esta ranura ya hay un cordel: elige una vacía.",
            ),
            Self::NothingToCross => (
                "nothing_to_cross",
                "R4.3",
                "`over` names a slot of the other axis without a cord: name only slots that are taken.",
                "`over` nombra una ranura del otro eje sin cordel: nombra solo ranuras ocupadas.",
            ),
            Self::ButtonsAreBeingPlaced => (
                "buttons_are_being_placed",
                "R2.2",
                "Buttons are being placed: place one on a card, or wait for the other seats.",
                "Se están poniendo botones: pon uno en una carta o espera a los demás puestos.",
            ),
            Self::AlreadyPlaced => (
                "already_placed",
                "R5.1",
                "You have placed your button of this round; wait for the other seats.",
                "Ya has puesto tu botón de esta ronda; espera a los demás puestos.",
            ),
            Self::CardNotOnTable => (
                "card_not_on_table",
                "R5.2",
                "This card is not on the table: choose one of the eight that are.",
                "Esta carta no está en la mesa: elige una de las ocho que hay.",
            ),
            Self::CardUsed => (
                "card_used",
                "R5.3",
                "This card has a button of yours already: choose another one.",
                "Esta carta ya tiene un botón tuyo: elige otra.",
            ),
            Self::NoRoundButtonLeft => (
                "no_round_button_left",
                "R5.2",
                "Both of your round buttons are placed: choose an interlaced card.",
                "Ya has puesto tus dos botones redondos: elige una carta entrelazada.",
            ),
            Self::NoSquareButtonLeft => (
                "no_square_button_left",
                "R5.2",
                "Both of your square buttons are placed: choose an adjacent card.",
                "Ya has puesto tus dos botones cuadrados: elige una carta adyacente.",
            ),
            Self::LoomsComplete => (
                "looms_complete",
                "R6.1",
                "The looms are complete and the match is over: there is nothing left to do.",
                "Los telares están completos y la partida ha terminado: no queda nada por hacer.",
            ),
        };
        RefusalInfo { code, rule, text: Text::new(en, es) }
    }
}
