//! Private matches: to everybody else they do not exist, and nothing that is shown of their players tells of them.

use std::time::Duration;

use reqwest::{Method, header::HeaderMap};
use serde_json::{Value, json};
use service::statistics::rebuild;
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    server::Server,
};

on_both_stores!(
    a_stranger_cannot_tell_a_private_match_from_none,
    a_private_match_leaves_no_trace_with_its_players,
    a_fork_of_a_private_match_is_private,
    tags_differ_between_those_who_play_and_those_who_watch,
);

/// An id that no match has.
const NOBODYS: &str = "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10";

async fn account(url: &str, name: &str) -> Client {
    let mut client = Client::anonymous(url);
    let body = json!({ "name": name, "password": "violet umbrella and 7 spoons" });
    let session = client.post("/v1/players", &body).await.expect(201);
    client.enter(&session);
    client
}

fn id(document: &Value) -> String {
    document["id"].as_str().unwrap().to_owned()
}

/// A private match of two that has been created, started or finished.
async fn private(ana: &Client, ben: &Client, started: bool, finished: bool) -> String {
    let body = json!({ "game": "qwinto", "seats": 2, "visibility": "private" });
    let created = ana.post("/v1/matches", &body).await.expect(201);
    let id = id(&created);
    if started {
        let seat = json!({ "invite_code": created["invite_code"] });
        ben.post(&format!("/v1/matches/{id}/seats"), &seat).await.expect(201);
    }
    if finished {
        ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    }
    id
}

/// Bodies that reach the match: those that its players could send.
fn bodies(path: &str) -> Vec<Value> {
    let end = path.rsplit('/').next().unwrap();
    match end {
        "seats" => {
            let codes = [json!({}), json!({ "invite_code": "WRONG" }), json!({ "seat": 7 })];
            codes.to_vec()
        }
        "moves" => {
            let mv = json!({ "type": "roll", "dice": ["orange"] });
            vec![json!({ "move": mv }), json!({ "move": mv, "dry_run": true })]
        }
        "forks" => vec![json!({ "at": 5 }), json!({ "at": 5, "visibility": "public" })],
        "invitations" => vec![json!({ "player": NOBODYS })],
        _ => vec![json!({})],
    }
}

/// Status, headers and body of a response, without what says which request it answers and when.
async fn answer(
    client: &Client,
    method: &Method,
    path: &str,
    body: &Value,
) -> (u16, HeaderMap, Value) {
    let request = client.request(method.clone(), path).header("if-match", "\"1\"");
    let request = if method == Method::POST { request.json(body) } else { request };
    let mut reply = client.send(request).await;
    if let Some(problem) = reply.body.as_object_mut() {
        problem.remove("instance");
    }
    for name in ["date", "x-request-id", "ratelimit", "content-length", "connection"] {
        reply.headers.remove(name);
    }
    (reply.status.as_u16(), reply.headers, reply.body)
}

