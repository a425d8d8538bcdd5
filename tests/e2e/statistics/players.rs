//! Statistics of players, compared with a recount.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    games,
    outcome::{Scope, Unit},
};
use serde_json::{Value, json};
use tests::client::Client;
use uuid::Uuid;

use super::{
    check_distribution, close, date,
    recount::{History, Played, categories, numbers},
};

#[expect(clippy::cast_precision_loss, reason = "means")]
fn mean(values: &[i64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<i64>() as f64 / values.len() as f64)
}

#[track_caller]
fn check_mean(shown: &Value, values: &[i64]) {
    match mean(values) {
        Some(mean) => assert!(close(shown, mean), "{shown} {mean}"),
        None => assert_eq!(shown, &Value::Null),
    }
}

/// Results of a player in these matches, in their order.
fn check_results(document: &Value, matches: &[&Played], player: Uuid) {
    let won = |it: &&&Played| it.standing(player).unwrap().won;
    let shared = |it: &&&Played| won(it) && it.winners() > 1;
    assert_eq!(document["played"], matches.len());
    assert_eq!(document["won"], matches.iter().filter(|it| won(it) && !shared(it)).count());
    assert_eq!(document["shared"], matches.iter().filter(shared).count());
    assert_eq!(document["lost"], matches.iter().filter(|it| !won(it)).count());
    let resigned = |it: &&&Played| it.resigned[it.seat_of(player).unwrap()];
    assert_eq!(document["abandoned"], matches.iter().filter(resigned).count());
    let runs: Vec<usize> =
        matches.split(|it| !it.standing(player).unwrap().won).map(<[&Played]>::len).collect();
    assert_eq!(document["streak"]["current"], *runs.last().unwrap());
    assert_eq!(document["streak"]["longest"], *runs.iter().max().unwrap());
    assert_eq!(document["last_at"] == Value::Null, matches.is_empty());
}

pub async fn check_player(client: &Client, history: &History, player: Uuid) {
    let path = format!("/v1/players/{player}/stats?since=2026-01-01&until=2027-01-01");
    let document = client.get(&path).await.expect(200);
    let mine: Vec<&Played> =
        history.played.iter().filter(|it| it.public && it.seat_of(player).is_some()).collect();
    check_results(&document["overall"], &mine, player);
    let ratings = history.ratings();
    let keys: BTreeSet<&str> = mine.iter().map(|it| it.game).collect();
    assert_eq!(document["games"].as_array().unwrap().len(), keys.len());
    for shown in document["games"].as_array().unwrap() {
        let game = games::find(shown["game"].as_str().unwrap()).unwrap();
        let of_all: Vec<&Played> =
            history.played.iter().filter(|it| it.game == game.info().key).collect();
        let matches: Vec<&Played> =
            mine.iter().copied().filter(|it| it.game == game.info().key).collect();
        check_results(shown, &matches, player);
        let scores = numbers(matches.iter().copied(), "score", Some(player));
        check_distribution(&shown["scores"], scores, true, "a player's scores");
        check_mean(&shown["mean_score_of_all"], &numbers(of_all.iter().copied(), "score", None));
        let rated: Vec<&&Played> =
            matches.iter().filter(|it| ratings.contains_key(&it.id)).collect();
        match rated.last() {
            None => assert_eq!(shown["rating"], Value::Null),
            Some(last) => {
                let (mu, sigma) = ratings[&last.id][last.seat_of(player).unwrap()].1;
                let rating = &shown["rating"];
                assert_eq!(rating["matches"], rated.len());
                assert!(
                    close(&rating["rating"], mu) && close(&rating["uncertainty"], sigma),
                    "{rating} {mu} {sigma}"
                );
                assert!(close(&rating["rank_score"], mu - 3.0 * sigma));
            }
        }
        let measures: Vec<_> =
            game.info().measures.iter().filter(|info| info.scope == Scope::Seat).collect();
        assert_eq!(shown["measures"].as_array().unwrap().len(), measures.len());
        for (info, shown) in measures.iter().zip(shown["measures"].as_array().unwrap()) {
            assert_eq!(shown["id"], info.id);
            if let Unit::Category(all) = info.unit {
                let counts = categories(matches.iter().copied(), info.id, Some(player));
                let counts_of_all = categories(of_all.iter().copied(), info.id, None);
                for (index, (category, _)) in all.iter().enumerate() {
                    let expected = |counts: &BTreeMap<String, u64>| {
                        json!(counts.get(*category).copied().unwrap_or(0))
                    };
                    assert_eq!(shown["categories"][index]["count"], expected(&counts));
                    assert_eq!(
                        shown["categories_of_all"][index]["count"],
                        expected(&counts_of_all)
                    );
                }
                continue;
            }
            let values = numbers(matches.iter().copied(), info.id, Some(player));
            assert_eq!(shown["count"], values.len());
            check_mean(&shown["mean"], &values);
            check_mean(&shown["mean_of_all"], &numbers(of_all.iter().copied(), info.id, None));
            assert_eq!(shown["min"], json!(values.iter().min()));
            assert_eq!(shown["max"], json!(values.iter().max()));
        }
    }
    let mut days: BTreeMap<i64, (u64, u64)> = BTreeMap::new();
    for it in &mine {
        let day = days.entry(it.day()).or_default();
        day.0 += 1;
        day.1 += u64::from(it.standing(player).unwrap().won);
    }
    let days: Vec<Value> = days
        .into_iter()
        .map(|(day, (count, won))| json!({ "date": date(day), "played": count, "won": won }))
        .collect();
    assert_eq!(document["activity"], json!(days));
    check_history(client, history, player).await;
}

