//! Statistics as pictures.

use reqwest::Method;
use serde_json::Value;
use tests::{client::Client, history, server::Server};

use super::{another_log, enter};

on_both_stores!(
    every_chart_of_a_game_is_a_picture_in_both_languages_and_themes,
    a_chart_is_about_the_matches_of_the_document,
    every_chart_of_a_player_is_a_picture,
    a_wrong_chart_is_refused_by_name,
    a_chart_is_sent_again_when_more_was_played,
);

/// A picture: its source, title and description.
struct Picture {
    svg: String,
    title: String,
    description: String,
}

/// A picture as a browser asks for it.
async fn picture(client: &Client, path: &str, lang: &str) -> Picture {
    let accept = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";
    let request = client.request(Method::GET, path).header("Accept", accept);
    let response = request.header("Accept-Language", lang).send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "image/svg+xml", "{path}");
    assert_eq!(header("content-language"), lang, "{path}");
    assert_eq!(header("content-security-policy"), "default-src 'none'; style-src 'unsafe-inline'");
    let vary = header("vary");
    assert!(vary.contains("Accept-Language") && !vary.contains("Authorization"), "{path}: {vary}");
    let svg = response.text().await.unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let text = |name: &str| {
        let found = document.root_element().children().find(|node| node.tag_name().name() == name);
        found.unwrap().text().unwrap_or_default().to_owned()
    };
    let (title, description) = (text("title"), text("desc"));
    Picture { svg, title, description }
}

