//! Applications: their tokens, their secrets, and what becomes of both.

use std::time::Duration;

use api::config::Rates;
use reqwest::Method;
use sea_orm::EntityTrait;
use serde_json::{Value, json};
use service::{applications, identity::ApplicationScope};
use store::entities::application_secret;
use tests::{
    application::{Application, EXTERNAL_ID, TOKEN_EXCHANGE, put_player, store_of},
    client::{Client, Reply},
    eventually::{PATIENCE, eventually},
    server::Server,
    stream::{Framing, Stream},
};

on_both_stores!(
    a_secret_gets_a_token_with_the_scopes_asked_for,
    wrong_requests_for_tokens_are_answered_as_the_standards_say,
    only_hashes_of_secrets_are_stored,
    two_secrets_work_during_a_rotation,
    a_secret_that_ends_at_once_takes_its_tokens_along,
    a_revoked_application_and_the_sessions_of_its_players_end,
    tokens_of_players_and_of_applications_are_never_confused,
    an_application_opens_sessions_for_its_players_only,
    an_application_has_a_limit_of_its_own,
    wrong_secrets_are_counted_by_address,
);

const CREDENTIALS: (&str, &str) = ("grant_type", "client_credentials");

/// Checks that a reply is an error of the standards.
#[track_caller]
fn refused(reply: Reply, status: u16, error: &str) {
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let challenge = reply.header("www-authenticate").map(str::to_owned);
    assert_eq!(challenge.is_some(), status == 401);
    let body = reply.expect(status);
    assert_eq!(body["error"], error, "{body}");
    assert!(body["error_description"].as_str().is_some_and(str::is_ascii));
}

fn token_of(issued: &Value) -> &str {
    issued["access_token"].as_str().expect("a token")
}

async fn a_secret_gets_a_token_with_the_scopes_asked_for(server: Server) {
    let app = Application::create(&server, "Chess Club").await;
    assert!(app.secret.starts_with("telar_app_") && app.secret.len() == 56, "{}", app.secret);
    let reply = app.ask(&[CREDENTIALS]).await;
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    assert_eq!(reply.header("pragma"), Some("no-cache"));
    let issued = reply.expect(200);
    assert_eq!(issued["token_type"], "Bearer");
    assert_eq!(issued["expires_in"], 900);
    assert_eq!(issued["scope"], "player:write session:create match:read match:play");
    assert!(issued.get("refresh_token").is_none() && issued.get("player").is_none());

    let anybody = Client::anonymous(&server.url);
    let id = app.id.to_string();
    let form = [CREDENTIALS, ("client_id", &*id), ("client_secret", &*app.secret)];
    anybody.send(app.form(&form)).await.expect(200);
    let narrow = app.ask(&[CREDENTIALS, ("scope", "match:read")]).await.expect(200);
    assert_eq!(narrow["scope"], "match:read");
    let narrow = anybody.with_token(token_of(&narrow));
    let problem = put_player(&narrow, "u1", &json!({})).await.problem(403, "missing_scope");
    assert_eq!(problem["scope"], "player:write");
    let whole = anybody.with_token(token_of(&issued));
    put_player(&whole, "u1", &json!({})).await.expect(201);
}

