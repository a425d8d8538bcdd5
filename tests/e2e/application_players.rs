//! The players of an application: under its own ids, seated by it, and played for by it.

use domain::proof::Proof;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use service::identity::ApplicationScope;
use tests::{
    application::{Application, put_player},
    client::{Client, Reply},
    server::Server,
    stream::{Framing, Stream},
};

on_both_stores!(
    an_application_creates_finds_changes_and_deletes_its_players,
    external_ids_are_unique_in_an_application_and_hidden_from_others,
    simultaneous_requests_create_one_player,
    players_of_applications_do_not_change_their_profiles,
    an_application_plays_on_behalf_of_its_players,
    an_application_acts_for_nobody_elses_players,
    acting_on_behalf_is_limited_to_matches,
    an_application_seats_its_players,
    nobody_is_seated_by_strangers,
    seating_can_be_retried,
);

async fn get(client: &Client, external_id: &str) -> Reply {
    client.get(&format!("/v1/apps/current/players/{external_id}")).await
}

async fn an_application_creates_finds_changes_and_deletes_its_players(server: Server) {
    let app = Application::create(&server, "Chess Club").await;
    let client = app.client().await;
    get(&client, "u1").await.problem(404, "not_found");
    let created =
        put_player(&client, "u1", &json!({ "name": "Ana", "language": "es" })).await.expect(201);
    assert_eq!(created["name"], "Ana");
    assert_eq!(created["kind"], "external");
    assert_eq!((&created["external_id"], &created["language"]), (&json!("u1"), &json!("es")));
    let again = put_player(&client, "u1", &json!({})).await.expect(200);
    assert_eq!(again, created);
    let renamed = put_player(&client, "u1", &json!({ "name": "Anita" })).await.expect(200);
    assert_eq!((&renamed["id"], &renamed["name"]), (&created["id"], &json!("Anita")));
    assert_eq!(renamed["language"], "es");
    let found = get(&client, "u1").await;
    let tag = found.header("etag").unwrap().to_owned();
    assert_eq!(found.expect(200), renamed);
    let path = "/v1/apps/current/players/u1";
    let known = client.request(Method::GET, path).header("if-none-match", tag);
    assert_eq!(client.send(known).await.status, 304);
    // Ids of all kinds of services.
    for id in ["auth0%7C5f7c8ec7", "a%2Fb", "ana@example.com", "%F0%9F%8E%B2"] {
        let nameless = put_player(&client, id, &json!({})).await.expect(201);
        assert!(nameless["name"].as_str().unwrap().starts_with("Player "), "{nameless}");
        assert_eq!(get(&client, id).await.expect(200)["id"], nameless["id"]);
    }
    for (id, body, field) in [
        ("u2", json!({ "name": "A" }), "name"),
        ("u2", json!({ "language": "fr" }), "language"),
        ("u2", json!({ "email": "ana@example.com" }), "email"),
        (&*"x".repeat(129), json!({}), "external_id"),
        ("a%07b", json!({}), "external_id"),
        ("a%00b", json!({}), "external_id"),
    ] {
        let reply = put_player(&client, id, &body).await;
        assert_eq!((reply.status.as_u16(), &reply.body["field"]), (400, &json!(field)), "{id}");
    }
    put_player(&client, "u2", &json!({ "name": "admin" })).await.problem(400, "name_reserved");
    client.delete(path).await.expect(204);
    client.delete(path).await.problem(404, "not_found");
    get(&client, "u1").await.problem(404, "not_found");
    let id = created["id"].as_str().unwrap();
    client.get(&format!("/v1/players/{id}")).await.problem(404, "not_found");
    client.acting_for(id).get("/v1/matches").await.problem(403, "not_your_player");
    let anew = put_player(&client, "u1", &json!({})).await.expect(201);
    assert_ne!(anew["id"], created["id"]);
}

async fn external_ids_are_unique_in_an_application_and_hidden_from_others(server: Server) {
    let one = Application::create(&server, "One").await.client().await;
    let two = Application::create(&server, "Two").await.client().await;
    let ana = put_player(&one, "secret-id-17", &json!({ "name": "Ana" })).await.expect(201);
    get(&two, "secret-id-17").await.problem(404, "not_found");
    two.delete("/v1/apps/current/players/secret-id-17").await.problem(404, "not_found");
    // Names are not unique: they come from elsewhere. An account of the same name can be told apart by its kind.
    let account = json!({ "name": "Ana", "password": "correct horse" });
    two.post("/v1/players", &account).await.expect(201);
    let other = put_player(&two, "secret-id-17", &json!({ "name": "Ana" })).await.expect(201);
    assert_ne!(ana["id"], other["id"]);
    let id = ana["id"].as_str().unwrap();
    let created = one
        .post("/v1/matches", &json!({ "game": "qwinto", "seats": 2, "players": [id, null] }))
        .await
        .expect(201);
    let eve = Client::guest(&server.url, "Eve").await;
    for path in [
        format!("/v1/players/{id}"),
        format!("/v1/matches/{}", created["id"].as_str().unwrap()),
        format!("/v1/matches/{}/events", created["id"].as_str().unwrap()),
    ] {
        for client in [&eve, &two] {
            let shown = client.get(&path).await.expect(200).to_string();
            assert!(shown.contains("Ana") || shown.contains(id), "{shown}");
            assert!(!shown.contains("secret-id-17"), "{shown}");
        }
    }
}

