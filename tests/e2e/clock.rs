//! What happens when time passes: deadlines, tokens, delays and webhooks, on servers whose clock the test advances.

use std::time::Duration;

use api::{
    config::{Config, Rates},
    http::address::TrustedProxies,
};
use futures_util::future::join_all;
use reqwest::Method;
use sea_orm::{ActiveValue::Set, EntityTrait};
use serde_json::{Value, json};
use store::{
    Connection as _,
    entities::{erasure, presence},
};
use tests::{
    client::Client,
    eventually::{PATIENCE, eventually},
    receiver::Receiver,
    server::{Server, Store, frozen_clock},
    stream::{Framing, Stream},
};
use uuid::Uuid;

const MILLI: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// Makes tests of a function that takes a store.
macro_rules! on_each_store {
    ($($test:ident),+ $(,)?) => {
        $(
            mod $test {
                #[actix_web::test]
                async fn sqlite() {
                    super::$test(tests::server::Store::Sqlite).await;
                }

                #[actix_web::test]
                async fn postgres() {
                    super::$test(tests::server::Store::Postgres).await;
                }
            }
        )+
    };
}

on_each_store!(
    a_session_lasts_as_long_as_its_tokens,
    a_personal_access_token_expires,
    streams_end_with_their_token,
    who_waits_for_events_is_answered_when_the_time_is_up,
    a_seat_that_runs_out_of_time_forfeits,
    a_seat_that_runs_out_of_time_is_moved_for_and_can_come_back,
    a_bot_plays_for_somebody_who_ran_out_of_time_until_they_return,
    a_restart_forgets_no_deadline,
    guessing_a_password_takes_longer_every_time,
    a_stolen_session_does_not_help_guessing_the_password,
    retrying_a_registration_does_not_help_guessing_the_password,
    a_guest_can_be_created_again_for_a_quarter_of_an_hour,
    a_deletion_that_was_cut_short_is_finished,
    a_receiver_that_fails_is_called_again_after_pauses_that_grow,
    a_delivery_survives_a_clock_that_was_ahead_and_is_corrected,
    old_deliveries_are_removed,
);

/// A player's tokens, renewed.
async fn renew(client: &mut Client) {
    let body = json!({ "refresh_token": client.refresh_token });
    let session = client.post("/v1/sessions/refresh", &body).await.expect(200);
    client.enter(&session);
}

async fn a_session_lasts_as_long_as_its_tokens(store: Store) {
    let server = Server::start_frozen(store).await;
    let mut ana = Client::guest(&server.url, "Ana").await;
    server.clock.advance((15 * MINUTE).saturating_sub(SECOND));
    ana.get("/v1/me").await.expect(200);
    server.clock.advance(SECOND);
    ana.get("/v1/me").await.problem(401, "token_expired");
    renew(&mut ana).await;
    ana.get("/v1/me").await.expect(200);
    // A refresh token lasts for 60 days, and each one gets another 60.
    for _ in 0..2 {
        server.clock.advance((60 * DAY).saturating_sub(SECOND));
        renew(&mut ana).await;
    }
    server.clock.advance(60 * DAY);
    let body = json!({ "refresh_token": ana.refresh_token });
    ana.post("/v1/sessions/refresh", &body).await.problem(401, "invalid_refresh_token");
}

async fn a_personal_access_token_expires(store: Store) {
    let server = Server::start_frozen(store).await;
    let mut owner = Client::guest(&server.url, "Ana").await;
    let token = async |owner: &Client, days: u16| {
        let body = json!({ "name": "bot", "scopes": ["account:read"], "expires_in_days": days });
        let created = owner.post("/v1/me/tokens", &body).await.expect(201);
        owner.with_token(created["secret"].as_str().unwrap())
    };
    let (week, year, unused) =
        (token(&owner, 7).await, token(&owner, 366).await, token(&owner, 1).await);
    server.clock.advance((7 * DAY).saturating_sub(SECOND));
    week.get("/v1/me").await.expect(200);
    server.clock.advance(SECOND);
    week.get("/v1/me").await.problem(401, "token_expired");
    unused.get("/v1/me").await.problem(401, "token_expired");
    year.get("/v1/me").await.expect(200);
    renew(&mut owner).await;
    let listed = owner.get("/v1/me/tokens").await.expect(200)["tokens"].clone();
    let used = listed.as_array().unwrap().iter().filter(|token| token["last_used_at"].is_string());
    assert_eq!(used.count(), 2, "an expired token is not used: {listed}");
}

