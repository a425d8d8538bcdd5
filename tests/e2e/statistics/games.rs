//! Statistics of games, compared with a recount.

use std::collections::BTreeSet;

use domain::{games, outcome::Unit};
use serde_json::{Value, json};
use tests::client::Client;
use uuid::Uuid;

use super::{
    check_distribution, close, date, day_of,
    recount::{DAY, History, Played, categories, numbers},
};

struct Page<'a> {
    history: &'a History,
    game: &'static dyn domain::erased::AnyGame,
    seats: Option<usize>,
    days: std::ops::Range<i64>,
}

impl Page<'_> {
    fn matches(&self) -> Vec<&Played> {
        let key = self.game.info().key;
        let wanted = |it: &&Played| {
            it.game == key
                && self.seats.is_none_or(|seats| it.seats == seats)
                && self.days.contains(&it.day())
        };
        self.history.played.iter().filter(wanted).collect()
    }

    fn left(&self) -> usize {
        let key = self.game.info().key;
        let left = self.history.left.iter().filter(|it| it.game == key);
        let left = left.filter(|it| self.seats.is_none_or(|seats| it.seats == seats));
        left.filter(|it| self.days.contains(&it.ended.div_euclid(DAY))).count()
    }

    fn check(&self, document: &Value, measure: Option<&str>) {
        let matches = self.matches();
        let what = format!("{} {:?} {:?}", self.game.info().key, self.seats, self.days);
        assert_eq!(document["matches"], matches.len(), "{what}");
        assert_eq!(document["abandoned"], self.left(), "{what}");
        assert_eq!(document["resigned"], matches.iter().filter(|it| !it.by_rules()).count());
        assert_eq!(document["shared"], matches.iter().filter(|it| it.winners() > 1).count());
        let players: BTreeSet<Uuid> = matches.iter().flat_map(|it| it.players.clone()).collect();
        assert_eq!(document["players"], players.len(), "{what}");
        check_wins(&document["win_rates"], &matches);
        let versions = if matches.is_empty() {
            json!([])
        } else {
            json!([{ "rules_version": self.game.info().rules_version, "matches": matches.len() }])
        };
        assert_eq!(document["rules_versions"], versions);
        let declared = self.game.info().measures.iter();
        let ids: Vec<(&str, Unit)> = [("score", Unit::Points), ("duration_ms", Unit::Milliseconds)]
            .into_iter()
            .chain(declared.map(|info| (info.id, info.unit)))
            .filter(|(id, _)| measure.is_none_or(|measure| measure == *id))
            .collect();
        let shown = document["measures"].as_array().unwrap();
        assert_eq!(shown.len(), ids.len());
        for ((id, unit), shown) in ids.into_iter().zip(shown) {
            assert_eq!(shown["id"], id);
            if let Unit::Category(all) = unit {
                let counts = categories(matches.iter().copied(), id, None);
                for ((category, _), shown) in
                    all.iter().zip(shown["categories"].as_array().unwrap())
                {
                    let count = counts.get(*category).copied().unwrap_or_default();
                    assert_eq!(
                        (&shown["id"], &shown["count"]),
                        (&json!(category), &json!(count)),
                        "{what} {id}"
                    );
                }
            } else {
                let values = numbers(matches.iter().copied(), id, None);
                let exact = unit != Unit::Milliseconds;
                check_distribution(&shown["distribution"], values, exact, &format!("{what} {id}"));
            }
        }
        for line in document["score_lines"].as_array().unwrap() {
            let points = matches
                .iter()
                .flat_map(|it| it.telling())
                .flat_map(|(_, standing)| &standing.breakdown);
            let points = points.filter(|it| line["id"] == *it.id).map(|it| it.points).collect();
            check_distribution(
                &line["distribution"],
                points,
                true,
                &format!("{what} {}", line["id"]),
            );
        }
        if measure.is_none() {
            let lines = self.game.info().score_lines.len();
            assert_eq!(document["score_lines"].as_array().unwrap().len(), lines);
        }
    }
}

