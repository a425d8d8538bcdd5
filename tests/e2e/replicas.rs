//! Concurrency: requests, replicas, starts.

use api::config::LinkBind;
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::postgres::PgListener;
use store::event_log::FeedPosition;
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    random_play::{Plan, play},
    server::{Server, Store},
};

on_both_stores!(
    of_many_who_take_the_same_seat_one_gets_it,
    simultaneous_answers_are_all_taken,
    a_restart_forgets_nothing,
);

async fn of_many_who_take_the_same_seat_one_gets_it(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let others = join_all((0..8).map(|number| {
        let url = server.url.clone();
        async move { Client::guest(&url, &format!("Player {number}")).await }
    }))
    .await;
    let path = format!("/v1/matches/{id}/seats");
    let replies =
        join_all(others.iter().map(async |client| client.post(&path, &json!({})).await)).await;
    let seated = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!(seated, 1);
    assert!(replies.iter().all(|reply| reply.status == 201 || reply.status == 409));
}

async fn simultaneous_answers_are_all_taken(server: Server) {
    let players = join_all((0..5).map(|number| {
        let url = server.url.clone();
        async move { Client::guest(&url, &format!("Player {number}")).await }
    }))
    .await;
    let id = players[0].create_match("trama", 5).await["id"].as_str().unwrap().to_owned();
    for player in &players[1..] {
        player.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    }
    let before = players[0].get(&format!("/v1/matches/{id}")).await.expect(200);
    let tag = format!("\"{}\"", before["version"]);
    let picks = join_all(players.iter().map(async |player| {
        let moves = player.legal_moves(&id).await;
        let request = player
            .request(reqwest::Method::POST, &format!("/v1/matches/{id}/moves"))
            .header("if-match", &tag)
            .json(&json!({ "move": moves[0] }));
        player.send(request).await
    }))
    .await;
    for pick in picks {
        pick.expect(200);
    }
}

async fn a_restart_forgets_nothing(server: Server) {
    let plan = Plan {
        game: "qwinto".to_owned(),
        seats: 2,
        options: json!({}),
        seed: 4,
        look_every: 5,
        replays: 10,
    };
    let report = play(&server.url, &plan).await;
    let server = server.restart().await;
    let client = Client::anonymous(&server.url);
    let again = client.get(&format!("/v1/matches/{}", report.id)).await.expect(200);
    assert_eq!(again, report.finished);
}

#[actix_web::test]
async fn two_replicas_that_start_together_do_not_fight_over_migrations() {
    let first = Server::start(Store::Postgres).await;
    let fresh = tests::postgres::new_database().await;
    let mut config = first.config.clone();
    config.database_url = Some(fresh);
    let starts =
        join_all((0..4).map(|_| api::startup::build(&config, service::Clock::system()))).await;
    for start in starts {
        start.expect("a replica starts");
    }
}

/// The fewest connections to the database that a server may be given are enough for many players, followers and a shutdown.
#[actix_web::test]
async fn four_connections_are_enough() {
    let server = Server::start_with(Store::Postgres, |config| config.db_connections = 4).await;
    let games = ["qwinto", "trama", "ettana", "brotando", "qwinto", "trama", "qwinto", "trama"];
    let playing = games.iter().zip(0_u64..).map(async |(game, seed)| {
        let options = json!({});
        let game = (*game).to_owned();
        play(&server.url, &Plan { game, seats: 2, options, seed, look_every: 20, replays: 2 }).await
    });
    join_all(playing).await;
    let anybody = Client::anonymous(&server.url);
    eventually("all are counted", PATIENCE, async || {
        let counts = ["qwinto", "trama", "ettana", "brotando"]
            .map(async |game| anybody.get(&format!("/v1/games/{game}/stats")).await.expect(200));
        let counts = join_all(counts).await;
        let counts: Vec<_> = counts.iter().map(|stats| stats["matches"].as_i64()).collect();
        (counts == [Some(3), Some(3), Some(1), Some(1)]).then_some(())
    })
    .await;
    anybody.get("/readyz").await.expect(200);
    server.stop().await;
}

/// The state in the store, whatever this replica has in memory.
async fn latest(client: &Client, path: &str) -> Value {
    let request = client.request(reqwest::Method::GET, path).header("cache-control", "no-cache");
    client.send(request).await.expect(200)
}

