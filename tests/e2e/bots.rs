//! Bots: listed, seated, and playing to the end in every game.

use domain::{bot::BotLevel, games, proof::Proof};
use reqwest::Method;
use serde_json::{Value, json};
use tests::{
    bot_play::{play, play_by_hints, turn},
    client::Client,
    eventually::{PATIENCE, eventually},
    server::{Server, Store, frozen_clock},
};

on_both_stores!(
    every_game_is_played_to_its_end_with_bots_in_all_other_seats,
    bots_are_listed_with_their_strength,
    bots_are_players_of_their_own_kind,
    only_the_creator_seats_bots_and_only_in_free_seats,
    bots_agree_to_pauses_and_rematches_and_win_when_players_resign,
    nobody_takes_the_name_of_a_bot_or_invites_one,
    a_fork_can_be_played_on_with_bots,
    matches_with_bots_can_be_left_out_of_statistics,
    hints_are_given_where_they_are_allowed,
    a_restart_forgets_no_bot,
);

async fn with_bots(ana: &Client, game: &str, seats: u8, bots: &[&str]) -> Value {
    let body = json!({ "game": game, "seats": seats, "bots": bots });
    ana.post("/v1/matches", &body).await.expect(201)
}

fn id(document: &Value) -> String {
    document["id"].as_str().unwrap().to_owned()
}

async fn every_game_is_played_to_its_end_with_bots_in_all_other_seats(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    for game in games::all() {
        let info = game.info();
        // Weaker bots need longer to end a match.
        let seats = info.max_seats.min(2);
        let bots = vec!["casual"; usize::from(seats) - 1];
        let body = json!({ "game": info.key, "seats": seats, "bots": bots, "hints": true });
        let created = ana.post("/v1/matches", &body).await.expect(201);
        let over = play_by_hints(&ana, &id(&created)).await;
        assert_eq!(over["status"], "finished", "{}", info.key);
        assert_eq!(over["outcome"]["ending"], "rules");
        if seats > 1 {
            assert_eq!(over["unrated"], "bot");
            let path = format!("/v1/matches/{}/proof", id(&created));
            let proof = ana.request(Method::GET, &path).send().await.unwrap();
            let proof = Proof::from_text(&proof.bytes().await.unwrap()).unwrap();
            proof.verify().expect("what bots do can be verified");
        }
    }
}

async fn bots_are_listed_with_their_strength(server: Server) {
    let list = Client::anonymous(&server.url).get("/v1/bots").await.expect(200);
    let bots = list["bots"].as_array().unwrap();
    let levels: Vec<&str> = bots.iter().map(|bot| bot["level"].as_str().unwrap()).collect();
    assert_eq!(levels, ["novice", "casual", "club", "expert", "master"]);
    for bot in bots {
        assert_eq!(bot["player"]["kind"], "bot");
        assert_eq!(bot["games"].as_array().map(Vec::len), Some(games::all().count()));
    }
    let rating = |level: usize| bots[level]["games"][0]["rating"].as_i64().unwrap();
    assert!(rating(0) > 0 && rating(4) > rating(0), "{list}");
}

async fn bots_are_players_of_their_own_kind(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let created = with_bots(&ana, "qwinto", 3, &["club", "club"]).await;
    assert_eq!(created["status"], "playing");
    let seat = &created["seats"][2];
    let player = BotLevel::Club.player().to_string();
    let shown = json!({ "id": player, "name": "Bot (club)", "kind": "bot" });
    assert_eq!((&seat["player"], &seat["bot"]), (&shown, &json!("club")));
    assert_eq!(created["seats"][0]["bot"], Value::Null);
    assert_eq!(created["unrated"], "bot");
    let profile = ana.get(&format!("/v1/players/{player}")).await.expect(200);
    assert_eq!((&profile["name"], &profile["kind"]), (&json!("Bot (club)"), &json!("bot")));
    let listed = ana.get(&format!("/v1/matches?player={player}")).await.expect(200);
    assert_eq!(listed["matches"].as_array().map(Vec::len), Some(1), "once, not per seat");
    assert_eq!(listed["matches"][0]["seats"][1]["player"], shown);
    let of = ana.get(&format!("/v1/players/{player}/matches")).await.expect(200);
    assert_eq!(of["matches"][0]["id"], created["id"]);
    let events = ana.get(&format!("/v1/matches/{}/events", id(&created))).await.expect(200);
    assert_eq!(events["events"][2]["event"]["bot"], "club");
}

