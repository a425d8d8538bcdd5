//! Charts, with ordinary data and with extreme data.

use domain::text::Lang;
use pictures::{
    Style, Theme,
    chart::{
        Bar, Bars, Bin, Group, Histogram, Line, Point, TimeSeries, Unit, Words, bars, histogram,
        time_series,
    },
};
use time::{Duration, OffsetDateTime, macros::datetime};

use crate::{drawing::check_soundness, golden::check};

const LIGHT: Style = Style { theme: Theme::Light, lang: Lang::En, seat: None };
const DARK: Style = Style { theme: Theme::Dark, lang: Lang::Es, seat: None };

/// Bins of the same width, one after the other.
fn bins(from: i64, width: i64, counts: &[u64]) -> Vec<Bin> {
    let bin = |(index, count): (i64, &u64)| {
        let from = from.saturating_add(width.saturating_mul(index));
        Bin { from, to: from.saturating_add(width - 1), count: *count }
    };
    (0..).zip(counts).map(bin).collect()
}

/// Durations as statistics store them: in bins whose width is at most 1/16 of the value.
fn durations(first: i64, growth: f64, counts: &[u64]) -> Vec<Bin> {
    let mut from = first;
    let mut bin = |count: &u64| {
        let to = from + from / 16;
        let bin = Bin { from, to, count: *count };
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a test")]
        let next = (to as f64 * growth) as i64 + 1;
        from = next;
        bin
    };
    counts.iter().map(&mut bin).collect()
}

fn point(at: OffsetDateTime, value: f64) -> Point {
    Point { at, value, range: None }
}

/// A curve with ups and downs.
fn walk(start: OffsetDateTime, gap: Duration, count: i32, from: f64, step: f64) -> Vec<Point> {
    let mut value = from;
    (0..count)
        .map(|nth| {
            let swing = [3.0, -1.0, 2.0, -4.0, 1.0, 5.0, -2.0][usize::try_from(nth % 7).unwrap()];
            value += swing * step;
            point(start + gap * nth, value)
        })
        .collect()
}

#[test]
fn distributions_look_as_they_did() {
    let draw = |name: &str, words: Words<'_>, unit: Unit, bins: &[Bin], style: Style| {
        let svg = histogram(&Histogram { words, unit, bins }, style);
        check_soundness(name, &svg);
        check(name, &svg);
    };
    let scores = Words {
        title: "Qwinto: Score",
        filter: "3 seats, from 1 Nov 2026",
        summary: "1178 values · mean 21.3 · median 22",
        x: "Points",
        y: "Seats",
    };
    let bell = [2, 5, 9, 31, 64, 120, 182, 240, 221, 150, 98, 40, 12, 3, 0, 1];
    draw("histogram-light", scores, Unit::Number, &bins(-20, 5, &bell), LIGHT);
    let rounds = Words {
        title: "Ettana: rondas jugadas hasta que un puesto alcanza ocho puntos",
        x: "Rondas",
        y: "Partidas",
        ..Words::default()
    };
    let counts = [120, 3_400, 18_250, 22_100, 9_800, 2_750, 410];
    draw("histogram-dark", rounds, Unit::Number, &bins(5, 1, &counts), DARK);
    draw("histogram-empty-light", scores, Unit::Number, &[], LIGHT);
    draw("histogram-one-dark", rounds, Unit::Number, &bins(7, 1, &[1]), DARK);
    draw("histogram-huge-light", scores, Unit::Number, &bins(0, 1, &[2_000_000, 5_400_321]), LIGHT);
    let time = Words { title: "Trama: Duration", x: "Time", y: "Matches", ..Words::default() };
    let near = durations(600_000, 1.0, &bell);
    draw("durations-near-light", time, Unit::Milliseconds, &near, LIGHT);
    let far = durations(45_000, 1.8, &bell);
    draw("durations-far-dark", time, Unit::Milliseconds, &far, DARK);
}

#[test]
fn bars_look_as_they_did() {
    let bar = |label: &str, values: &[Option<f64>], note: &str| Bar {
        label: label.to_owned(),
        values: values.to_vec(),
        note: note.to_owned(),
    };
    let group = |name: &str, bars: &[Bar]| Group { name: name.to_owned(), bars: bars.to_vec() };
    let words = Words {
        title: "Qwinto: Cómo terminó",
        summary: "412 partidas",
        x: "Parte de las partidas",
        ..Words::default()
    };
    let ends = [
        bar("dos filas completas", &[Some(0.731)], "301"),
        bar("cuatro fallos de un mismo jugador", &[Some(0.269)], "111"),
        bar("antes de tiempo", &[Some(0.0)], "0"),
    ];
    let groups = [group("", &ends)];
    let chart = Bars { words, unit: Unit::Share, names: &[], groups: &groups };
    check("bars-dark", &bars(&chart, DARK));
    let words = Words {
        title: "Qwinto: How scores break down",
        filter: "from 1 Nov 2026",
        x: "Points on average",
        ..Words::default()
    };
    let lines = [
        bar("Orange row", &[Some(9.31)], ""),
        bar("Yellow row", &[Some(11.0)], ""),
        bar("Bonus of the column that is furthest to the right of all columns", &[Some(0.4)], ""),
        bar("Failures", &[Some(-4.25)], ""),
    ];
    let groups = [group("", &lines)];
    let chart = Bars { words, unit: Unit::Number, names: &[], groups: &groups };
    check("bars-negative-light", &bars(&chart, LIGHT));
    let words = Words { title: "Trama: Wins by seat", x: "Share of matches", ..Words::default() };
    let two = [bar("Seat 0", &[Some(0.52)], "52"), bar("Seat 1", &[Some(0.49)], "49")];
    let three = [0.5, 0.25, 0.25].map(|share| bar("Seat", &[Some(share)], ""));
    let groups = [group("2 seats: 100 matches", &two), group("3 seats: 4 matches", &three)];
    let chart = Bars { words, unit: Unit::Share, names: &[], groups: &groups };
    check("bars-groups-light", &bars(&chart, LIGHT));
    let words = Words { title: "Tapestry: Rango", ..Words::default() };
    let ranks = [
        bar("Maestra", &[Some(0.25), Some(0.05)], ""),
        bar("Aprendiz", &[Some(0.75), Some(0.95)], ""),
        bar("Nadie", &[None, Some(0.0)], ""),
    ];
    let groups = [group("", &ranks)];
    let chart = Bars { words, unit: Unit::Share, names: &["Ana María", "Todos"], groups: &groups };
    check("bars-compared-dark", &bars(&chart, DARK));
    let chart = Bars { words, unit: Unit::Share, names: &[], groups: &[] };
    check("bars-empty-light", &bars(&chart, LIGHT));
}

