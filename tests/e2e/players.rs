//! Guests, accounts and sessions.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{client::Client, server::Server};

on_both_stores!(
    all_three_ways_in_answer_alike,
    names_are_unique_whatever_the_case_and_wrong_ones_are_refused,
    a_wrong_password_and_an_unknown_name_are_told_alike,
    logging_out_ends_the_session,
    a_guest_becomes_an_account,
    an_account_changes_with_its_password_only,
    a_new_name_is_shown_in_matches_at_once,
);

async fn patch(client: &Client, body: &Value) -> tests::client::Reply {
    client.send(client.request(Method::PATCH, "/v1/me").json(body)).await
}

async fn all_three_ways_in_answer_alike(server: Server) {
    let client = Client::anonymous(&server.url);
    let account = json!({ "name": "Ana", "password": "correct horse", "email": "ana@example.com" });
    let login = json!({ "name": "ana", "password": "correct horse" });
    let registered = client.post("/v1/players", &account).await.expect(201);
    let session = client.post("/v1/sessions", &login).await.expect(201);
    let refresh = json!({ "refresh_token": session["refresh_token"] });
    let refreshed = client.post("/v1/sessions/refresh", &refresh).await.expect(200);
    let guest = client.post("/v1/guests", &json!({})).await.expect(201);
    for answer in [&registered, &session, &refreshed, &guest] {
        assert_eq!(answer["token_type"], "Bearer");
        assert_eq!(answer["expires_in"], 900);
        let mut client = client.clone();
        client.enter(answer);
        assert_eq!(client.get("/v1/me").await.expect(200), answer["player"]);
    }
    assert_eq!(registered["player"]["kind"], "account");
    assert_eq!(registered["player"]["email"], "ana@example.com");
    assert_eq!(registered["player"], session["player"]);
    assert_eq!(guest["player"]["kind"], "guest");
    let id = registered["player"]["id"].as_str().unwrap();
    let public = client.get(&format!("/v1/players/{id}")).await.expect(200);
    assert_eq!(public["name"], "Ana");
    assert!(public.get("email").is_none(), "nobody else sees it");
}

async fn names_are_unique_whatever_the_case_and_wrong_ones_are_refused(server: Server) {
    let client = Client::anonymous(&server.url);
    let register = async |name: &str, password: &str| {
        client.post("/v1/players", &json!({ "name": name, "password": password })).await
    };
    register("Ana", "correct horse").await.expect(201);
    let taken = register("ANA", "correct horse").await.problem(409, "name_taken");
    assert_eq!(taken["field"], "name");
    for name in ["", "A", " ", "x\u{0}y", "<script>", &"n".repeat(31)] {
        assert_eq!(
            register(name, "correct horse").await.problem(400, "invalid_field")["field"],
            "name"
        );
    }
    assert_eq!(register("Ben", "short").await.problem(400, "invalid_field")["field"], "password");
    let body = json!({ "name": "Ben", "password": "correct horse", "email": "nowhere" });
    assert_eq!(
        client.post("/v1/players", &body).await.problem(400, "invalid_field")["field"],
        "email"
    );
    register("Béa Ñandú", "contraseña larga").await.expect(201);
}

async fn a_wrong_password_and_an_unknown_name_are_told_alike(server: Server) {
    let client = Client::anonymous(&server.url);
    client
        .post("/v1/players", &json!({ "name": "Ana", "password": "correct horse" }))
        .await
        .expect(201);
    let login = async |name: &str, password: &str| {
        client
            .post("/v1/sessions", &json!({ "name": name, "password": password }))
            .await
            .problem(401, "wrong_credentials")
    };
    assert_eq!(login("Ana", "wrong horse").await, login("Nobody", "correct horse").await);
}

async fn logging_out_ends_the_session(server: Server) {
    let client = Client::guest(&server.url, "Ana").await;
    client.delete("/v1/sessions/current").await.expect(204);
    let body = json!({ "refresh_token": client.refresh_token });
    client.post("/v1/sessions/refresh", &body).await.problem(401, "invalid_refresh_token");
}

async fn a_guest_becomes_an_account(server: Server) {
    let guest = Client::guest(&server.url, "Ana").await;
    let twin = Client::guest(&server.url, "Ana").await;
    let me = patch(&guest, &json!({ "password": "correct horse" })).await.expect(200);
    assert_eq!(me["kind"], "account");
    patch(&twin, &json!({ "password": "correct horse" })).await.problem(409, "name_taken");
    let login = json!({ "name": "Ana", "password": "correct horse" });
    let session = guest.post("/v1/sessions", &login).await.expect(201);
    assert_eq!(session["player"]["id"].as_str(), guest.player.as_deref());
}

async fn an_account_changes_with_its_password_only(server: Server) {
    let mut client = Client::anonymous(&server.url);
    let body = json!({ "name": "Ana", "password": "correct horse", "email": "a@example.com" });
    let session = client.post("/v1/players", &body).await.expect(201);
    client.enter(&session);
    assert_eq!(
        patch(&client, &json!({ "name": "Ana María" })).await.expect(200)["name"],
        "Ana María"
    );
    patch(&client, &json!({ "password": "another horse" })).await.problem(403, "wrong_password");
    patch(&client, &json!({ "email": null })).await.problem(403, "wrong_password");
    let change =
        json!({ "password": "another horse", "email": null, "current_password": "correct horse" });
    assert_eq!(patch(&client, &change).await.expect(200)["email"], Value::Null);
    let login = json!({ "name": "ana maría", "password": "another horse" });
    client.post("/v1/sessions", &login).await.expect(201);
}

async fn a_new_name_is_shown_in_matches_at_once(server: Server) {
    let client = Client::guest(&server.url, "Ana").await;
    let id = client.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}");
    let before = client.get(&path).await;
    patch(&client, &json!({ "name": "Anita" })).await.expect(200);
    let after = client.get(&path).await;
    assert_ne!(before.header("etag"), after.header("etag"));
    assert_eq!(after.body["seats"][0]["player"]["name"], "Anita");
}