/// What the store says of a personal access token is believed for a second.
#[actix_web::test]
async fn a_token_revoked_at_one_replica_ends_at_the_other_within_a_second() {
    let one = Server::start_frozen(Store::Postgres).await;
    let two = one.replica().await;
    let owner = Client::guest(&one.url, "Ana").await;
    let body = json!({ "name": "bot", "scopes": ["account:read"] });
    let created = owner.post("/v1/me/tokens", &body).await.expect(201);
    let here = owner.with_token(created["secret"].as_str().unwrap());
    let there = here.at(&two.url);
    there.get("/v1/me").await.expect(200);
    owner.delete(&format!("/v1/me/tokens/{}", created["id"].as_str().unwrap())).await.expect(204);
    here.get("/v1/me").await.problem(401, "invalid_token");
    one.clock.advance(SECOND.saturating_sub(MILLI));
    there.get("/v1/me").await.expect(200);
    one.clock.advance(MILLI);
    there.get("/v1/me").await.problem(401, "invalid_token");
}

/// A match of Qwinto for two, and whoever has to move first.
async fn timed(ana: &Client, ben: &Client, limit: Duration, on_timeout: &str) -> (String, usize) {
    let body = json!({
        "game": "qwinto", "seats": 2, "move_deadline": limit.as_secs(), "on_timeout": on_timeout,
    });
    let created = ana.post("/v1/matches", &body).await.expect(201);
    let id = created["id"].as_str().unwrap().to_owned();
    let started = ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let active = usize::try_from(started["view"]["active"].as_u64().unwrap()).unwrap();
    (id, active)
}

async fn guests(server: &Server) -> [Client; 2] {
    [Client::guest(&server.url, "Ana").await, Client::guest(&server.url, "Ben").await]
}

fn kinds(page: &Value) -> Vec<&str> {
    let events = page["events"].as_array().unwrap();
    events.iter().filter_map(|event| event["event"]["type"].as_str()).collect()
}

async fn streams_end_with_their_token(store: Store) {
    let server = Server::start_frozen(store).await;
    let [mut ana, ben] = guests(&server).await;
    let (id, _) = timed(&ana, &ben, 2 * HOUR, "automatic").await;
    let paths = [format!("/v1/matches/{id}/events"), "/v1/me/stream".to_owned()];
    let mut streams = Vec::new();
    for path in &paths {
        let mut stream = Stream::open(&ana, path, Framing::Sse).await;
        stream.expect("snapshot").await;
        streams.push(stream);
    }
    server.clock.advance(15 * MINUTE);
    for (stream, path) in streams.iter_mut().zip(&paths) {
        assert_eq!(stream.until("end").await["reason"], "token_expired");
        assert_eq!(stream.next().await, None);
        Stream::refused(&ana, path).await.problem(401, "token_expired");
    }
    renew(&mut ana).await;
    for (stream, path) in streams.iter().zip(&paths) {
        let last = stream.last_id.as_deref();
        let mut resumed = Stream::resume(&ana, path, Framing::Sse, last).await.unwrap();
        resumed.expect("snapshot").await;
    }
}

async fn who_waits_for_events_is_answered_when_the_time_is_up(store: Store) {
    let server = Server::start_frozen(store).await;
    let [ana, ben] = guests(&server).await;
    let (id, _) = timed(&ana, &ben, 2 * HOUR, "automatic").await;
    let path = format!("/v1/matches/{id}/events");
    let version = ana.get(&path).await.expect(200)["version"].as_u64().unwrap();
    let waiting = format!("{path}?after={version}&wait=30");
    // Whenever the request arrives, half a minute has passed a little later.
    let passing = async {
        loop {
            tokio::time::sleep(20 * MILLI).await;
            server.clock.advance(SECOND);
        }
    };
    let started = server.clock.now();
    let page = tokio::select! {
        reply = ana.get(&waiting) => reply.expect(200),
        () = passing => unreachable!("time passes for ever"),
    };
    assert_eq!(page["events"], json!([]));
    assert!(server.clock.now() >= service::clock::after(started, 30 * SECOND));
}

