//! Everything between the server and Postgres takes a while.

use std::time::Duration;

use super::{
    fault::{Fault, Needs, POSTGRES},
    stage::Stage,
};

/// The delay in each direction.
const DELAY: Duration = Duration::from_millis(200);

/// The fault.
pub const FAULT: Fault = Fault {
    name: "connections delayed",
    stores: POSTGRES,
    needs: Needs::Proxy,
    is_short: false,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, hold: Duration) {
    stage.proxy().delay(DELAY);
    tokio::time::sleep(hold).await;
    stage.proxy().heal();
}
