//! The behaviour of statistics: invalid input, media types, tags, languages, visibility.

use serde_json::{Value, json};
use tests::{client::Client, history, server::Server};

use super::{another_log, enter};

on_both_stores!(
    a_wrong_parameter_is_named,
    an_empty_server_has_empty_statistics,
    a_match_over_http_is_counted_and_says_whether_it_is_rated,
    what_was_rated_stays_rated_when_a_player_is_erased,
    tables_say_the_same_as_documents,
    who_has_the_numbers_already_is_told_so,
    a_new_name_is_shown_at_once_wherever_the_old_one_was,
);

async fn text(client: &Client, path: &str) -> String {
    let request = client.request(reqwest::Method::GET, path).header("accept", "text/csv");
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/csv; charset=utf-8");
    response.text().await.unwrap()
}

fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().map(|line| line.split(',').collect()).collect()
}

async fn a_wrong_parameter_is_named(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let me = ana.player.clone().unwrap();
    for (path, field) in [
        ("/v1/games/qwinto/stats?measure=beauty".to_owned(), "measure"),
        ("/v1/games/qwinto/stats?bucket=year".to_owned(), "bucket"),
        ("/v1/games/qwinto/stats?since=2026-02-01&until=2026-01-01".to_owned(), "until"),
        ("/v1/games/qwinto/stats?since=2026-02-01&until=2026-02-01".to_owned(), "until"),
        ("/v1/games/qwinto/stats?since=yesterday".to_owned(), "since"),
        ("/v1/games/qwinto/stats?until=2026-02-30".to_owned(), "until"),
        ("/v1/games/qwinto/stats?seats=1".to_owned(), "seats"),
        ("/v1/games/qwinto/stats?seats=-1".to_owned(), "seats"),
        ("/v1/games/qwinto/stats?rules_version=99".to_owned(), "rules_version"),
        ("/v1/games/qwinto/stats?colour=red".to_owned(), "colour"),
        ("/v1/games/qwinto/leaderboard?board=elapsed_ms".to_owned(), "board"),
        ("/v1/games/tapestry/leaderboard?board=rating".to_owned(), "board"),
        ("/v1/games/qwinto/leaderboard?period=2026-13".to_owned(), "period"),
        ("/v1/games/qwinto/leaderboard?around=you".to_owned(), "around"),
        ("/v1/games/qwinto/leaderboard?cursor=x".to_owned(), "cursor"),
        ("/v1/games/qwinto/leaderboard?limit=0".to_owned(), "limit"),
        (format!("/v1/players/{me}/stats?game=chess"), "game"),
        (format!("/v1/players/{me}/stats?measure=rolls"), "measure"),
        (format!("/v1/players/{me}/stats?game=trama&measure=rolls"), "measure"),
        (format!("/v1/players/{me}/stats?since=2020-01-01&until=2026-01-01"), "since"),
        (format!("/v1/players/{me}/rating-history?game=chess"), "game"),
        (format!("/v1/players/{me}/versus/{me}"), "other"),
        (format!("/v1/players/{me}/matches?game=chess"), "game"),
    ] {
        let reply = ana.get(&path).await;
        assert_eq!(reply.status, 400, "{path}: {}", reply.body);
        assert_eq!(reply.body["field"], field, "{path}: {}", reply.body);
    }
    let anybody = Client::anonymous(&server.url);
    let board = anybody.get("/v1/games/qwinto/leaderboard?around=me").await;
    board.problem(401, "token_missing");
    let nobody = "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10";
    for page in ["stats", "matches", "rating-history", &format!("versus/{me}")] {
        anybody.get(&format!("/v1/players/{nobody}/{page}")).await.problem(404, "not_found");
    }
    for page in ["stats", "leaderboard"] {
        anybody.get(&format!("/v1/games/chess/{page}")).await.problem(404, "not_found");
    }
}

async fn an_empty_server_has_empty_statistics(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let stats = ana.get("/v1/games/qwinto/stats?bucket=month").await.expect(200);
    assert_eq!((&stats["matches"], &stats["players"]), (&json!(0), &json!(0)));
    assert_eq!((&stats["series"], &stats["win_rates"]), (&json!([]), &json!([])));
    assert_eq!(stats["measures"][0]["distribution"]["mean"], Value::Null);
    let board = ana.get("/v1/games/tapestry/leaderboard").await.expect(200);
    assert_eq!((&board["board"], &board["entries"]), (&json!("elapsed_ms"), &json!([])));
    let me = ana.player.as_deref().unwrap();
    let stats = ana.get(&format!("/v1/players/{me}/stats")).await.expect(200);
    assert_eq!((&stats["overall"]["played"], &stats["games"]), (&json!(0), &json!([])));
}

