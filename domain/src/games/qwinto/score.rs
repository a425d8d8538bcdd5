//! What a sheet is worth (R5), and the measures for statistics.

use super::{
    Qwinto,
    components::{BONUS_COLUMNS, BOXES, Colour, FAILURE_POINTS},
    events::EndReason,
    state::{Phase, Sheet, State},
};
use crate::{
    game::Score,
    outcome::{
        MeasureInfo, Measured, ScoreLine, ScoreLineInfo, Standing, Standings, Unit, places_by_score,
    },
    text::Text,
};

pub(crate) const SCORE_LINES: &[ScoreLineInfo] = &[
    ScoreLineInfo::new("row_orange", "Orange row", "Fila naranja"),
    ScoreLineInfo::new("row_yellow", "Yellow row", "Fila amarilla"),
    ScoreLineInfo::new("row_purple", "Purple row", "Fila morada"),
    ScoreLineInfo::new("bonus_column_2", "Column 2 bonus", "Bonificación de la columna 2"),
    ScoreLineInfo::new("bonus_column_3", "Column 3 bonus", "Bonificación de la columna 3"),
    ScoreLineInfo::new("bonus_column_7", "Column 7 bonus", "Bonificación de la columna 7"),
    ScoreLineInfo::new("bonus_column_8", "Column 8 bonus", "Bonificación de la columna 8"),
    ScoreLineInfo::new("bonus_column_9", "Column 9 bonus", "Bonificación de la columna 9"),
    ScoreLineInfo::new("failures", "Failures", "Fallos"),
];

pub(crate) const MEASURES: &[MeasureInfo] = &[
    MeasureInfo::count("numbers_written", "Numbers written", "Números anotados"),
    MeasureInfo::count("full_rows", "Complete rows", "Filas completas"),
    MeasureInfo::count("full_columns", "Full bonus columns", "Columnas de bonificación llenas"),
    MeasureInfo::count("failures", "Failures", "Fallos"),
    MeasureInfo::count("passes", "Passes on other seats' turns", "Veces que pasó en turnos ajenos"),
    MeasureInfo::count("rolls", "Rolls", "Lanzamientos"),
    MeasureInfo::count("rerolls", "Rerolls", "Segundos lanzamientos"),
    MeasureInfo::count("turns", "Turns", "Turnos").of_match(),
    MeasureInfo::count("ended_by", "How it ended", "Cómo terminó").of_match().in_unit(
        Unit::Category(&[
            ("two_rows", Text::new("two complete rows", "dos filas completas")),
            ("four_failures", Text::new("four failures", "cuatro fallos")),
            ("nothing", Text::new("ended early", "antes de tiempo")),
        ]),
    ),
];

fn row_points(sheet: &Sheet, row: Colour) -> i64 {
    match sheet.row(row)[BOXES - 1] {
        Some(rightmost) if sheet.is_full(row) => rightmost.into(), // R5.1
        _ => sheet.row(row).iter().flatten().map(|_| 1).sum(),     // R5.2
    }
}

pub(crate) fn breakdown(sheet: &Sheet) -> Vec<ScoreLine> {
    let mut lines = vec![
        ScoreLine::new("row_orange", row_points(sheet, Colour::Orange)),
        ScoreLine::new("row_yellow", row_points(sheet, Colour::Yellow)),
        ScoreLine::new("row_purple", row_points(sheet, Colour::Purple)),
    ];
    lines.extend(BONUS_COLUMNS.iter().map(|bonus| {
        let pentagon = sheet.at(bonus.pentagon, bonus.column);
        let points = pentagon.filter(|_| sheet.is_bonus_full(bonus.column)).map_or(0, i64::from); // R5.3
        ScoreLine::new(bonus.score_line, points)
    }));
    lines.push(ScoreLine::new("failures", FAILURE_POINTS * i64::from(sheet.failures))); // R5.4
    lines
}

pub(crate) fn total(sheet: &Sheet) -> i64 {
    breakdown(sheet).iter().map(|line| line.points).sum()
}

fn count(number: usize) -> i64 {
    i64::try_from(number).expect("there are 27 boxes")
}

fn measures(sheet: &Sheet) -> Vec<Measured> {
    vec![
        Measured::number("numbers_written", count(sheet.rows.iter().flatten().flatten().count())),
        Measured::number("full_rows", count(sheet.full_rows())),
        Measured::number("full_columns", count(sheet.full_columns())),
        Measured::number("failures", sheet.failures),
        Measured::number("passes", sheet.passes),
        Measured::number("rolls", sheet.rolls),
        Measured::number("rerolls", sheet.rerolls),
    ]
}

impl Score for Qwinto {
    fn standings(state: &State) -> Standings {
        let scores: Vec<i64> = state.sheets.iter().map(total).collect();
        let seats = places_by_score(&scores)
            .into_iter()
            .zip(&state.sheets)
            .zip(&scores)
            .map(|((place, sheet), score)| Standing {
                place,
                won: place == 1, // R5.5
                score: Some(*score),
                breakdown: breakdown(sheet),
                measures: measures(sheet),
            })
            .collect();
        let ended_by = match state.phase {
            Phase::Over { reason: EndReason::TwoRows } => "two_rows",
            Phase::Over { reason: EndReason::FourFailures } => "four_failures",
            Phase::Setup | Phase::Rolling | Phase::Rolled { .. } | Phase::Writing { .. } => {
                "nothing"
            }
        };
        let measures =
            vec![Measured::number("turns", state.turn), Measured::category("ended_by", ended_by)];
        Standings { seats, measures }
    }
}
