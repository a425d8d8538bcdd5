//! Charts, as they are and with data that would break a careless one.

use domain::text::Lang;
use pictures::{
    Style, Theme,
    chart::{Bin, Histogram, Line, TimeSeries, histogram, time_series},
};
use time::{Date, Duration, macros::date};

use crate::{drawing::check_soundness, golden::check};

fn style(theme: Theme, lang: Lang) -> Style {
    Style { theme, lang, seat: None }
}

/// A bell with a dent.
fn bins(from: f64, width: f64, counts: &[u64]) -> Vec<Bin> {
    let mut at = from;
    counts
        .iter()
        .map(|count| {
            let bin = Bin { from: at, to: at + width, count: *count };
            at += width;
            bin
        })
        .collect()
}

fn walk(start: Date, days: i64, from: f64, step: f64) -> Vec<(Date, f64)> {
    let mut value = from;
    (0..days)
        .map(|day| {
            let swing = [3.0, -1.0, 2.0, -4.0, 1.0, 5.0, -2.0][usize::try_from(day % 7).unwrap()];
            value += swing * step;
            (start + Duration::days(day), value)
        })
        .collect()
}

#[test]
fn charts_look_as_they_did() {
    let light = style(Theme::Light, Lang::En);
    let dark = style(Theme::Dark, Lang::Es);
    let scores = bins(-20.0, 5.0, &[2, 5, 9, 31, 64, 120, 182, 240, 221, 150, 98, 40, 12, 3, 0, 1]);
    let chart = Histogram { title: "Qwinto: scores", x: "Points", y: "Seats", bins: &scores };
    check("histogram-light", &histogram(&chart, light));
    let rounds = bins(5.0, 1.0, &[120, 3_400, 18_250, 22_100, 9_800, 2_750, 410]);
    let chart = Histogram {
        title: "Ettana: rondas jugadas hasta que un puesto alcanza ocho puntos",
        x: "Rondas",
        y: "Partidas",
        bins: &rounds,
    };
    check("histogram-dark", &histogram(&chart, dark));
    let rating = walk(date!(2026 - 03 - 02), 120, 1_500.0, 2.0);
    let lines = [Line { name: "Rating", points: &rating }];
    let chart = TimeSeries { title: "Rating of Ana at Trama", x: "", y: "Rating", lines: &lines };
    check("series-light", &time_series(&chart, light));
    let (ana, ben) =
        (walk(date!(2026 - 10 - 20), 20, 10.0, 1.0), walk(date!(2026 - 10 - 22), 22, 4.0, 0.5));
    let all = walk(date!(2026 - 10 - 18), 28, 22.0, 0.25);
    let lines = [
        Line { name: "Partidas terminadas", points: &all },
        Line { name: "Partidas abandonadas", points: &ben },
        Line { name: "Jugadores nuevos", points: &ana },
    ];
    let chart = TimeSeries { title: "Actividad por día", x: "Día", y: "Por día", lines: &lines };
    check("series-dark", &time_series(&chart, dark));
    let nothing = Histogram { title: "Scores", x: "Points", y: "Seats", bins: &[] };
    check("histogram-empty-light", &histogram(&nothing, light));
}

#[test]
fn a_chart_is_drawn_whatever_the_numbers_are() {
    let style = style(Theme::Auto, Lang::Es);
    let title = "<&\"> a title that is much longer than anybody would ever like to read on a telephone of any make";
    for counts in [&[][..], &[0], &[0, 0, 0], &[u64::MAX, 1], &[1; 500]] {
        for (from, width) in [(0.0, 1.0), (-1e12, 1e11), (0.0, 1e-6), (0.0, 0.0), (f64::NAN, 1.0)] {
            let bins = bins(from, width, counts);
            let chart = Histogram { title, x: title, y: title, bins: &bins };
            check_soundness("histogram", &histogram(&chart, style));
        }
    }
    let start = date!(2020 - 02 - 29);
    for values in
        [&[][..], &[5.0], &[0.0, 0.0], &[-3.5, 1e15], &[f64::NAN, 2.0, f64::INFINITY], &[1e-9; 3]]
    {
        for gap in [0, 1, 400, 40_000] {
            let points: Vec<(Date, f64)> = (0..)
                .zip(values)
                .map(|(nth, value)| (start + Duration::days(gap * nth), *value))
                .collect();
            let lines = [Line { name: title, points: &points }; 9];
            for count in [1, 3, 9] {
                let chart = TimeSeries { title, x: title, y: title, lines: &lines[..count] };
                check_soundness("time series", &time_series(&chart, style));
            }
        }
    }
}