async fn a_seat_that_runs_out_of_time_forfeits(store: Store) {
    let server = Server::start_frozen(store).await;
    let players = guests(&server).await;
    let (id, active) = timed(&players[0], &players[1], MINUTE, "forfeit").await;
    let path = format!("/v1/matches/{id}");
    let mut watching =
        Stream::open(&Client::anonymous(&server.url), &format!("{path}/events"), Framing::Ndjson)
            .await;
    watching.expect("snapshot").await;
    server.clock.advance(MINUTE.saturating_sub(MILLI));
    players[active]
        .make_move(&id, &json!({ "type": "roll", "dice": ["orange"] }))
        .await
        .expect(200);
    // The move was in time; the clock of the next decision has begun with it.
    server.clock.advance(MINUTE.saturating_sub(MILLI));
    assert_eq!(players[0].get(&path).await.expect(200)["status"], "playing");
    server.clock.advance(2 * MILLI);
    assert_eq!(watching.until("end").await["reason"], "match_over");
    let over = players[0].get(&path).await.expect(200);
    assert_eq!(over["outcome"]["ending"], "resignation");
    assert_eq!(over["outcome"]["seats"][1 - active]["won"], true);
    assert_eq!(over["unrated"], Value::Null);
    let events = players[0].get(&format!("{path}/events?after=6")).await.expect(200);
    assert_eq!(kinds(&events), ["seat_timed_out", "seat_resigned", "match_finished"]);
    players[active].make_move(&id, &json!({ "type": "keep" })).await.problem(409, "match_over");
}

async fn a_seat_that_runs_out_of_time_is_moved_for_and_can_come_back(store: Store) {
    let server = Server::start_frozen(store).await;
    let players = guests(&server).await;
    let (id, active) = timed(&players[0], &players[1], MINUTE, "automatic").await;
    let path = format!("/v1/matches/{id}");
    server.clock.advance(MINUTE + MILLI);
    // Answered as soon as something has happened.
    let page = players[0].get(&format!("{path}/events?after=5&wait=30")).await.expect(200);
    assert_eq!(kinds(&page)[0], "seat_timed_out");
    let moved = page["events"].as_array().unwrap();
    assert_eq!(moved[0]["automatic"], false);
    let is_theirs = |event: &Value| event["automatic"] == true && event["by"] == active;
    assert!(moved.len() > 1 && moved[1..].iter().all(is_theirs), "{page}");
    // No time passes, so the player is back in time for the next decision.
    players[active].make_move(&id, &json!({ "type": "keep" })).await.expect(200);
    let document = players[0].get(&path).await.expect(200);
    assert_eq!(document["seats"][active]["resigned"], false);
    assert_eq!(document["unrated"], "automatic_seat");
}

async fn a_bot_plays_for_somebody_who_ran_out_of_time_until_they_return(store: Store) {
    let server = Server::start_frozen(store).await;
    let players = guests(&server).await;
    let (id, active) = timed(&players[0], &players[1], MINUTE, "bot").await;
    let path = format!("/v1/matches/{id}");
    let late = &players[active];
    late.post(&format!("{path}/return"), &json!({})).await.problem(409, "no_bot");
    server.clock.advance(MINUTE + MILLI);
    let page = late.get(&format!("{path}/events?after=5&wait=30")).await.expect(200);
    assert_eq!(kinds(&page)[..2], ["seat_timed_out", "bot_stepped_in"]);
    // The bot moves at once, and its moves are not automatic ones.
    let page = late.get(&format!("{path}/events?after=7&wait=30")).await.expect(200);
    let moved = &page["events"][0];
    assert_eq!((&moved["by"], &moved["automatic"]), (&json!(active), &json!(false)));
    let document = late.get(&path).await.expect(200);
    assert_eq!(document["seats"][active]["bot"], "casual");
    assert_eq!(document["seats"][active]["player"]["kind"], "guest");
    assert_eq!(document["unrated"], "bot");
    late.post(&format!("{path}/return"), &json!({})).await.expect(200);
    let document = late.get(&path).await.expect(200);
    assert_eq!(
        (&document["seats"][active]["bot"], &document["on_timeout"]),
        (&Value::Null, &json!("bot"))
    );
}

