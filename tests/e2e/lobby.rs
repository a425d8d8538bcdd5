//! Finding a seat: invitations, open seats, rematches.

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{
    client::Client,
    server::{Server, Store},
};

on_both_stores!(
    the_invited_see_a_private_match_and_sit_without_its_code,
    invitations_are_declined_and_taken_back,
    invitations_go_to_players_who_exist_and_do_not_sit_there,
    open_invitations_come_in_pages,
    seats_that_one_could_take_are_found,
    a_rematch_is_opened_once_for_the_same_players,
    only_players_of_a_finished_match_play_again,
);

fn id(document: &Value) -> String {
    document["id"].as_str().unwrap().to_owned()
}

fn ids(page: &Value) -> Vec<String> {
    page["matches"].as_array().unwrap().iter().map(id).collect()
}

fn invited(page: &Value) -> Vec<&str> {
    let invitations = page["invitations"].as_array().unwrap();
    invitations.iter().map(|invitation| invitation["match"].as_str().unwrap()).collect()
}

async fn three(server: &Server) -> [Client; 3] {
    [
        Client::guest(&server.url, "Ana").await,
        Client::guest(&server.url, "Ben").await,
        Client::guest(&server.url, "Eve").await,
    ]
}

/// A match of Qwinto for these players that the first one gave up.
async fn given_up(players: &[&Client], more: &Value) -> String {
    let mut body = json!({ "game": "qwinto", "seats": players.len() });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let created = players[0].post("/v1/matches", &body).await.expect(201);
    let path = format!("/v1/matches/{}", id(&created));
    for player in &players[1..] {
        let seat = json!({ "invite_code": created["invite_code"] });
        player.post(&format!("{path}/seats"), &seat).await.expect(201);
    }
    for player in &players[..players.len() - 1] {
        player.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    }
    id(&created)
}

async fn the_invited_see_a_private_match_and_sit_without_its_code(server: Server) {
    let [ana, ben, eve] = three(&server).await;
    let body = json!({ "game": "qwinto", "seats": 2, "visibility": "private" });
    let created = ana.post("/v1/matches", &body).await.expect(201);
    let path = format!("/v1/matches/{}", id(&created));
    let invitations = format!("{path}/invitations");
    let invite = |player: &Client| json!({ "player": player.player });
    ben.post(&invitations, &invite(&eve)).await.problem(404, "not_found");
    let invitation = ana.post(&invitations, &invite(&ben)).await.expect(201);
    assert_eq!(invitation["player"]["name"], "Ben");
    assert_eq!(invitation["invited_by"]["name"], "Ana");
    assert_eq!(ana.post(&invitations, &invite(&ben)).await.expect(201), invitation);

    let page = ben.get("/v1/me/invitations").await.expect(200);
    assert_eq!(page["invitations"], json!([invitation]));
    assert_eq!(page["next"], Value::Null);
    let seen = ben.get(&path).await.expect(200);
    assert_eq!(seen["my_seat"], Value::Null);
    assert!(seen.get("invite_code").is_none());
    assert_eq!(ids(&ben.get("/v1/matches?open_seats=true").await.expect(200)), [id(&created)]);
    eve.get(&path).await.problem(404, "not_found");
    assert_eq!(
        ids(&eve.get("/v1/matches?open_seats=true").await.expect(200)),
        Vec::<String>::new()
    );
    // Invited players cannot invite others.
    ben.post(&invitations, &invite(&eve)).await.problem(403, "not_seated");

    let seated = ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
    assert_eq!(seated["status"], "playing");
    assert_eq!(ben.get("/v1/me/invitations").await.expect(200)["invitations"], json!([]));
    ana.post(&invitations, &invite(&eve)).await.problem(409, "already_started");
}

async fn invitations_are_declined_and_taken_back(server: Server) {
    let [ana, ben, eve] = three(&server).await;
    let body = json!({ "game": "qwinto", "seats": 3, "visibility": "private" });
    let path = format!("/v1/matches/{}", id(&ana.post("/v1/matches", &body).await.expect(201)));
    let invitations = format!("{path}/invitations");
    for player in [&ben, &eve] {
        ana.post(&invitations, &json!({ "player": player.player })).await.expect(201);
    }
    ben.delete(&format!("{invitations}/me")).await.expect(204);
    ben.delete(&format!("{invitations}/me")).await.problem(404, "not_found");
    ben.get(&path).await.problem(404, "not_found");
    ben.post(&format!("{path}/seats"), &json!({})).await.problem(404, "not_found");
    // Only the inviting player can revoke the invitation.
    let of_eve = format!("{invitations}/{}", eve.player.as_deref().unwrap());
    ben.delete(&of_eve).await.problem(404, "not_found");
    eve.get(&path).await.expect(200);
    ana.delete(&of_eve).await.expect(204);
    eve.get(&path).await.problem(404, "not_found");
    assert_eq!(eve.get("/v1/me/invitations").await.expect(200)["invitations"], json!([]));
    ana.delete(&format!("{invitations}/nobody")).await.problem(404, "not_found");
}

async fn invitations_go_to_players_who_exist_and_do_not_sit_there(server: Server) {
    let [ana, ben, _] = three(&server).await;
    let created = ana.create_match("qwinto", 3).await;
    let path = format!("/v1/matches/{}/invitations", id(&created));
    let nobody = json!({ "player": "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10" });
    assert_eq!(ana.post(&path, &nobody).await.problem(422, "no_such_player")["field"], "player");
    ana.post(&path, &json!({ "player": ana.player })).await.problem(409, "already_seated");
    ana.post(&path, &json!({ "player": "Ben" })).await.problem(400, "malformed");
    ben.post(&path, &json!({ "player": ben.player })).await.problem(403, "not_seated");
}

