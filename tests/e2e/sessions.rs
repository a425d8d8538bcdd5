//! Sessions: how they are refreshed, listed and ended, and what a new password ends.

use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::EntityTrait;
use serde_json::{Value, json};
use store::entities::{access_token, refresh_token, session};
use tests::{
    client::{Client, Reply},
    eventually::{PATIENCE, eventually},
    server::{Server, Store},
    stream::{Framing, Stream},
};

on_both_stores!(
    a_refresh_token_works_until_its_successor_is_used,
    a_superseded_refresh_token_ends_the_session,
    of_two_successors_the_first_that_is_used_counts,
    simultaneous_refreshes_all_work,
    a_thief_with_a_copy_of_the_refresh_token_is_found_out,
    sessions_are_listed_with_device_and_address,
    a_list_of_sessions_has_pages,
    a_session_is_ended_at_once,
    all_other_sessions_are_ended,
    a_new_password_ends_other_sessions_and_tokens,
    tokens_are_kept_by_name_only,
    a_new_password_ends_the_streams_of_other_sessions,
    an_ended_session_leaves_nothing_personal_behind,
    log_ins_with_the_old_password_do_not_outlive_it,
);

const AGENT: &str = "Telar for Android 3.1";

async fn refresh(client: &Client, token: &str) -> Reply {
    client.post("/v1/sessions/refresh", &json!({ "refresh_token": token })).await
}

/// The successor of a refresh token.
async fn exchanged(client: &Client, token: &str) -> String {
    refresh(client, token).await.expect(200)["refresh_token"].as_str().unwrap().to_owned()
}

async fn patch(client: &Client, body: &Value) -> Reply {
    client.send(client.request(Method::PATCH, "/v1/me").json(body)).await
}

/// A new account that is logged in.
async fn account(server: &Server, name: &str) -> Client {
    let mut client = Client::anonymous(&server.url);
    let body = json!({ "name": name, "password": "correct horse" });
    let session = client.post("/v1/players", &body).await.expect(201);
    client.enter(&session);
    client
}

/// Another session of an account.
async fn log_in(server: &Server, name: &str, password: &str) -> Client {
    let mut client = Client::anonymous(&server.url);
    let body = json!({ "name": name, "password": password });
    let request = client.request(Method::POST, "/v1/sessions").header("user-agent", AGENT);
    let session = client.send(request.json(&body)).await.expect(201);
    client.enter(&session);
    client
}

async fn listed(client: &Client) -> Vec<Value> {
    client.get("/v1/me/sessions").await.expect(200)["sessions"].as_array().unwrap().clone()
}

async fn a_refresh_token_works_until_its_successor_is_used(server: Server) {
    let client = Client::guest(&server.url, "Ana").await;
    let first = client.refresh_token.clone().unwrap();
    // The first two responses got lost.
    exchanged(&client, &first).await;
    exchanged(&client, &first).await;
    let second = exchanged(&client, &first).await;
    let third = exchanged(&client, &second).await;
    assert!(first != second && second != third);
    exchanged(&client, &third).await;
    refresh(&client, "nonsense").await.problem(401, "invalid_refresh_token");
}

async fn a_superseded_refresh_token_ends_the_session(server: Server) {
    let client = Client::guest(&server.url, "Ana").await;
    let first = client.refresh_token.clone().unwrap();
    let second = exchanged(&client, &first).await;
    let third = exchanged(&client, &second).await;
    refresh(&client, &first).await.problem(401, "refresh_token_reused");
    refresh(&client, &third).await.problem(401, "invalid_refresh_token");
    client.get("/v1/me").await.problem(401, "session_ended");
}

async fn of_two_successors_the_first_that_is_used_counts(server: Server) {
    let client = Client::guest(&server.url, "Ana").await;
    let first = client.refresh_token.clone().unwrap();
    let (one, other) = (exchanged(&client, &first).await, exchanged(&client, &first).await);
    let next = exchanged(&client, &one).await;
    exchanged(&client, &one).await;
    refresh(&client, &other).await.problem(401, "refresh_token_reused");
    refresh(&client, &next).await.problem(401, "invalid_refresh_token");
}

async fn simultaneous_refreshes_all_work(server: Server) {
    let client = Client::guest(&server.url, "Ana").await;
    let mut token = client.refresh_token.clone().unwrap();
    for _ in 0..4 {
        let replies = join_all((0..16).map(|_| refresh(&client, &token))).await;
        for reply in replies {
            let session = reply.expect(200);
            let new = client.with_token(session["access_token"].as_str().unwrap());
            new.get("/v1/me").await.expect(200);
            // Whichever response the client keeps.
            token = session["refresh_token"].as_str().unwrap().to_owned();
        }
    }
}

async fn a_thief_with_a_copy_of_the_refresh_token_is_found_out(server: Server) {
    let owner = Client::guest(&server.url, "Ana").await;
    let thief = Client::anonymous(&server.url);
    let copied = owner.refresh_token.clone().unwrap();
    let (owners, thiefs) = (exchanged(&owner, &copied).await, exchanged(&thief, &copied).await);
    let owners = exchanged(&owner, &owners).await;
    refresh(&thief, &thiefs).await.problem(401, "refresh_token_reused");
    refresh(&owner, &owners).await.problem(401, "invalid_refresh_token");
}