async fn a_restart_forgets_no_deadline(store: Store) {
    let server = Server::start_frozen(store).await;
    let players = guests(&server).await;
    let (id, _) = timed(&players[0], &players[1], HOUR, "forfeit").await;
    let server = server.restart().await;
    let anybody = Client::anonymous(&server.url);
    let finished = async || {
        let page = anybody.get("/v1/matches?status=finished").await.expect(200);
        page["matches"].as_array().unwrap().len()
    };
    server.clock.advance(HOUR.saturating_sub(SECOND));
    assert_eq!(finished().await, 0);
    // Nobody has looked at the match since: the store alone knows when it is due.
    server.clock.advance(2 * SECOND);
    eventually("the match is over", PATIENCE, async || (finished().await == 1).then_some(())).await;
    let events = anybody.get(&format!("/v1/matches/{id}/events?after=5")).await.expect(200);
    assert_eq!(kinds(&events), ["seat_timed_out", "seat_resigned", "match_finished"]);
}

/// Three replicas see every deadline pass; one of them acts.
#[actix_web::test]
async fn of_several_replicas_one_acts_once_on_a_deadline() {
    let one = Server::start_frozen(Store::Postgres).await;
    let replicas = [one.replica().await, one.replica().await];
    let [ana, ben] = guests(&one).await;
    let matches =
        join_all((0..20).map(async |_| timed(&ana, &ben, MINUTE, "automatic").await.0)).await;
    let there = Client::anonymous(&replicas[0].url);
    let timeouts = |page: &Value| {
        let kinds = kinds(page);
        kinds.iter().filter(|kind| **kind == "seat_timed_out").count()
    };
    for round in 1..=3 {
        one.clock.advance(MINUTE + MILLI);
        for id in &matches {
            let path = format!("/v1/matches/{id}/events?limit=200");
            let page = eventually("a seat is timed out", PATIENCE, async || {
                let request = there.request(Method::GET, &path).header("cache-control", "no-cache");
                let page = there.send(request).await.expect(200);
                (timeouts(&page) >= round).then_some(page)
            })
            .await;
            // At each point in time every seat that was waited for is timed out once.
            let mut seen = Vec::new();
            for event in page["events"].as_array().unwrap() {
                if event["event"]["type"] == "seat_timed_out" {
                    let key = (event["at"].as_str().unwrap(), event["by"].as_u64());
                    assert!(!seen.contains(&key), "{page}");
                    seen.push(key);
                }
            }
        }
    }
    for replica in replicas {
        replica.stop().await;
    }
    one.stop().await;
}