/// The rating history, page by page.
async fn check_history(client: &Client, history: &History, player: Uuid) {
    let ratings = history.ratings();
    for game in games::all().map(|game| Some(game.info().key)).chain([None]) {
        let mut expected: Vec<&Played> = history
            .played
            .iter()
            .filter(|it| ratings.contains_key(&it.id) && it.seat_of(player).is_some())
            .filter(|it| game.is_none_or(|game| it.game == game))
            .collect();
        expected.reverse();
        let mut shown = Vec::new();
        let mut cursor = String::new();
        loop {
            let game = game.map(|game| format!("&game={game}")).unwrap_or_default();
            let path = format!("/v1/players/{player}/rating-history?limit=40{game}{cursor}");
            let page = client.get(&path).await.expect(200);
            shown.extend(page["matches"].as_array().unwrap().clone());
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(shown.len(), expected.len());
        for (shown, it) in shown.iter().zip(expected) {
            let seat = it.seat_of(player).unwrap();
            let ((before, _), (mu, sigma)) = ratings[&it.id][seat];
            assert!(it.public);
            assert_eq!(shown["match"], json!(it.id));
            assert_eq!(
                (&shown["game"], &shown["place"]),
                (&json!(it.game), &json!(it.outcome.seats[seat].place))
            );
            assert!(close(&shown["rating_before"], before) && close(&shown["rating"], mu));
            assert!(close(&shown["uncertainty"], sigma));
        }
    }
}

pub async fn check_pairs(client: &Client, history: &History, players: &[Uuid]) {
    for one in players {
        for two in players.iter().filter(|two| *two != one) {
            let document = client.get(&format!("/v1/players/{one}/versus/{two}")).await.expect(200);
            let met: Vec<(&str, u8, u8, bool, bool)> = history
                .played
                .iter()
                .filter(|it| it.public)
                .filter_map(|it| {
                    let (mine, theirs) = (it.standing(*one)?, it.standing(*two)?);
                    Some((it.game, mine.place, theirs.place, mine.won, theirs.won))
                })
                .collect();
            let mut pages = vec![(None, &document["overall"])];
            let games = document["games"].as_array().unwrap();
            pages.extend(games.iter().map(|page| (page["game"].as_str(), page)));
            let played: BTreeSet<&str> = met.iter().map(|it| it.0).collect();
            assert_eq!(games.len(), played.len());
            for (game, page) in pages {
                let met: Vec<_> =
                    met.iter().filter(|it| game.is_none_or(|game| it.0 == game)).collect();
                assert_eq!(page["played"], met.len());
                assert_eq!(page["ahead"], met.iter().filter(|it| it.1 < it.2).count());
                assert_eq!(page["behind"], met.iter().filter(|it| it.1 > it.2).count());
                assert_eq!(page["level"], met.iter().filter(|it| it.1 == it.2).count());
                assert_eq!(page["won"], met.iter().filter(|it| it.3).count());
                assert_eq!(page["other_won"], met.iter().filter(|it| it.4).count());
            }
        }
    }
}