async fn links(client: &Client, path: &str) -> Vec<(String, String)> {
    let list = client.get(path).await.expect(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let charts = list["charts"].as_array().unwrap();
    charts.iter().map(|chart| (text(&chart["id"]), text(&chart["href"]))).collect()
}

async fn every_chart_of_a_game_is_a_picture_in_both_languages_and_themes(server: Server) {
    let store = another_log(&server.config).await;
    let (_, cast) = enter(&server, store.database(), 6, 2).await;
    history::write(&store, &cast, 0..50).await;
    history::settle(&store).await;
    let anybody = Client::anonymous(&server.url);
    let games = anybody.get("/v1/games").await.expect(200);
    for game in games["games"].as_array().unwrap() {
        let (key, name) = (game["key"].as_str().unwrap(), game["name"].as_str().unwrap());
        let stats = anybody.get(&format!("/v1/games/{key}/stats")).await.expect(200);
        let charts = links(&anybody, &format!("/v1/games/{key}/charts")).await;
        // Everything in the document is drawn.
        let is_there =
            |id: String| assert!(charts.iter().any(|chart| chart.0 == id), "{key}: {id}");
        for measure in stats["measures"].as_array().unwrap() {
            is_there(format!("measure.{}", measure["id"].as_str().unwrap()));
            if measure["unit"] != "category" {
                is_there(format!("series.measure.{}", measure["id"].as_str().unwrap()));
            }
        }
        for line in stats["score_lines"].as_array().unwrap() {
            is_there(format!("score_line.{}", line["id"].as_str().unwrap()));
        }
        for id in ["win_rates", "rules_versions", "series.matches", "series.players"] {
            is_there(id.to_owned());
        }
        for (id, href) in charts {
            let english = picture(&anybody, &format!("{href}?theme=light"), "en").await;
            let spanish = picture(&anybody, &format!("{href}?theme=dark"), "es").await;
            assert!(english.title.starts_with(name) && english.title.ends_with("(all matches)"));
            assert!(spanish.title.ends_with("(todas las partidas)"), "{id}: {}", spanish.title);
            assert_ne!(english.title.split(" (").next(), spanish.title.split(" (").next(), "{id}");
            assert!(english.svg.contains("#ffffff") && spanish.svg.contains("#22201e"), "{id}");
            assert!(!english.svg.contains("No matches yet"), "{key}: {id}");
        }
        let auto = picture(&anybody, &format!("/v1/games/{key}/charts/win_rates.svg"), "es").await;
        assert!(auto.svg.contains("prefers-color-scheme:dark"));
    }
}

async fn a_chart_is_about_the_matches_of_the_document(server: Server) {
    let store = another_log(&server.config).await;
    let (_, cast) = enter(&server, store.database(), 6, 2).await;
    history::write(&store, &cast, 0..100).await;
    history::settle(&store).await;
    let anybody = Client::anonymous(&server.url);
    for (query, told) in [
        ("seats=2", "(2 seats)"),
        ("since=2026-01-15&until=2026-03-01", "(15 Jan 2026 – 28 Feb 2026)"),
        ("since=2026-02-01&rules_version=1", "(since 1 Feb 2026, rules version 1)"),
    ] {
        let stats = anybody.get(&format!("/v1/games/qwinto/stats?{query}")).await.expect(200);
        let scores = &stats["measures"][0]["distribution"];
        let chart = format!("/v1/games/qwinto/charts/measure.score.svg?{query}");
        let chart = picture(&anybody, &chart, "en").await;
        assert!(chart.title.ends_with(told), "{}", chart.title);
        let (count, median) = (&scores["count"], &scores["quantiles"]["q50"]);
        assert!(count.as_u64().unwrap() > 1, "{query}");
        assert!(
            chart.description.starts_with(&format!("{count} results")),
            "{}",
            chart.description
        );
        let median = format!("median {median}.").replace('-', "−");
        assert!(chart.description.contains(&median), "{}", chart.description);
        assert!(chart.description.contains(&format!("Total: {count}.")), "{}", chart.description);
    }
    let stats = anybody.get("/v1/games/qwinto/stats?bucket=month").await.expect(200);
    let series = stats["series"].as_array().unwrap();
    let chart = picture(&anybody, "/v1/games/qwinto/charts/series.matches.svg", "es").await;
    let (first, last) = (&series[0]["matches"], &series[series.len() - 1]["matches"]);
    let told = format!("Jugadas: {first} el 1 ene 2026, {last} el 1 ");
    assert!(chart.description.starts_with(&told), "{} {told}", chart.description);
    let daily = "/v1/games/qwinto/charts/series.matches.svg?bucket=day";
    assert_ne!(picture(&anybody, daily, "es").await.svg, chart.svg);
}

async fn every_chart_of_a_player_is_a_picture(server: Server) {
    let store = another_log(&server.config).await;
    let (clients, cast) = enter(&server, store.database(), 6, 0).await;
    history::write(&store, &cast, 0..60).await;
    history::settle(&store).await;
    let anybody = Client::anonymous(&server.url);
    let me = clients[0].player.as_deref().unwrap();
    let charts = links(&anybody, &format!("/v1/players/{me}/charts")).await;
    for id in ["results", "activity", "rating", "measure.score", "measure.objective"] {
        assert!(charts.iter().any(|chart| chart.0 == id), "{id}: {charts:?}");
    }
    for (id, href) in &charts {
        let theme = if href.contains('?') { "&theme=dark" } else { "?theme=dark" };
        let since = if id == "activity" { "&since=2026-01-01" } else { "" };
        let english = picture(&anybody, &format!("{href}{theme}{since}"), "en").await;
        let spanish = picture(&anybody, href, "es").await;
        assert!(english.title.starts_with("Player 0 · "), "{}", english.title);
        assert_ne!(english.title, spanish.title);
        // There may be no rated or finished match.
        let may_be_empty = id == "rating" || id.starts_with("measure.");
        assert!(may_be_empty || !english.svg.contains("No matches yet"), "{href}");
    }
    let stats = anybody.get(&format!("/v1/players/{me}/stats")).await.expect(200);
    let results = picture(&anybody, &format!("/v1/players/{me}/charts/results.svg"), "en").await;
    let played = format!("{} matches.", stats["overall"]["played"]);
    assert!(results.description.starts_with(&played), "{} {played}", results.description);
}

async fn a_wrong_chart_is_refused_by_name(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let me = ana.player.clone().unwrap();
    let qwinto = "/v1/games/qwinto/charts";
    for (path, field) in [
        (format!("{qwinto}/beauty.svg"), "chart"),
        (format!("{qwinto}/measure.rank.svg"), "chart"),
        (format!("{qwinto}/win_rates.svg?theme=pink"), "theme"),
        (format!("{qwinto}/series.matches.svg?bucket=year"), "bucket"),
        (format!("{qwinto}/win_rates.svg?bucket=day"), "bucket"),
        (format!("{qwinto}/win_rates.svg?since=2026-02-01&until=2026-01-01"), "until"),
        (format!("{qwinto}/win_rates.svg?since=soon"), "since"),
        (format!("{qwinto}/win_rates.svg?seats=1"), "seats"),
        (format!("{qwinto}/win_rates.svg?rules_version=99"), "rules_version"),
        (format!("{qwinto}/win_rates.svg?colour=red"), "colour"),
        (format!("/v1/players/{me}/charts/beauty.svg"), "chart"),
        (format!("/v1/players/{me}/charts/measure.score.svg"), "game"),
        (format!("/v1/players/{me}/charts/rating.svg?game=chess"), "game"),
        (format!("/v1/players/{me}/charts/results.svg?since=2026-01-01"), "since"),
        (
            format!("/v1/players/{me}/charts/activity.svg?since=2020-01-01&until=2026-01-01"),
            "since",
        ),
        (format!("/v1/players/{me}/charts/rating.svg?since=2026-02-01&until=2026-01-01"), "until"),
        (format!("/v1/players/{me}/charts/rating.svg?theme=pink"), "theme"),
    ] {
        let reply = ana.get(&path).await;
        assert_eq!(reply.status, 400, "{path}: {}", reply.body);
        assert_eq!(reply.body["field"], field, "{path}: {}", reply.body);
    }
    let nobody = "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10";
    for page in ["charts", "charts/rating.svg"] {
        ana.get(&format!("/v1/players/{nobody}/{page}")).await.problem(404, "not_found");
    }
    for page in ["charts", "charts/win_rates.svg"] {
        ana.get(&format!("/v1/games/chess/{page}")).await.problem(404, "not_found");
    }
    // Without matches, the chart says so; this is not an error.
    for (id, href) in links(&ana, qwinto).await {
        let empty = picture(&ana, &href, "es").await;
        assert!(empty.svg.contains("Todavía no hay partidas"), "{id}");
    }
    for (id, href) in links(&ana, &format!("/v1/players/{me}/charts")).await {
        assert!(picture(&ana, &href, "en").await.svg.contains("No matches yet"), "{id}");
    }
}

async fn a_chart_is_sent_again_when_more_was_played(server: Server) {
    let store = another_log(&server.config).await;
    let (clients, cast) = enter(&server, store.database(), 6, 2).await;
    history::write(&store, &cast, 0..10).await;
    history::settle(&store).await;
    let me = clients[0].player.as_deref().unwrap();
    let paths = [
        "/v1/games/qwinto/charts/measure.score.svg".to_owned(),
        format!("/v1/players/{me}/charts/rating.svg"),
    ];
    let mut tags = Vec::new();
    for path in &paths {
        let first = clients[0].request(Method::GET, path).send().await.unwrap();
        assert_eq!(first.headers()["cache-control"], "public, max-age=5");
        let tag = first.headers()["etag"].to_str().unwrap().to_owned();
        for (query, lang, status) in [("", "en", 304), ("", "es", 200), ("?theme=dark", "en", 200)]
        {
            let again = clients[0].request(Method::GET, &format!("{path}{query}"));
            let again = again.header("if-none-match", &tag).header("accept-language", lang);
            assert_eq!(again.send().await.unwrap().status(), status, "{path}{query} {lang}");
        }
        tags.push(tag);
    }
    history::write(&store, &cast, 100..110).await;
    history::settle(&store).await;
    for (path, tag) in paths.iter().zip(tags) {
        let again = clients[0].request(Method::GET, path).header("if-none-match", tag);
        assert_eq!(again.send().await.unwrap().status(), 200, "{path}");
    }
}