/// Seats on different replicas of one Postgres: all of them see the same match after every move.
#[actix_web::test]
async fn replicas_play_one_match_together() {
    let one = Server::start(Store::Postgres).await;
    let two = one.replica().await;
    let ana = Client::guest(&one.url, "Ana").await;
    let ben = Client::guest(&two.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}");
    ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
    let players = [&ana, &ben];
    for turn in 0.. {
        assert!(turn < 2_000, "the match ends");
        let here = latest(&Client::anonymous(&one.url), &path).await;
        let there = latest(&Client::anonymous(&two.url), &path).await;
        assert_eq!(here, there);
        if here["status"] == "finished" {
            break;
        }
        // Both move at the same time, and both moves are accepted.
        let moved = join_all(players.iter().enumerate().map(async |(seat, player)| {
            if here["seats"][seat]["to_act"] != true {
                return;
            }
            let listing = latest(player, &format!("{path}/legal-moves")).await;
            let moves = listing["moves"].as_array().unwrap();
            let mv: &Value = &moves[turn % moves.len()]["move"];
            player.make_move(&id, mv).await.expect(200);
        }));
        moved.await;
    }
}

/// A replica with a match in memory learns from the feed what another one wrote, without a request.
#[actix_web::test]
async fn a_replica_follows_what_another_one_writes() {
    let one = Server::start(Store::Postgres).await;
    let two = one.replica().await;
    let ana = Client::guest(&one.url, "Ana").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}");
    let there = Client::anonymous(&two.url);
    assert_eq!(there.get(&path).await.expect(200)["status"], "open");
    let ben = Client::guest(&one.url, "Ben").await;
    ben.post(&format!("{path}/seats"), &json!({})).await.expect(201);
    eventually("the feed arrives", PATIENCE, async || {
        (there.get(&path).await.expect(200)["status"] == "playing").then_some(())
    })
    .await;
}

/// A NOTIFY costs about as much as a move, so a replica sends it only while another one is listening that has no link to it.
#[actix_web::test]
async fn hints_are_given_while_somebody_else_listens() {
    let one = Server::start(Store::Postgres).await;
    let mut unlinked = one.config.clone();
    unlinked.link_bind = LinkBind::Off;
    let url = one.config.database_url.clone().expect("a Postgres");
    let mut ears = PgListener::connect(&url).await.expect("the database");
    ears.listen("telar_feed").await.expect("to be heard");
    let ana = Client::guest(&one.url, "Ana").await;
    let mut is_told = async || {
        ana.create_match("qwinto", 2).await;
        // A word of our own comes after whatever was said before it.
        let ours = sqlx::query("SELECT pg_notify('telar_feed', 'end')").execute(&mut ears);
        ours.await.expect("the database");
        let mut told = false;
        loop {
            let hint = ears.recv().await.expect("a hint");
            match hint.payload() {
                "end" => return told,
                // A replica that comes says so; a hint is a position.
                said => told |= said.parse::<FeedPosition>().is_ok(),
            }
        }
    };
    let mut until = async |wanted: bool, what: &str| {
        eventually(what, PATIENCE, async || (is_told().await == wanted).then_some(())).await;
    };
    until(false, "one replica alone says nothing").await;
    let two = one.replica_with(unlinked).await;
    until(true, "the other replica is noticed").await;
    let three = one.replica().await;
    two.stop().await;
    until(false, "the one that is left has a link").await;
    three.stop().await;
}

/// A player who took a seat through one replica is known at once to the other, even if that has an older match in memory.
#[actix_web::test]
async fn a_seat_taken_at_one_replica_is_good_at_the_other_at_once() {
    let one = Server::start(Store::Postgres).await;
    let two = one.replica().await;
    let ana = Client::guest(&one.url, "Ana").await;
    for visibility in ["private", "public"] {
        let body = json!({ "game": "qwinto", "seats": 2, "visibility": visibility });
        let created = ana.post("/v1/matches", &body).await.expect(201);
        let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
        ana.at(&two.url).get(&path).await.expect(200);
        let ben = Client::guest(&one.url, "Ben").await;
        let seat = json!({ "invite_code": created["invite_code"] });
        ben.post(&format!("{path}/seats"), &seat).await.expect(201);
        let there = ben.at(&two.url);
        there.get(&format!("{path}/legal-moves")).await.expect(200);
        there.get(&path).await.expect(200);
    }
}