async fn simultaneous_requests_create_one_player(server: Server) {
    let client = Application::create(&server, "Chess Club").await.client().await;
    let body = json!({ "name": "Ana" });
    let replies = join_all((0..16).map(|_| put_player(&client, "u1", &body))).await;
    let created = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!(created, 1);
    assert!(replies.iter().all(|reply| reply.status.is_success()));
    assert!(replies.iter().all(|reply| reply.body["id"] == replies[0].body["id"]));
}

async fn players_of_applications_do_not_change_their_profiles(server: Server) {
    let app = Application::create(&server, "Chess Club").await;
    app.player("u1", "Ana").await;
    let phone = app.session("u1").await;
    for change in [json!({ "name": "Eve" }), json!({ "password": "correct horse" })] {
        let patch = phone.request(Method::PATCH, "/v1/me").json(&change);
        phone.send(patch).await.problem(403, "managed_by_application");
    }
    // They may still leave.
    phone.delete("/v1/me").await.expect(204);
    get(&app.client().await, "u1").await.problem(404, "not_found");
}

async fn an_application_plays_on_behalf_of_its_players(server: Server) {
    let app = Application::create(&server, "Chess Club").await;
    let client = app.client().await;
    let [ana, ben] = [
        client.acting_for(&app.player("u1", "Ana").await),
        client.acting_for(&app.player("u2", "Ben").await),
    ];
    let private = json!({ "game": "qwinto", "seats": 2, "visibility": "private" });
    let created = ana.post("/v1/matches", &private).await.expect(201);
    assert_eq!(created["seats"][0]["player"]["id"].as_str(), ana.player.as_deref());
    let id = created["id"].as_str().unwrap();
    let path = format!("/v1/matches/{id}");
    ben.get(&path).await.problem(404, "not_found");
    client.get(&path).await.problem(404, "not_found");
    let mut stream = Stream::open(&ana, "/v1/me/stream", Framing::Sse).await;
    stream.expect("snapshot").await;
    let code = json!({ "invite_code": created["invite_code"] });
    ben.post(&format!("{path}/seats"), &code).await.expect(201);
    stream.expect("match.seat_taken").await;
    for _ in 0..4 {
        for player in [&ana, &ben] {
            let moves = player.legal_moves(id).await;
            if let Some(mv) = moves.first() {
                player.make_move(id, mv).await.expect(200);
            }
        }
    }
    ana.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    assert_eq!(ben.get(&path).await.expect(200)["status"], "finished");
}

async fn an_application_acts_for_nobody_elses_players(server: Server) {
    let app = Application::create(&server, "One").await;
    let other = Application::create(&server, "Two").await;
    let own = app.player("u1", "Ana").await;
    let client = app.client().await;
    let guest = Client::guest(&server.url, "Eve").await;
    client.acting_for(&own).get("/v1/matches").await.expect(200);
    for player in [
        &other.player("u1", "Ben").await,
        guest.player.as_ref().unwrap(),
        "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10",
        &app.id.to_string(),
    ] {
        let acting = client.acting_for(player);
        acting.get("/v1/matches").await.problem(403, "not_your_player");
        let body = json!({ "game": "qwinto", "seats": 2 });
        acting.post("/v1/matches", &body).await.problem(403, "not_your_player");
    }
    let problem = client.acting_for("nobody").get("/v1/matches").await;
    assert_eq!(problem.problem(400, "invalid_field")["field"], "Telar-Player");
    let anonymous = Client::anonymous(&server.url).acting_for(&own);
    anonymous.get("/v1/matches").await.problem(401, "token_missing");
}

async fn acting_on_behalf_is_limited_to_matches(server: Server) {
    let app = Application::create(&server, "One").await;
    let player = app.player("u1", "Ana").await;
    let acting = app.client().await.acting_for(&player);
    for (method, path) in [
        (Method::GET, "/v1/me"),
        (Method::PATCH, "/v1/me"),
        (Method::DELETE, "/v1/me"),
        (Method::POST, "/v1/me/tokens"),
        (Method::GET, "/v1/me/sessions"),
        (Method::GET, "/v1/webhooks"),
        (Method::PUT, "/v1/apps/current/players/u1"),
    ] {
        let request = acting.request(method.clone(), path).json(&json!({}));
        let reply = acting.send(request).await;
        assert!([403, 404].contains(&reply.status.as_u16()), "{method} {path}: {}", reply.body);
    }
    let reader = Application::with_scopes(&server, "Two", &[ApplicationScope::MatchRead]).await;
    let writer = Application::with_scopes(
        &server,
        "Three",
        &[ApplicationScope::PlayerWrite, ApplicationScope::MatchPlay],
    )
    .await;
    let player = writer.player("u1", "Ben").await;
    let acting = writer.client().await.acting_for(&player);
    acting.create_match("qwinto", 2).await;
    acting.get("/v1/matches").await.problem(403, "missing_scope");
    let body = json!({ "game": "qwinto", "seats": 1, "players": [player] });
    reader.client().await.post("/v1/matches", &body).await.problem(403, "missing_scope");
}

