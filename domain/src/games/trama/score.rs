//! What a loom is worth (R6), and the measures for statistics.

use super::{
    Trama,
    cards::{Card, Pattern, PatternKind},
    components::{Axis, Colour, FREE_OF_A_COLOUR, OBJECTIVE_POINTS},
    loom::Loom,
    slots::Slot,
    state::{Phase, PlayerArea, State},
};
use crate::{
    game::Score,
    outcome::{
        MeasureInfo, Measured, ScoreLine, ScoreLineInfo, Standing, Standings, Unit, places_by_score,
    },
    text::Text,
};

pub(crate) const SCORE_LINES: &[ScoreLineInfo] = &[
    ScoreLineInfo::new("adjacent_1", "First round button", "Primer botón redondo"),
    ScoreLineInfo::new("adjacent_2", "Second round button", "Segundo botón redondo"),
    ScoreLineInfo::new("interlaced_1", "First square button", "Primer botón cuadrado"),
    ScoreLineInfo::new("interlaced_2", "Second square button", "Segundo botón cuadrado"),
    ScoreLineInfo::new("objective", "Shared objective", "Objetivo compartido"),
    ScoreLineInfo::new(
        "penalty",
        "Cords beyond three of a colour on an axis",
        "Cordeles a partir del cuarto de un color en un eje",
    ),
];

pub(crate) const MEASURES: &[MeasureInfo] = &[
    MeasureInfo::count("objective", "Shared objective", "Objetivo compartido").in_unit(
        Unit::Category(&[
            ("met", Text::new("both patterns", "ambos patrones")),
            ("adjacent_only", Text::new("only the adjacent pattern", "solo el adyacente")),
            ("interlaced_only", Text::new("only the interlaced pattern", "solo el entrelazado")),
            ("neither", Text::new("neither pattern", "ningún patrón")),
        ]),
    ),
    MeasureInfo::count("patterns_completed", "Cards that scored", "Cartas que puntuaron"),
    MeasureInfo::count("best_card", "Points of the best card", "Puntos de la mejor carta")
        .in_unit(Unit::Points),
    MeasureInfo::count("cards_shared", "Cards shared with others", "Cartas compartidas con otros"),
    MeasureInfo::count("penalties", "Cords that cost a point", "Cordeles que restaron un punto"),
    MeasureInfo::count("crossings_over", "Crossings over", "Cruces por encima"),
    MeasureInfo::count("crossings_under", "Crossings under", "Cruces por debajo"),
    MeasureInfo::count("cords_red", "Red cords", "Cordeles rojos"),
    MeasureInfo::count("cords_pink", "Pink cords", "Cordeles rosados"),
    MeasureInfo::count("cords_sky", "Sky cords", "Cordeles celestes"),
    MeasureInfo::count("cords_blue", "Blue cords", "Cordeles azules"),
    MeasureInfo::count("cords_purple", "Purple cords", "Cordeles morados"),
    MeasureInfo::count("rounds", "Rounds completed", "Rondas completadas").of_match(),
    MeasureInfo::count(
        "seats_with_objective",
        "Seats that met the shared objective",
        "Jugadores que cumplieron el objetivo compartido",
    )
    .of_match(),
];

fn count(items: impl Iterator) -> i64 {
    items.fold(0, |count, _| count + 1)
}

/// How often a loom shows a pattern.
pub(crate) fn times(loom: &Loom, pattern: Pattern) -> i64 {
    Axis::ALL
        .into_iter()
        .map(|axis| match pattern.kind {
            PatternKind::Adjacent => adjacent(loom, axis, pattern.a, pattern.b),
            PatternKind::Interlaced => interlaced(loom, axis, pattern.a, pattern.b),
        })
        .sum()
}

/// R6.2: neighbours on one axis.
fn adjacent(loom: &Loom, axis: Axis, a: Colour, b: Colour) -> i64 {
    let wanted = [[Some(a), Some(b)], [Some(b), Some(a)]];
    count(loom.cords(axis).array_windows().filter(|pair| wanted.contains(pair)))
}

/// R6.3: cords of `a` on one axis and consecutive pairs of `b` on the other.
fn interlaced(loom: &Loom, axis: Axis, a: Colour, b: Colour) -> i64 {
    let pairs = || Slot::all().zip(Slot::all().skip(1));
    let crossed = loom.cords(axis.other());
    let of_a = Slot::all().filter(|slot| loom.cord(axis, *slot) == Some(a));
    of_a.map(|slot| {
        let over = loom.over(axis, slot);
        count(pairs().filter(|(one, two)| {
            crossed[one.index()] == Some(b)
                && crossed[two.index()] == Some(b)
                && over.contains(*one) != over.contains(*two)
        }))
    })
    .sum()
}