async fn a_match_over_http_is_counted_and_says_whether_it_is_rated(server: Server) {
    let store = another_log(&server.config).await;
    let (clients, _) = enter(&server, store.database(), 2, 1).await;
    let mut ids = Vec::new();
    for other in [1, 2] {
        let id = clients[0].create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
        clients[other].post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
        let result = clients[0].get(&format!("/v1/matches/{id}/result")).await;
        result.problem(409, "match_not_over");
        clients[other].post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
        ids.push(id);
    }
    history::settle(&store).await;
    let rated = clients[0].get(&format!("/v1/matches/{}/result", ids[0])).await.expect(200);
    assert_eq!((&rated["rated"], &rated["unrated_because"]), (&json!(true), &Value::Null));
    let [winner, loser] = [0, 1].map(|seat| rated["ratings"][seat]["rating"].as_f64().unwrap());
    assert!(winner > 25.0 && loser < 25.0);
    let unrated = clients[0].get(&format!("/v1/matches/{}/result", ids[1])).await.expect(200);
    assert_eq!((&unrated["rated"], &unrated["unrated_because"]), (&json!(false), &json!("guest")));
    assert_eq!(unrated["ratings"], json!([]));
    let board = clients[0].get("/v1/games/qwinto/leaderboard?period=season").await.expect(200);
    assert_eq!(board["entries"].as_array().unwrap().len(), 2);
    assert_eq!(board["entries"][0]["player"]["name"], "Player 0");
    let me = clients[0].player.as_deref().unwrap();
    let mine =
        clients[2].get(&format!("/v1/players/{me}/matches?status=finished")).await.expect(200);
    assert_eq!(mine["matches"].as_array().unwrap().len(), 2);
    let other = clients[1].player.as_deref().unwrap();
    let both =
        clients[2].get(&format!("/v1/players/{me}/matches?player={other}")).await.expect(200);
    assert_eq!(both["matches"][0]["id"], json!(ids[0]));
    assert_eq!(both["matches"].as_array().unwrap().len(), 1);
}

async fn what_was_rated_stays_rated_when_a_player_is_erased(server: Server) {
    let store = another_log(&server.config).await;
    let (clients, cast) = enter(&server, store.database(), 2, 0).await;
    let id = clients[0].create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    clients[1].post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    clients[1].post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    history::settle(&store).await;
    let result = format!("/v1/matches/{id}/result");
    let before = clients[0].get(&result).await.expect(200);
    assert_eq!(before["rated"], true);
    let erase = clients[1].request(reqwest::Method::DELETE, "/v1/me").json(&json!({}));
    clients[1].send(erase).await.expect(204);
    assert_eq!(clients[0].get(&result).await.expect(200), before);
    service::statistics::rebuild(&store, std::time::Duration::ZERO).await.unwrap();
    assert_eq!(clients[0].get(&result).await.expect(200), before);
    let fresh = clients[0].at(&server.url);
    let board = fresh.get("/v1/games/qwinto/leaderboard").await.expect(200);
    assert_eq!(board["entries"].as_array().unwrap().len(), 2);
    assert_eq!(
        board["entries"][1]["player"],
        json!({ "id": cast.accounts[1], "kind": null, "name": null })
    );
    let page = fresh.get(&format!("/v1/players/{}/stats", cast.accounts[1])).await;
    page.problem(404, "not_found");
}

