//! Records of a match: frames, proofs, exports, and importing them into another server.

use std::io::Read;
use std::path::PathBuf;

use api::{
    commands::import::{ImportReport, import},
    config::ImportArgs,
};
use domain::{
    matches::{Command, Match},
    proof::Proof,
};
use reqwest::Method;
use serde_json::{Value, json};
use service::export::Export;
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    random_play::{Plan, Report, play},
    server::{Server, Store},
};

on_both_stores!(
    frames_show_a_match_step_by_step,
    what_is_over_is_kept_for_ever,
    a_proof_binds_the_server_before_the_end_and_verifies_after_it,
    exports_hold_matches_that_are_over_and_go_on_where_one_broke_off,
    an_export_is_compressed_for_those_who_ask,
    an_exported_match_is_the_same_on_another_server,
    what_is_flawed_or_another_match_is_not_imported,
    strangers_get_nothing_of_private_matches,
);

async fn played(url: &str, game: &str, seats: usize, seed: u64) -> Report {
    let plan =
        Plan { game: game.to_owned(), seats, options: json!({}), seed, look_every: 10, replays: 1 };
    play(url, &plan).await
}

/// The proof of a match that is over, once the server has signed it.
pub async fn signed(client: &Client, id: &str) -> String {
    let path = format!("/v1/matches/{id}/proof");
    eventually("the match is signed", PATIENCE, async || {
        let proof = text(client, &path, "application/json").await;
        let document: Value = serde_json::from_str(&proof).unwrap();
        document["signatures"]["end"].is_object().then_some(proof)
    })
    .await
}

fn importing(files: &[&PathBuf]) -> ImportArgs {
    ImportArgs { files: files.iter().copied().cloned().collect(), keys: None }
}

/// A match of two that ends with a resignation.
pub async fn resigned(url: &str) -> (String, Client, Client) {
    let ana = Client::guest(url, "Ana").await;
    let ben = Client::guest(url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({ "entropy": "dados" })).await.expect(201);
    ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    (id, ana, ben)
}

/// The raw body in one media type.
pub async fn text(client: &Client, path: &str, accept: &str) -> String {
    let request = client.request(Method::GET, path).header("accept", accept);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with(accept));
    response.text().await.unwrap()
}