/// How many cords of a colour an axis holds.
fn cords(loom: &Loom, axis: Axis, colour: Colour) -> i64 {
    count(loom.cords(axis).iter().filter(|cord| **cord == Some(colour)))
}

/// Cords beyond three of a colour on an axis (R6.6).
pub(crate) fn penalties(loom: &Loom) -> i64 {
    let every = Axis::ALL.into_iter().flat_map(|axis| Colour::ALL.map(|colour| (axis, colour)));
    every.map(|(axis, colour)| (cords(loom, axis, colour) - FREE_OF_A_COLOUR).max(0)).sum()
}

/// Which patterns of the shared objective a loom shows: the adjacent one, the interlaced one.
pub(crate) fn objective_shown(state: &State, loom: &Loom) -> [bool; 2] {
    state.objective.map_or([false; 2], |objective| {
        objective.patterns().map(|pattern| times(loom, pattern) > 0)
    })
}

fn objective_met(state: &State, loom: &Loom) -> bool {
    objective_shown(state, loom) == [true, true] // R6.5
}

/// The points of a card for the seat whose button it holds (R6.4).
pub(crate) fn card_points(area: &PlayerArea, card: Card) -> i64 {
    times(&area.loom, card.pattern())
}

pub(crate) fn breakdown(state: &State, area: &PlayerArea) -> Vec<ScoreLine> {
    let button = |kind, nth| {
        area.cards(kind).nth(nth).map_or(0, |card| card_points(area, card)) // R6.4
    };
    let objective = if objective_met(state, &area.loom) { OBJECTIVE_POINTS } else { 0 };
    vec![
        ScoreLine::new("adjacent_1", button(PatternKind::Adjacent, 0)),
        ScoreLine::new("adjacent_2", button(PatternKind::Adjacent, 1)),
        ScoreLine::new("interlaced_1", button(PatternKind::Interlaced, 0)),
        ScoreLine::new("interlaced_2", button(PatternKind::Interlaced, 1)),
        ScoreLine::new("objective", objective),
        ScoreLine::new("penalty", -penalties(&area.loom)), // R6.6
    ]
}

pub(crate) fn total(state: &State, area: &PlayerArea) -> i64 {
    breakdown(state, area).iter().map(|line| line.points).sum()
}

fn measures(state: &State, area: &PlayerArea) -> Vec<Measured> {
    let cards = || area.buttons.iter().flatten().copied();
    let users = |card| count(state.areas.iter().filter(|other| other.uses(card)));
    let of_colour =
        |colour| -> i64 { Axis::ALL.into_iter().map(|axis| cords(&area.loom, axis, colour)).sum() };
    let objective = match objective_shown(state, &area.loom) {
        [true, true] => "met",
        [true, false] => "adjacent_only",
        [false, true] => "interlaced_only",
        [false, false] => "neither",
    };
    vec![
        Measured::category("objective", objective),
        Measured::number(
            "patterns_completed",
            count(cards().filter(|card| card_points(area, *card) > 0)),
        ),
        Measured::number(
            "best_card",
            cards().map(|card| card_points(area, card)).max().unwrap_or(0),
        ),
        Measured::number("cards_shared", count(cards().filter(|card| users(*card) > 1))),
        Measured::number("penalties", penalties(&area.loom)),
        Measured::number("crossings_over", area.passed_over),
        Measured::number("crossings_under", area.passed_under),
        Measured::number("cords_red", of_colour(Colour::Red)),
        Measured::number("cords_pink", of_colour(Colour::Pink)),
        Measured::number("cords_sky", of_colour(Colour::Sky)),
        Measured::number("cords_blue", of_colour(Colour::Blue)),
        Measured::number("cords_purple", of_colour(Colour::Purple)),
    ]
}

impl Score for Trama {
    fn standings(state: &State) -> Standings {
        let scores: Vec<i64> = state.areas.iter().map(|area| total(state, area)).collect();
        let seats = places_by_score(&scores)
            .into_iter()
            .zip(&state.areas)
            .zip(&scores)
            .map(|((rank, area), score)| Standing {
                place: rank,
                won: rank == 1, // R6.8
                score: Some(*score),
                breakdown: breakdown(state, area),
                measures: measures(state, area),
            })
            .collect();
        let rounds =
            if state.phase == Phase::Over { state.round } else { state.round.saturating_sub(1) };
        let met = count(state.areas.iter().filter(|area| objective_met(state, &area.loom)));
        let measures =
            vec![Measured::number("rounds", rounds), Measured::number("seats_with_objective", met)];
        Standings { seats, measures }
    }
}