async fn a_stranger_cannot_tell_a_private_match_from_none(server: Server) {
    let (ana, ben) =
        (Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await);
    let eve = Client::guest(&server.url, "Eve").await;
    let anybody = Client::anonymous(&server.url);
    let matches = [
        private(&ana, &ben, false, false).await,
        private(&ana, &ben, true, false).await,
        private(&ana, &ben, true, true).await,
    ];
    let mut asked = 0;
    for (path, item) in api::openapi::DOCUMENT["paths"].as_object().unwrap() {
        if !path.starts_with("/v1/matches/{id}") {
            continue;
        }
        for method in item.as_object().unwrap().keys() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let about = |id: &str| {
                let player = eve.player.as_deref().unwrap();
                path.replace("{id}", id).replace("{player}", player)
            };
            for (stranger, body) in [&eve, &anybody]
                .into_iter()
                .flat_map(|stranger| bodies(path).into_iter().map(move |body| (stranger, body)))
            {
                let unknown = answer(stranger, &method, &about(NOBODYS), &body).await;
                assert!([401, 404].contains(&unknown.0), "{method} {path} {body}: {unknown:?}");
                for id in &matches {
                    let hidden = answer(stranger, &method, &about(id), &body).await;
                    assert_eq!(hidden, unknown, "{method} {path} {body}");
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 100, "{asked}");
    // The same where a match is named otherwise.
    for id in &matches {
        let webhook =
            |id: &str| json!({ "url": "https://8.8.8.8/", "events": ["match.moved"], "match": id });
        let (path, post) = ("/v1/webhooks", Method::POST);
        let unknown = answer(&eve, &post, path, &webhook(NOBODYS)).await;
        assert_eq!(answer(&eve, &post, path, &webhook(id)).await, unknown);
    }
}

/// The text of everything that a stranger is shown about players and on leaderboards.
async fn shown(stranger: &Client, one: &str, other: &str) -> Vec<(String, String)> {
    let mut paths = vec![
        format!("/v1/players/{one}"),
        format!("/v1/players/{one}/matches"),
        format!("/v1/players/{one}/rating-history"),
        format!("/v1/players/{one}/stats"),
        format!("/v1/players/{one}/stats?game=qwinto"),
        format!("/v1/players/{one}/versus/{other}"),
        format!("/v1/players/{one}/charts"),
        "/v1/games/qwinto/leaderboard?board=rating".to_owned(),
        "/v1/games/qwinto/leaderboard?board=wins".to_owned(),
        "/v1/games/qwinto/leaderboard?board=best_score".to_owned(),
        "/v1/matches".to_owned(),
        "/v1/exports/matches".to_owned(),
    ];
    let documented = api::openapi::DOCUMENT["paths"].as_object().unwrap().keys();
    let of_players = documented.filter(|path| path.starts_with("/v1/players/{id}")).count();
    assert_eq!(of_players, 7, "a new path has to be added here");
    for chart in ["results", "activity", "rating"] {
        paths.push(format!("/v1/players/{one}/charts/{chart}.svg"));
    }
    let mut shown = Vec::new();
    for path in paths {
        let response = stranger.request(Method::GET, &path).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        shown.push((path, response.text().await.unwrap()));
    }
    shown
}

async fn a_private_match_leaves_no_trace_with_its_players(server: Server) {
    let (ana, ben) = (account(&server.url, "Ana").await, account(&server.url, "Ben").await);
    let eve = Client::guest(&server.url, "Eve").await;
    let (one, other) = (ana.player.clone().unwrap(), ben.player.clone().unwrap());
    let before = shown(&eve, &one, &other).await;
    let id = private(&ana, &ben, true, true).await;
    let path = format!("/v1/matches/{id}/result");
    let result = eventually("the match is counted", PATIENCE, async || {
        let result = ana.get(&path).await.expect(200);
        (result["counted"] == true).then_some(result)
    })
    .await;
    assert_eq!(result["unrated_because"], "private");
    // It counts in the totals of the game, which name nobody.
    eventually("the totals include the match", PATIENCE, async || {
        let stats = eve.get("/v1/games/qwinto/stats").await.expect(200);
        (stats["matches"] == 1).then_some(())
    })
    .await;
    assert_eq!(shown(&eve, &one, &other).await, before);
    // The players themselves find it in their lists.
    let mine = ana.get(&format!("/v1/players/{one}/matches")).await.expect(200);
    assert_eq!(mine["matches"][0]["id"], json!(id));

    let store = tests::open_log(&server.config).await;
    rebuild(&store, Duration::ZERO).await.unwrap();
    assert_eq!(shown(&eve, &one, &other).await, before);
    let stats = eve.get("/v1/games/qwinto/stats").await.expect(200);
    assert_eq!(stats["matches"], 1);
    // A public match of the same players is shown.
    let public = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{public}/seats"), &json!({})).await.expect(201);
    ben.post(&format!("/v1/matches/{public}/resign"), &json!({})).await.expect(200);
    eventually("the public match is counted", PATIENCE, async || {
        let stats = eve.get(&format!("/v1/players/{one}/stats")).await.expect(200);
        (stats["overall"]["played"] == 1).then_some(())
    })
    .await;
    let after = shown(&eve, &one, &other).await;
    assert!(after.iter().all(|(_, text)| !text.contains(&id)));
}

async fn a_fork_of_a_private_match_is_private(server: Server) {
    let (ana, ben) =
        (Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await);
    let eve = Client::guest(&server.url, "Eve").await;
    let hidden = private(&ana, &ben, true, true).await;
    let path = format!("/v1/matches/{hidden}/forks");
    let fork = ben.post(&path, &json!({ "at": 5 })).await.expect(201);
    assert_eq!(fork["visibility"], "private");
    eve.get(&format!("/v1/matches/{}", id(&fork))).await.problem(404, "not_found");
    let refused = ben.post(&path, &json!({ "at": 5, "visibility": "public" })).await;
    assert_eq!(refused.problem(400, "invalid_field")["field"], "visibility");

    let public = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{public}/seats"), &json!({})).await.expect(201);
    ben.post(&format!("/v1/matches/{public}/resign"), &json!({})).await.expect(200);
    let path = format!("/v1/matches/{public}/forks");
    let fork = eve.post(&path, &json!({ "at": 5 })).await.expect(201);
    assert_eq!(fork["visibility"], "public");
    let fork = eve.post(&path, &json!({ "at": 5, "visibility": "private" })).await.expect(201);
    assert_eq!(fork["visibility"], "private");
}

async fn tags_differ_between_those_who_play_and_those_who_watch(server: Server) {
    let (ana, ben) =
        (Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await);
    let eve = Client::guest(&server.url, "Eve").await;
    let id = id(&ana.create_match("qwinto", 2).await);
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let path = format!("/v1/matches/{id}");
    let mut tags = Vec::new();
    for client in [&ana, &ben, &eve] {
        let reply = client.get(&path).await;
        let tag = reply.header("etag").unwrap().to_owned();
        let again = client.request(Method::GET, &path).header("if-none-match", &tag);
        assert_eq!(client.send(again).await.status, 304);
        tags.push(tag);
    }
    let anonymous = Client::anonymous(&server.url).get(&path).await;
    assert_eq!(anonymous.header("etag"), Some(tags[2].as_str()), "all who watch see the same");
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 3);
    // The tag of one is news to another.
    let reply = ana.request(Method::GET, &path).header("if-none-match", tags[0].clone());
    let same = ana.send(reply).await.status == 304;
    let other = ben.request(Method::GET, &path).header("if-none-match", tags[0].clone());
    assert!(!(same && ben.send(other).await.status == 304));
}