#[test]
fn series_look_as_they_did() {
    let draw =
        |name: &str, words: Words<'_>, unit: Unit, zero: bool, lines: &[Line<'_>], style: Style| {
            let svg = time_series(&TimeSeries { words, unit, zero, lines }, style);
            check_soundness(name, &svg);
            check(name, &svg);
        };
    let words = Words { title: "Rating of Ana", filter: "Trama", y: "Rating", ..Words::default() };
    let mut rating = walk(datetime!(2026-03-02 0:00 UTC), Duration::days(1), 120, 25.0, 0.1);
    for (nth, point) in (0..).zip(&mut rating) {
        let sure = 8.0 / f64::from(1 + nth).sqrt() + 0.5;
        point.range = Some((point.value - sure, point.value + sure));
    }
    draw(
        "series-light",
        words,
        Unit::Number,
        false,
        &[Line { name: "Trama", points: &rating }],
        LIGHT,
    );
    let words =
        Words { title: "Actividad por día", x: "Día (UTC)", y: "Partidas", ..Words::default() };
    let from = datetime!(2026-10-18 0:00 UTC);
    let [one, two, three] = [(22.0, 0.25, 28), (4.0, 0.5, 22), (10.0, 1.0, 20)]
        .map(|(value, step, count)| walk(from, Duration::days(1), count, value, step));
    let lines = [
        Line { name: "Partidas terminadas", points: &one },
        Line { name: "Partidas abandonadas", points: &two },
        Line { name: "Jugadores nuevos", points: &three },
    ];
    draw("series-dark", words, Unit::Number, true, &lines, DARK);
    let words = Words { title: "Duration of matches", x: "UTC", ..Words::default() };
    let evening = walk(datetime!(2026-11-15 21:37 UTC), Duration::minutes(17), 12, 8e5, 5e4);
    draw(
        "series-hours-light",
        words,
        Unit::Milliseconds,
        false,
        &[Line { name: "", points: &evening }],
        LIGHT,
    );
    let lonely = [Point { at: from, value: 27.6, range: Some((19.6, 35.6)) }];
    draw(
        "series-one-dark",
        words,
        Unit::Number,
        false,
        &[Line { name: "", points: &lonely }],
        DARK,
    );
    draw("series-empty-light", words, Unit::Number, true, &[], LIGHT);
}

#[test]
fn a_chart_is_drawn_whatever_the_numbers_are() {
    let style = Style { theme: Theme::Auto, lang: Lang::Es, seat: None };
    let title = "<&\"> a title that is much longer than anybody would ever like to read on a telephone of any make";
    let words = Words { title, filter: title, summary: title, x: title, y: title };
    for counts in [&[][..], &[0], &[0, 0, 0], &[u64::MAX, 1], &[1; 500]] {
        for (from, width) in [(0, 1), (i64::MIN, 1), (i64::MAX, 1), (-1 << 40, 1 << 36), (0, 0)] {
            for unit in [Unit::Number, Unit::Milliseconds, Unit::Share] {
                let bins = bins(from, width, counts);
                check_soundness(
                    "histogram",
                    &histogram(&Histogram { words, unit, bins: &bins }, style),
                );
            }
        }
    }
    let start = datetime!(2020-02-29 0:00 UTC);
    for values in
        [&[][..], &[5.0], &[0.0, 0.0], &[-3.5, 1e15], &[f64::NAN, 2.0, f64::INFINITY], &[1e-9; 3]]
    {
        for gap in [0, 1, 60, 86_400, 86_400 * 400, 86_400 * 40_000] {
            let points: Vec<Point> = (0..)
                .zip(values)
                .map(|(nth, value)| point(start + Duration::seconds(gap * nth), *value))
                .collect();
            let lines = [Line { name: title, points: &points }; 9];
            for (count, unit) in [(1, Unit::Number), (3, Unit::Milliseconds), (9, Unit::Share)] {
                let chart = TimeSeries { words, unit, zero: gap == 1, lines: &lines[..count] };
                check_soundness("time series", &time_series(&chart, style));
            }
        }
        let values: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
        let thing = Bar { label: title.to_owned(), values, note: title.to_owned() };
        let things = vec![thing; 3];
        let groups = [
            Group { name: title.to_owned(), bars: things },
            Group { name: String::new(), bars: Vec::new() },
        ];
        for unit in [Unit::Number, Unit::Milliseconds, Unit::Share] {
            let chart = Bars { words, unit, names: &[title; 3], groups: &groups };
            check_soundness("bars", &bars(&chart, style));
        }
    }
}
