//! Every number in the statistics, compared with a recount from the raw logs.

use api::config::Config;
use boards::check_boards;
use games::check_games;
use players::{check_pairs, check_player};
use recount::{History, Played, Ratings};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, sea_query::Expr};
use serde_json::{Value, json};
use store::{EventLog, entities::player};
use tests::{
    client::Client,
    history::{self, Cast},
    server::{Server, Store},
};
use uuid::Uuid;

mod boards;
mod charts;
mod games;
mod pages;
mod players;
pub mod recount;

/// The number of matches; more with `TELAR_RECOUNT=2000`.
fn how_many() -> u32 {
    std::env::var("TELAR_RECOUNT").ok().and_then(|number| number.parse().ok()).unwrap_or(200)
}

/// The players; the first ones become accounts.
async fn enter(
    server: &Server,
    db: &store::Db,
    accounts: usize,
    guests: usize,
) -> (Vec<Client>, Cast) {
    let mut clients = Vec::new();
    for number in 0..accounts + guests {
        clients.push(Client::guest(&server.url, &format!("Player {number}")).await);
    }
    let ids: Vec<Uuid> =
        clients.iter().map(|client| client.player.as_deref().unwrap().parse().unwrap()).collect();
    let (with, without) = ids.split_at(accounts);
    player::Entity::update_many()
        .col_expr(player::Column::AccountSince, Expr::value(0_i64))
        .filter(player::Column::Id.is_in(with.iter().copied()))
        .exec(db)
        .await
        .unwrap();
    (clients, Cast { accounts: with.to_vec(), guests: without.to_vec() })
}

async fn another_log(config: &Config) -> EventLog {
    tests::open_log(config).await
}

fn close(one: &Value, two: f64) -> bool {
    one.as_f64().is_some_and(|one| (one - two).abs() <= 1e-6 * two.abs().max(1.0))
}

#[track_caller]
#[expect(clippy::cast_precision_loss, reason = "a mean")]
fn check_distribution(document: &Value, mut values: Vec<i64>, exact: bool, what: &str) {
    values.sort_unstable();
    assert_eq!(document["count"], values.len(), "{what}: {document}");
    let bars = document["histogram"].as_array().unwrap();
    let within = |bar: &Value| {
        let (from, to) = (bar["from"].as_i64().unwrap(), bar["to"].as_i64().unwrap());
        assert!(!exact || from == to, "{what}: {bar}");
        values.iter().filter(|value| (from..=to).contains(*value)).count()
    };
    for bar in bars {
        assert_eq!(bar["count"], within(bar), "{what}: {bar}");
    }
    assert_eq!(bars.iter().map(within).sum::<usize>(), values.len(), "{what}");
    let Some((min, max)) = values.first().zip(values.last()) else {
        for field in ["mean", "min", "max", "quantiles"] {
            assert_eq!(document[field], Value::Null, "{what}");
        }
        return;
    };
    let mean = values.iter().sum::<i64>() as f64 / values.len() as f64;
    assert!(close(&document["mean"], mean), "{what}: {document} {mean}");
    assert_eq!((&document["min"], &document["max"]), (&json!(min), &json!(max)), "{what}");
    for hundredths in [5, 25, 50, 75, 95] {
        let rank = (values.len() * hundredths).div_ceil(100).max(1);
        let right = values[rank - 1];
        let shown = document["quantiles"][format!("q{hundredths:02}")].as_i64().unwrap();
        if exact {
            assert_eq!(shown, right, "{what}: {hundredths} %");
        } else {
            assert!((shown - right).abs() * 16 <= right, "{what}: {shown} for {right}");
        }
    }
}

/// `2026-02-03`
fn date(day: i64) -> String {
    service::statistics::date_of(i32::try_from(day).unwrap()).to_string()
}

fn day_of(date: &Value) -> i64 {
    let parts: Vec<i64> =
        date.as_str().unwrap().split('-').map(|part| part.parse().unwrap()).collect();
    // All dates are in 2025 to 2027, and none of these is a leap year.
    let months = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let before: i64 = months[..usize::try_from(parts[1] - 1).unwrap()].iter().sum();
    20_089 + (parts[0] - 2025) * 365 + before + parts[2] - 1
}

async fn check_result(client: &Client, history: &History, ratings: &Ratings, it: &Played) {
    let document = client.get(&format!("/v1/matches/{}/result", it.id)).await.expect(200);
    assert_eq!(document["counted"], true);
    assert_eq!(document["unrated_because"], json!(history.unrated(it)));
    assert_eq!(document["rated"], history.unrated(it).is_none());
    assert_eq!(document["outcome"], serde_json::to_value(&it.outcome).unwrap());
    let shown = document["ratings"].as_array().unwrap();
    let expected = ratings.get(&it.id).map(Vec::as_slice).unwrap_or_default();
    assert_eq!(shown.len(), expected.len());
    for (seat, (shown, ((mu, sigma), (after, sure)))) in shown.iter().zip(expected).enumerate() {
        assert_eq!((&shown["seat"], &shown["player"]), (&json!(seat), &json!(it.players[seat])));
        assert!(close(&shown["rating_before"], *mu) && close(&shown["uncertainty_before"], *sigma));
        assert!(close(&shown["rating"], *after) && close(&shown["uncertainty"], *sure));
    }
}

/// All statistics, on a store that two servers and this test follow at the same time.
async fn recount(kind: Store) {
    let server = Server::start(kind).await;
    let replica = if kind == Store::Postgres { Some(server.replica().await) } else { None };
    let store = another_log(&server.config).await;
    let (clients, cast) = enter(&server, store.database(), 9, 4).await;
    history::write(&store, &cast, 0..how_many()).await;
    history::settle(&store).await;
    let history = History::read(&store, &cast.accounts).await;

    // Every case occurs.
    let played = &history.played;
    assert!(!history.left.is_empty() && history.forks > 0);
    assert!(played.iter().any(|it| it.winners() > 1), "no shared win");
    for reason in ["demo", "private", "automatic_seat", "guest", "solo"] {
        assert!(played.iter().any(|it| history.unrated(it) == Some(reason)), "{reason}");
    }
    assert!(
        played.iter().any(|it| it.seats == 2 && !it.by_rules() && history.unrated(it).is_none())
    );

    let url = replica.as_ref().map_or(&server.url, |replica| &replica.url);
    let anybody = Client::anonymous(url);
    check_games(&anybody, &history).await;
    for player in cast.accounts.iter().chain(&cast.guests) {
        check_player(&anybody, &history, *player).await;
    }
    check_pairs(&anybody, &history, &cast.accounts).await;
    check_boards(&clients, &history).await;
    let ratings = history.ratings();
    for it in played.iter().filter(|it| it.public).step_by(7) {
        check_result(&anybody, &history, &ratings, it).await;
    }
    let left = &history.left[0];
    let document = clients[0].get(&format!("/v1/matches/{}/result", left.id)).await;
    if document.status == 200 {
        assert_eq!(document.body["unrated_because"], "abandoned");
        assert_eq!(document.body["outcome"], Value::Null);
    }
    if let Some(replica) = replica {
        replica.stop().await;
    }
    server.stop().await;
}

#[actix_web::test]
async fn every_number_equals_a_recount_on_sqlite() {
    recount(Store::Sqlite).await;
}

#[actix_web::test]
async fn every_number_equals_a_recount_on_postgres() {
    recount(Store::Postgres).await;
}
