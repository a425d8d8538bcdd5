//! Charts: which ones there are, and what they show. `pictures` draws them.

mod game;
mod player;
mod series;

use domain::{
    outcome::{MeasureInfo, Scope, Unit},
    text::{Lang, Text},
};
use pictures::{
    Style,
    chart::{self, Bar, Bars, Bin, Group, Histogram, Words, bars, figure, histogram},
};
use serde::Serialize;
use time::Date;
use utoipa::ToSchema;

use service::statistics::{Distribution, Grain};

use super::distributions::CategoryCount;

pub use game::GameChart;
pub use player::{PlayerChart, PlayerChartSubject};

/// The kind of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChartKind {
    /// How often each value occurs, or how things compare.
    Distribution,
    /// How something changes over time.
    Series,
}

/// An available chart.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChartLink {
    /// The stable id.
    #[schema(example = "measure.score")]
    pub id: String,
    /// Whether it shows a distribution or a series.
    pub kind: ChartKind,
    /// The key of the game; omitted for charts of all games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "qwinto")]
    pub game: Option<&'static str>,
    /// The title.
    #[schema(example = "Score")]
    pub title: String,
    /// The URL of the picture.
    #[schema(example = "/v1/games/qwinto/charts/measure.score.svg")]
    pub href: String,
}

/// The available charts.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChartList {
    /// The charts.
    pub charts: Vec<ChartLink>,
}

/// What the values of a measure per seat count: one per player and match.
const RESULTS: (Text, Text) =
    (Text::new("result", "resultado"), Text::new("results", "resultados"));
/// What the values of a measure per match count.
const MATCHES: (Text, Text) = (Text::new("match", "partida"), Text::new("matches", "partidas"));

/// `1 match`, `2 matches`.
fn counted(count: u64, (one, many): (Text, Text), lang: Lang) -> String {
    let noun = if count == 1 { one } else { many };
    format!("{} {}", figure(float(count), lang), noun.get(lang))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().to_string() + letters.as_str(),
        None => String::new(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a picture for people")]
const fn float(count: u64) -> f64 {
    count as f64
}

fn share(part: u64, all: u64) -> f64 {
    float(part) / float(all.max(1))
}

/// A period in words; `until` is the day after the last.
fn period(since: Option<Date>, until: Option<Date>, lang: Lang) -> Option<String> {
    let first = since.map(|since| chart::day(since, lang));
    let last = until.map(|until| chart::day(until.previous_day().unwrap_or(until), lang));
    match (first, last) {
        (Some(first), Some(last)) if first == last => Some(first),
        (Some(first), Some(last)) => Some(format!("{first} – {last}")),
        (Some(first), None) => {
            Some(lang.pick(format!("since {first}"), format!("desde el {first}")))
        }
        (None, Some(last)) => Some(lang.pick(format!("until {last}"), format!("hasta el {last}"))),
        (None, None) => None,
    }
}

const fn drawn_as(unit: Unit) -> chart::Unit {
    match unit {
        Unit::Milliseconds => chart::Unit::Milliseconds,
        Unit::Count | Unit::Points | Unit::Category(_) => chart::Unit::Number,
    }
}

/// The label of the axis of the values.
fn axis(info: &MeasureInfo, lang: Lang) -> &'static str {
    match info.unit {
        Unit::Points => lang.pick("Points", "Puntos"),
        Unit::Milliseconds => lang.pick("Duration", "Duración"),
        Unit::Count | Unit::Category(_) => info.label.get(lang),
    }
}

/// What the values of a measure count.
const fn nouns(scope: Scope) -> (Text, Text) {
    match scope {
        Scope::Match => MATCHES,
        Scope::Seat => RESULTS,
    }
}

/// The texts above a chart.
struct Heading<'a> {
    title: &'a str,
    filter: &'a str,
    /// An addition to the summary.
    more: &'a str,
}

/// Draws a measure whose values are numbers.
fn draw_numbers(
    heading: &Heading<'_>,
    info: &MeasureInfo,
    values: &Distribution,
    style: Style,
) -> String {
    let (lang, unit, nouns) = (style.lang, drawn_as(info.unit), nouns(info.scope));
    let grain = Grain::of(info.unit);
    let mut summary = counted(values.count, nouns, lang);
    if let (Some(mean), Some(median)) = (values.mean(), values.quantile(50, grain)) {
        #[expect(clippy::cast_precision_loss, reason = "a picture for people")]
        let (mean, median) = (unit.tell(mean, lang), unit.tell(median as f64, lang));
        summary.push_str(&lang.pick(
            format!(" · mean {mean} · median {median}"),
            format!(" · media {mean} · mediana {median}"),
        ));
    }
    summary.push_str(heading.more);
    let bin = |(bucket, count): (&i64, &u64)| {
        let (from, to) = grain.range(*bucket);
        Bin { from, to, count: *count }
    };
    let bins: Vec<Bin> = values.values.iter().map(bin).collect();
    let words = Words {
        title: heading.title,
        filter: heading.filter,
        summary: &summary,
        x: axis(info, lang),
        y: &capital(nouns.1.get(lang)),
    };
    histogram(&Histogram { words, unit, bins: &bins }, style)
}

/// Draws parts of a whole, each with its number.
fn draw_parts(
    heading: &Heading<'_>,
    nouns: (Text, Text),
    parts: &[(String, u64)],
    style: Style,
) -> String {
    let lang = style.lang;
    let all = parts.iter().map(|(_, count)| count).sum();
    let bar = |(label, count): &(String, u64)| Bar {
        label: label.clone(),
        values: vec![Some(share(*count, all))],
        note: figure(float(*count), lang),
    };
    let parts = parts.iter().filter(|_| all > 0).map(bar).collect();
    let summary = format!("{}{}", counted(all, nouns, lang), heading.more);
    let what = nouns.1.get(lang);
    let x = lang.pick(format!("Share of {what}"), format!("Proporción de {what}"));
    let words =
        Words { title: heading.title, filter: heading.filter, summary: &summary, x: &x, y: "" };
    let groups = [Group { name: String::new(), bars: parts }];
    bars(&Bars { words, unit: chart::Unit::Share, names: &[], groups: &groups }, style)
}

/// Categories as parts of a whole.
fn parts_of(counts: &[CategoryCount]) -> Vec<(String, u64)> {
    counts.iter().map(|category| (capital(category.label), category.count)).collect()
}
