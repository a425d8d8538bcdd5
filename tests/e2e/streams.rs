//! Streams: complete, in order, resumable, and without hidden information.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use serde_json::{Value, json};
use store::{Connection as _, layout::Feeds};
use tests::{
    client::Client,
    server::{Server, Store},
    stream::{Framing, Stream},
};

on_both_stores!(
    every_viewer_gets_every_event_in_order_until_the_match_is_over,
    a_stream_that_is_resumed_after_every_disconnect_misses_nothing,
    who_waits_is_answered_as_soon_as_something_happens,
    presence_is_told_when_a_seat_opens_and_closes_a_stream,
    whoever_takes_a_seat_sees_as_that_seat_from_then_on,
    a_private_match_streams_to_its_players_only,
    a_stream_ends_when_its_token_is_revoked_or_its_player_erased,
    a_server_that_ends_says_so_to_its_streams,
    what_cannot_be_resumed_is_refused,
    the_head_of_a_stream_is_answered_at_once,
    invitations_are_told_and_listed,
    what_concerns_me_is_told_over_all_my_matches,
);

/// A match of Qwinto for two.
async fn start(url: &str) -> (String, Client, Client) {
    let ana = Client::guest(url, "Ana").await;
    let ben = Client::guest(url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    (id, ana, ben)
}

fn events(id: &str) -> String {
    format!("/v1/matches/{id}/events")
}

/// The version of the match in the store.
async fn latest(client: &Client, id: &str) -> Value {
    let request = client
        .request(reqwest::Method::GET, &format!("/v1/matches/{id}"))
        .header("cache-control", "no-cache");
    client.send(request).await.expect(200)
}

/// Makes this many moves, unless the match ends first; then the second player resigns.
async fn play(id: &str, players: [&Client; 2], moves: usize) {
    for turn in 0..moves {
        if step(id, players, turn).await["status"] == "finished" {
            return;
        }
    }
    resign(id, players[1]).await;
}

/// Makes one move for the seat to act, and returns the response.
async fn step(id: &str, players: [&Client; 2], turn: usize) -> Value {
    let document = latest(players[0], id).await;
    let seat = (0..2).find(|seat| document["seats"][seat]["to_act"] == true).unwrap();
    let moves = players[seat].legal_moves(id).await;
    players[seat].make_move(id, &moves[turn * 7 % moves.len()]).await.expect(200)
}

async fn resign(id: &str, player: &Client) {
    player.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
}

async fn every_viewer_gets_every_event_in_order_until_the_match_is_over(server: Server) {
    let (id, ana, ben) = start(&server.url).await;
    let spectator = Client::anonymous(&server.url);
    let viewers = [(&ana, Framing::Sse), (&ben, Framing::Ndjson), (&spectator, Framing::Sse)];
    let mut streams = Vec::new();
    for (client, framing) in viewers {
        let mut stream = Stream::open(client, &events(&id), framing).await;
        let snapshot = stream.expect("snapshot").await;
        assert_eq!(snapshot["match"], client.get(&format!("/v1/matches/{id}")).await.expect(200));
        streams.push((stream, snapshot["id"].as_u64().unwrap()));
    }
    // What each viewer is shown of each event right after the move.
    let mut shown: Vec<BTreeMap<u64, Value>> = vec![BTreeMap::new(); 3];
    for turn in 0.. {
        let before = latest(&ana, &id).await["version"].as_u64().unwrap();
        let is_over = if turn < 30 {
            step(&id, [&ana, &ben], turn).await["status"] == "finished"
        } else {
            resign(&id, &ben).await;
            true
        };
        for ((client, _), shown) in viewers.iter().zip(&mut shown) {
            let page = client.get(&format!("{}?after={before}", events(&id))).await.expect(200);
            for event in page["events"].as_array().unwrap() {
                shown.insert(event["version"].as_u64().unwrap(), event.clone());
            }
        }
        if is_over {
            break;
        }
    }
    let finished = latest(&spectator, &id).await;
    for ((mut stream, mut version), shown) in streams.into_iter().zip(shown) {
        let mut messages = stream.rest().await;
        let end = messages.pop().unwrap();
        assert_eq!((end.kind.as_str(), &end.data["reason"]), ("end", &json!("match_over")));
        assert_eq!(end.data["match"]["outcome"], finished["outcome"]);
        for message in messages {
            match message.kind.as_str() {
                "event" => {
                    version += 1;
                    assert_eq!(message.id, Some(version.to_string()));
                    let mut event = message.data;
                    event.as_object_mut().unwrap().retain(|key, _| key != "type" && key != "id");
                    assert_eq!(event, shown[&version]);
                }
                "state" => assert_eq!(message.data["version"], version),
                kind => assert_eq!(kind, "presence"),
            }
        }
        assert_eq!(finished["version"], version);
    }
}

async fn a_stream_that_is_resumed_after_every_disconnect_misses_nothing(server: Server) {
    let (id, ana, ben) = start(&server.url).await;
    let path = events(&id);
    let play = play(&id, [&ana, &ben], 30);
    // Disconnects after one message, after two, after three, …, and resumes.
    let watch = async {
        let (mut versions, mut last, mut patience) = (Vec::new(), "0".to_owned(), 1);
        loop {
            let mut stream = Stream::resume(&ben, &path, Framing::Sse, Some(&last)).await.unwrap();
            assert_eq!(stream.expect("snapshot").await["id"].to_string(), last);
            patience = patience % 5 + 1;
            for _ in 0..patience {
                let message = stream.next().await.unwrap();
                match message.kind.as_str() {
                    "event" => versions.push(message.data["version"].as_u64().unwrap()),
                    "end" => return versions,
                    _ => {}
                }
            }
            last = stream.last_id.clone().unwrap();
        }
    };
    let ((), versions) = tokio::join!(play, watch);
    let all = latest(&ana, &id).await["version"].as_u64().unwrap();
    assert_eq!(versions, (1..=all).collect::<Vec<_>>());
}

async fn who_waits_is_answered_as_soon_as_something_happens(server: Server) {
    let (id, ana, ben) = start(&server.url).await;
    let version = latest(&ana, &id).await["version"].as_u64().unwrap();
    let path = format!("{}?after={version}&wait=60", events(&id));
    let waiting = async { ana.get(&path).await.expect(200) };
    let moving = async { step(&id, [&ana, &ben], 0).await };
    let (page, moved) = tokio::join!(waiting, moving);
    assert_eq!(page["events"][0]["version"], version + 1);
    assert_eq!(page["version"], moved["version"]);
    // Long polls return at once if the version exists already or can never exist.
    assert!(
        !ana.get(&format!("{}?wait=60", events(&id))).await.expect(200)["events"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    resign(&id, &ben).await;
    let version = latest(&ana, &id).await["version"].as_u64().unwrap();
    let page = ana.get(&format!("{}?after={version}&wait=60", events(&id))).await.expect(200);
    assert_eq!(page["events"], json!([]));
    let problem = ana.get(&format!("{}?wait=61", events(&id))).await.problem(400, "malformed");
    assert_eq!(problem["field"], "wait");
}

async fn presence_is_told_when_a_seat_opens_and_closes_a_stream(server: Server) {
    let (id, ana, ben) = start(&server.url).await;
    let mut watching = Stream::open(&ana, &events(&id), Framing::Sse).await;
    assert_eq!(watching.expect("snapshot").await["presence"], json!([0]));
    let mut other = Stream::open(&ben, &events(&id), Framing::Ndjson).await;
    assert_eq!(other.expect("snapshot").await["presence"], json!([0, 1]));
    assert_eq!(watching.expect("presence").await["presence"], json!([0, 1]));
    // A spectator is not counted, and a seat is counted once.
    let mut third = Stream::open(&Client::anonymous(&server.url), &events(&id), Framing::Sse).await;
    assert_eq!(third.expect("snapshot").await["presence"], json!([0, 1]));
    drop(other);
    assert_eq!(watching.expect("presence").await["presence"], json!([0]));
}

async fn whoever_takes_a_seat_sees_as_that_seat_from_then_on(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let mut watching = Stream::open(&ben, &events(&id), Framing::Sse).await;
    assert_eq!(watching.expect("snapshot").await["match"]["my_seat"], Value::Null);
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    assert_eq!(watching.until("presence").await["presence"], json!([1]));
    let document = latest(&ana, &id).await;
    let active = if document["view"]["active"] == 0 { &ana } else { &ben };
    active.make_move(&id, &json!({ "type": "roll", "dice": ["orange"] })).await.expect(200);
    active.make_move(&id, &json!({ "type": "keep" })).await.expect(200);
    ana.make_move(&id, &json!({ "type": "write", "row": "orange", "box": 4 })).await.expect(200);
    let version =
        ben.make_move(&id, &json!({ "type": "pass" })).await.expect(200)["version"].clone();
    loop {
        let message = watching.next().await.unwrap();
        if message.kind == "event"
            && message.data["by"] == 0
            && message.data["event"]["type"] == "answer_given"
        {
            assert!(
                !message.data.to_string().contains(r#""box""#),
                "the answer of another seat is hidden"
            );
        }
        if message.kind == "state" && message.data["version"] == version {
            break;
        }
    }
}

async fn a_private_match_streams_to_its_players_only(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let body = json!({ "game": "qwinto", "seats": 3, "visibility": "private" });
    let created = ana.post("/v1/matches", &body).await.expect(201);
    let id = created["id"].as_str().unwrap();
    Stream::refused(&ben, &events(id)).await.problem(404, "not_found");
    Stream::refused(&Client::anonymous(&server.url), &events(id)).await.problem(404, "not_found");
    let seat = json!({ "invite_code": created["invite_code"] });
    ben.post(&format!("/v1/matches/{id}/seats"), &seat).await.expect(201);
    let mut watching = Stream::open(&ben, &events(id), Framing::Sse).await;
    watching.expect("snapshot").await;
    // A player who leaves receives nothing more, not even that event.
    ben.delete(&format!("/v1/matches/{id}/seats")).await;
    assert_eq!(watching.expect("end").await["reason"], "not_visible");
    assert_eq!(watching.next().await, None);
}

async fn a_stream_ends_when_its_token_is_revoked_or_its_player_erased(server: Server) {
    let (id, ana, ben) = start(&server.url).await;
    let path = format!("/v1/matches/{id}/events");
    let body = json!({ "name": "bot", "scopes": ["match:read", "match:play"] });
    let token = ana.post("/v1/me/tokens", &body).await.expect(201);
    let bot = ana.with_token(token["secret"].as_str().unwrap());
    let mut watching = Stream::open(&bot, &path, Framing::Sse).await;
    let mut ours = Stream::open(&ana, &path, Framing::Sse).await;
    let mut theirs = Stream::open(&ben, "/v1/me/stream", Framing::Ndjson).await;
    for stream in [&mut watching, &mut ours] {
        stream.expect("snapshot").await;
    }
    ana.delete(&format!("/v1/me/tokens/{}", token["id"].as_str().unwrap())).await.expect(204);
    assert_eq!(watching.until("end").await["reason"], "token_revoked");
    ben.delete("/v1/me").await.expect(204);
    assert_eq!(theirs.until("end").await["reason"], "token_revoked");
    assert_eq!(ours.until("end").await["reason"], "match_over", "another token goes on");
}

async fn a_server_that_ends_says_so_to_its_streams(server: Server) {
    let (id, ana, ben) = start(&server.url).await;
    let mut watching = Stream::open(&ana, &events(&id), Framing::Sse).await;
    let mut mine = Stream::open(&ben, "/v1/me/stream", Framing::Ndjson).await;
    watching.expect("snapshot").await;
    mine.expect("snapshot").await;
    let asked = std::time::Instant::now();
    server.stop().await;
    assert_eq!(watching.expect("end").await["reason"], "server_closing");
    assert_eq!(mine.expect("end").await["reason"], "server_closing");
    assert!(asked.elapsed().as_secs() < 20, "a graceful stop does not wait for streams");
}

async fn what_cannot_be_resumed_is_refused(server: Server) {
    let (id, ana, _) = start(&server.url).await;
    for (after, path) in
        [("x", events(&id)), ("-1", events(&id)), ("7.x", "/v1/me/stream".to_owned())]
    {
        let request = Stream::request(&ana, &path, Framing::Sse, Some(after));
        let problem = ana.send(request).await.problem(400, "invalid_field");
        assert_eq!(problem["field"], "Last-Event-ID");
    }
    let request = Stream::request(&ana, &format!("{}?after=1000", events(&id)), Framing::Sse, None);
    assert_eq!(ana.send(request).await.problem(400, "invalid_field")["field"], "after");
    Stream::refused(&Client::anonymous(&server.url), "/v1/me/stream")
        .await
        .problem(401, "token_missing");
}

async fn the_head_of_a_stream_is_answered_at_once(server: Server) {
    let (id, ana, _) = start(&server.url).await;
    for path in [events(&id), "/v1/me/stream".to_owned()] {
        let request =
            ana.request(reqwest::Method::HEAD, &path).header("accept", "text/event-stream");
        let reply = ana.send(request).await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    }
}

async fn invitations_are_told_and_listed(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let mut mine = Stream::open(&ben, "/v1/me/stream", Framing::Sse).await;
    assert_eq!(mine.expect("snapshot").await["invitations"], json!([]));
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let body = json!({ "player": ben.player });
    ana.post(&format!("/v1/matches/{id}/invitations"), &body).await.expect(201);
    let told = mine.expect("match.invited").await["invitation"].clone();
    assert_eq!((&told["match"], &told["invited_by"]["name"]), (&json!(id), &json!("Ana")));
    let mut again = Stream::open(&ben, "/v1/me/stream", Framing::Ndjson).await;
    assert_eq!(again.expect("snapshot").await["invitations"], json!([told]));
}

async fn what_concerns_me_is_told_over_all_my_matches(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let mut mine = Stream::open(&ana, "/v1/me/stream", Framing::Sse).await;
    let snapshot = mine.expect("snapshot").await;
    assert_eq!((&snapshot["waiting"], &snapshot["complete"]), (&json!([]), &json!(true)));
    let mut turns = Vec::new();
    for _ in 0..3 {
        let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
        ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
        let taken = mine.expect("match.seat_taken").await;
        assert_eq!(taken["data"]["match"], id);
        assert_eq!(taken["data"]["seat"], 1);
        assert_eq!(mine.expect("match.started").await["data"]["status"], "playing");
        let document = latest(&ana, &id).await;
        if document["seats"][0]["to_act"] == true {
            assert_eq!(mine.expect("match.turn").await["data"]["my_seat"], 0);
            turns.push(id.clone());
        }
        // Events of other matches are not delivered.
        ben.create_match("tapestry", 1).await;
    }
    // The snapshot lists the matches that wait for the player.
    let mut again = Stream::open(&ana, "/v1/me/stream", Framing::Ndjson).await;
    let waiting = again.expect("snapshot").await["waiting"].clone();
    let waiting: Vec<&str> =
        waiting.as_array().unwrap().iter().map(|listed| listed["id"].as_str().unwrap()).collect();
    assert_eq!(waiting, turns.iter().rev().collect::<Vec<_>>());
    // Missed messages are delivered, and every stream delivers the same.
    let last = mine.last_id.clone().unwrap();
    drop(mine);
    let page = ana.get("/v1/matches?mine=true&status=playing").await.expect(200);
    for listed in page["matches"].as_array().unwrap() {
        resign(listed["id"].as_str().unwrap(), &ben).await;
    }
    let mut mine = Stream::resume(&ana, "/v1/me/stream", Framing::Sse, Some(&last)).await.unwrap();
    assert_eq!(mine.expect("snapshot").await["id"], last);
    let (mut told, mut same) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        told.push(mine.expect("match.finished").await);
        same.push(again.expect("match.finished").await);
    }
    if server.matches().log().database().layout().feeds == Feeds::PerLane {
        // There is no order between feeds, and an id says what was delivered before it.
        for list in [&mut told, &mut same] {
            for message in list.iter_mut() {
                message["id"].take();
            }
            list.sort_by_key(|message| message["at"].to_string());
        }
    }
    assert_eq!(told, same);
    assert!(told.iter().all(|message| message["data"]["outcome"]["seats"][0]["won"] == true));
    drop(again);
}

#[actix_web::test]
async fn a_session_has_a_limited_number_of_streams() {
    let server = Server::start_with(Store::Sqlite, |config| config.streams_per_session = 2).await;
    let (id, ana, ben) = start(&server.url).await;
    let mut first = Stream::open(&ana, &events(&id), Framing::Sse).await;
    first.expect("snapshot").await;
    let second = Stream::open(&ana, "/v1/me/stream", Framing::Sse).await;
    let problem = Stream::refused(&ana, &events(&id)).await;
    assert!(problem.header("retry-after").is_some());
    problem.problem(429, "too_many_streams");
    // Limits are per player, and closing a stream frees its place.
    let mut other = Stream::open(&ben, &events(&id), Framing::Sse).await;
    other.expect("snapshot").await;
    drop(first);
    assert_eq!(other.until("presence").await["presence"], json!([1]));
    let mut third = Stream::open(&ana, &events(&id), Framing::Sse).await;
    third.expect("snapshot").await;
    drop(second);
}

/// Seats at different replicas: each stream delivers what happens at the other.
#[actix_web::test]
async fn streams_go_across_replicas() {
    let one = Server::start(Store::Postgres).await;
    let two = one.replica().await;
    let ana = Client::guest(&one.url, "Ana").await;
    let ben = Client::guest(&two.url, "Ben").await;
    let mut mine = Stream::open(&ana, "/v1/me/stream", Framing::Sse).await;
    mine.expect("snapshot").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    mine.expect("match.seat_taken").await;
    mine.expect("match.started").await;
    let mut streams = Vec::new();
    for client in [&ana, &ben] {
        let mut stream =
            Stream::resume(client, &events(&id), Framing::Sse, Some("0")).await.unwrap();
        stream.expect("snapshot").await;
        streams.push(stream);
    }
    for turn in 0..8 {
        step(&id, [&ana, &ben], turn).await;
    }
    // Presence at the other replica is reported within a few seconds.
    assert_eq!(streams[0].until("presence").await["presence"], json!([0, 1]));
    resign(&id, &ben).await;
    let all = latest(&ana, &id).await["version"].as_u64().unwrap();
    let rests = join_all(streams.iter_mut().map(Stream::rest)).await;
    for (rest, is_whole) in rests.into_iter().zip([false, true]) {
        let events = rest.iter().filter(|message| message.kind == "event");
        let versions: Vec<u64> =
            events.map(|message| message.data["version"].as_u64().unwrap()).collect();
        let from = if is_whole { 1 } else { *versions.first().unwrap() };
        assert_eq!(versions, (from..=all).collect::<Vec<_>>());
        assert_eq!(rest.last().unwrap().data["reason"], "match_over");
    }
    mine.until("match.finished").await;
}
