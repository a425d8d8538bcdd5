//! All connections to Postgres are closed, again and again. New ones work.

use std::time::Duration;

use super::{
    fault::{Fault, Needs, POSTGRES},
    stage::Stage,
};

/// The number of cuts.
const CUTS: u32 = 10;

/// The fault.
pub const FAULT: Fault = Fault {
    name: "connections cut",
    stores: POSTGRES,
    needs: Needs::Proxy,
    is_short: true,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, hold: Duration) {
    for _ in 0..CUTS {
        stage.proxy().cut();
        tokio::time::sleep(hold / CUTS).await;
    }
}