async fn guessing_a_password_takes_longer_every_time(store: Store) {
    let limit = |config: &mut Config| {
        config.rates = Rates { failures: 2, ..Rates::UNLIMITED };
        config.trusted_proxies = TrustedProxies::Hops(1);
    };
    let server = Server::start_at_with(store, frozen_clock(), limit).await;
    let client = Client::anonymous(&server.url);
    let account = json!({ "name": "Ana", "password": "correct horse" });
    client.post("/v1/players", &account).await.expect(201);
    let log_in = async |from: &str, body: &Value| {
        let request = client.request(Method::POST, "/v1/sessions").header("x-forwarded-for", from);
        client.send(request.json(body)).await
    };
    let (stranger, owner) = ("203.0.113.1", "203.0.113.2");
    let wrong = json!({ "name": "ana", "password": "wrong horse" });
    for _ in 0..2 {
        log_in(stranger, &wrong).await.problem(401, "wrong_credentials");
    }
    for delay in [1_u32, 2, 4, 8, 16] {
        let refused = log_in(stranger, &wrong).await;
        assert_eq!(refused.header("retry-after"), Some(delay.to_string().as_str()));
        refused.problem(429, "too_many_failures");
        server.clock.advance((SECOND * delay).saturating_sub(MILLI));
        // Not even with the right password, before the delay is over.
        log_in(stranger, &account).await.problem(429, "too_many_failures");
        server.clock.advance(MILLI);
        log_in(stranger, &wrong).await.problem(401, "wrong_credentials");
    }
    // The delay is for this address and this account.
    let other = json!({ "name": "Ben", "password": "wrong horse" });
    log_in(stranger, &other).await.problem(401, "wrong_credentials");
    log_in(owner, &account).await.expect(201);
    log_in(stranger, &account).await.problem(429, "too_many_failures");
    server.clock.advance(32 * SECOND);
    log_in(stranger, &account).await.expect(201);
    // A good password clears the count, and so does an hour.
    for _ in 0..2 {
        for _ in 0..2 {
            log_in(stranger, &wrong).await.problem(401, "wrong_credentials");
        }
        log_in(stranger, &wrong).await.problem(429, "too_many_failures");
        server.clock.advance(HOUR);
    }
}

async fn a_stolen_session_does_not_help_guessing_the_password(store: Store) {
    let limit = |config: &mut Config| config.rates = Rates { failures: 2, ..Rates::UNLIMITED };
    let server = Server::start_at_with(store, frozen_clock(), limit).await;
    let mut client = Client::anonymous(&server.url);
    let account = json!({ "name": "Ana", "password": "correct horse" });
    let session = client.post("/v1/players", &account).await.expect(201);
    client.enter(&session);
    let erase = async |password: &str| {
        let request =
            client.request(Method::DELETE, "/v1/me").json(&json!({ "password": password }));
        client.send(request).await
    };
    erase("wrong horse").await.problem(403, "wrong_password");
    erase("wrong mule").await.problem(403, "wrong_password");
    erase("wrong horse").await.problem(429, "too_many_failures");
    client.get("/v1/me").await.expect(200);
    server.clock.advance(SECOND);
    erase("wrong horse").await.problem(403, "wrong_password");
    erase("correct horse").await.problem(429, "too_many_failures");
    server.clock.advance(2 * SECOND);
    erase("correct horse").await.expect(204);
}

async fn retrying_a_registration_does_not_help_guessing_the_password(store: Store) {
    let limit = |config: &mut Config| config.rates = Rates { failures: 2, ..Rates::UNLIMITED };
    let server = Server::start_at_with(store, frozen_clock(), limit).await;
    let client = Client::anonymous(&server.url);
    let register = async |password: &str| {
        let request = client.request(Method::POST, "/v1/players").header("idempotency-key", "r");
        client.send(request.json(&json!({ "name": "Ana", "password": password }))).await
    };
    register("correct horse").await.expect(201);
    for _ in 0..2 {
        register("wrong horse").await.problem(422, "idempotency_key_reused");
    }
    register("correct horse").await.problem(429, "too_many_failures");
    // It is the same count as for logging in.
    let log_in = json!({ "name": "Ana", "password": "correct horse" });
    client.post("/v1/sessions", &log_in).await.problem(429, "too_many_failures");
    server.clock.advance(SECOND);
    register("correct horse").await.expect(201);
}

async fn a_guest_can_be_created_again_for_a_quarter_of_an_hour(store: Store) {
    let server = Server::start_frozen(store).await;
    let client = Client::anonymous(&server.url);
    let guest = async || {
        let key = "5e1c0a52-6d0e-4d27-a3f0-0f6f4c5f1b90";
        let request = client.request(Method::POST, "/v1/guests").header("idempotency-key", key);
        client.send(request.json(&json!({ "name": "Gus" }))).await
    };
    let first = guest().await.expect(201);
    server.clock.advance((15 * MINUTE).saturating_sub(MILLI));
    assert_eq!(guest().await.expect(201)["player"], first["player"]);
    server.clock.advance(MILLI);
    guest().await.problem(422, "idempotency_key_reused");
}