async fn tables_say_the_same_as_documents(server: Server) {
    let store = another_log(&server.config).await;
    let (clients, cast) = enter(&server, store.database(), 6, 2).await;
    history::write(&store, &cast, 0..50).await;
    history::settle(&store).await;
    let client = &clients[0];
    let stats = client.get("/v1/games/trama/stats?measure=score").await.expect(200);
    let table = text(client, "/v1/games/trama/stats?measure=score").await;
    let table = rows(&table);
    assert_eq!(table[0], ["kind", "id", "label", "category", "from", "to", "count"]);
    let bars = stats["measures"][0]["distribution"]["histogram"].as_array().unwrap();
    let scores: Vec<_> = table.iter().filter(|row| row[1] == "score").collect();
    assert_eq!(scores.len(), bars.len());
    for (row, bar) in scores.iter().zip(bars) {
        assert_eq!((row[4], row[6]), (&*bar["from"].to_string(), &*bar["count"].to_string()));
    }
    let stats = client.get("/v1/games/trama/stats?bucket=month").await.expect(200);
    let table = text(client, "/v1/games/trama/stats?bucket=month").await;
    assert_eq!(rows(&table).len(), 1 + 2 * stats["series"].as_array().unwrap().len());
    let board = client.get("/v1/games/trama/leaderboard?board=wins").await.expect(200);
    let table = text(client, "/v1/games/trama/leaderboard?board=wins").await;
    let entries = board["entries"].as_array().unwrap();
    assert!(!entries.is_empty());
    assert_eq!(rows(&table).len(), 1 + entries.len());
    for (row, entry) in rows(&table)[1..].iter().zip(entries) {
        assert_eq!(
            (row[0], row[1]),
            (&*entry["rank"].to_string(), entry["player"]["id"].as_str().unwrap())
        );
    }
    let me = client.player.as_deref().unwrap();
    let history = client.get(&format!("/v1/players/{me}/rating-history")).await.expect(200);
    let table = text(client, &format!("/v1/players/{me}/rating-history")).await;
    assert_eq!(rows(&table).len(), 1 + history["matches"].as_array().unwrap().len());
    let table = text(client, &format!("/v1/players/{me}/stats?since=2026-01-01")).await;
    assert!(rows(&table).len() > 2);
}

async fn who_has_the_numbers_already_is_told_so(server: Server) {
    let store = another_log(&server.config).await;
    let (clients, cast) = enter(&server, store.database(), 6, 2).await;
    history::write(&store, &cast, 0..25).await;
    history::settle(&store).await;
    let me = clients[0].player.as_deref().unwrap();
    let other = clients[1].player.as_deref().unwrap();
    for path in [
        "/v1/games/qwinto/stats".to_owned(),
        "/v1/games/qwinto/leaderboard".to_owned(),
        format!("/v1/players/{me}/stats"),
        format!("/v1/players/{me}/versus/{other}"),
        format!("/v1/players/{me}/rating-history"),
    ] {
        let first = clients[0].get(&path).await;
        let tag = first.header("etag").unwrap().to_owned();
        assert!(first.header("cache-control").unwrap().ends_with("max-age=5"), "{path}");
        let again = |language: &str, tag: &str| {
            let request = clients[0].request(reqwest::Method::GET, &path);
            request.header("if-none-match", tag).header("accept-language", language)
        };
        assert_eq!(clients[0].send(again("en", &tag)).await.status, 304, "{path}");
        assert_eq!(clients[0].send(again("es", &tag)).await.status, 200, "{path}");
    }
    let before = clients[0].get("/v1/games/qwinto/stats").await;
    history::write(&store, &cast, 100..110).await;
    history::settle(&store).await;
    let after = clients[0].get("/v1/games/qwinto/stats").await;
    assert_ne!(before.header("etag"), after.header("etag"));
    let spanish = clients[0].request(reqwest::Method::GET, "/v1/games/qwinto/stats");
    let spanish = clients[0].send(spanish.header("accept-language", "es")).await.expect(200);
    assert_eq!(spanish["measures"][0]["label"], "Puntuación");
}

async fn a_new_name_is_shown_at_once_wherever_the_old_one_was(server: Server) {
    let store = another_log(&server.config).await;
    let (clients, cast) = enter(&server, store.database(), 6, 0).await;
    history::write(&store, &cast, 0..25).await;
    history::settle(&store).await;
    let anybody = Client::anonymous(&server.url);
    let board = anybody.get("/v1/games/qwinto/leaderboard?board=wins").await.expect(200);
    let (me, name) =
        (&board["entries"][0]["player"]["id"], board["entries"][0]["player"]["name"].to_string());
    let (mine, others): (Vec<Client>, Vec<Client>) =
        clients.into_iter().partition(|client| client.player.as_deref() == me.as_str());
    let me = me.as_str().unwrap();
    let paths = [
        "/v1/games/qwinto/leaderboard?board=wins".to_owned(),
        format!("/v1/players/{me}/stats"),
        format!("/v1/players/{me}/versus/{}", others[0].player.as_deref().unwrap()),
    ];
    for path in &paths {
        let first = anybody.get(path).await.expect(200);
        assert!(first.to_string().contains(&name), "{path}");
        assert_eq!(anybody.get(path).await.expect(200), first, "{path}");
    }
    let rename =
        mine[0].request(reqwest::Method::PATCH, "/v1/me").json(&json!({ "name": "Zenobia" }));
    mine[0].send(rename).await.expect(200);
    for path in &paths {
        let answer = anybody.get(path).await.expect(200).to_string();
        assert!(answer.contains("Zenobia") && !answer.contains(&name), "{path}: {answer}");
    }
}