async fn open_invitations_come_in_pages(server: Server) {
    let [ana, ben, _] = three(&server).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        let created = id(&ana.create_match("qwinto", 2).await);
        let path = format!("/v1/matches/{created}/invitations");
        ana.post(&path, &json!({ "player": ben.player })).await.expect(201);
        open.insert(0, created);
    }
    let first = ben.get("/v1/me/invitations?limit=2").await.expect(200);
    assert_eq!(invited(&first), open[..2]);
    let next = first["next"].as_str().unwrap();
    let second = ben.get(&format!("/v1/me/invitations?limit=2&cursor={next}")).await.expect(200);
    assert_eq!(invited(&second), open[2..]);
    // An abandoned match has no invitations.
    ana.delete(&format!("/v1/matches/{}/seats", open[0])).await.expect(204);
    assert_eq!(invited(&ben.get("/v1/me/invitations").await.expect(200)), open[1..]);
}

async fn seats_that_one_could_take_are_found(server: Server) {
    let [ana, ben, _] = three(&server).await;
    let mine = id(&ana.create_match("qwinto", 2).await);
    let theirs = id(&ben.create_match("trama", 2).await);
    ana.create_match("tapestry", 1).await;
    let find =
        async |client: &Client| ids(&client.get("/v1/matches?open_seats=true").await.expect(200));
    assert_eq!(find(&ana).await, [theirs.as_str()]);
    assert_eq!(find(&ben).await, [mine.as_str()]);
    assert_eq!(find(&Client::anonymous(&server.url)).await, [theirs.as_str(), &mine]);
}

async fn a_rematch_is_opened_once_for_the_same_players(server: Server) {
    let [ana, ben, eve] = three(&server).await;
    let more = json!({ "visibility": "private", "move_deadline": 600, "on_timeout": "forfeit" });
    let first = given_up(&[&ana, &ben], &more).await;
    let path = format!("/v1/matches/{first}");
    let before = ana.get(&path).await;
    let tag = before.header("etag").unwrap().to_owned();
    assert_eq!(before.expect(200)["rematch"], Value::Null);

    eve.post(&format!("{path}/rematch"), &json!({})).await.problem(404, "not_found");
    let opened = ben.post(&format!("{path}/rematch"), &json!({})).await;
    assert!(opened.header("location").is_some());
    let opened = opened.expect(201);
    assert_eq!((&opened["status"], &opened["my_seat"]), (&json!("open"), &json!(1)));
    assert_eq!(opened["rematch_of"], first);
    for field in ["game", "options", "visibility", "move_deadline", "on_timeout"] {
        assert_eq!(opened[field], ana.get(&path).await.expect(200)[field], "{field}");
    }
    let linked = ana.get(&path).await;
    assert_ne!(linked.header("etag").unwrap(), tag);
    assert_eq!(linked.expect(200)["rematch"], opened["id"]);
    assert_eq!(invited(&ana.get("/v1/me/invitations").await.expect(200)), [id(&opened)]);
    // Asking twice changes nothing; the other one sits down.
    let again = ben.post(&format!("{path}/rematch"), &json!({})).await.expect(200);
    assert_eq!((&again["id"], &again["version"]), (&opened["id"], &opened["version"]));
    let joined = ana.post(&format!("{path}/rematch"), &json!({})).await.expect(200);
    assert_eq!(joined["id"], opened["id"]);
    assert_eq!((&joined["status"], &joined["my_seat"]), (&json!("playing"), &json!(0)));
}

async fn only_players_of_a_finished_match_play_again(server: Server) {
    let [ana, ben, eve] = three(&server).await;
    let open = ana.create_match("qwinto", 2).await;
    ana.post(&format!("/v1/matches/{}/rematch", id(&open)), &json!({}))
        .await
        .problem(409, "not_finished");
    let first = given_up(&[&ana, &ben], &json!({})).await;
    eve.post(&format!("/v1/matches/{first}/rematch"), &json!({})).await.problem(403, "not_seated");
    let solo = ana.create_match("tapestry", 1).await;
    let path = format!("/v1/matches/{}", id(&solo));
    ana.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    let again = ana.post(&format!("{path}/rematch"), &json!({})).await.expect(201);
    assert_eq!(again["status"], "playing");
}

/// All players ask at the same time, at different replicas: there is one match, with everybody in the same seat as before.
#[actix_web::test]
async fn a_rematch_that_all_ask_for_at_once_is_one_match() {
    let server = Server::start(Store::Postgres).await;
    let replica = server.replica().await;
    let [ana, ben, eve] = three(&server).await;
    let first = given_up(&[&ana, &ben, &eve], &json!({})).await;
    let path = format!("/v1/matches/{first}/rematch");
    let there = [ana.clone(), ben.at(&replica.url), eve.at(&replica.url)];
    let replies =
        join_all(there.iter().map(async |player| player.post(&path, &json!({})).await)).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 1);
    let rematches: Vec<String> = replies.iter().map(|reply| id(&reply.body)).collect();
    assert!(rematches.iter().all(|rematch| *rematch == rematches[0]));
    let latest = ana.request(reqwest::Method::GET, &format!("/v1/matches/{}", rematches[0]));
    let table = ana.send(latest.header("cache-control", "no-cache")).await.expect(200);
    assert_eq!(table["status"], "playing");
    for (seat, player) in [&ana, &ben, &eve].into_iter().enumerate() {
        assert_eq!(table["seats"][seat]["player"]["id"], player.player.as_deref().unwrap());
    }
}
