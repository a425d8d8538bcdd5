//! The charts of a game.

use domain::{
    erased::AnyGame,
    outcome::{MeasureInfo, ScoreLineInfo, Unit},
    seat::Seat,
    text::{Lang, Text},
};
use pictures::{
    Style,
    chart::{self, Bar, Bars, Group, Words, bars},
};
use service::statistics::{Cell, Counts, Distribution, Selection};

use super::{
    super::distributions::{CategoryCount, measures},
    ChartKind, Heading, MATCHES, counted, draw_numbers, draw_parts, float, parts_of, period,
    series::{CountedLine, Series},
    share,
};

/// A chart of a game.
#[derive(Debug, Clone, Copy)]
pub enum GameChart {
    /// The distribution of a measure.
    Measure(&'static MeasureInfo),
    /// The average score breakdown.
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

    /// The stable id.
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

    /// Whether it shows a distribution or a series.
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

    /// The title.
    #[must_use]
    pub fn title(self, lang: Lang) -> String {
        let text = match self {
            Self::Measure(info) => info.label,
            Self::ScoreLines => Text::new("Score breakdown", "Desglose de la puntuación"),
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
    pub fn draw(
        self,
        game: &dyn AnyGame,
        selection: &Selection,
        counts: &Counts,
        style: Style,
    ) -> String {
        let (lang, total) = (style.lang, &counts.total);
        let title = format!("{} · {}", game.info().name.get(lang), self.title(lang));
        let filter = filter(selection, lang);
        let heading = Heading { title: &title, filter: &filter, more: "" };
        let series = Series::new(&heading, selection, counts, style);
        let none = Distribution::default();
        match self {
            Self::Measure(info) => match info.unit {
                Unit::Category(all) => {
                    let counts = CategoryCount::all(all, total.categories.get(info.id), lang);
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
                    .seat_wins
                    .iter()
                    .map(|(seats, results)| (seats_in_words(*seats, lang), results.matches))
                    .collect();
                draw_parts(&heading, MATCHES, &parts, style)
            }
            Self::RulesVersions => {
                let label =
                    |version| lang.pick(format!("Version {version}"), format!("Versión {version}"));
                let parts: Vec<(String, u64)> = total
                    .versions
                    .iter()
                    .map(|(version, matches)| (label(version), *matches))
                    .collect();
                draw_parts(&heading, MATCHES, &parts, style)
            }
            Self::MatchesSeries => {
                let lines: [CountedLine; 2] = [
                    (Text::new("Played", "Jugadas"), |cell| cell.matches),
                    (
                        Text::new("Abandoned before the start", "Abandonadas antes de empezar"),
                        |cell| cell.abandoned,
                    ),
                ];
                series.counts(MATCHES.1, &lines)
            }
            Self::PlayersSeries => {
                let noun = Text::new("players", "jugadores");
                series.counts(noun, &[(noun, |cell| cell.players.count())])
            }
            Self::MeasureSeries(info) => series.measure(info),
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
        selection.seats.map(|seats| seats_in_words(seats, lang)),
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

fn seats_in_words(seats: u8, lang: Lang) -> String {
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
        x: lang.pick("Average points", "Puntos de media"),
        y: "",
    };
    let groups = [Group { name: String::new(), bars: lines }];
    bars(&Bars { words, unit: chart::Unit::Number, names: &[], groups: &groups }, style)
}

fn win_rates(heading: &Heading<'_>, total: &Cell, style: Style) -> String {
    let lang = style.lang;
    let groups: Vec<Group> = total
        .seat_wins
        .iter()
        .map(|(seats, results)| {
            let bar = |(seat, (won, shared)): (Seat, (&u64, &u64))| {
                let wins = won + shared;
                Bar {
                    label: lang.pick(format!("Seat {seat}"), format!("Puesto {seat}")),
                    values: vec![Some(share(wins, results.matches))],
                    note: chart::figure(float(wins), lang),
                }
            };
            let matches = counted(results.matches, MATCHES, lang);
            Group {
                name: format!("{} · {matches}", seats_in_words(*seats, lang)),
                bars: Seat::all(*seats)
                    .zip(results.won.iter().zip(&results.shared))
                    .map(bar)
                    .collect(),
            }
        })
        .collect();
    let words = Words {
        title: heading.title,
        filter: heading.filter,
        summary: "",
        x: lang.pick(
            "Share of matches won by the seat, alone or with others",
            "Proporción de partidas que ganó el puesto, solo o con otros",
        ),
        y: "",
    };
    bars(&Bars { words, unit: chart::Unit::Share, names: &[], groups: &groups }, style)
}