async fn wrong_requests_for_tokens_are_answered_as_the_standards_say(server: Server) {
    let app = Application::with_scopes(&server, "Reader", &[ApplicationScope::MatchRead]).await;
    let other = Application::create(&server, "Other").await;
    let anybody = Client::anonymous(&server.url);
    let send = async |fields: &[(&str, &str)], id: &str, secret: &str| {
        anybody.send(app.form(fields).basic_auth(id, Some(secret))).await
    };
    let id = app.id.to_string();
    for (id, secret) in [
        (&*id, "telar_app_wrong"),
        (&id, &*other.secret),
        (&id, ""),
        ("0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10", &app.secret),
        ("nobody", &app.secret),
    ] {
        refused(send(&[CREDENTIALS], id, secret).await, 401, "invalid_client");
    }
    refused(anybody.send(app.form(&[CREDENTIALS])).await, 401, "invalid_client");
    let bearer = app.form(&[CREDENTIALS]).bearer_auth(&app.secret);
    refused(anybody.send(bearer).await, 401, "invalid_client");
    for (fields, error) in [
        (&[][..], "invalid_request"),
        (&[("grant_type", "password")], "unsupported_grant_type"),
        (&[CREDENTIALS, CREDENTIALS], "invalid_request"),
        (&[CREDENTIALS, ("scope", "match:play")], "invalid_scope"),
        (&[CREDENTIALS, ("scope", "session")], "invalid_scope"),
        (&[CREDENTIALS, ("client_id", &id), ("client_secret", &app.secret)], "invalid_request"),
        (&[CREDENTIALS, ("client_id", "another")], "invalid_request"),
        (&[("grant_type", TOKEN_EXCHANGE)], "invalid_request"),
        (&[("grant_type", TOKEN_EXCHANGE), ("subject_token", "u1")], "invalid_request"),
        (
            &[
                ("grant_type", TOKEN_EXCHANGE),
                ("subject_token", "u1"),
                ("subject_token_type", EXTERNAL_ID),
            ],
            "unauthorized_client",
        ),
    ] {
        refused(app.ask(fields).await, 400, error);
    }
    let json = anybody.request(Method::POST, "/oauth/token").json(&json!({ "grant_type": "x" }));
    refused(anybody.send(json).await, 400, "invalid_request");
    anybody.get("/oauth/token").await.problem(405, "method_not_allowed");
}

async fn only_hashes_of_secrets_are_stored(server: Server) {
    let app = Application::create(&server, "Chess Club").await;
    let db = store_of(&server).await;
    let stored = application_secret::Entity::find().one(&db).await.unwrap().expect("a secret");
    assert_eq!(stored.secret_hash, service::secret::hash(app.secret.as_bytes()));
    assert!(!format!("{stored:?}").contains(&app.secret[10..]));
}

async fn two_secrets_work_during_a_rotation(server: Server) {
    let server = server.restart_frozen().await;
    let old = Application::create(&server, "Chess Club").await;
    let client = old.client().await;
    let db = store_of(&server).await;
    let rotate = async |hours| {
        let overlap = Duration::from_hours(hours);
        let rotated = applications::rotate(&db, old.id, overlap, server.clock.now()).await;
        // What was cached about the application has expired.
        server.clock.advance(Duration::from_secs(2));
        old.with_secret(&rotated.unwrap().expect("a secret").secret)
    };
    let new = rotate(1).await;
    assert_ne!(new.secret, old.secret);
    old.ask(&[CREDENTIALS]).await.expect(200);
    new.ask(&[CREDENTIALS]).await.expect(200);
    put_player(&client, "u1", &json!({})).await.expect(201);
    server.clock.advance(Duration::from_hours(1));
    refused(old.ask(&[CREDENTIALS]).await, 401, "invalid_client");
    let client = new.client().await;
    // At most two work at a time, however long the overlap is.
    let newer = rotate(100).await;
    let newest = rotate(100).await;
    refused(new.ask(&[CREDENTIALS]).await, 401, "invalid_client");
    put_player(&client, "u1", &json!({})).await.problem(401, "invalid_token");
    newer.ask(&[CREDENTIALS]).await.expect(200);
    newest.ask(&[CREDENTIALS]).await.expect(200);
    assert_eq!(application_secret::Entity::find().all(&db).await.unwrap().len(), 2);
}

