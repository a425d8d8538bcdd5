//! The host of Postgres vanishes: old and new connections fall silent. Later it is back, with everything that was sent meanwhile.

use std::time::Duration;

use super::{
    fault::{Fault, Needs, POSTGRES},
    stage::Stage,
};

/// The fault.
pub const FAULT: Fault = Fault {
    name: "Postgres out of reach",
    stores: POSTGRES,
    needs: Needs::Proxy,
    is_short: false,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, hold: Duration) {
    stage.proxy().isolate();
    tokio::time::sleep(hold).await;
    stage.proxy().heal();
}
