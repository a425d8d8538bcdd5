//! `kill -9` of all processes of Postgres, and a new start with crash recovery.

use std::time::Duration;

use super::{
    fault::{Fault, Needs, POSTGRES},
    stage::Stage,
};

/// The fault.
pub const FAULT: Fault = Fault {
    name: "Postgres killed",
    stores: POSTGRES,
    needs: Needs::Nothing,
    is_short: true,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, hold: Duration) {
    let postgres = stage.postgres.as_mut().expect("a stage with Postgres");
    postgres.kill();
    tokio::time::sleep(hold / 2).await;
    postgres.restart();
}