fn parsed(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(exports: &[Value]) -> Vec<&str> {
    exports.iter().map(|export| export["proof"]["match"]["id"].as_str().unwrap()).collect()
}

async fn frames_show_a_match_step_by_step(server: Server) {
    let report = played(&server.url, "qwinto", 2, 1).await;
    let anybody = Client::anonymous(&server.url);
    let path = format!("/v1/matches/{}/frames", report.id);
    let last = report.finished["version"].as_u64().unwrap();
    let mut frames = Vec::new();
    let mut after = 0;
    loop {
        let page = anybody.get(&format!("{path}?after={after}&limit=40")).await.expect(200);
        assert_eq!(page["version"], last);
        frames.extend(page["frames"].as_array().unwrap().clone());
        match page["next"].as_u64() {
            Some(next) => after = next,
            None => break,
        }
    }
    let versions: Vec<u64> =
        frames.iter().map(|frame| frame["version"].as_u64().unwrap()).collect();
    assert_eq!(versions, (1..=last).collect::<Vec<u64>>());
    assert_eq!(frames[0]["view"], Value::Null);
    assert_eq!(
        frames[0]["text"],
        json!({ "en": "The match was created.", "es": "Se creó la partida." })
    );
    assert_eq!(frames[2]["by"], 1);
    for version in [4, last / 2, last] {
        let replay = anybody
            .get(&format!("/v1/matches/{}/replay?at={version}", report.id))
            .await
            .expect(200);
        let frame = &frames[usize::try_from(version).unwrap() - 1];
        assert_eq!((&frame["view"], &frame["at"]), (&replay["view"], &replay["at"]));
    }
    // The same as a stream, complete or resumed.
    assert_eq!(parsed(&text(&anybody, &path, "application/x-ndjson").await), frames);
    let rest = text(&anybody, &format!("{path}?after={}", last - 3), "application/x-ndjson").await;
    assert_eq!(parsed(&rest), frames[frames.len() - 3..]);
    let some = text(&anybody, &format!("{path}?after=5&limit=2"), "application/x-ndjson").await;
    assert_eq!(parsed(&some), frames[5..7]);
    // As other viewers, including what was hidden.
    let archive =
        parsed(&text(&anybody, &format!("{path}?as=archive"), "application/x-ndjson").await);
    assert_eq!(archive.len(), frames.len());
    assert_ne!(archive, frames);
    // An export has the same events in the same form.
    let export = anybody.get(&format!("/v1/matches/{}/export", report.id)).await.expect(200);
    let events: Vec<Value> = archive
        .into_iter()
        .map(|mut frame| {
            let fields = frame.as_object_mut().unwrap();
            assert!(fields.remove("text").is_some() && fields.remove("view").is_some());
            frame
        })
        .collect();
    assert_eq!(export["events"], json!(events));
    for bad in ["as=god", "limit=0", "limit=201", "after=x", "to=9"] {
        assert_eq!(anybody.get(&format!("{path}?{bad}")).await.status, 400, "{bad}");
    }
    let html = anybody.request(Method::GET, &path).header("accept", "text/html");
    anybody.send(html).await.problem(406, "not_acceptable");
}

async fn what_is_over_is_kept_for_ever(server: Server) {
    let (id, ana, _) = resigned(&server.url).await;
    signed(&ana, &id).await;
    for path in [format!("/v1/matches/{id}/frames"), format!("/v1/matches/{id}/proof")] {
        let first = ana.get(&path).await;
        assert!(first.header("cache-control").unwrap().ends_with("immutable"));
        let tag = first.header("etag").unwrap();
        assert!(tag.starts_with('"'), "{tag} is strong");
        let again = ana.request(Method::GET, &path).header("if-none-match", tag);
        assert_eq!(ana.send(again).await.status, 304);
    }
    let going_on = ana.create_match("tapestry", 1).await["id"].as_str().unwrap().to_owned();
    for path in ["frames", "proof"] {
        let first = ana.get(&format!("/v1/matches/{going_on}/{path}")).await;
        assert_eq!(first.header("cache-control"), Some("private, no-cache"));
    }
}

async fn a_proof_binds_the_server_before_the_end_and_verifies_after_it(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({ "entropy": "dados" })).await.expect(201);
    let path = format!("/v1/matches/{id}/proof");
    let before = text(&ana, &path, "application/json").await;
    let early: Value = serde_json::from_str(&before).unwrap();
    assert_eq!(early["seats"][1]["entropy"], "dados");
    assert_eq!(early["commits"].as_array().unwrap().len(), 2);
    assert_eq!(
        early["commitment"],
        ana.get(&format!("/v1/matches/{id}")).await.expect(200)["commitment"]
    );
    ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let after = text(&Client::anonymous(&server.url), &path, "application/json").await;
    let proof = Proof::from_text(after.as_bytes()).unwrap();
    let (report, _) = proof.verify().unwrap();
    assert_eq!((report.commits, report.game), (3, "qwinto"));
    proof.continues(&Proof::from_text(before.as_bytes()).unwrap()).unwrap();
    let named = serde_json::from_str::<Value>(&after).unwrap();
    assert_eq!(named["commits"][1]["player"].as_str(), ben.player.as_deref());
    assert!(!after.contains("Ben"), "a proof knows players by their ids");
}

