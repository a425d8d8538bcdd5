//! Pages and past versions of long matches: the same as parts of the whole log, and read without the rest of it.

use domain::{
    games,
    matches::{Commit, Create, Replay},
    seat::{Seat, Viewer},
    text::Lang,
};
use reqwest::Method;
use serde_json::{Value, json};
use tests::{client::Client, long_match, server::Server};
use uuid::Uuid;

use crate::records::text;

on_both_stores!(
    pages_and_replays_are_parts_of_the_whole_log,
    events_that_were_just_written_are_on_the_last_page,
    a_page_of_a_long_match_reads_few_commits,
    a_match_that_another_server_wrote_is_the_same_here,
);

/// A match in progress between two players, written to the store of the server.
struct LongMatch {
    id: String,
    commits: Vec<Commit>,
    ana: Client,
    ben: Client,
}

impl LongMatch {
    async fn write(server: &Server, game: &str, requests: u64, events: u64) -> Self {
        let (ana, ben) =
            (Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await);
        let players = [&ana, &ben].map(|client| client.player.as_ref().unwrap().parse().unwrap());
        let id = server.clock.new_id();
        let game = games::find(game).unwrap();
        let create = Create::new(id, game, 2, players[0], [7; 32].into());
        let played = long_match::play(create, &players, requests, events);
        let commits = played.commits.clone();
        tests::open_log(&server.config).await.import(vec![played]).await.unwrap();
        Self { id: id.to_string(), commits, ana, ben }
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/matches/{}/{rest}", self.id)
    }

    fn version(&self) -> u64 {
        self.commits.last().unwrap().version()
    }
}

/// What a viewer sees of every event: the event, its text, and the game after it.
fn seen_by(viewer: Viewer, commits: &[Commit]) -> Vec<(Value, String, Value)> {
    let mut steps = Replay::after(commits, 0).unwrap();
    let mut seen = Vec::new();
    while let Some(step) = steps.step().unwrap() {
        let view = step.game_match.view(viewer);
        seen.push((
            serde_json::from_str(step.event.view(viewer).get()).unwrap(),
            step.event.tell(viewer, Lang::En),
            view.map_or(Value::Null, |view| serde_json::from_str(view.get()).unwrap()),
        ));
    }
    seen
}

/// Positions all over a match, and around the borders of what is read at once.
fn positions(last: u64) -> Vec<u64> {
    let borders = [256, 1_024].into_iter().flat_map(|border| border - 1..border + 2);
    let mut positions: Vec<u64> =
        (0..last).step_by(301).chain(borders).chain(last - 2..=last).collect();
    positions.retain(|position| *position <= last);
    // Back and forth, so that a position is not always reached from the one before.
    let half = positions.split_off(positions.len() / 2);
    half.into_iter().rev().chain(positions).collect()
}

