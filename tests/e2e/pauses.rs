//! Pauses by consent of all seats.

use serde_json::{Value, json};
use tests::{client::Client, server::Server};

on_both_stores!(a_match_is_paused_when_all_agree_and_goes_on_when_anybody_likes);

async fn a_match_is_paused_when_all_agree_and_goes_on_when_anybody_likes(server: Server) {
    let players =
        [Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await];
    let body = json!({ "game": "qwinto", "seats": 2, "move_deadline": 3_600 });
    let created = players[0].post("/v1/matches", &body).await.expect(201);
    assert_eq!(created["on_timeout"], "automatic");
    let id = created["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}");
    let (pause, resume) = (format!("{path}/pause"), format!("{path}/resume"));
    players[0].post(&pause, &json!({})).await.problem(409, "not_started");
    let started = players[1].post(&format!("{path}/seats"), &json!({})).await.expect(201);
    let active = usize::try_from(started["view"]["active"].as_u64().unwrap()).unwrap();
    let roll = json!({ "type": "roll", "dice": ["orange"] });

    let asked = players[1].post(&pause, &json!({})).await.expect(200);
    assert_eq!(asked["events"][0]["event"], json!({ "type": "pause_asked", "seat": 1 }));
    players[1].post(&pause, &json!({})).await.problem(409, "pause_asked");
    let document = players[0].get(&path).await.expect(200);
    assert_eq!((&document["pause_asked"], &document["paused_at"]), (&json!([1]), &Value::Null));
    players[1].post(&resume, &json!({})).await.expect(200);
    assert_eq!(players[0].get(&path).await.expect(200)["pause_asked"], json!([]));

    for player in &players {
        player.post(&pause, &json!({})).await.expect(200);
    }
    let document = players[0].get(&path).await.expect(200);
    assert!(document["paused_at"].is_string());
    assert_eq!(document["status"], "playing");
    assert_eq!(document["seats"][active]["deadline"], Value::Null);
    players[active].make_move(&id, &roll).await.problem(409, "match_paused");
    assert!(players[active].legal_moves(&id).await.is_empty());
    assert_eq!(
        players[active].get("/v1/matches?waiting_for_me=true").await.expect(200)["matches"],
        json!([])
    );
    let stranger = Client::guest(&server.url, "Eve").await;
    stranger.post(&resume, &json!({})).await.problem(403, "not_seated");

    let going = players[1 - active].post(&resume, &json!({})).await.expect(200);
    assert_eq!(going["to_act"], json!([active]));
    assert!(
        going["deadlines"][0]["deadline"].as_str() > started["seats"][active]["deadline"].as_str()
    );
    players[1].post(&resume, &json!({})).await.problem(409, "not_paused");
    players[active].make_move(&id, &roll).await.expect(200);
}
