//! The luck of each seat, compared with a recount from public events.

use domain::games;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{
    client::Client,
    random_play::{Plan, carry_on},
    server::Server,
};

on_both_stores!(
    every_seat_of_every_game_has_the_figures_that_the_game_declares,
    luck_is_told_once_the_match_is_over,
    strangers_learn_nothing_of_the_luck_of_a_private_match,
    a_match_that_never_started_left_nothing_to_chance,
    automatic_seats_and_forks_have_luck_as_well,
);

fn plan(game: &str, seats: usize) -> Plan {
    let options = json!({});
    Plan { game: game.to_owned(), seats, options, seed: 31, look_every: 1_000, replays: 1 }
}

async fn guests(url: &str, seats: usize) -> Vec<Client> {
    let mut clients = Vec::new();
    for seat in 0..seats {
        clients.push(Client::guest(url, &format!("Seat {seat}")).await);
    }
    clients
}

/// A match that goes on for a while before seat 0 gives it up.
async fn given_up(clients: &[Client], game: &str) -> String {
    let id = clients[0].create_match(game, clients.len()).await["id"].as_str().unwrap().to_owned();
    for client in &clients[1..] {
        client.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    }
    for _ in 0..10 {
        for client in clients {
            if let Some(mv) = client.legal_moves(&id).await.first() {
                client.make_move(&id, mv).await.expect(200);
            }
        }
    }
    clients[0].post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    id
}

/// The figure of a seat.
fn figure<'a>(luck: &'a Value, seat: usize, id: &str) -> &'a Value {
    let figures = luck["seats"][seat]["figures"].as_array().unwrap();
    figures.iter().find(|figure| figure["id"] == id).unwrap()
}

fn number(figure: &Value, field: &str) -> f64 {
    figure[field].as_f64().unwrap()
}

/// How often a seat rolled, the number of dice, and their total.
async fn rolls(client: &Client, id: &str, seat: usize) -> (u32, u32, u32) {
    let (mut rolls, mut dice, mut sum) = (0, 0, 0);
    let mut after = 0;
    loop {
        let path = format!("/v1/matches/{id}/frames?after={after}&limit=200");
        let page = client.get(&path).await.expect(200);
        for frame in page["frames"].as_array().unwrap() {
            let kind = frame["event"]["type"].as_str().unwrap();
            if ["dice_rolled", "dice_rerolled"].contains(&kind) && frame["by"] == seat {
                rolls += 1;
                for die in frame["event"]["dice"].as_array().unwrap() {
                    dice += 1;
                    sum += u32::try_from(die["face"].as_u64().unwrap()).unwrap();
                }
            }
        }
        match page["next"].as_u64() {
            Some(next) => after = next,
            None => return (rolls, dice, sum),
        }
    }
}

#[track_caller]
fn close(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-3, "{one} is not {other}");
}

/// The sums of Qwinto by hand: 3.5 per die, with a variance of 35/12.
async fn recount(client: &Client, luck: &Value, id: &str, seats: usize) {
    for seat in 0..seats {
        let (rolls, dice, sum) = rolls(client, id, seat).await;
        let (dice, sum) = (f64::from(dice), f64::from(sum));
        let figure = figure(luck, seat, "sums");
        assert_eq!(figure["count"], rolls);
        close(number(figure, "observed"), sum);
        close(number(figure, "expected"), 3.5 * dice);
        let deviation = (35.0 / 12.0 * dice).sqrt();
        close(number(figure, "deviation"), deviation);
        close(number(figure, "z"), if dice > 0.0 { (sum - 3.5 * dice) / deviation } else { 0.0 });
    }
}

async fn every_seat_of_every_game_has_the_figures_that_the_game_declares(server: Server) {
    let anybody = Client::anonymous(&server.url);
    for game in games::all() {
        let info = game.info();
        let clients = guests(&server.url, info.min_seats.into()).await;
        let id = given_up(&clients, info.key).await;
        let luck = anybody.get(&format!("/v1/matches/{id}/luck")).await.expect(200);
        assert_eq!((luck["id"].as_str(), luck["game"].as_str()), (Some(&*id), Some(info.key)));
        assert_eq!(luck["rules_version"], info.rules_version);
        let details = anybody.get(&format!("/v1/games/{}", info.key)).await.expect(200);
        assert_eq!(luck["figures"], details["luck"]);
        let seats = luck["seats"].as_array().unwrap();
        assert_eq!(seats.len(), usize::from(info.min_seats));
        for (index, seat) in seats.iter().enumerate() {
            assert_eq!(seat["seat"], index);
            assert_eq!(seat["player"].as_str(), clients[index].player.as_deref());
            assert_eq!(seat["figures"].as_array().unwrap().len(), info.luck.len());
        }
        let figures = || seats.iter().flat_map(|seat| seat["figures"].as_array().unwrap());
        assert!(figures().all(|figure| number(figure, "z").is_finite()));
        assert!(figures().any(|figure| number(figure, "count") > 0.0), "{luck}");
    }
}

