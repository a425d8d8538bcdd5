//! The charts of a game.

use domain::{
    erased::AnyGame,
    outcome::{MeasureInfo, ScoreLineInfo, Unit},
    seat::Seat,
    text::{Lang, Text},
};
use pictures::{
    Style,
    chart::{self, Bar, Bars, Group, Line, Point, TimeSeries, Words, bars, time_series},
};
use time::{Date, Duration};

use super::{
    ChartKind, Heading, MATCHES, axis, capital, counted, draw_numbers, draw_parts, drawn_as, float,
    parts_of, period, share,
};
use service::statistics::{Bucket, Cell, Distribution, Grain};

use crate::routes::statistics::{Points, Selection, category_counts, measures};

/// A chart of a game.
#[derive(Debug, Clone, Copy)]
pub enum GameChart {
    /// The distribution of a measure.
    Measure(&'static MeasureInfo),
    /// How scores break down, on average.
    ScoreLines,
    /// The distribution of a line of the score breakdown.
    ScoreLine(&'static ScoreLineInfo),
    /// How often each seat wins, by number of seats.
    WinRates,
    /// Matches by number of seats.
    Seats,
    /// Matches by version of the rules.
    RulesVersions,
    /// Matches by period.
    MatchesSeries,
    /// Players by period.
    PlayersSeries,
    /// A measure by period.
    MeasureSeries(&'static MeasureInfo),
}

/// What is drawn.
#[derive(Debug)]
pub struct Counts<'a> {
    /// Which matches are counted.
    pub selection: &'a Selection,
    /// All of them together.
    pub total: &'a Cell,
    /// By period, where the chart is a series.
    pub points: Option<&'a Points>,
}

impl GameChart {
    /// All charts of a game.
    #[must_use]
    pub fn all(game: &dyn AnyGame) -> Vec<Self> {
        let info = game.info();
        let numbers = measures(game).filter(|info| !matches!(info.unit, Unit::Category(_)));
        let has_lines = !info.score_lines.is_empty();
        measures(game)
            .map(Self::Measure)
            .chain(has_lines.then_some(Self::ScoreLines))
            .chain(info.score_lines.iter().map(Self::ScoreLine))
            .chain([Self::WinRates])
            .chain((info.min_seats < info.max_seats).then_some(Self::Seats))
            .chain([Self::RulesVersions, Self::MatchesSeries, Self::PlayersSeries])
            .chain(numbers.map(Self::MeasureSeries))
            .collect()
    }

    /// The chart with this id.
    #[must_use]
    pub fn find(game: &dyn AnyGame, id: &str) -> Option<Self> {
        Self::all(game).into_iter().find(|chart| chart.id() == id)
    }

    /// Stable.
    #[must_use]
    pub fn id(self) -> String {
        match self {
            Self::Measure(info) => format!("measure.{}", info.id),
            Self::ScoreLines => "score_lines".to_owned(),
            Self::ScoreLine(info) => format!("score_line.{}", info.id),
            Self::WinRates => "win_rates".to_owned(),
            Self::Seats => "seats".to_owned(),
            Self::RulesVersions => "rules_versions".to_owned(),
            Self::MatchesSeries => "series.matches".to_owned(),
            Self::PlayersSeries => "series.players".to_owned(),
            Self::MeasureSeries(info) => format!("series.measure.{}", info.id),
        }
    }

    /// What it shows.
    #[must_use]
    pub const fn kind(self) -> ChartKind {
        match self {
            Self::Measure(_)
            | Self::ScoreLines
            | Self::ScoreLine(_)
            | Self::WinRates
            | Self::Seats
            | Self::RulesVersions => ChartKind::Distribution,
            Self::MatchesSeries | Self::PlayersSeries | Self::MeasureSeries(_) => ChartKind::Series,
        }
    }

    /// What it is called.
    #[must_use]
    pub fn title(self, lang: Lang) -> String {
        let text = match self {
            Self::Measure(info) => info.label,
            Self::ScoreLines => Text::new("How scores break down", "Desglose de la puntuación"),
            Self::ScoreLine(info) => {
                let part = info.label.get(lang);
                return lang.pick(format!("Score: {part}"), format!("Puntuación: {part}"));
            }
            Self::WinRates => Text::new("Wins by seat", "Victorias por puesto"),
            Self::Seats => {
                Text::new("Matches by number of seats", "Partidas por número de puestos")
            }
            Self::RulesVersions => {
                Text::new("Matches by version of the rules", "Partidas por versión de las reglas")
            }
            Self::MatchesSeries => Text::new("Matches over time", "Partidas a lo largo del tiempo"),
            Self::PlayersSeries => {
                Text::new("Players over time", "Jugadores a lo largo del tiempo")
            }
            Self::MeasureSeries(info) => {
                let label = info.label.get(lang);
                return lang
                    .pick(format!("{label} over time"), format!("{label} a lo largo del tiempo"));
            }
        };
        text.get(lang).to_owned()
    }

    /// The picture.
    #[must_use]
    pub fn draw(self, game: &dyn AnyGame, counts: &Counts<'_>, style: Style) -> String {
        let (lang, total) = (style.lang, counts.total);
        let title = format!("{} · {}", game.info().name.get(lang), self.title(lang));
        let filter = filter(counts.selection, lang);
        let heading = Heading { title: &title, filter: &filter, more: "" };
        let none = Distribution::default();
        match self {
            Self::Measure(info) => match info.unit {
                Unit::Category(all) => {
                    let counts = category_counts(all, total.categories.get(info.id), lang);
                    draw_parts(&heading, super::nouns(info.scope), &parts_of(&counts), style)
                }
                Unit::Count | Unit::Points | Unit::Milliseconds => {
                    let values = total.numbers.get(info.id).unwrap_or(&none);
                    draw_numbers(&heading, info, values, style)
                }
            },
            Self::ScoreLines => score_lines(&heading, game.info().score_lines, total, style),
            Self::ScoreLine(line) => {
                let values = total.lines.get(line.id).unwrap_or(&none);
                let info = MeasureInfo::count(line.id, line.label.en, line.label.es);
                draw_numbers(&heading, &info.in_unit(Unit::Points), values, style)
            }
            Self::WinRates => win_rates(&heading, total, style),
            Self::Seats => {
                let parts: Vec<(String, u64)> = total
                    .tables
                    .iter()
                    .map(|(seats, table)| (told_seats(*seats, lang), table.matches))
                    .collect();
                draw_parts(&heading, MATCHES, &parts, style)
            }
            Self::RulesVersions => {
                let told =
                    |version| lang.pick(format!("Version {version}"), format!("Versión {version}"));
                let parts: Vec<(String, u64)> = total
                    .versions
                    .iter()
                    .map(|(version, matches)| (told(version), *matches))
                    .collect();
                draw_parts(&heading, MATCHES, &parts, style)
            }
            Self::MatchesSeries => {
                let lines: [Counted; 2] = [
                    (Text::new("Played", "Jugadas"), |cell| cell.matches),
                    (Text::new("Left before the start", "Abandonadas antes de empezar"), |cell| {
                        cell.abandoned
                    }),
                ];
                count_series(&heading, counts, MATCHES.1, &lines, style)
            }
            Self::PlayersSeries => {
                let noun = Text::new("players", "jugadores");
                count_series(&heading, counts, noun, &[(noun, |cell| cell.players.count())], style)
            }
            Self::MeasureSeries(info) => measure_series(&heading, counts, info, style),
        }
    }
}

/// Which matches are counted, in words.
fn filter(selection: &Selection, lang: Lang) -> String {
    let rules = |version: u16| {
        lang.pick(format!("rules version {version}"), format!("reglas versión {version}"))
    };
    let parts: Vec<String> = [
        period(selection.since, selection.until, lang),
        selection.seats.map(|seats| told_seats(seats, lang)),
        selection.rules_version.map(rules),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        return lang.pick("all matches", "todas las partidas").to_owned();
    }
    parts.join(", ")
}

fn told_seats(seats: u8, lang: Lang) -> String {
    let nouns = (Text::new("seat", "puesto"), Text::new("seats", "puestos"));
    counted(seats.into(), nouns, lang)
}

fn score_lines(
    heading: &Heading<'_>,
    lines: &[ScoreLineInfo],
    total: &Cell,
    style: Style,
) -> String {
    let lang = style.lang;
    let bar = |line: &ScoreLineInfo| Bar {
        label: line.label.get(lang).to_owned(),
        values: vec![total.lines.get(line.id).and_then(Distribution::mean)],
        note: String::new(),
    };
    let lines = lines.iter().map(bar).collect();
    let words = Words {
        title: heading.title,
        filter: heading.filter,
        summary: "",
        x: lang.pick("Points on average", "Puntos de media"),
        y: "",
    };
    let groups = [Group { name: String::new(), bars: lines }];
    bars(&Bars { words, unit: chart::Unit::Number, names: &[], groups: &groups }, style)
}

fn win_rates(heading: &Heading<'_>, total: &Cell, style: Style) -> String {
    let lang = style.lang;
    let groups: Vec<Group> = total
        .tables
        .iter()
        .map(|(seats, table)| {
            let bar = |(seat, (won, shared)): (Seat, (&u64, &u64))| {
                let wins = won + shared;
                Bar {
                    label: lang.pick(format!("Seat {seat}"), format!("Puesto {seat}")),
                    values: vec![Some(share(wins, table.matches))],
                    note: chart::figure(float(wins), lang),
                }
            };
            let matches = counted(table.matches, MATCHES, lang);
            Group {
                name: format!("{} · {matches}", told_seats(*seats, lang)),
                bars: Seat::all(*seats).zip(table.won.iter().zip(&table.shared)).map(bar).collect(),
            }
        })
        .collect();
    let words = Words {
        title: heading.title,
        filter: heading.filter,
        summary: "",
        x: lang.pick(
            "Share of matches that the seat won, alone or together with others",
            "Proporción de partidas que ganó el puesto, solo o con otros",
        ),
        y: "",
    };
    bars(&Bars { words, unit: chart::Unit::Share, names: &[], groups: &groups }, style)
}

/// What is counted: its name, and how many there are.
type Counted = (Text, fn(&Cell) -> u64);

/// Counts by period. Periods without any are not in the series: they are drawn as zero.
fn count_series(
    heading: &Heading<'_>,
    counts: &Counts<'_>,
    noun: Text,
    lines: &[Counted],
    style: Style,
) -> String {
    let lang = style.lang;
    let bucket = counts.selection.bucket.unwrap_or(Bucket::Month);
    let drawn: Vec<Vec<Point>> = lines
        .iter()
        .map(|(_, count)| {
            let there = counts.points.into_iter().flatten();
            with_gaps(there.map(|((since, _), cell)| (*since, float(count(cell)))), bucket)
        })
        .collect();
    let lines: Vec<Line<'_>> = lines
        .iter()
        .zip(&drawn)
        .map(|((name, _), points)| Line { name: name.get(lang), points })
        .collect();
    let noun = capital(noun.get(lang));
    let words = Words {
        title: heading.title,
        filter: heading.filter,
        summary: "",
        x: lang.pick("Date (UTC)", "Fecha (UTC)"),
        y: &match bucket {
            Bucket::Day => lang.pick(format!("{noun} a day"), format!("{noun} por día")),
            Bucket::Week => lang.pick(format!("{noun} a week"), format!("{noun} por semana")),
            Bucket::Month => lang.pick(format!("{noun} a month"), format!("{noun} por mes")),
        },
    };
    time_series(&TimeSeries { words, unit: chart::Unit::Number, zero: true, lines: &lines }, style)
}

/// Counts by the first day of their bucket as points, with zeros at both ends of every gap.
pub(super) fn with_gaps(counts: impl Iterator<Item = (Date, f64)>, bucket: Bucket) -> Vec<Point> {
    let point =
        |date: Date, value: f64| Point { at: date.midnight().assume_utc(), value, range: None };
    let mut points: Vec<Point> = Vec::new();
    let mut before: Option<Date> = None;
    for (date, value) in counts {
        let start = bucket.start(date);
        if let Some(free) = before.map(|before| bucket.next(before)).filter(|free| *free < start) {
            points.push(point(free, 0.0));
            let last = bucket.start(start.saturating_sub(Duration::days(1)));
            if last > free {
                points.push(point(last, 0.0));
            }
        }
        points.push(point(date, value));
        before = Some(start);
    }
    points
}

/// The median of a measure by period, with the middle half of its values.
fn measure_series(
    heading: &Heading<'_>,
    counts: &Counts<'_>,
    info: &MeasureInfo,
    style: Style,
) -> String {
    let (lang, grain) = (style.lang, Grain::of(info.unit));
    #[expect(clippy::cast_precision_loss, reason = "a picture for people")]
    let quantile = |values: &Distribution, part| values.quantile(part, grain).map(|it| it as f64);
    let point = |((since, _), cell): (&(Date, Date), &Cell)| {
        let values = cell.numbers.get(info.id)?;
        Some(Point {
            at: since.midnight().assume_utc(),
            value: quantile(values, 50)?,
            range: quantile(values, 25).zip(quantile(values, 75)),
        })
    };
    let points: Vec<Point> = counts.points.into_iter().flatten().filter_map(point).collect();
    let axis = axis(info, lang);
    let words = Words {
        title: heading.title,
        filter: heading.filter,
        summary: lang.pick(
            "Median; shaded: the middle half of all values",
            "Mediana; sombreada: la mitad central de los valores",
        ),
        x: lang.pick("Date (UTC)", "Fecha (UTC)"),
        y: axis,
    };
    let lines = [Line { name: "", points: &points }];
    let unit = drawn_as(info.unit);
    time_series(&TimeSeries { words, unit, zero: false, lines: &lines }, style)
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn what_is_not_in_a_series_of_counts_is_zero() {
        let counts = [
            (date!(2026 - 11 - 04), 3.0),
            (date!(2026 - 11 - 09), 5.0),
            (date!(2026 - 11 - 23), 1.0),
            (date!(2026 - 12 - 21), 2.0),
        ];
        let points = with_gaps(counts.into_iter(), Bucket::Week);
        let told: Vec<(u8, f64)> =
            points.iter().map(|point| (point.at.day(), point.value)).collect();
        let expected = [(4, 3.0), (9, 5.0), (16, 0.0), (23, 1.0), (30, 0.0), (14, 0.0), (21, 2.0)];
        assert_eq!(told, expected);
    }
}
