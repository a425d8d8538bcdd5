//! Ranks (R8), points (R9), and the measures for statistics.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Mode, Tapestry, components::Colour, state::State};
use crate::{
    game::Score,
    outcome::{Best, MeasureInfo, Measured, ScoreLine, ScoreLineInfo, Standing, Standings, Unit},
    text::Text,
};

pub(crate) const SCORE_LINES: &[ScoreLineInfo] = &[
    ScoreLineInfo::new("discards_red", "Red discards", "Descartes rojos"),
    ScoreLineInfo::new("discards_orange", "Orange discards", "Descartes naranjas"),
    ScoreLineInfo::new("discards_yellow", "Yellow discards", "Descartes amarillos"),
    ScoreLineInfo::new("discards_green", "Green discards", "Descartes verdes"),
    ScoreLineInfo::new("discards_blue", "Blue discards", "Descartes azules"),
    ScoreLineInfo::new("discards_purple", "Purple discards", "Descartes morados"),
];

pub(crate) const MEASURES: &[MeasureInfo] = &[
    MeasureInfo::count("discards_red", "Red cards discarded", "Cartas rojas descartadas"),
    MeasureInfo::count("discards_orange", "Orange cards discarded", "Cartas naranjas descartadas"),
    MeasureInfo::count("discards_yellow", "Yellow cards discarded", "Cartas amarillas descartadas"),
    MeasureInfo::count("discards_green", "Green cards discarded", "Cartas verdes descartadas"),
    MeasureInfo::count("discards_blue", "Blue cards discarded", "Cartas azules descartadas"),
    MeasureInfo::count("discards_purple", "Purple cards discarded", "Cartas moradas descartadas"),
    MeasureInfo::count("exchanges", "Exchanges", "Intercambios"),
    MeasureInfo::count(
        "longest_chain",
        "Longest chain of exchanges",
        "Cadena de intercambios más larga",
    ),
    MeasureInfo::count("cells_filled", "Cells filled", "Casillas ocupadas"),
    MeasureInfo::count("elapsed_ms", "Time played", "Tiempo de juego")
        .in_unit(Unit::Milliseconds)
        .ranked_by(Best::Lowest),
    MeasureInfo::count("rank", "Rank", "Rango").in_unit(Unit::Category(&[
        ("cthulhu", Text::new("Cthulhu", "Cthulhu")),
        ("legendary", Text::new("Legendary", "Legendario")),
        ("advanced", Text::new("Advanced", "Avanzado")),
        ("normal", Text::new("Normal", "Normal")),
        ("novice", Text::new("Novice", "Novato")),
        ("none", Text::new("No rank", "Sin rango")),
    ])),
    MeasureInfo::count("mode", "Mode", "Modo").of_match().in_unit(Unit::Category(&[
        ("time", Text::new("By time", "Por tiempo")),
        ("discards", Text::new("By discards", "Por descartes")),
    ])),
];

/// The rank of a complete tapestry by the minutes that it took: `cthulhu`, less than 10; `legendary`, 10 to 20;
/// `advanced`, more than 20 and up to 30; `normal`, more than 30 and up to 40; `novice`, more than 40.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = tapestry::Rank)]
pub enum Rank {
    /// Less than 10 minutes.
    Cthulhu,
    /// 10 to 20.
    Legendary,
    /// More than 20, up to 30.
    Advanced,
    /// More than 30, up to 40.
    Normal,
    /// More than 40.
    Novice,
}

impl Rank {
    /// The rank for a time in milliseconds (R8.2).
    pub(crate) const fn of(elapsed_ms: i64) -> Self {
        const MINUTE: i64 = 60_000;
        if elapsed_ms < 10 * MINUTE {
            Self::Cthulhu
        } else if elapsed_ms <= 20 * MINUTE {
            Self::Legendary
        } else if elapsed_ms <= 30 * MINUTE {
            Self::Advanced
        } else if elapsed_ms <= 40 * MINUTE {
            Self::Normal
        } else {
            Self::Novice
        }
    }

    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Cthulhu => "cthulhu",
            Self::Legendary => "legendary",
            Self::Advanced => "advanced",
            Self::Normal => "normal",
            Self::Novice => "novice",
        }
    }
}

/// The rank of a complete tapestry in `time` mode (R8.3, R9.2).
pub(crate) fn rank(state: &State) -> Option<Rank> {
    let ranked = state.mode == Mode::Time && state.tapestry.is_complete();
    ranked.then(|| Rank::of(state.elapsed_ms()))
}

/// The id of a colour's score line and of its measure.
const fn discards_id(colour: Colour) -> &'static str {
    match colour {
        Colour::Red => "discards_red",
        Colour::Orange => "discards_orange",
        Colour::Yellow => "discards_yellow",
        Colour::Green => "discards_green",
        Colour::Blue => "discards_blue",
        Colour::Purple => "discards_purple",
    }
}

fn discarded(state: &State, colour: Colour) -> i64 {
    i64::try_from(state.discarded(colour)).expect("there are 72 cards")
}

fn breakdown(state: &State) -> Vec<ScoreLine> {
    match state.mode {
        Mode::Time => Vec::new(), // R8.3
        Mode::Discards => Colour::ALL
            .map(|colour| {
                let points = discarded(state, colour) * i64::from(colour.points()); // R9.1
                ScoreLine::new(discards_id(colour), points)
            })
            .to_vec(),
    }
}

/// The points, in `discards` mode (R9.2).
pub(crate) fn total(state: &State) -> Option<i64> {
    match state.mode {
        Mode::Time => None, // R8.3
        Mode::Discards => Some(breakdown(state).iter().map(|line| line.points).sum()),
    }
}

fn measures(state: &State) -> Vec<Measured> {
    let mut measures: Vec<Measured> = Colour::ALL
        .map(|colour| Measured::number(discards_id(colour), discarded(state, colour)))
        .to_vec();
    measures.extend([
        Measured::number("exchanges", state.exchanges),
        Measured::number("longest_chain", state.longest_chain),
        Measured::number("cells_filled", state.tapestry.filled()),
        Measured::number("elapsed_ms", state.elapsed_ms()),
        Measured::category("rank", rank(state).map_or("none", Rank::id)),
    ]);
    measures
}

impl Score for Tapestry {
    fn standings(state: &State) -> Standings {
        let standing = Standing {
            place: 1,
            won: state.tapestry.is_complete(), // R7.3
            score: total(state),
            breakdown: breakdown(state),
            measures: measures(state),
        };
        Standings {
            seats: vec![standing],
            measures: vec![Measured::category("mode", state.mode.id())],
        }
    }
}