async fn a_secret_that_ends_at_once_takes_its_tokens_along(server: Server) {
    let app = Application::create(&server, "Chess Club").await;
    let player = app.player("u1", "Ana").await;
    let client = app.client().await;
    let acting = client.acting_for(&player);
    let mut stream = Stream::open(&acting, "/v1/me/stream", Framing::Sse).await;
    stream.expect("snapshot").await;
    let db = store_of(&server).await;
    let rotated = applications::rotate(&db, app.id, Duration::ZERO, server.clock.now()).await;
    rotated.unwrap().expect("a secret");
    eventually("the token is refused", PATIENCE, async || {
        (put_player(&client, "u1", &json!({})).await.status == 401).then_some(())
    })
    .await;
    assert_eq!(stream.expect("end").await["reason"], "token_revoked");
    refused(app.ask(&[CREDENTIALS]).await, 401, "invalid_client");
}

async fn a_revoked_application_and_the_sessions_of_its_players_end(server: Server) {
    let app = Application::create(&server, "Chess Club").await;
    let player = app.player("u1", "Ana").await;
    let (client, phone) = (app.client().await, app.session("u1").await);
    let body = json!({ "name": "bot", "scopes": ["match:read"] });
    let created = phone.post("/v1/me/tokens", &body).await.expect(201);
    let bot = phone.with_token(created["secret"].as_str().unwrap());
    bot.get("/v1/matches").await.expect(200);
    let stranger = Client::guest(&server.url, "Eve").await;
    let db = store_of(&server).await;
    assert!(applications::revoke(&db, app.id, server.clock.now()).await.unwrap());
    eventually("everything has ended", PATIENCE, async || {
        let replies = [
            put_player(&client, "u1", &json!({})).await,
            phone.get("/v1/me").await,
            bot.get("/v1/matches").await,
        ];
        replies.iter().all(|reply| reply.status == 401).then_some(())
    })
    .await;
    let refresh = json!({ "refresh_token": phone.refresh_token });
    phone.post("/v1/sessions/refresh", &refresh).await.problem(401, "invalid_refresh_token");
    refused(app.ask(&[CREDENTIALS]).await, 401, "invalid_client");
    refused(app.exchange("u1").await, 401, "invalid_client");
    // The players stay, and others do not notice.
    assert_eq!(stranger.get(&format!("/v1/players/{player}")).await.expect(200)["name"], "Ana");
    stranger.get("/v1/me").await.expect(200);
    let later = applications::rotate(&db, app.id, Duration::ZERO, server.clock.now()).await;
    assert!(later.unwrap().is_none(), "it is revoked for ever");
}

async fn tokens_of_players_and_of_applications_are_never_confused(server: Server) {
    let app = Application::create(&server, "Chess Club").await;
    app.player("u1", "Ana").await;
    let (client, phone) = (app.client().await, app.session("u1").await);
    // An application is not a player.
    client.get("/v1/me").await.problem(403, "missing_scope");
    client.post("/v1/me/tokens", &json!({})).await.problem(403, "missing_scope");
    client.delete("/v1/me").await.problem(403, "missing_scope");
    client.get("/v1/me/stream").await.problem(403, "player_missing");
    let refresh = json!({ "refresh_token": client.token });
    client.post("/v1/sessions/refresh", &refresh).await.problem(401, "invalid_refresh_token");
    // A player is not an application.
    for player in [&phone, &Client::guest(&server.url, "Eve").await] {
        put_player(player, "u2", &json!({})).await.problem(403, "missing_scope");
        let me = player.player.clone().unwrap();
        let problem = player.acting_for(&me).get("/v1/matches").await;
        problem.problem(403, "not_an_application");
    }
    // Neither is a secret a token, nor a token a secret.
    let secret = phone.with_token(&app.secret);
    secret.get("/v1/me").await.problem(401, "invalid_token");
    put_player(&secret, "u1", &json!({})).await.problem(401, "invalid_token");
    let token = client.token.clone().unwrap();
    refused(app.with_secret(&token).ask(&[CREDENTIALS]).await, 401, "invalid_client");
}