async fn only_the_creator_seats_bots_and_only_in_free_seats(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let created = with_bots(&ana, "qwinto", 4, &["novice"]).await;
    assert_eq!(created["status"], "open");
    let path = format!("/v1/matches/{}/seats", id(&created));
    ben.post(&path, &json!({ "bot": "club" })).await.problem(403, "not_creator");
    ben.post(&path, &json!({})).await.expect(201);
    let taken = ana.post(&path, &json!({ "bot": "club", "seat": 2 })).await;
    taken.problem(409, "seat_taken");
    let both = json!({ "bot": "club", "entropy": "x" });
    assert_eq!(ana.post(&path, &both).await.problem(400, "invalid_field")["field"], "entropy");
    ana.post(&path, &json!({ "bot": "chess" })).await.expect(400);
    let started = ana.post(&path, &json!({ "bot": "casual" })).await.expect(201);
    assert_eq!(
        (&started["status"], &started["seats"][3]["bot"]),
        (&json!("playing"), &json!("casual"))
    );
    let full = json!({ "game": "qwinto", "seats": 2, "bots": ["club", "club"] });
    ana.post("/v1/matches", &full).await.problem(409, "match_full");
    let many = json!({ "game": "qwinto", "seats": 2, "bots": vec!["club"; 8] });
    assert_eq!(ana.post("/v1/matches", &many).await.problem(400, "invalid_field")["field"], "bots");
}

async fn bots_agree_to_pauses_and_rematches_and_win_when_players_resign(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let created = with_bots(&ana, "trama", 3, &["novice", "casual"]).await;
    let path = format!("/v1/matches/{}", id(&created));
    ana.post(&format!("{path}/pause"), &json!({})).await.expect(200);
    assert!(ana.get(&path).await.expect(200)["paused_at"].is_string(), "nobody else is asked");
    ana.post(&format!("{path}/resume"), &json!({})).await.expect(200);
    ana.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    let over = ana.get(&path).await.expect(200);
    assert_eq!(
        (&over["status"], &over["outcome"]["ending"]),
        (&json!("finished"), &json!("resignation"))
    );
    assert_eq!(over["outcome"]["seats"][0]["place"], 3);
    let again = ana.post(&format!("{path}/rematch"), &json!({})).await.expect(201);
    assert_eq!(again["status"], "playing", "the bots have their seats already");
    let bots: Vec<&Value> =
        again["seats"].as_array().unwrap().iter().map(|seat| &seat["bot"]).collect();
    assert_eq!(bots, [&Value::Null, &json!("novice"), &json!("casual")]);
    turn(&ana, &id(&again), 0).await;
}

async fn nobody_takes_the_name_of_a_bot_or_invites_one(server: Server) {
    let anybody = Client::anonymous(&server.url);
    for name in ["Bot (club)", "Bot club", "bot-master"] {
        let reply = anybody.post("/v1/guests", &json!({ "name": name })).await;
        assert_eq!(reply.status, 400, "{name}: {}", reply.body);
    }
    let ana = Client::guest(&server.url, "Ana").await;
    let open = ana.create_match("qwinto", 2).await;
    let body = json!({ "player": BotLevel::Club.player() });
    let invited = ana.post(&format!("/v1/matches/{}/invitations", id(&open)), &body).await;
    assert!(invited.status.is_client_error(), "{}", invited.body);
    let login = json!({ "name": "Bot (club)", "password": "correct horse" });
    assert!(anybody.post("/v1/sessions", &login).await.status.is_client_error());
}

async fn a_fork_can_be_played_on_with_bots(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let created = with_bots(&ana, "ettana", 2, &["novice"]).await;
    let later = play(&ana, &id(&created), 3, 3).await;
    let path = format!("/v1/matches/{}", id(&created));
    ana.post(&format!("{path}/resign"), &json!({})).await.expect(200);
    let body = json!({ "at": later["version"] });
    let fork = ana.post(&format!("{path}/forks"), &body).await.expect(201);
    let seats = format!("/v1/matches/{}/seats", id(&fork));
    ana.post(&seats, &json!({ "bot": "casual" })).await.expect(201);
    let on = play(&ana, &id(&fork), 4, 4).await;
    assert!(on["version"].as_u64() > fork["version"].as_u64(), "{on}");
    assert_eq!(on["unrated"], "fork");
}

async fn matches_with_bots_can_be_left_out_of_statistics(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let created = with_bots(&ana, "qwinto", 2, &["novice"]).await;
    let alone = ana.create_match("qwinto", 2).await;
    ben.post(&format!("/v1/matches/{}/seats", id(&alone)), &json!({})).await.expect(201);
    for ended in [&created, &alone] {
        let path = format!("/v1/matches/{}", id(ended));
        ana.post(&format!("{path}/resign"), &json!({})).await.expect(200);
        let counted = async || {
            let result = ana.get(&format!("{path}/result")).await.expect(200);
            (result["counted"] == true).then_some(result)
        };
        eventually("the match is counted", PATIENCE, counted).await;
    }
    let result = ana.get(&format!("/v1/matches/{}/result", id(&created))).await.expect(200);
    assert_eq!((&result["rated"], &result["unrated_because"]), (&json!(false), &json!("bot")));
    for (query, matches) in
        [("", 2), ("?bots=false", 1), ("?bots=true", 1), ("?bots=true&seats=3", 0)]
    {
        let stats = ana.get(&format!("/v1/games/qwinto/stats{query}")).await.expect(200);
        assert_eq!(stats["matches"], matches, "{query}: {stats}");
    }
    let player = ana.player.as_ref().unwrap();
    let mine = ana.get(&format!("/v1/players/{player}/stats")).await.expect(200);
    assert_eq!(mine["overall"]["played"], 1, "{mine}");
}

