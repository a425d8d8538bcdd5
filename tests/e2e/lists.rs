//! Finding matches and reading their events page by page.

use serde_json::{Value, json};
use tests::{client::Client, server::Server};

on_both_stores!(
    matches_are_found_by_what_they_are,
    pages_follow_one_another_without_gap_or_repetition,
    events_are_read_from_where_one_left_off,
    a_replay_shows_every_version,
);

fn ids(page: &Value) -> Vec<String> {
    let matches = page["matches"].as_array().unwrap();
    matches.iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
}

async fn matches_are_found_by_what_they_are(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let one = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let two = ben.create_match("trama", 2).await["id"].as_str().unwrap().to_owned();
    ana.post(&format!("/v1/matches/{two}/seats"), &json!({})).await.expect(201);
    let find = async |client: &Client, query: &str| {
        ids(&client.get(&format!("/v1/matches?{query}")).await.expect(200))
    };
    let anybody = Client::anonymous(&server.url);
    assert_eq!(find(&anybody, "").await, [two.as_str(), &one]);
    assert_eq!(find(&anybody, "game=qwinto").await, [one.as_str()]);
    assert_eq!(find(&anybody, "status=playing").await, [two.as_str()]);
    assert_eq!(find(&anybody, "status=open&game=trama").await, Vec::<String>::new());
    assert_eq!(find(&ben, "mine=true").await, [two.as_str()]);
    assert_eq!(find(&ana, "mine=true&status=open").await, [one.as_str()]);
    assert_eq!(find(&ana, "waiting_for_me=true").await, [two.as_str()]);
    let player = format!("player={}", ben.player.as_deref().unwrap());
    assert_eq!(find(&anybody, &player).await, [two.as_str()]);
    assert_eq!(find(&anybody, "since=2020-01-01T00:00:00Z").await.len(), 2);
    assert_eq!(find(&anybody, "since=2020-01-01&until=2999-01-01").await.len(), 2);
    assert_eq!(find(&anybody, "until=2020-01-01T00:00:00Z").await.len(), 0);
    assert_eq!(find(&anybody, "since=2999-01-01T00:00:00%2B02:00").await.len(), 0);
    let page = anybody.get("/v1/matches?game=qwinto").await.expect(200);
    let listed = &page["matches"][0];
    assert_eq!(listed["seats"][0]["player"]["name"], "Ana");
    assert_eq!(listed["seats"][1]["player"], Value::Null);
    // After her pick, the match no longer waits for her.
    let moves = ana.legal_moves(&two).await;
    ana.make_move(&two, &moves[0]).await.expect(200);
    assert_eq!(find(&ana, "waiting_for_me=true").await.len(), 0);
    ana.post(&format!("/v1/matches/{two}/resign"), &json!({})).await.expect(200);
    assert_eq!(find(&anybody, "status=finished").await, [two]);
    ana.delete(&format!("/v1/matches/{one}/seats")).await.expect(204);
    assert_eq!(find(&ana, "mine=true&status=abandoned").await.len(), 0);
    assert_eq!(find(&anybody, "status=abandoned").await, [one]);
}

async fn pages_follow_one_another_without_gap_or_repetition(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let mut created = Vec::new();
    for _ in 0..7 {
        created.push(ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned());
    }
    let mut found = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = ana.get(&format!("/v1/matches?limit=3{cursor}")).await.expect(200);
        found.extend(ids(&page));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    created.sort();
    created.reverse();
    assert_eq!(found, created);
}

async fn events_are_read_from_where_one_left_off(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let path = format!("/v1/matches/{id}/events");
    let all = ana.get(&path).await.expect(200);
    let versions = |page: &Value| -> Vec<u64> {
        page["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| event["version"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(versions(&all), [1, 2, 3, 4, 5]);
    assert_eq!(all["next"], Value::Null);
    assert_eq!(all["events"][0]["event"]["type"], "match_created");
    assert_eq!(all["events"][4]["event"]["type"], "first_seat_drawn");
    assert_eq!(versions(&ana.get(&format!("{path}?after=3")).await.expect(200)), [4, 5]);
    assert_eq!(versions(&ana.get(&format!("{path}?after=99")).await.expect(200)), [0; 0]);
    let page = ana.get(&format!("{path}?limit=2")).await.expect(200);
    assert_eq!((versions(&page), &page["next"]), (vec![1, 2], &json!(2)));
    let page = ana.get(&format!("{path}?limit=2&after=2")).await.expect(200);
    assert_eq!((versions(&page), &page["next"]), (vec![3, 4], &json!(4)));
}

async fn a_replay_shows_every_version(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let path = format!("/v1/matches/{id}/replay");
    for (version, status) in [(1, "open"), (2, "open"), (3, "open"), (4, "playing"), (5, "playing")]
    {
        let replay = ana.get(&format!("{path}?at={version}&as=spectator")).await.expect(200);
        assert_eq!((&replay["version"], &replay["status"]), (&json!(version), &json!(status)));
        assert_eq!(replay["view"] == Value::Null, version < 4);
    }
    assert_eq!(ana.get(&path).await.expect(200)["version"], 5);
    for bad in ["at=0", "at=6", "at=x", "as=9", "as=god"] {
        let reply = ana.get(&format!("{path}?{bad}")).await;
        assert_eq!(reply.status, 400, "{bad}");
        assert_eq!(reply.body["field"], &bad[..2], "{}", reply.body);
    }
}