async fn sessions_are_listed_with_device_and_address(server: Server) {
    let ana = account(&server, "Ana").await;
    let phone = log_in(&server, "Ana", "correct horse").await;
    let seen = listed(&ana).await;
    assert_eq!(seen.len(), 2);
    let (newest, oldest) = (&seen[0], &seen[1]);
    assert_eq!((&newest["current"], &oldest["current"]), (&json!(false), &json!(true)));
    assert_eq!((&newest["device"], &newest["address"]), (&json!(AGENT), &json!("127.0.0.1")));
    assert_eq!(oldest["device"], Value::Null);
    assert_eq!(newest["created_at"], newest["last_used_at"]);
    // Refreshing is a use, and may happen from elsewhere.
    let token = json!({ "refresh_token": phone.refresh_token });
    let agent = "x".repeat(1_000);
    let request = phone.request(Method::POST, "/v1/sessions/refresh").header("user-agent", agent);
    phone.send(request.json(&token)).await.expect(200);
    let seen = listed(&phone).await;
    assert_eq!((&seen[0]["current"], &seen[1]["current"]), (&json!(true), &json!(false)));
    assert_eq!(seen[0]["device"], json!("x".repeat(200)));
    assert_ne!(seen[0]["created_at"], seen[0]["last_used_at"]);
    assert_eq!(seen[0]["id"], newest["id"], "it is still the same session");
    let stranger = Client::guest(&server.url, "Eve").await;
    assert_eq!(listed(&stranger).await.len(), 1);
}