async fn exports_hold_matches_that_are_over_and_go_on_where_one_broke_off(server: Server) {
    let mut all = Vec::new();
    for _ in 0..3 {
        all.push(resigned(&server.url).await.0);
    }
    all.push(played(&server.url, "tapestry", 1, 4).await.id);
    let ana = Client::guest(&server.url, "Ana").await;
    ana.create_match("tapestry", 1).await;
    all.reverse();
    let anybody = Client::anonymous(&server.url);
    let path = "/v1/exports/matches";
    let lines = text(&anybody, path, "application/x-ndjson").await;
    let exports = parsed(&lines);
    assert_eq!(ids(&exports), all);
    assert_eq!(exports[1]["players"][0]["name"].as_str().map(str::len), Some(3));
    assert_eq!(exports[1]["proof"]["outcome"]["ending"], "resignation");
    let rest = text(&anybody, &format!("{path}?cursor={}", all[1]), "application/x-ndjson").await;
    assert_eq!(ids(&parsed(&rest)), all[2..]);
    let some = text(&anybody, &format!("{path}?game=qwinto&limit=2"), "application/x-ndjson").await;
    assert_eq!(ids(&parsed(&some)), all[1..3]);
    let mine = text(&ana, &format!("{path}?mine=true"), "application/x-ndjson").await;
    assert_eq!(mine, "");
    anybody.get(&format!("{path}?status=playing")).await.problem(400, "invalid_field");
    anybody.get(&format!("{path}?mine=true")).await.problem(401, "token_missing");

    // The same matches as a table, one row per seat.
    let table = text(&anybody, path, "text/csv").await;
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 1 + 1 + 3 * 2);
    assert_eq!(rows[0].len(), 15);
    let column = |name: &str| rows[0].iter().position(|head| *head == name).unwrap();
    assert_eq!((rows[1][column("match")], rows[1][column("game")]), (all[0].as_str(), "tapestry"));
    assert_eq!((rows[2][column("seat")], rows[2][column("won")]), ("0", "false"));
    assert_eq!((rows[3][column("seat")], rows[3][column("won")]), ("1", "true"));
    assert_eq!(rows[3][column("name")], "Ben");
    let one_game = text(&anybody, &format!("{path}?game=qwinto"), "text/csv").await;
    let game = anybody.get("/v1/games/qwinto").await.expect(200);
    let measures = game["measures"].as_array().unwrap();
    let head: Vec<&str> = one_game.lines().next().unwrap().split(',').collect();
    assert_eq!(head.len(), 15 + measures.len());
    assert!(one_game.lines().all(|line| line.split(',').count() == head.len()));
}

async fn an_export_is_compressed_for_those_who_ask(server: Server) {
    let anybody = Client::anonymous(&server.url);
    for _ in 0..3 {
        let (id, _, _) = resigned(&server.url).await;
        signed(&anybody, &id).await;
    }
    let path = "/v1/exports/matches";
    let plain = text(&anybody, path, "application/x-ndjson").await;
    let request = anybody.request(Method::GET, path).header("accept-encoding", "gzip");
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-encoding"], "gzip");
    assert!(!response.headers().contains_key("content-length"), "it is streamed");
    let bytes = response.bytes().await.unwrap();
    assert!(bytes.len() < plain.len() / 2);
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(bytes.as_ref()).read_to_string(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain);
}

async fn an_exported_match_is_the_same_on_another_server(server: Server) {
    let report = played(&server.url, "qwinto", 3, 8).await;
    let (id, _, ben) = resigned(&server.url).await;
    let anybody = Client::anonymous(&server.url);
    for id in [&report.id, &id] {
        signed(&anybody, id).await;
    }
    let file =
        anybody.request(Method::GET, &format!("/v1/matches/{id}/export")).send().await.unwrap();
    assert_eq!(
        file.headers()["content-disposition"],
        format!("attachment; filename=\"telar-qwinto-{id}.json\"")
    );
    let one = file.text().await.unwrap();
    let all = text(&anybody, "/v1/exports/matches", "application/x-ndjson").await;
    assert!(all.contains(&one));
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let (one, all) = (write("one.json", &one), write("all.ndjson", &all));
    let from = server.config.database_url.is_some();
    for store in [Store::Sqlite, Store::Postgres] {
        let other = Server::start(store).await;
        let tally = import(&other.config, &importing(&[&one, &all])).await.unwrap();
        assert_eq!(
            tally,
            ImportReport { imported: 2, present: 1, refused: 0, signed: 2 },
            "{from} to {store:?}"
        );
        let tally = import(&other.config, &importing(&[&all])).await.unwrap();
        assert_eq!(tally, ImportReport { imported: 0, present: 2, refused: 0, signed: 0 });
        let there = Client::anonymous(&other.url);
        for id in [&report.id, &id] {
            for path in ["proof", "frames", "export", "events", "replay?as=archive"] {
                let path = format!("/v1/matches/{id}/{path}");
                assert_eq!(
                    text(&anybody, &path, "application/json").await,
                    text(&there, &path, "application/json").await
                );
            }
            let document = there.get(&format!("/v1/matches/{id}")).await.expect(200);
            assert_eq!(document, anybody.get(&format!("/v1/matches/{id}")).await.expect(200));
        }
        assert_eq!(
            there.get("/v1/matches").await.expect(200),
            anybody.get("/v1/matches").await.expect(200)
        );
        let player = format!("/v1/players/{}", ben.player.as_deref().unwrap());
        let known = there.get(&player).await.expect(200);
        assert_eq!((&known["name"], &known["kind"]), (&json!("Ben"), &json!("guest")));
        other.stop().await;
    }
}

