//! `kill -9` of the server in the middle of everything, and a new start. On Postgres the other replica goes on meanwhile.

use std::time::Duration;

use super::{
    fault::{BOTH, Fault, Needs},
    stage::Stage,
};

/// The fault.
pub const FAULT: Fault = Fault {
    name: "server killed",
    stores: BOTH,
    needs: Needs::Nothing,
    is_short: true,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, hold: Duration) {
    stage.kill_server();
    tokio::time::sleep(hold / 4).await;
    stage.start_server().await;
}
