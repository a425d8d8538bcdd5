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
                "Se están seleccionando cordeles: elige uno de tu mano o espera a los demás.",
            ),
            Self::AlreadyPicked => (
                "already_picked",
                "R3.1",
                "You have already picked a cord; wait for the other seats.",
                "Ya has elegido un cordel; espera a los demás.",
            ),
            Self::NotInHand => (
                "not_in_hand",
                "R3.1",
                "There is no cord of this colour in your hand: pick another colour.",
                "No tienes ningún cordel de este color en la mano: elige otro color.",
            ),
            Self::LoomsAreBeingWoven => (
                "looms_are_being_woven",
                "R2.2",
                "Looms are being woven: weave the cords you have left, or wait for the other seats.",
                "Se está tejiendo: teje los cordeles que te quedan o espera a los demás.",
            ),
            Self::NothingLeftToWeave => (
                "nothing_left_to_weave",
                "R4.1",
                "You have already woven all your cords; wait for the other seats.",
                "Ya has tejido todos tus cordeles; espera a los demás.",
            ),
            Self::CordNotCollected => (
                "cord_not_collected",
                "R4.1",
                "You have no cord of this colour left to weave: choose one of the cords in front of you.",
                "No te queda ningún cordel de este color por tejer: elige uno de los que tienes delante.",
            ),
            Self::SlotTaken => (
                "slot_taken",
                "R4.2",
                "This slot already holds a cord: choose an empty one.",
                "En esta ranura ya hay un cordel: elige una vacía.",
            ),
            Self::NothingToCross => (
                "nothing_to_cross",
                "R4.3",
                "`over` names an empty slot of the other axis: name only slots that hold a cord.",
                "`over` incluye una ranura vacía del otro eje: indica solo ranuras ocupadas.",
            ),
            Self::ButtonsAreBeingPlaced => (
                "buttons_are_being_placed",
                "R2.2",
                "Buttons are being placed: place one on a card, or wait for the other seats.",
                "Se están poniendo botones: pon uno en una carta o espera a los demás.",
            ),
            Self::AlreadyPlaced => (
                "already_placed",
                "R5.1",
                "You have already placed your button this round; wait for the other seats.",
                "Ya has puesto tu botón en esta ronda; espera a los demás.",
            ),
            Self::CardNotOnTable => (
                "card_not_on_table",
                "R5.2",
                "This card is not on the table: choose one of the eight on it.",
                "Esta carta no está en la mesa: elige una de las ocho que hay.",
            ),
            Self::CardUsed => (
                "card_used",
                "R5.3",
                "You already have a button on this card: choose another one.",
                "Ya tienes un botón en esta carta: elige otra.",
            ),
            Self::NoRoundButtonLeft => (
                "no_round_button_left",
                "R5.2",
                "You have already placed both round buttons: choose an interlaced card.",
                "Ya has puesto tus dos botones redondos: elige una carta entrelazada.",
            ),
            Self::NoSquareButtonLeft => (
                "no_square_button_left",
                "R5.2",
                "You have already placed both square buttons: choose an adjacent card.",
                "Ya has puesto tus dos botones cuadrados: elige una carta adyacente.",
            ),
            Self::LoomsComplete => (
                "looms_complete",
                "R6.1",
                "The match is over: all looms are complete.",
                "La partida ha terminado: todos los telares están completos.",
            ),
        };
        RefusalInfo { code, rule, text: Text::new(en, es) }
    }
}
