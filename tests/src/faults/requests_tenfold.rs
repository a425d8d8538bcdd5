//! Every command is sent ten times at once under the same key, to all replicas.

use std::time::Duration;

use super::{
    fault::{BOTH, Fault, Needs},
    stage::Stage,
};

/// The fault.
pub const FAULT: Fault = Fault {
    name: "requests tenfold",
    stores: BOTH,
    needs: Needs::Nothing,
    is_short: true,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, hold: Duration) {
    stage.crowd.send_copies(10);
    tokio::time::sleep(hold).await;
    stage.crowd.send_copies(1);
}