fn seated(created: &Value) -> Vec<Option<&str>> {
    let seats = created["seats"].as_array().unwrap().iter();
    seats.map(|seat| seat["player"]["id"].as_str()).collect()
}

async fn an_application_seats_its_players(server: Server) {
    let app = Application::create(&server, "Chess Club").await;
    let client = app.client().await;
    let (ana, ben) = (app.player("u1", "Ana").await, app.player("u2", "Ben").await);
    let new = |seats: usize, players: Value| json!({ "game": "qwinto", "seats": seats, "players": players });
    let body = new(2, json!([ana, { "external_id": "u2" }]));
    let created = client.post("/v1/matches", &body).await.expect(201);
    assert_eq!(created["status"], "playing");
    assert_eq!(seated(&created), [Some(&*ana), Some(&*ben)]);
    let phone = app.session("u2").await;
    let id = created["id"].as_str().unwrap();
    let played = phone.get(&format!("/v1/matches/{id}")).await.expect(200);
    assert_eq!(played["my_seat"], 1, "{played}");

    let body = new(3, json!([null, { "external_id": "u2" }, ana]));
    let created = client.post("/v1/matches", &body).await.expect(201);
    assert_eq!(created["status"], "open");
    assert_eq!(seated(&created), [None, Some(&*ben), Some(&*ana)]);
    let eve = Client::guest(&server.url, "Eve").await;
    let path = format!("/v1/matches/{}/seats", created["id"].as_str().unwrap());
    assert_eq!(eve.post(&path, &json!({})).await.expect(201)["status"], "playing");

    for (body, status, field) in [
        (new(2, json!([ana])), 400, "players"),
        (new(1, json!([ana, ben])), 400, "players"),
        (new(2, json!([null, null])), 400, "players"),
        (new(2, Value::Null), 400, "players"),
        (new(2, json!([ana, { "external_id": "u3" }])), 422, "players[1]"),
        (new(2, json!(["nobody", ana])), 400, "players"),
        (new(2, json!([{ "id": ana }, ana])), 400, "players"),
    ] {
        let reply = client.post("/v1/matches", &body).await;
        assert_eq!(reply.status, status, "{body}: {}", reply.body);
        assert_eq!(reply.body["field"], field, "{body}: {}", reply.body);
    }
    let twice = new(2, json!([ana, { "external_id": "u1" }]));
    client.post("/v1/matches", &twice).await.problem(409, "already_seated");
    let many = json!({ "game": "qwinto", "seats": 1, "players": [ana] });
    assert_eq!(client.post("/v1/matches", &many).await.status, 422);
}

async fn nobody_is_seated_by_strangers(server: Server) {
    let app = Application::create(&server, "One").await;
    let client = app.client().await;
    let ana = app.player("u1", "Ana").await;
    let eve = Client::guest(&server.url, "Eve").await;
    let other = Application::create(&server, "Two").await.player("u1", "Ben").await;
    for stranger in [&other, eve.player.as_ref().unwrap(), "0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10"] {
        let body = json!({ "game": "qwinto", "seats": 2, "players": [ana, stranger] });
        let problem = client.post("/v1/matches", &body).await.problem(403, "not_your_player");
        assert_eq!(problem["field"], "players[1]");
    }
    // Players cannot seat anybody, not even with the help of their application.
    let body = json!({ "game": "qwinto", "seats": 2, "players": [ana, null] });
    for client in [&eve, &app.session("u1").await, &client.acting_for(&ana)] {
        client.post("/v1/matches", &body).await.problem(403, "missing_scope");
    }
}

async fn seating_can_be_retried(server: Server) {
    let app = Application::create(&server, "Chess Club").await;
    let client = app.client().await;
    app.player("u1", "Ana").await;
    app.player("u2", "Ben").await;
    let create = async |external_id: &str| {
        let players = json!([{ "external_id": "u1" }, { "external_id": external_id }]);
        let body = json!({ "game": "qwinto", "seats": 2, "players": players });
        let request = client.request(Method::POST, "/v1/matches").header("idempotency-key", "k1");
        client.send(request.json(&body)).await
    };
    let first = create("u2").await.expect(201);
    let second = create("u2").await;
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    assert_eq!(second.expect(201)["id"], first["id"]);
    create("u1").await.problem(422, "idempotency_key_reused");
    // The match can be verified, with everybody who was seated at once.
    let id = first["id"].as_str().unwrap();
    let ana = client.acting_for(first["seats"][0]["player"]["id"].as_str().unwrap());
    ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let proof = client.request(Method::GET, &format!("/v1/matches/{id}/proof"));
    let proof = proof.send().await.unwrap().bytes().await.unwrap();
    Proof::from_text(&proof).unwrap().verify().expect("a valid proof");
}
