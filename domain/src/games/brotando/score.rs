//! The score of a seat (R8), and the measures for statistics.

use super::{
    Brotando,
    cards::Wind,
    components::{LineColour, SIX, Sun},
    state::{Phase, Plot, State},
};
use crate::{
    game::Score,
    outcome::{
        MeasureInfo, Measured, ScoreLine, ScoreLineInfo, Standing, Standings, places_by_score,
    },
};

pub(crate) const SCORE_LINES: &[ScoreLineInfo] = &[
    ScoreLineInfo::new("reserve", "Reserve", "Reserva"),
    ScoreLineInfo::new("squares", "Squares covered", "Casillas cubiertas"),
    ScoreLineInfo::new("purple_lines", "Purple lines crossed", "Líneas moradas cruzadas"),
    ScoreLineInfo::new("blue_lines", "Blue lines crossed", "Líneas azules cruzadas"),
    ScoreLineInfo::new("wind_yellow", "Wind: yellow suns", "Viento: soles amarillos"),
    ScoreLineInfo::new("wind_line", "Wind: lines ignored", "Viento: líneas ignoradas"),
    ScoreLineInfo::new("wind_segments", "Wind: segments not taken", "Viento: segmentos sin tomar"),
];

pub(crate) const MEASURES: &[MeasureInfo] = &[
    MeasureInfo::count(
        "income_yellow",
        "Segments from yellow suns",
        "Segmentos de soles amarillos",
    ),
    MeasureInfo::count("income_red", "Segments from red suns", "Segmentos de soles rojos"),
    MeasureInfo::count("income_orange", "Segments from orange suns", "Segmentos de soles naranjas"),
    MeasureInfo::count("auctions_won", "Cards bought from others", "Cartas compradas a otros"),
    MeasureInfo::count("auctions_sold", "Cards sold", "Cartas vendidas"),
    MeasureInfo::count(
        "auctions_kept",
        "Cards kept despite a bid",
        "Cartas conservadas pese a una puja",
    ),
    MeasureInfo::count("price_paid", "Segments paid in auctions", "Segmentos pagados en pujas"),
    MeasureInfo::count(
        "price_received",
        "Segments received in auctions",
        "Segmentos cobrados en pujas",
    ),
    MeasureInfo::count("tests_passed", "Balance tests passed", "Pruebas de equilibrio superadas"),
    MeasureInfo::count(
        "tests_failed",
        "Balance tests failed",
        "Pruebas de equilibrio no superadas",
    ),
    MeasureInfo::count(
        "segments_lost",
        "Segments lost to the wind",
        "Segmentos perdidos por el viento",
    ),
    MeasureInfo::count("lines_crossed", "Lines crossed", "Líneas cruzadas"),
    MeasureInfo::count("squares_covered", "Squares covered", "Casillas cubiertas"),
    MeasureInfo::count(
        "used_score_yellow",
        "Used: score the yellow suns",
        "Usadas: puntúa los soles amarillos",
    ),
    MeasureInfo::count(
        "used_ignore_line",
        "Used: ignore a crossed line",
        "Usadas: ignora una línea cruzada",
    ),
    MeasureInfo::count("used_take_six", "Used: take six segments", "Usadas: toma seis segmentos"),
    MeasureInfo::count("used_reorder_deck", "Used: reorder your deck", "Usadas: reordena tu mazo"),
    MeasureInfo::count(
        "used_balance_four",
        "Used: four for balance",
        "Usadas: cuatro por el equilibrio",
    ),
    MeasureInfo::count("used_take_card", "Used: take the card", "Usadas: toma la carta"),
    MeasureInfo::count("days", "Days", "Días").of_match(),
];

/// The version of the rules since which a `take_six` that applies at the end counts as used.
const SIX_IS_USED_SINCE: u16 = 2;

/// Points of crossed lines of a colour, as a penalty (R8.3).
fn lines(plot: &Plot, colour: LineColour) -> i64 {
    let crossed = plot.crossed.infos().filter(|line| line.colour == colour);
    -crossed.map(|line| i64::from(line.colour.costs())).sum::<i64>()
}

fn times(plot: &Plot, wind: Wind) -> i64 {
    i64::try_from(plot.held(wind)).expect("at most 14 cards in hand")
}