async fn luck_is_told_once_the_match_is_over(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let ben = Client::guest(&server.url, "Ben").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/matches/{id}/luck");
    ana.get(&path).await.problem(409, "match_not_over");
    let started = ben.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    let active = usize::from(started["view"]["active"] != 0);
    let roll = json!({ "type": "roll", "dice": ["orange", "purple"] });
    [&ana, &ben][active].make_move(&id, &roll).await.expect(200);
    let problem = ana.get(&path).await.problem(409, "match_not_over");
    assert_eq!(problem["version"], 6);
    ben.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);

    let reply = ana.get(&path).await;
    assert_eq!(reply.header("cache-control"), Some("private, max-age=31536000, immutable"));
    assert_eq!(reply.header("vary"), Some("Accept-Language, Authorization"));
    let tag = reply.header("etag").unwrap().to_owned();
    let luck = reply.expect(200);
    recount(&ana, &luck, &id, 2).await;
    let sums = figure(&luck, active, "sums");
    assert_eq!(
        (&sums["count"], &sums["expected"], &sums["deviation"]),
        (&json!(1), &json!(7.0), &json!(2.4152))
    );
    // Empty sheets have nine open boxes per row for any roll.
    for seat in [0, 1] {
        let boxes = json!({ "id": "open_boxes", "count": 1, "observed": 18.0, "expected": 18.0, "deviation": 0.0, "z": 0.0 });
        assert_eq!(*figure(&luck, seat, "open_boxes"), boxes);
    }
    assert_eq!(luck["figures"][0]["better"], "neither");
    assert_eq!(luck["figures"][1]["better"], "higher");

    let again = ana.request(Method::GET, &path).header("if-none-match", &tag);
    assert_eq!(ana.send(again).await.status, 304);
    let spanish = ana
        .request(Method::GET, &path)
        .header("accept-language", "es")
        .header("if-none-match", &tag);
    let spanish = ana.send(spanish).await.expect(200);
    assert_eq!(spanish["seats"], luck["seats"]);
    assert_eq!(spanish["figures"][0]["label"], "Sumas obtenidas");
    assert_eq!(luck["figures"][0]["label"], "Sums rolled");
}

async fn strangers_learn_nothing_of_the_luck_of_a_private_match(server: Server) {
    let [ana, ben, eve] = <[Client; 3]>::try_from(guests(&server.url, 3).await).unwrap();
    let body = json!({ "game": "qwinto", "seats": 2, "visibility": "private" });
    let created = ana.post("/v1/matches", &body).await.expect(201);
    let id = created["id"].as_str().unwrap();
    let seat = json!({ "invite_code": created["invite_code"] });
    ben.post(&format!("/v1/matches/{id}/seats"), &seat).await.expect(201);
    let path = format!("/v1/matches/{id}/luck");
    eve.get(&path).await.problem(404, "not_found");
    ana.post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    eve.get(&path).await.problem(404, "not_found");
    Client::anonymous(&server.url).get(&path).await.problem(404, "not_found");
    ben.get(&path).await.expect(200);
    ana.get("/v1/matches/00000000-0000-0000-0000-000000000000/luck")
        .await
        .problem(404, "not_found");
}

async fn a_match_that_never_started_left_nothing_to_chance(server: Server) {
    let ana = Client::guest(&server.url, "Ana").await;
    let id = ana.create_match("qwinto", 2).await["id"].as_str().unwrap().to_owned();
    ana.delete(&format!("/v1/matches/{id}/seats")).await.expect(204);
    let luck = ana.get(&format!("/v1/matches/{id}/luck")).await.expect(200);
    assert_eq!(luck["seats"][1]["player"], Value::Null);
    assert_eq!(
        *figure(&luck, 0, "sums"),
        json!({
            "id": "sums", "count": 0, "observed": 0.0, "expected": 0.0, "deviation": 0.0, "z": 0.0
        })
    );
}

async fn automatic_seats_and_forks_have_luck_as_well(server: Server) {
    let clients = guests(&server.url, 3).await;
    let id = clients[0].create_match("qwinto", 3).await["id"].as_str().unwrap().to_owned();
    for client in &clients[1..] {
        client.post(&format!("/v1/matches/{id}/seats"), &json!({})).await.expect(201);
    }
    clients[2].post(&format!("/v1/matches/{id}/resign"), &json!({})).await.expect(200);
    let first = carry_on(&server.url, &clients, &id, &plan("qwinto", 3)).await;
    assert_eq!(first.finished["unrated"], "automatic_seat");
    let luck = clients[0].get(&format!("/v1/matches/{id}/luck")).await.expect(200);
    recount(&clients[0], &luck, &id, 3).await;

    // A fork counts only its own rolls.
    let at = first.finished["version"].as_u64().unwrap() * 3 / 4;
    let forks = format!("/v1/matches/{id}/forks");
    let fork = clients[0].post(&forks, &json!({ "at": at })).await.expect(201);
    let fork = fork["id"].as_str().unwrap();
    for client in &clients[1..] {
        client.post(&format!("/v1/matches/{fork}/seats"), &json!({})).await.expect(201);
    }
    carry_on(&server.url, &clients, fork, &plan("qwinto", 3)).await;
    let luck = clients[0].get(&format!("/v1/matches/{fork}/luck")).await.expect(200);
    recount(&clients[0], &luck, fork, 3).await;
}
