//! What a `kill -9` does not break.

use std::path::Path;

use sea_orm::{ConnectionTrait, Database};
use serde_json::json;
use tests::{
    client::Client,
    fleet::{Plan, run},
    postgres::new_database,
    process::Telar,
    receiver::Receiver,
};

fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_telar"))
}

/// Seats at different replicas, streams that break off at random, one replica killed half-way: every stream is complete and in
/// order, and every webhook is told.
#[actix_web::test]
async fn streams_and_webhooks_survive_the_death_of_a_replica() {
    let database = new_database().await;
    let report = run(binary(), &database, &Plan { matches: 20, moves: 16, seed: 1 }).await;
    assert!(report.resumed > 20, "streams were resumed: {report:?}");
    assert!(report.events > 20 * 2 * 16, "{report:?}");
}

/// A replica dies while it delivers: when its lease has run out, another one delivers the same message.
#[actix_web::test]
async fn a_delivery_is_taken_over_from_a_replica_that_died() {
    let database = new_database().await;
    let variables = [("TELAR_WEBHOOK_ALLOW_HTTP", "true"), ("TELAR_WEBHOOK_ALLOW_PRIVATE", "true")];
    let one = Telar::start(binary(), &database, &variables);
    let mut receiver = Receiver::start(|nth| if nth == 0 { 0 } else { 200 });
    let ana = Client::guest(&one.url, "Ana").await;
    let body = json!({ "url": receiver.url, "events": ["match.turn"] });
    ana.post("/v1/webhooks", &body).await.expect(201);
    ana.create_match("tapestry", 1).await;
    let first = receiver.next().await;
    one.kill();
    let _two = Telar::start(binary(), &database, &variables);
    // The half minute of the lease passes at once.
    let db = Database::connect(&database).await.unwrap();
    let sooner = "UPDATE webhook_deliveries SET due_at = due_at - 30000000";
    db.execute_unprepared(sooner).await.unwrap();
    let second = receiver.next().await;
    assert_eq!((&first.id, &first.body), (&second.id, &second.body));
    assert_eq!(second.status, 200);
}
