//! Boards as pictures.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::{client::Client, server::Server};

on_both_stores!(
    every_game_has_a_picture_before_and_after_its_start,
    a_picture_is_kept_for_ever_once_the_match_is_over,
    a_picture_shows_nobody_what_is_not_theirs,
);

/// A picture, its tag and its cache lifetime.
async fn picture(client: &Client, path: &str, lang: &str) -> (String, String, String) {
    let request = client.request(Method::GET, path).header("Accept-Language", lang);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "image/svg+xml");
    assert_eq!(header("content-security-policy"), "default-src 'none'; style-src 'unsafe-inline'");
    assert_eq!(header("content-language"), lang);
    assert!(header("vary").contains("Authorization") && header("vary").contains("Accept-Language"));
    let (tag, caching) = (header("etag"), header("cache-control"));
    (response.text().await.unwrap(), tag, caching)
}

async fn every_game_has_a_picture_before_and_after_its_start(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let games = ana.get("/v1/games").await.expect(200);
    for game in games["games"].as_array().unwrap() {
        let seats = usize::try_from(game["min_seats"].as_u64().unwrap()).unwrap();
        let created = ana.create_match(game["key"].as_str().unwrap(), seats).await;
        let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
        let board = format!("{path}/board.svg");
        if seats > 1 {
            let (waiting, ..) = picture(&ben, &board, "en").await;
            assert!(waiting.contains("Waiting for players.") && waiting.contains("free"));
            ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
        }
        let (started, ..) = picture(&ana, &board, "es").await;
        assert!(started.starts_with("<svg") && started.ends_with("</svg>\n"));
        let name = game["name"].as_str().unwrap().split(':').next().unwrap();
        assert!(started.contains(&format!("<title id=\"t\">{name}")), "{name}");
        assert!(!started.contains("Esperando jugadores."));
        // Earlier versions can still be shown: the creator alone at the table.
        let (then, ..) = picture(&ana, &format!("{board}?at=2"), "es").await;
        assert!(seats == 1 || then.contains("Esperando jugadores."), "{then}");
    }
}

async fn a_picture_is_kept_for_ever_once_the_match_is_over(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}/board.svg");
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let (auto, tag, caching) = picture(&ana, &path, "en").await;
    assert_eq!(caching, "private, no-cache");
    assert!(auto.contains("prefers-color-scheme:dark"));
    let known = |tag: &str| ana.request(Method::GET, &path).header("If-None-Match", tag.to_owned());
    ana.send(known(&tag)).await.expect(304);
    // Another theme, language or viewer is another picture.
    let (dark, dark_tag, _) = picture(&ana, &format!("{path}?theme=dark"), "en").await;
    let (_, spanish, _) = picture(&ana, &path, "es").await;
    let (_, bens, _) = picture(&ben, &path, "en").await;
    assert!(!dark.contains("prefers-color-scheme"));
    assert!(![dark_tag, spanish, bens].contains(&tag));
    ben.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    ana.send(known(&tag)).await.expect(200);
    let (_, tag, caching) = picture(&ana, &format!("{path}?as=archive"), "en").await;
    assert!(caching.contains("immutable"));
    ana.send(ana.request(Method::GET, &format!("{path}?as=archive")).header("If-None-Match", tag))
        .await
        .expect(304);
}

async fn a_picture_shows_nobody_what_is_not_theirs(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let body = json!({ "game": "ettana", "seats": 2, "visibility": "private" });
    let created = ana.post("/v1/matches", &body).await.expect(201);
    let (id, code) = (created["id"].as_str().unwrap(), &created["invite_code"]);
    let path = format!("/v1/matches/{id}/board.svg");
    ben.get(&path).await.problem(404, "not_found");
    let seats = format!("/v1/matches/{id}/seats");
    ben.post(&seats, &json!({ "invite_code": code })).await.expect(201);
    Client::anonymous(&server.url).get(&path).await.problem(404, "not_found");
    ben.get(&format!("{path}?as=0")).await.problem(403, "still_secret");
    ben.get(&format!("{path}?as=archive")).await.problem(403, "still_secret");
    picture(&ben, &format!("{path}?as=1"), "en").await;
    let theme = ben.get(&format!("{path}?theme=blue")).await.problem(400, "malformed");
    assert_eq!(theme["field"], "theme");
    let at = ben.get(&format!("{path}?at=99999&theme=dark")).await;
    assert_eq!(at.expect(400)["field"], "at");
    ben.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    picture(&ben, &format!("{path}?as=0"), "en").await;
}
