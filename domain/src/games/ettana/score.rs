//! Points (R7.4, R6.14, R8), and the measures for statistics.

use super::{
    Ettana,
    components::ActionCard,
    state::{State, Weaver},
};
use crate::{
    game::Score,
    outcome::{
        MeasureInfo, Measured, ScoreLine, ScoreLineInfo, Standing, Standings, places_by_score,
    },
};

pub(crate) const SCORE_LINES: &[ScoreLineInfo] = &[
    ScoreLineInfo::new("designs_1", "1-point designs", "Diseños de 1 punto"),
    ScoreLineInfo::new("designs_2", "2-point designs", "Diseños de 2 puntos"),
    ScoreLineInfo::new("designs_3", "3-point designs", "Diseños de 3 puntos"),
    ScoreLineInfo::new("victory_cards", "Victory point cards", "Cartas de punto de victoria"),
];

pub(crate) const MEASURES: &[MeasureInfo] = &[
    MeasureInfo::count("designs_claimed", "Designs claimed", "Diseños reclamados"),
    MeasureInfo::count("designs_drawn", "Designs bought or drawn", "Diseños comprados o robados"),
    MeasureInfo::count("designs_exchanged", "Designs exchanged", "Diseños cambiados"),
    MeasureInfo::count("tokens_from_income", "Tokens from the dice", "Tokens de los dados"),
    MeasureInfo::count("tokens_from_steals", "Tokens stolen", "Tokens robados"),
    MeasureInfo::count("tokens_from_tolls", "Tolls received", "Peajes cobrados"),
    MeasureInfo::count("tokens_from_cards", "Tokens from cards", "Tokens de cartas"),
    MeasureInfo::count("tolls_paid", "Tolls paid", "Peajes pagados"),
    MeasureInfo::count(
        "tokens_lost",
        "Tokens lost to theft and taxes",
        "Tokens perdidos por robos e impuestos",
    ),
    MeasureInfo::count("actions_bought", "Action cards bought", "Cartas de acción compradas"),
    MeasureInfo::count("swaps_free", "Free swaps", "Intercambios gratuitos"),
    MeasureInfo::count("swaps_bought", "Swaps bought", "Intercambios comprados"),
    MeasureInfo::count("played_move", "Played: Move", "Jugadas: Mover"),
    MeasureInfo::count("played_swap", "Played: Swap", "Jugadas: Intercambiar"),
    MeasureInfo::count("played_steal_action", "Played: Steal a card", "Jugadas: Robar carta"),
    MeasureInfo::count("played_steal_tokens", "Played: Steal tokens", "Jugadas: Robar tokens"),
    MeasureInfo::count("played_replace", "Played: Replace", "Jugadas: Reemplazar"),
    MeasureInfo::count("played_choose", "Played: Choose", "Jugadas: Elegir"),
    MeasureInfo::count("played_design", "Played: Design", "Jugadas: Diseño"),
    MeasureInfo::count("played_three_tokens", "Played: Three tokens", "Jugadas: Tres tokens"),
    MeasureInfo::count("played_gain_tokens", "Played: Gain tokens", "Jugadas: Ganar tokens"),
    MeasureInfo::count("played_reroll", "Played: Roll again", "Jugadas: Lanzar de nuevo"),
    MeasureInfo::count("played_tax", "Played: Tax", "Jugadas: Impuesto"),
    MeasureInfo::count("turns", "Turns", "Turnos").of_match(),
    MeasureInfo::count("rounds", "Rounds played", "Rondas jugadas").of_match(),
];

/// The cards that can be played, with the id of their measure.
const PLAYED: [(ActionCard, &str); 11] = [
    (ActionCard::Move, "played_move"),
    (ActionCard::Swap, "played_swap"),
    (ActionCard::StealAction, "played_steal_action"),
    (ActionCard::StealTokens, "played_steal_tokens"),
    (ActionCard::Replace, "played_replace"),
    (ActionCard::Choose, "played_choose"),
    (ActionCard::Design, "played_design"),
    (ActionCard::ThreeTokens, "played_three_tokens"),
    (ActionCard::GainTokens, "played_gain_tokens"),
    (ActionCard::Reroll, "played_reroll"),
    (ActionCard::Tax, "played_tax"),
];

pub(crate) fn breakdown(weaver: &Weaver) -> Vec<ScoreLine> {
    let designs = |points: u8| -> i64 {
        let claimed = weaver.claimed.iter().map(|design| design.card().points);
        claimed.filter(|worth| *worth == points).map(i64::from).sum() // R7.4
    };
    vec![
        ScoreLine::new("designs_1", designs(1)),
        ScoreLine::new("designs_2", designs(2)),
        ScoreLine::new("designs_3", designs(3)),
        ScoreLine::new("victory_cards", weaver.victory_cards.into()), // R6.14
    ]
}

fn measures(weaver: &Weaver) -> Vec<Measured> {
    let counters = &weaver.counters;
    let mut measures = vec![
        Measured::number("designs_claimed", weaver.claimed.len()),
        Measured::number("designs_drawn", counters.designs_drawn),
        Measured::number("designs_exchanged", counters.designs_exchanged),
        Measured::number("tokens_from_income", counters.income),
        Measured::number("tokens_from_steals", counters.stolen),
        Measured::number("tokens_from_tolls", counters.tolls_received),
        Measured::number("tokens_from_cards", counters.from_cards),
        Measured::number("tolls_paid", counters.tolls_paid),
        Measured::number("tokens_lost", counters.tokens_lost),
        Measured::number("actions_bought", counters.actions_bought),
        Measured::number("swaps_free", counters.free_swaps),
        Measured::number("swaps_bought", counters.bought_swaps),
    ];
    measures.extend(PLAYED.map(|(card, id)| Measured::number(id, counters.played[card.index()])));
    measures
}

impl Score for Ettana {
    fn standings(state: &State) -> Standings {
        let scores: Vec<i64> = state.weavers.iter().map(|weaver| weaver.points().into()).collect();
        let seats = places_by_score(&scores) // R8.2
            .into_iter()
            .zip(&state.weavers)
            .zip(&scores)
            .map(|((place, weaver), score)| Standing {
                place,
                won: place == 1,
                score: Some(*score),
                breakdown: breakdown(weaver),
                measures: measures(weaver),
            })
            .collect();
        let measures =
            vec![Measured::number("turns", state.turn), Measured::number("rounds", state.round())];
        Standings { seats, measures }
    }
}