fn check_wins(rates: &Value, matches: &[&Played]) {
    let tables: BTreeSet<usize> = matches.iter().map(|it| it.seats).collect();
    assert_eq!(rates.as_array().unwrap().len(), tables.len());
    for (seats, rates) in tables.into_iter().zip(rates.as_array().unwrap()) {
        let matches: Vec<_> = matches.iter().filter(|it| it.seats == seats).collect();
        assert_eq!((&rates["seats"], &rates["matches"]), (&json!(seats), &json!(matches.len())));
        for seat in 0..seats {
            let won = |shared: bool| {
                let wins = matches.iter().filter(|it| it.outcome.seats[seat].won);
                wins.filter(|it| (it.winners() > 1) == shared).count()
            };
            let shown = &rates["by_seat"][seat];
            assert_eq!((&shown["won"], &shown["shared"]), (&json!(won(false)), &json!(won(true))));
            #[expect(clippy::cast_precision_loss, reason = "a rate")]
            let rate = (won(false) + won(true)) as f64 / matches.len() as f64;
            assert!(close(&shown["rate"], rate));
        }
    }
}

/// The statistics of games: all of them, by seats, by version, by period, as a series.
pub async fn check_games(client: &Client, history: &History) {
    let first = 20_454; // 2026-01-01
    for game in games::all() {
        let key = game.info().key;
        let get = async |query: &str| {
            client.get(&format!("/v1/games/{key}/stats?{query}")).await.expect(200)
        };
        let page = |seats: Option<usize>, days| Page { history, game, seats, days };
        let always = 0..1_000_000;
        let current = format!("rules_version={}", game.info().rules_version);
        page(None, always.clone()).check(&get("").await, None);
        page(None, always.clone()).check(&get(&current).await, None);
        page(None, always.clone()).check(&get("measure=score").await, Some("score"));
        for seats in game.info().min_seats..=game.info().max_seats {
            let all = page(Some(seats.into()), always.clone());
            all.check(&get(&format!("seats={seats}")).await, None);
            let some = page(Some(seats.into()), first + 40..first + 75);
            let query =
                format!("seats={seats}&since={}&until={}", date(first + 40), date(first + 75));
            some.check(&get(&query).await, None);
        }
        for days in [first..first + 31, first + 10..first + 11, first + 17..first + 93] {
            let query = format!("since={}&until={}", date(days.start), date(days.end));
            page(None, days.clone()).check(&get(&query).await, None);
        }
        page(None, first + 50..1_000_000)
            .check(&get(&format!("since={}", date(first + 50))).await, None);
        page(None, 0..first + 50).check(&get(&format!("until={}", date(first + 50))).await, None);
        for bucket in ["day", "week", "month"] {
            for days in [first - 30..first + 300, first + 13..first + 80] {
                let query =
                    format!("bucket={bucket}&since={}&until={}", date(days.start), date(days.end));
                let document = get(&query).await;
                page(None, days.clone()).check(&document, None);
                check_series(&page(None, days), &document["series"], bucket);
            }
            check_series(
                &page(None, always.clone()),
                &get(&format!("bucket={bucket}")).await["series"],
                bucket,
            );
        }
    }
}

fn check_series(page: &Page<'_>, series: &Value, bucket: &str) {
    let series = series.as_array().unwrap();
    let mut last = i64::MIN;
    for point in series {
        let days = day_of(&point["since"])..day_of(&point["until"]);
        assert!(last <= days.start && days.start < days.end, "{point}");
        assert!(page.days.start <= days.start && days.end <= page.days.end, "{point}");
        let longest = match bucket {
            "day" => 1,
            "week" => 7,
            _ => 31,
        };
        assert!(days.end - days.start <= longest);
        last = days.end;
        let here = Page { days, ..*page };
        let matches = here.matches();
        assert_eq!(point["matches"], matches.len());
        assert_eq!(point["abandoned"], here.left());
        let players: BTreeSet<Uuid> = matches.iter().flat_map(|it| it.players.clone()).collect();
        assert_eq!(point["players"], players.len());
        for (measure, id) in
            point["measures"].as_array().unwrap().iter().zip(["score", "duration_ms"])
        {
            let values = numbers(matches.iter().copied(), id, None);
            assert_eq!((&measure["id"], &measure["count"]), (&json!(id), &json!(values.len())));
            assert_eq!(measure["min"], json!(values.iter().min()));
            assert_eq!(measure["max"], json!(values.iter().max()));
        }
    }
    let counted: u64 = series.iter().map(|point| point["matches"].as_u64().unwrap()).sum();
    assert_eq!(counted, page.matches().len() as u64);
}