async fn a_list_of_sessions_has_pages(server: Server) {
    let ana = account(&server, "Ana").await;
    for _ in 0..2 {
        log_in(&server, "Ana", "correct horse").await;
    }
    let first = ana.get("/v1/me/sessions?limit=2").await.expect(200);
    assert_eq!(first["sessions"].as_array().unwrap().len(), 2);
    let next = first["next"].as_str().unwrap();
    let second = ana.get(&format!("/v1/me/sessions?limit=2&cursor={next}")).await.expect(200);
    assert_eq!(second["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(second["sessions"][0]["current"], true);
    assert_eq!(second["next"], Value::Null);
}

async fn a_session_is_ended_at_once(server: Server) {
    let ana = account(&server, "Ana").await;
    let phone = log_in(&server, "Ana", "correct horse").await;
    let id = listed(&ana).await[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/me/sessions/{id}");
    let stranger = Client::guest(&server.url, "Eve").await;
    stranger.delete(&path).await.problem(404, "not_found");
    phone.get("/v1/me").await.expect(200);
    ana.delete(&path).await.expect(204);
    phone.get("/v1/me").await.problem(401, "session_ended");
    let token = phone.refresh_token.clone().unwrap();
    refresh(&phone, &token).await.problem(401, "invalid_refresh_token");
    ana.delete(&path).await.problem(404, "not_found");
    assert_eq!(listed(&ana).await.len(), 1);
    // One may end one's own session this way, too.
    let own = listed(&ana).await[0]["id"].as_str().unwrap().to_owned();
    ana.delete(&format!("/v1/me/sessions/{own}")).await.expect(204);
    ana.get("/v1/me").await.problem(401, "session_ended");
}

async fn all_other_sessions_are_ended(server: Server) {
    let ana = account(&server, "Ana").await;
    let body = json!({ "name": "bot", "scopes": ["account:read"] });
    let created = ana.post("/v1/me/tokens", &body).await.expect(201);
    let others = [
        log_in(&server, "Ana", "correct horse").await,
        log_in(&server, "Ana", "correct horse").await,
    ];
    ana.delete("/v1/me/sessions").await.expect(204);
    ana.delete("/v1/me/sessions").await.expect(204);
    for other in &others {
        other.get("/v1/me").await.problem(401, "session_ended");
    }
    assert_eq!(listed(&ana).await.len(), 1);
    ana.with_token(created["secret"].as_str().unwrap()).get("/v1/me").await.expect(200);
}

async fn a_new_password_ends_other_sessions_and_tokens(server: Server) {
    let ana = account(&server, "Ana").await;
    let phone = log_in(&server, "Ana", "correct horse").await;
    let token = async |name: &str| {
        let body = json!({ "name": name, "scopes": ["account:read"] });
        let created = ana.post("/v1/me/tokens", &body).await.expect(201);
        let bot = ana.with_token(created["secret"].as_str().unwrap());
        bot.get("/v1/me").await.expect(200);
        (created["id"].clone(), bot)
    };
    let ((kept, keeper), (_, loser)) = (token("kept").await, token("lost").await);
    let mut change = json!({ "password": "another horse", "current_password": "wrong horse", "keep_tokens": [kept] });
    patch(&ana, &change).await.problem(403, "wrong_password");
    phone.get("/v1/me").await.expect(200);
    loser.get("/v1/me").await.expect(200);
    change["current_password"] = json!("correct horse");
    patch(&ana, &change).await.expect(200);
    phone.get("/v1/me").await.problem(401, "session_ended");
    refresh(&phone, phone.refresh_token.as_deref().unwrap())
        .await
        .problem(401, "invalid_refresh_token");
    loser.get("/v1/me").await.problem(401, "invalid_token");
    keeper.get("/v1/me").await.expect(200);
    // The session that changed the password goes on.
    ana.get("/v1/me").await.expect(200);
    exchanged(&ana, ana.refresh_token.as_deref().unwrap()).await;
    let db = store::connect(&server.config.store()).await.unwrap();
    assert_eq!(access_token::Entity::find().all(&db).await.unwrap().len(), 1);
    // Anything else than the password ends nothing.
    let laptop = log_in(&server, "Ana", "another horse").await;
    patch(&ana, &json!({ "name": "Ana María" })).await.expect(200);
    laptop.get("/v1/me").await.expect(200);
}

async fn tokens_are_kept_by_name_only(server: Server) {
    let ana = account(&server, "Ana").await;
    let stranger = account(&server, "Eve").await;
    let body = json!({ "name": "bot", "scopes": ["account:read"] });
    let theirs = stranger.post("/v1/me/tokens", &body).await.expect(201)["id"].clone();
    let own = ana.post("/v1/me/tokens", &body).await.expect(201)["id"].clone();
    for change in [
        json!({ "password": "another horse", "current_password": "correct horse", "keep_tokens": [own, theirs] }),
        json!({ "name": "Anita", "keep_tokens": [own] }),
    ] {
        let problem = patch(&ana, &change).await.problem(400, "invalid_field");
        assert_eq!(problem["field"], "keep_tokens");
    }
    log_in(&server, "Ana", "correct horse").await;
}

async fn a_new_password_ends_the_streams_of_other_sessions(server: Server) {
    let ana = account(&server, "Ana").await;
    let phone = log_in(&server, "Ana", "correct horse").await;
    let mut stream = Stream::open(&phone, "/v1/me/stream", Framing::Sse).await;
    stream.expect("snapshot").await;
    let change = json!({ "password": "another horse", "current_password": "correct horse" });
    patch(&ana, &change).await.expect(200);
    assert_eq!(stream.expect("end").await["reason"], "token_revoked");
}

async fn an_ended_session_leaves_nothing_personal_behind(server: Server) {
    let ana = account(&server, "Ana").await;
    log_in(&server, "Ana", "correct horse").await;
    ana.delete("/v1/me/sessions").await.expect(204);
    let db = store::connect(&server.config.store()).await.unwrap();
    let sessions = session::Entity::find().all(&db).await.unwrap();
    let ended: Vec<_> = sessions.iter().filter(|session| session.ended_at.is_some()).collect();
    assert_eq!(ended.len(), 1);
    assert_eq!((&ended[0].device, &ended[0].address), (&None, &None));
    let tokens = refresh_token::Entity::find().all(&db).await.unwrap();
    assert!(tokens.iter().all(|token| token.session_id != ended[0].id));
}

/// A log-in that is under way while the password changes either fails or is ended by the change.
async fn log_ins_with_the_old_password_do_not_outlive_it(server: Server) {
    let ana = account(&server, "Ana").await;
    let body = json!({ "name": "Ana", "password": "correct horse" });
    let log_ins = join_all((0..8).map(|_| ana.post("/v1/sessions", &body)));
    let change = json!({ "password": "another horse", "current_password": "correct horse" });
    let (log_ins, changed) = futures_util::future::join(log_ins, patch(&ana, &change)).await;
    changed.expect(200);
    for log_in in log_ins {
        if log_in.status == 401 {
            continue;
        }
        let session = log_in.expect(201);
        let late = ana.with_token(session["access_token"].as_str().unwrap());
        late.get("/v1/me").await.problem(401, "session_ended");
    }
    assert_eq!(listed(&ana).await.len(), 1);
}

/// Access tokens of an ended session stop working at the other replica, too, within about a second.
#[actix_web::test]
async fn an_ended_session_is_refused_at_the_other_replica_too() {
    let one = Server::start(Store::Postgres).await;
    let two = one.replica().await;
    let ana = account(&one, "Ana").await;
    let phone = log_in(&one, "Ana", "correct horse").await.at(&two.url);
    phone.get("/v1/me").await.expect(200);
    let change = json!({ "password": "another horse", "current_password": "correct horse" });
    patch(&ana, &change).await.expect(200);
    // Whatever the other replica still accepts: it creates nothing that outlives the session.
    let body = json!({ "name": "bot", "scopes": ["account:read"] });
    assert_eq!(phone.post("/v1/me/tokens", &body).await.status, 401);
    eventually("the access token is refused", PATIENCE, async || {
        (phone.get("/v1/me").await.status == 401).then_some(())
    })
    .await;
    // A replica that starts later knows, too.
    let three = one.replica().await;
    phone.at(&three.url).get("/v1/me").await.problem(401, "session_ended");
}