/// As if a replica had died in the middle of a deletion, or a seat had been taken through another one in the same second.
async fn a_deletion_that_was_cut_short_is_finished(store: Store) {
    let server = Server::start_frozen(store).await;
    let zoe = Client::guest(&server.url, "Zenobia").await;
    let created = zoe.create_match("qwinto", 2).await;
    let path = format!("/v1/matches/{}", created["id"].as_str().unwrap());
    let db = store::connect(&server.config.store()).await.unwrap();
    erasure::Entity::insert(erasure::ActiveModel {
        player_id: Set(zoe.player.as_deref().unwrap().parse().unwrap()),
        account: Set(false),
        account_since: Set(None),
        erased_at: Set(server.clock.now().micros()),
        settled: Set(false),
    })
    .exec_without_returning(&db)
    .await
    .unwrap();
    eventually("her token ends", PATIENCE, async || {
        (zoe.get("/v1/me").await.status == 401).then_some(())
    })
    .await;
    let anybody = Client::anonymous(&server.url);
    assert_eq!(anybody.get(&path).await.expect(200)["status"], "open", "it is too early");
    // Every replica knows by now: what her tokens did in the meantime is cleared.
    server.clock.advance(5 * SECOND + MILLI);
    eventually("the deletion is finished", PATIENCE, async || {
        let trace = erasure::Entity::find().one(&db).await.unwrap().expect("a trace");
        trace.settled.then_some(())
    })
    .await;
    assert_eq!(anybody.get(&path).await.expect(200)["status"], "abandoned");
    let player = format!("/v1/players/{}", zoe.player.as_deref().unwrap());
    anybody.get(&player).await.problem(404, "not_found");
}

/// What a replica wrote that was killed is forgotten.
#[actix_web::test]
async fn presence_at_a_replica_that_died_expires() {
    let server = Server::start_frozen(Store::Postgres).await;
    let [ana, ben] = guests(&server).await;
    let (id, _) = timed(&ana, &ben, 2 * HOUR, "automatic").await;
    let db = store::connect(&server.config.store()).await.unwrap();
    let now = server.clock.now().micros();
    let id_of_match: Uuid = id.parse().unwrap();
    presence::Entity::insert(presence::ActiveModel {
        lane: Set(db.lanes().of(id_of_match).column()),
        match_id: Set(id_of_match),
        seat: Set(1),
        replica: Set(Uuid::from_u128(1)),
        expires_at: Set(now + 45_000_000),
    })
    .exec_without_returning(&db)
    .await
    .unwrap();
    let mut watching = Stream::open(&ana, &format!("/v1/matches/{id}/events"), Framing::Sse).await;
    assert_eq!(watching.expect("snapshot").await["presence"], json!([0, 1]));
    server.clock.advance(45 * SECOND);
    assert_eq!(watching.until("presence").await["presence"], json!([0]));
}

/// A server whose webhooks may lead here.
async fn calling(store: Store) -> Server {
    let here = |config: &mut Config| {
        config.webhook_allow_http = true;
        config.webhook_allow_private = true;
    };
    Server::start_at_with(store, frozen_clock(), here).await
}

/// Makes a webhook, and has it called.
async fn ping(client: &Client, url: &str) -> String {
    let body = json!({ "url": url, "events": ["match.turn"] });
    let hook = client.post("/v1/webhooks", &body).await.expect(201);
    let path = format!("/v1/webhooks/{}", hook["id"].as_str().unwrap());
    client.post(&format!("{path}/test"), &json!({})).await.expect(202);
    format!("{path}/deliveries")
}

/// Waits until the only delivery has had so many attempts.
async fn attempted(client: &Client, path: &str, times: usize) -> Value {
    eventually("an attempt is noted", PATIENCE, async || {
        let page = client.get(path).await.expect(200);
        let delivery = &page["deliveries"][0];
        (delivery["attempts"].as_array()?.len() == times).then(|| delivery.clone())
    })
    .await
}

fn time(value: &Value) -> time::OffsetDateTime {
    let rfc3339 = &time::format_description::well_known::Rfc3339;
    time::OffsetDateTime::parse(value.as_str().unwrap(), rfc3339).unwrap()
}

