//! The charts of a player.

use std::collections::BTreeMap;

use domain::{
    erased::AnyGame,
    games,
    outcome::{MeasureInfo, Scope, Unit},
    text::{Lang, Text},
};
use pictures::{
    Style,
    chart::{self, Bar, Bars, Group, Line, Point, TimeSeries, Words, bars, time_series},
};
use service::{
    clock,
    statistics::{Bucket, Cell, Distribution, RatedMatch, Rating, SCORE, Tally},
};
use time::Date;

use super::{
    super::{
        distributions::{CategoryCount, measures},
        player_stats::ActivityDay,
    },
    ChartKind, Heading, draw_numbers, draw_parts, period,
    series::with_gaps,
    share,
};

/// A chart of a player.
#[derive(Debug, Clone, Copy)]
pub enum PlayerChart {
    /// Won, shared, lost.
    Results,
    /// Matches by day.
    Activity,
    /// The rating after every match.
    Rating,
    /// The distribution of scores in a game.
    Score(&'static MeasureInfo),
    /// How often each category of a measure of a game occurred, compared with all players.
    Category(&'static MeasureInfo, &'static [(&'static str, Text)]),
}

impl PlayerChart {
    /// All charts of a player in a game, or in all games together.
    #[must_use]
    pub fn all(game: Option<&'static dyn AnyGame>) -> Vec<Self> {
        let of_game = game.into_iter().flat_map(measures).filter_map(|info| match info.unit {
            Unit::Category(all) if info.scope == Scope::Seat => Some(Self::Category(info, all)),
            _ => (info.id == SCORE).then_some(Self::Score(info)),
        });
        [Self::Results, Self::Activity, Self::Rating].into_iter().chain(of_game).collect()
    }

    /// The chart with this id.
    #[must_use]
    pub fn find(game: Option<&'static dyn AnyGame>, id: &str) -> Option<Self> {
        Self::all(game).into_iter().find(|chart| chart.id() == id)
    }

    /// Whether charts with such an id belong to a single game.
    #[must_use]
    pub fn needs_game(id: &str) -> bool {
        id.starts_with("measure.")
    }

    /// The stable id.
    #[must_use]
    pub fn id(self) -> String {
        match self {
            Self::Results => "results".to_owned(),
            Self::Activity => "activity".to_owned(),
            Self::Rating => "rating".to_owned(),
            Self::Score(info) | Self::Category(info, _) => format!("measure.{}", info.id),
        }
    }

    /// Whether it shows a distribution or a series.
    #[must_use]
    pub const fn kind(self) -> ChartKind {
        match self {
            Self::Results | Self::Score(_) | Self::Category(..) => ChartKind::Distribution,
            Self::Activity | Self::Rating => ChartKind::Series,
        }
    }

    /// The title.
    #[must_use]
    pub const fn title(self, lang: Lang) -> &'static str {
        match self {
            Self::Results => Text::new("Results", "Resultados"),
            Self::Activity => Text::new("Activity", "Actividad"),
            Self::Rating => Text::new("Rating", "Valoración"),
            Self::Score(info) | Self::Category(info, _) => info.label,
        }
        .get(lang)
    }
}

/// What the charts of a player are about.
#[derive(Debug)]
pub struct PlayerChartSubject<'a> {
    /// The name of the player.
    pub player: &'a str,
    /// The game, if there is only one.
    pub game: Option<&'static dyn AnyGame>,
    /// The first day, and the day after the last.
    pub period: (Option<Date>, Option<Date>),
    /// Theme and language.
    pub style: Style,
}

impl PlayerChartSubject<'_> {
    fn title(&self, chart: PlayerChart) -> String {
        format!("{} · {}", self.player, chart.title(self.style.lang))
    }

    fn filter(&self) -> String {
        let lang = self.style.lang;
        let game = self.game.map_or_else(
            || lang.pick("all games", "todos los juegos"),
            |game| game.info().name.get(lang),
        );
        let period = period(self.period.0, self.period.1, lang);
        std::iter::once(game.to_owned()).chain(period).collect::<Vec<_>>().join(", ")
    }

    /// Draws results: won, shared and lost.
    #[must_use]
    pub fn results(&self, tally: &Tally) -> String {
        let lang = self.style.lang;
        let parts = [
            (lang.pick("Won", "Ganadas"), tally.won),
            (lang.pick("Won with others", "Ganadas con otros"), tally.shared),
            (lang.pick("Lost", "Perdidas"), tally.lost - tally.abandoned.min(tally.lost)),
            (lang.pick("Lost by resignation", "Perdidas por abandono"), tally.abandoned),
        ]
        .map(|(label, count)| (label.to_owned(), count));
        let (title, filter) = (self.title(PlayerChart::Results), self.filter());
        let heading = Heading { title: &title, filter: &filter, more: "" };
        draw_parts(&heading, super::MATCHES, &parts, self.style)
    }

    /// Draws the distribution of scores, compared with the mean of all players.
    #[must_use]
    pub fn scores(&self, info: &'static MeasureInfo, tally: &Tally, of_all: &Cell) -> String {
        let lang = self.style.lang;
        let all = of_all.numbers.get(SCORE).and_then(Distribution::mean);
        let more = all.map(|mean| chart::figure(mean, lang)).map(|mean| {
            lang.pick(
                format!(" · mean of all players {mean}"),
                format!(" · media de todos los jugadores {mean}"),
            )
        });
        let (title, filter) = (self.title(PlayerChart::Score(info)), self.filter());
        let more = more.as_deref().unwrap_or("");
        let heading = Heading { title: &title, filter: &filter, more };
        draw_numbers(&heading, info, &tally.score, self.style)
    }

    /// Draws how often each category occurred, compared with all players.
    #[must_use]
    pub fn categories(
        &self,
        info: &'static MeasureInfo,
        all: &'static [(&'static str, Text)],
        tally: &Tally,
        of_all: &Cell,
    ) -> String {
        let lang = self.style.lang;
        let mine = CategoryCount::all(all, tally.categories.get(info.id), lang);
        let theirs = CategoryCount::all(all, of_all.categories.get(info.id), lang);
        let sum =
            |counts: &[CategoryCount]| counts.iter().map(|counted| counted.count).sum::<u64>();
        let (my_sum, their_sum) = (sum(&mine), sum(&theirs));
        let part = |count: u64, all: u64| (all > 0).then(|| share(count, all));
        let bar = |(mine, theirs): (&CategoryCount, &CategoryCount)| Bar {
            label: super::capital(mine.label),
            values: vec![part(mine.count, my_sum), part(theirs.count, their_sum)],
            note: String::new(),
        };
        let bars_of = mine.iter().zip(&theirs).map(bar).collect();
        let (title, filter) = (self.title(PlayerChart::Category(info, all)), self.filter());
        let words = Words {
            title: &title,
            filter: &filter,
            summary: &super::counted(my_sum, super::RESULTS, lang),
            x: lang.pick("Share of results", "Proporción de resultados"),
            y: "",
        };
        let names = [self.player, lang.pick("All players", "Todos los jugadores")];
        let groups = [Group { name: String::new(), bars: bars_of }];
        let chart = Bars { words, unit: chart::Unit::Share, names: &names, groups: &groups };
        bars(&chart, self.style)
    }

    /// Draws matches by day: played and won.
    #[must_use]
    pub fn activity(&self, days: &[ActivityDay]) -> String {
        let lang = self.style.lang;
        #[expect(clippy::cast_precision_loss, reason = "a picture for people")]
        let line = |count: fn(&ActivityDay) -> i64| {
            with_gaps(days.iter().map(|day| (day.date, count(day) as f64)), Bucket::Day)
        };
        let (played, won) = (line(|day| day.played), line(|day| day.won));
        let lines = [
            Line { name: lang.pick("Played", "Jugadas"), points: &played },
            Line { name: lang.pick("Won", "Ganadas"), points: &won },
        ];
        let (title, filter) = (self.title(PlayerChart::Activity), self.filter());
        let words = Words {
            title: &title,
            filter: &filter,
            summary: "",
            x: lang.pick("Date (UTC)", "Fecha (UTC)"),
            y: lang.pick("Matches per day", "Partidas por día"),
        };
        let unit = chart::Unit::Number;
        time_series(&TimeSeries { words, unit, zero: true, lines: &lines }, self.style)
    }

    /// Draws the rating after each of these matches, which are newest first; one line per game.
    #[must_use]
    pub fn rating(&self, matches: &[RatedMatch]) -> String {
        let lang = self.style.lang;
        let mut by_game: BTreeMap<&str, Vec<Point>> = BTreeMap::new();
        for row in matches.iter().rev() {
            let Rating { rating, uncertainty } = row.rating;
            by_game.entry(&row.game).or_default().push(Point {
                at: clock::to_datetime(row.ended_at),
                value: rating,
                range: Some((rating - uncertainty, rating + uncertainty)),
            });
        }
        let alone = by_game.len() < 2;
        let name = |key: &str| games::find(key).map_or("", |game| game.info().name.get(lang));
        for points in by_game.values_mut() {
            for point in points.iter_mut().filter(|_| !alone) {
                point.range = None;
            }
        }
        let lines: Vec<Line<'_>> =
            by_game.iter().map(|(key, points)| Line { name: name(key), points }).collect();
        let (title, filter) = (self.title(PlayerChart::Rating), self.filter());
        let words = Words {
            title: &title,
            filter: &filter,
            summary: if alone && !matches.is_empty() {
                lang.pick(
                    "Shaded: one standard deviation up and down",
                    "Sombreada: una desviación típica arriba y abajo",
                )
            } else {
                ""
            },
            x: lang.pick("Date (UTC)", "Fecha (UTC)"),
            y: lang.pick("Rating", "Valoración"),
        };
        let unit = chart::Unit::Number;
        time_series(&TimeSeries { words, unit, zero: false, lines: &lines }, self.style)
    }
}
