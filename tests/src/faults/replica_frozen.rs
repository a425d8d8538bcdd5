//! One of two replicas is frozen in the middle of everything: its connections and locks stay. Later it goes on as if nothing had
//! happened.

use std::time::Duration;

use super::{
    fault::{Fault, Needs, POSTGRES},
    stage::Stage,
};

/// The fault.
pub const FAULT: Fault = Fault {
    name: "replica frozen",
    stores: POSTGRES,
    needs: Needs::Nothing,
    is_short: true,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, hold: Duration) {
    stage.replicas[0].freeze();
    tokio::time::sleep(hold).await;
    stage.replicas[0].thaw();
    stage.replicas.rotate_left(1);
}