async fn an_application_opens_sessions_for_its_players_only(server: Server) {
    let (app, other) =
        (Application::create(&server, "One").await, Application::create(&server, "Two").await);
    let player = app.player("u1", "Ana").await;
    other.player("u2", "Ben").await;
    let eve = Client::guest(&server.url, "Eve").await;
    let session = app.exchange("u1").await.expect(200);
    assert_eq!(session["player"]["id"], player);
    let kind = "urn:ietf:params:oauth:token-type:access_token";
    assert_eq!(session["issued_token_type"], kind);
    let mut phone = Client::anonymous(&server.url);
    phone.enter(&session);
    assert_eq!(phone.get("/v1/me").await.expect(200)["name"], "Ana");
    let refresh = json!({ "refresh_token": phone.refresh_token });
    phone.post("/v1/sessions/refresh", &refresh).await.expect(200);
    let by_id = async |id: &str| {
        app.ask(&[
            ("grant_type", TOKEN_EXCHANGE),
            ("subject_token", id),
            ("subject_token_type", "urn:telar:token-type:player-id"),
            ("requested_token_type", kind),
        ])
        .await
    };
    assert_eq!(by_id(&player).await.expect(200)["player"]["id"], player);
    let others = other.player("u2", "Ben").await;
    for id in [&others, eve.player.as_ref().unwrap(), &app.id.to_string(), "nobody"] {
        refused(by_id(id).await, 400, "invalid_request");
    }
    refused(app.exchange("u2").await, 400, "invalid_request");
    for (field, error) in [
        (("audience", "https://example.com"), "invalid_target"),
        (("scope", "match:read"), "invalid_scope"),
        (("requested_token_type", "urn:ietf:params:oauth:token-type:saml2"), "invalid_request"),
        (("actor_token", "x"), "invalid_request"),
    ] {
        let fields = [
            ("grant_type", TOKEN_EXCHANGE),
            ("subject_token", "u1"),
            ("subject_token_type", EXTERNAL_ID),
            field,
        ];
        refused(app.ask(&fields).await, 400, error);
    }
    // Without the secret there is no session.
    let fields = [
        ("grant_type", TOKEN_EXCHANGE),
        ("subject_token", "u1"),
        ("subject_token_type", EXTERNAL_ID),
    ];
    refused(eve.send(app.form(&fields)).await, 401, "invalid_client");
}

async fn an_application_has_a_limit_of_its_own(server: Server) {
    let rates = Rates { applications: 6, address: 5, requests: 1, ..Rates::UNLIMITED };
    let server = server.restart_with(|config| config.rates = rates).await;
    let app = Application::create(&server, "Chess Club").await;
    let reply = app.ask(&[CREDENTIALS]).await;
    assert_eq!(reply.header("ratelimit-policy"), Some("\"application\";q=6;w=60"));
    let issued = reply.expect(200);
    let client = Client::anonymous(&server.url).with_token(token_of(&issued));
    let put = put_player(&client, "u1", &json!({})).await;
    assert!(put.header("ratelimit").unwrap().starts_with("\"application\";r=4;"));
    let player = put.expect(201)["id"].as_str().unwrap().to_owned();
    // More than a player, and more than anybody else from this address.
    for _ in 0..4 {
        client.acting_for(&player).get("/v1/matches").await.expect(200);
    }
    let refused = client.acting_for(&player).get("/v1/matches").await;
    assert_eq!(refused.header("ratelimit-policy"), Some("\"application\";q=6;w=60"));
    refused.problem(429, "rate_limited");
    app.ask(&[CREDENTIALS]).await.problem(429, "rate_limited");
    // Its requests were hardly counted for the address: its first one with each credential was.
    Client::anonymous(&server.url).get("/v1/games").await.expect(200);
}

async fn wrong_secrets_are_counted_by_address(server: Server) {
    let rates = Rates { address: 4, ..Rates::UNLIMITED };
    let server = server.restart_with(|config| config.rates = rates).await;
    let app = Application::create(&server, "Chess Club").await;
    let wrong = app.with_secret("telar_app_wrong");
    for _ in 0..4 {
        refused(wrong.ask(&[CREDENTIALS]).await, 401, "invalid_client");
    }
    wrong.ask(&[CREDENTIALS]).await.problem(429, "rate_limited");
}
