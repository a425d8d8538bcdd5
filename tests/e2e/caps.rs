//! Limits on what a player or a match may have: they hold however many requests arrive at once.

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{client::Client, server::Server};

on_both_stores!(
    nobody_has_more_than_20_webhooks,
    nobody_has_more_than_50_tokens,
    no_match_has_more_than_50_invitations,
);

/// Sends these requests at once. So many succeed, and the others are refused with this code.
async fn of_many(client: &Client, path: &str, bodies: &[Value], created: usize, code: &str) {
    let answers = join_all(bodies.iter().map(|body| client.post(path, body))).await;
    let (done, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!(done.len(), created);
    for answer in refused {
        answer.problem(409, code);
    }
}

async fn nobody_has_more_than_20_webhooks(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "url": "https://8.8.8.8/", "events": ["match.turn"] });
    of_many(&ana, "/v1/webhooks", &vec![body; 30], 20, "too_many_webhooks").await;
    let list = ana.get("/v1/webhooks").await.expect(200);
    assert_eq!(list["webhooks"].as_array().unwrap().len(), 20);
}

async fn nobody_has_more_than_50_tokens(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let body = json!({ "name": "bot", "scopes": ["match:read"] });
    of_many(&ana, "/v1/me/tokens", &vec![body; 60], 50, "too_many_tokens").await;
    let list = ana.get("/v1/me/tokens").await.expect(200);
    assert_eq!(list["tokens"].as_array().unwrap().len(), 50);
}

async fn no_match_has_more_than_50_invitations(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let guests = join_all((0..60).map(|_| Client::guest(&server.url, "Ben"))).await;
    let bodies: Vec<Value> = guests.iter().map(|guest| json!({ "player": guest.player })).collect();
    let path = format!("/v1/matches/{id}/invitations");
    of_many(&ana, &path, &bodies, 50, "too_many_invitations").await;
    // Inviting somebody again changes nothing, even if there is no room for others.
    let again = join_all(bodies.iter().map(|body| ana.post(&path, body))).await;
    assert_eq!(again.into_iter().filter(|answer| answer.status == 201).count(), 50);
}