/// The public part of the score (R8.2, R8.3).
fn open_lines(plot: &Plot) -> Vec<ScoreLine> {
    vec![
        ScoreLine::new("reserve", plot.reserve.into()),
        ScoreLine::new("squares", plot.sprout.covered().count().into()),
        ScoreLine::new("purple_lines", lines(plot, LineColour::Purple)),
        ScoreLine::new("blue_lines", lines(plot, LineColour::Blue)),
    ]
}

/// The points of the wind cards in hand (R8.4).
fn wind_lines(plot: &Plot) -> Vec<ScoreLine> {
    let yellow = (plot.sprout.covered() & Sun::Yellow.squares()).count() * Sun::Yellow.pays();
    let mut costs: Vec<i64> = plot.crossed.infos().map(|line| line.colour.costs().into()).collect();
    costs.sort_unstable_by(|one, two| two.cmp(one));
    let ignored = costs.iter().take(plot.held(Wind::IgnoreLine)).sum();
    vec![
        ScoreLine::new("wind_yellow", times(plot, Wind::ScoreYellow) * i64::from(yellow)), // R7.2
        ScoreLine::new("wind_line", ignored),                                              // R7.3
        ScoreLine::new("wind_segments", times(plot, Wind::TakeSix) * i64::from(SIX)),      // R7.4
    ]
}

pub(crate) fn breakdown(plot: &Plot) -> Vec<ScoreLine> {
    open_lines(plot).into_iter().chain(wind_lines(plot)).collect()
}

fn sum(lines: &[ScoreLine]) -> i64 {
    lines.iter().map(|line| line.points).sum()
}

pub(crate) fn total(plot: &Plot) -> i64 {
    sum(&breakdown(plot))
}

/// The score without the cards that only their owner knows.
pub(crate) fn open_total(plot: &Plot) -> i64 {
    sum(&open_lines(plot))
}

fn measures(plot: &Plot, applied: &[Wind]) -> Vec<Measured> {
    let counters = &plot.counters;
    let used = |wind: Wind| {
        let at_the_end = if applied.contains(&wind) { times(plot, wind) } else { 0 };
        i64::from(plot.played[wind.index()]) + at_the_end
    };
    let crossed = i64::try_from(plot.crossed.iter().count()).expect("there are nine lines");
    vec![
        Measured::number("income_yellow", counters.income.yellow),
        Measured::number("income_red", counters.income.red),
        Measured::number("income_orange", counters.income.orange),
        Measured::number("auctions_won", counters.won),
        Measured::number("auctions_sold", counters.sold),
        Measured::number("auctions_kept", counters.kept),
        Measured::number("price_paid", counters.paid),
        Measured::number("price_received", counters.received),
        Measured::number("tests_passed", counters.passed),
        Measured::number("tests_failed", counters.failed),
        Measured::number("segments_lost", counters.lost),
        Measured::number("lines_crossed", crossed),
        Measured::number("squares_covered", plot.sprout.covered().count()),
        Measured::number("used_score_yellow", used(Wind::ScoreYellow)),
        Measured::number("used_ignore_line", used(Wind::IgnoreLine)),
        Measured::number("used_take_six", used(Wind::TakeSix)),
        Measured::number("used_reorder_deck", used(Wind::ReorderDeck)),
        Measured::number("used_balance_four", used(Wind::BalanceFour)),
        Measured::number("used_take_card", used(Wind::TakeCard)),
    ]
}

/// The winds in hand that have applied by themselves and count as used (R8.4).
fn applied(state: &State) -> &'static [Wind] {
    if state.phase != Phase::Over {
        &[]
    } else if state.rules < SIX_IS_USED_SINCE {
        &[Wind::ScoreYellow, Wind::IgnoreLine]
    } else {
        &[Wind::ScoreYellow, Wind::IgnoreLine, Wind::TakeSix]
    }
}

impl Score for Brotando {
    fn standings(state: &State) -> Standings {
        let scores: Vec<i64> = state.plots.iter().map(total).collect();
        let applied = applied(state);
        let seats = places_by_score(&scores)
            .into_iter()
            .zip(&state.plots)
            .zip(&scores)
            .map(|((place, plot), score)| Standing {
                place,
                won: place == 1, // R8.5
                score: Some(*score),
                breakdown: breakdown(plot),
                measures: measures(plot, applied),
            })
            .collect();
        Standings { seats, measures: vec![Measured::number("days", state.day)] }
    }
}
