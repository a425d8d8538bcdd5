//! Phrases that labels and told events share.

use super::{
    cards::Card,
    components::{Axis, Colour},
    slots::{Slot, Slots},
};
use crate::text::Lang;

/// `red, vertical 3, over 2 and 5, under 4`.
pub(crate) fn woven(
    colour: Colour,
    axis: Axis,
    slot: Slot,
    over: Slots,
    under: Slots,
    lang: Lang,
) -> String {
    let (colour, axis) = (colour.name().get(lang), axis.name().get(lang));
    let mut phrase = format!("{colour}, {axis} {}", slot.ordinal());
    for (slots, how) in
        [(over, lang.pick("over", "por encima de")), (under, lang.pick("under", "por debajo de"))]
    {
        if !slots.is_empty() {
            let ordinals: Vec<u8> = slots.iter().map(Slot::ordinal).collect();
            phrase = format!("{phrase}, {how} {}", lang.list(&ordinals));
        }
    }
    phrase
}

/// `a round button on “red beside pink”`.
pub(crate) fn button(card: Card, lang: Lang) -> String {
    let shape = card.kind().button().name().get(lang);
    let pattern = card.pattern().name(lang);
    lang.pick(
        format!("a {shape} button on “{pattern}”"),
        format!("un botón {shape} en «{pattern}»"),
    )
}

/// `2 red, 1 sky and 2 blue`.
pub(crate) fn cords(cords: &[Colour], lang: Lang) -> String {
    let counted: Vec<String> = Colour::ALL
        .into_iter()
        .map(|colour| (colour, cords.iter().filter(|cord| **cord == colour).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(colour, count)| {
            let name = if count == 1 { colour.name() } else { colour.plural() };
            format!("{count} {}", name.get(lang))
        })
        .collect();
    lang.list(&counted)
}