async fn a_receiver_that_fails_is_called_again_after_pauses_that_grow(store: Store) {
    let server = calling(store).await;
    let mut receiver = Receiver::start(|_| 500);
    let mut ana = Client::guest(&server.url, "Ana").await;
    let path = ping(&ana, &receiver.url).await;
    // The ceilings of the pauses with the default settings: ten tries within two days.
    let ceilings = [15, 60, 240, 960, 3_840, 15_360, 50_400, 50_400, 50_400];
    for (tries, ceiling) in (1..).zip(ceilings) {
        receiver.next().await;
        let delivery = attempted(&ana, &path, tries).await;
        assert_eq!(delivery["state"], "pending");
        let next = time(&delivery["next_attempt_at"]);
        let pause = next - time(&delivery["attempts"][tries - 1]["at"]);
        assert!(pause <= time::Duration::seconds(ceiling), "{delivery}");
        let left = next - service::clock::to_datetime(server.clock.now());
        server.clock.advance(left.try_into().unwrap_or(Duration::ZERO) + 5 * MILLI);
        renew(&mut ana).await;
    }
    receiver.next().await;
    let dead = attempted(&ana, &path, 10).await;
    assert_eq!((&dead["state"], &dead["next_attempt_at"]), (&json!("dead"), &Value::Null));
}

async fn old_deliveries_are_removed(store: Store) {
    let server = calling(store).await;
    let mut receiver = Receiver::start(|_| 200);
    let mut ana = Client::guest(&server.url, "Ana").await;
    let path = ping(&ana, &receiver.url).await;
    receiver.next().await;
    assert_eq!(attempted(&ana, &path, 1).await["state"], "delivered");
    server.clock.advance(29 * DAY);
    renew(&mut ana).await;
    // The sweep has come by when the next message has been sent.
    let test = path.replace("deliveries", "test");
    ana.post(&test, &json!({})).await.expect(202);
    receiver.next().await;
    eventually("both are kept", PATIENCE, async || {
        let page = ana.get(&format!("{path}?state=delivered")).await.expect(200);
        (page["deliveries"].as_array().unwrap().len() == 2).then_some(())
    })
    .await;
    server.clock.advance(DAY + SECOND);
    renew(&mut ana).await;
    eventually("the older one is removed", PATIENCE, async || {
        let page = ana.get(&path).await.expect(200);
        (page["deliveries"].as_array().unwrap().len() == 1).then_some(())
    })
    .await;
}

async fn a_delivery_survives_a_clock_that_was_ahead_and_is_corrected(store: Store) {
    let server = calling(store).await;
    server.clock.advance(365 * DAY);
    let mut receiver = Receiver::start(|nth| if nth == 0 { 500 } else { 200 });
    let ana = Client::guest(&server.url, "Ana").await;
    let path = ping(&ana, &receiver.url).await;
    let first = receiver.next().await;
    assert_eq!(attempted(&ana, &path, 1).await["state"], "pending");
    server.clock.set_back(365 * DAY);
    let second = receiver.next().await;
    assert_eq!((&first.id, &first.body), (&second.id, &second.body));
    server.stop().await;
}

/// A replica that hangs, or has died, keeps a delivery no longer than its lease lasts.
#[actix_web::test]
async fn a_delivery_is_taken_over_when_its_lease_has_expired() {
    let one = calling(Store::Postgres).await;
    let mut receiver = Receiver::start(|nth| if nth == 0 { 0 } else { 200 });
    let ana = Client::guest(&one.url, "Ana").await;
    let path = ping(&ana, &receiver.url).await;
    let first = receiver.next().await;
    let two = one.replica().await;
    one.clock.advance((30 * SECOND).saturating_sub(MILLI));
    let page = ana.get(&path).await.expect(200);
    assert_eq!(page["deliveries"][0]["state"], "pending");
    one.clock.advance(SECOND);
    let second = receiver.next().await;
    assert_eq!((&first.id, &first.body), (&second.id, &second.body));
    assert_eq!(attempted(&ana, &path, 1).await["state"], "delivered");
    two.stop().await;
}