async fn hints_are_given_where_they_are_allowed(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let solo = ana.create_match("tapestry", 1).await;
    let path = format!("/v1/matches/{}/hint", id(&solo));
    let hint = ana.get(&format!("{path}?level=novice")).await.expect(200);
    assert_eq!((&hint["level"], &hint["seat"]), (&json!("novice"), &json!(0)));
    let best = &hint["moves"][0];
    assert!(best["label"].as_str().is_some_and(|label| !label.is_empty()), "{hint}");
    assert!(best["expected"][0]["win"].is_number() && best["visits"].is_number());
    assert_eq!(ana.get(&format!("{path}?level=novice")).await.expect(200), hint);
    ana.make_move(&id(&solo), &best["move"]).await.expect(200);
    assert_eq!(solo["unrated"], Value::Null, "hints are no secret alone");

    let body = json!({ "game": "qwinto", "seats": 2, "bots": ["novice"], "hints": true });
    let taught = ana.post("/v1/matches", &body).await.expect(201);
    assert_eq!((&taught["hints"], &taught["unrated"]), (&json!(true), &json!("bot")));
    turn(&ana, &id(&taught), 0).await;
    let path = format!("/v1/matches/{}/hint", id(&taught));
    assert_ne!(ana.get(&path).await.expect(200)["moves"], json!([]));
    ana.get(&format!("{path}?level=genius")).await.expect(400);
    let ben = Client::guest(&server.url, "Ben").await;
    ben.get(&path).await.problem(403, "not_seated");

    let strict = with_bots(&ana, "qwinto", 2, &["novice"]).await;
    ana.get(&format!("/v1/matches/{}/hint", id(&strict))).await.problem(403, "no_hints");
    let open = json!({ "game": "qwinto", "seats": 2, "hints": true });
    let open = ana.post("/v1/matches", &open).await.expect(201);
    assert_eq!(open["unrated"], "hints");
    let nothing = ana.get(&format!("/v1/matches/{}/hint", id(&open))).await.expect(200);
    assert_eq!(nothing["moves"], json!([]));
}

async fn a_restart_forgets_no_bot(server: Server) {
    let server = server.restart_with(|config| config.bot_threads = Some(0)).await;
    let ana = Client::guest(&server.url, "Ana").await;
    let created = with_bots(&ana, "trama", 2, &["novice"]).await;
    let server = server.restart_with(|config| config.bot_threads = Some(1)).await;
    let ana = ana.at(&server.url);
    let path = format!("/v1/matches/{}", id(&created));
    // In Trama, everybody chooses cards at the same time.
    let moved = async || {
        let document = ana.get(&path).await.expect(200);
        (document["seats"][1]["to_act"] == false).then_some(())
    };
    eventually("the bot moves", PATIENCE, moved).await;
}

/// The match was written by a replica that does not think. When the bot should have moved, another one moves, once.
#[actix_web::test]
async fn another_replica_moves_for_a_bot_when_its_own_does_not() {
    let thoughtless = Server::start_at_with(Store::Postgres, frozen_clock(), |config| {
        config.bot_threads = Some(0);
    });
    let mut server = thoughtless.await;
    server.config.bot_threads = Some(1);
    let [one, two] = [server.replica().await, server.replica().await];
    let ana = Client::guest(&server.url, "Ana").await;
    let created = with_bots(&ana, "trama", 2, &["novice"]).await;
    let path = format!("/v1/matches/{}", id(&created));
    let before = ana.get(&path).await.expect(200);
    assert_eq!(before["version"], created["version"], "nobody has moved yet");
    server.clock.advance(std::time::Duration::from_secs(6));
    for replica in [&one, &two] {
        let ana = ana.at(&replica.url);
        let moved = async || {
            let document = ana.get(&path).await.expect(200);
            (document["seats"][1]["to_act"] == false).then_some(document)
        };
        eventually("the bot moves", PATIENCE, moved).await;
    }
    let events = ana.get(&format!("{path}/events?after={}", created["version"])).await.expect(200);
    let by_bot = events["events"].as_array().unwrap().iter().filter(|event| event["by"] == 1);
    assert_eq!(by_bot.count(), 1, "{events}");
}