async fn what_is_flawed_or_another_match_is_not_imported(server: Server) {
    let (id, _, _) = resigned(&server.url).await;
    let anybody = Client::anonymous(&server.url);
    signed(&anybody, &id).await;
    let honest = text(&anybody, &format!("/v1/matches/{id}/export"), "application/json").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json");
    let flawed = honest.replacen("\"won\":true", "\"won\":false", 1);
    assert_ne!(flawed, honest);
    std::fs::write(&file, &flawed).unwrap();
    let other = Server::start(Store::Sqlite).await;
    let refused = ImportReport { imported: 0, present: 0, refused: 1, signed: 0 };
    assert_eq!(import(&other.config, &importing(&[&file])).await.unwrap(), refused);
    Client::anonymous(&other.url).get(&format!("/v1/matches/{id}")).await.problem(404, "not_found");

    // Events that are not those of the proof.
    let (commits, events) = honest.split_once("\"events\":[{\"version\"").unwrap();
    let flawed =
        format!("{commits}\"events\":[{{\"version\"{}", events.replacen("true", "false", 1));
    assert_ne!(flawed, honest);
    std::fs::write(&file, &flawed).unwrap();
    assert_eq!(import(&other.config, &importing(&[&file])).await.unwrap(), refused);

    // A match with the same id but another history: valid, but not the stored one.
    std::fs::write(&file, otherwise(&honest)).unwrap();
    assert_eq!(import(&server.config, &importing(&[&file])).await.unwrap(), refused);
    assert_eq!(
        text(&anybody, &format!("/v1/matches/{id}/export"), "application/json").await,
        honest
    );
    let taken_in = ImportReport { imported: 1, present: 0, refused: 0, signed: 0 };
    assert_eq!(import(&other.config, &importing(&[&file])).await.unwrap(), taken_in);
    other.stop().await;
}

async fn strangers_get_nothing_of_private_matches(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "game": "tapestry", "seats": 1, "visibility": "private" });
    let id = ana.post("/v1/matches", &body).await.expect(201)["id"].as_str().unwrap().to_owned();
    ana.get(&format!("/v1/matches/{id}/export")).await.problem(409, "not_over");
    ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let ben = Client::guest(&server.url, "Ben").await;
    let player = format!("/v1/exports/matches?player={}", ana.player.as_deref().unwrap());
    for stranger in [ben, Client::anonymous(&server.url)] {
        for path in ["frames", "proof", "export"] {
            stranger.get(&format!("/v1/matches/{id}/{path}")).await.problem(404, "not_found");
        }
        assert_eq!(text(&stranger, "/v1/exports/matches", "application/x-ndjson").await, "");
        assert_eq!(text(&stranger, &player, "application/x-ndjson").await, "");
        assert_eq!(text(&stranger, &player, "text/csv").await.lines().count(), 1);
    }
    assert_eq!(text(&ana, "/v1/exports/matches", "application/x-ndjson").await.lines().count(), 1);
    ana.get(&format!("/v1/matches/{id}/proof")).await.expect(200);
}

/// The same creation, but everybody leaves: another match under the same id, with a proof that verifies.
pub fn otherwise(export: &str) -> String {
    let rows = Export::from_text(export.as_bytes()).unwrap().proof.rows().unwrap();
    let first = rows[0].clone();
    let table = Match::open(&first).unwrap();
    let left = table.decide(&Command::Leave { player: first.player }, first.at).unwrap();
    let (_, _, second) = left.into_commit(rows[1].command_id);
    Proof::of(&[first, second]).unwrap().unwrap().to_text()
}