/// Compares pages and replays with the whole log.
async fn compare(client: &Client, long: &LongMatch, events_as: Viewer, views_as: Viewer) {
    let views = seen_by(views_as, &long.commits);
    let events =
        if events_as == views_as { views.clone() } else { seen_by(events_as, &long.commits) };
    let last = long.version();
    assert_eq!(events.len() as u64, last);
    for (index, after) in positions(last).into_iter().enumerate() {
        let limit = [1, 50, 200, 7][index % 4];
        let from = usize::try_from(after).unwrap();
        let until = events.len().min(from + limit);
        let next = (until < events.len()).then_some(until);
        let query = format!("after={after}&limit={limit}");
        let page = client.get(&long.path(&format!("events?{query}"))).await.expect(200);
        let expected: Vec<Value> =
            (from..until).map(|at| json!([at + 1, events[at].0, events[at].1])).collect();
        let found: Vec<Value> = page["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| json!([event["version"], event["event"], event["text"]]))
            .collect();
        assert_eq!(found, expected, "{query}");
        assert_eq!((&page["next"], &page["version"]), (&json!(next), &json!(last)), "{query}");

        let page = client.get(&long.path(&format!("frames?{query}"))).await.expect(200);
        let expected: Vec<Value> =
            (from..until).map(|at| json!([at + 1, views[at].0, views[at].2])).collect();
        assert_eq!(frames(page["frames"].as_array().unwrap()), expected, "{query}");
        assert_eq!((&page["next"], &page["version"]), (&json!(next), &json!(last)), "{query}");

        if let Some(index) = from.checked_sub(1) {
            let replay = client.get(&long.path(&format!("replay?at={after}"))).await.expect(200);
            assert_eq!((&replay["version"], &replay["view"]), (&json!(after), &views[index].2));
        }
    }
    let lines = text(client, &long.path("frames?after=3"), "application/x-ndjson").await;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected: Vec<Value> =
        (3..views.len()).map(|at| json!([at + 1, views[at].0, views[at].2])).collect();
    assert_eq!(frames(&lines), expected);
}

fn frames(frames: &[Value]) -> Vec<Value> {
    let parts = |frame: &Value| json!([frame["version"], frame["event"], frame["view"]]);
    frames.iter().map(parts).collect()
}

async fn pages_and_replays_are_parts_of_the_whole_log(server: Server) {
    let mut long = LongMatch::write(&server, "trama", 20, 1_300).await;
    let (zero, one) = (Viewer::Seat(Seat::FIRST), Viewer::Seat(Seat::new(1).unwrap()));
    let anybody = Client::anonymous(&server.url);
    compare(&anybody, &long, Viewer::Spectator, Viewer::Spectator).await;
    compare(&long.ana, &long, zero, zero).await;
    compare(&long.ben, &long, one, one).await;
    let beyond = anybody.get(&long.path("events?after=18446744073709551615")).await.expect(200);
    assert_eq!((&beyond["events"], &beyond["next"]), (&json!([]), &Value::Null));
    let beyond = anybody.get(&long.path("frames?after=18446744073709551615")).await.expect(200);
    assert_eq!((&beyond["frames"], &beyond["next"]), (&json!([]), &Value::Null));

    // Once the match is over, events show everything, and a stream of it is complete.
    long.ana.post(&long.path("resign"), &json!({})).await.expect(200);
    let store = tests::open_log(&server.config).await;
    long.commits = store.load(long.id.parse().unwrap(), 0).await.unwrap();
    compare(&anybody, &long, Viewer::Archive, Viewer::Spectator).await;
    compare(&long.ben, &long, Viewer::Archive, one).await;
    let stream = text(&anybody, &long.path("events?after=3"), "application/x-ndjson").await;
    let messages = stream.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let versions: Vec<u64> = messages
        .filter(|message| message["type"] == "event")
        .map(|message| message["version"].as_u64().unwrap())
        .collect();
    assert_eq!(versions, (4..=long.version()).collect::<Vec<u64>>());
}

async fn events_that_were_just_written_are_on_the_last_page(server: Server) {
    let long = LongMatch::write(&server, "qwinto", 50, 500).await;
    let mut version = long.version();
    // Across the border of a span.
    for _ in 0..10 {
        for command in ["pause", "resume"] {
            let tail = long.path(&format!("events?after={version}"));
            assert_eq!(long.ana.get(&tail).await.expect(200)["events"], json!([]));
            long.ana.post(&long.path(command), &json!({})).await.expect(200);
            version += 1;
            let page = long.ana.get(&tail).await.expect(200);
            assert_eq!(page["version"], version);
            assert_eq!(page["events"].as_array().unwrap().len(), 1);
            let frames = long.path(&format!("frames?after={}", version - 2));
            let frames = long.ana.get(&frames).await.expect(200);
            assert_eq!(frames["frames"][0]["version"], version - 1);
            assert_eq!(frames["frames"][1]["event"], page["events"][0]["event"]);
        }
    }
}

async fn a_page_of_a_long_match_reads_few_commits(server: Server) {
    let long = LongMatch::write(&server, "qwinto", 200, 12_000).await;
    let anybody = Client::anonymous(&server.url);
    let history = server.matches().history();
    // A match that is not in memory is read once.
    anybody.get(&format!("/v1/matches/{}", long.id)).await.expect(200);
    assert_eq!(history.commits_read(), long.commits.len() as u64);
    let tail = long.version() - 50;
    for query in [
        "events?after=100&limit=50".to_owned(),
        "events?after=6000&limit=200".to_owned(),
        format!("events?after={tail}"),
        "frames?after=7000&limit=50".to_owned(),
        format!("frames?after={tail}"),
        "replay?at=3000".to_owned(),
        "replay?at=11000".to_owned(),
        "board.svg?at=9000".to_owned(),
        format!("replay?at={}", long.version()),
    ] {
        let before = history.commits_read();
        let request = anybody.request(Method::GET, &long.path(&query));
        assert_eq!(request.send().await.unwrap().status(), 200, "{query}");
        let read = history.commits_read() - before;
        assert!(read <= 512, "{query}: {read}");
        let request = anybody.request(Method::GET, &long.path(&query));
        assert_eq!(request.send().await.unwrap().status(), 200, "{query}");
        assert_eq!(history.commits_read() - before, read, "{query}: the next reader reads nothing");
    }
}

async fn a_match_that_another_server_wrote_is_the_same_here(server: Server) {
    let long = LongMatch::write(&server, "qwinto", 20, 1_100).await;
    let path = long.path(&format!("replay?at={}", long.version() - 1));
    let key = Uuid::new_v4().to_string();
    let pause = async |client: &Client| {
        let request = client.request(Method::POST, &long.path("pause"));
        client.send(request.header("idempotency-key", &key).json(&json!({}))).await
    };
    let (first, seen) = (pause(&long.ana).await.expect(200), long.ben.get(&path).await.expect(200));
    let server = server.restart().await;
    let (ana, ben) = (long.ana.at(&server.url), long.ben.at(&server.url));
    assert_eq!(ben.get(&path).await.expect(200), seen);
    // The retry of a command finds its first result, also far behind the present.
    for _ in 0..3 {
        for command in ["resume", "pause"] {
            ana.post(&long.path(command), &json!({})).await.expect(200);
        }
    }
    assert_eq!(pause(&ana).await.expect(200), first);
}
