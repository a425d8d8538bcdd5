//! What one replica sends to the other does not arrive, and neither do answers; later the link works again, then it is cut. Both
//! replicas reach the store all the time.

use std::time::Duration;

use super::{
    fault::{Fault, Needs, POSTGRES},
    stage::Stage,
};

/// The fault.
pub const FAULT: Fault = Fault {
    name: "link silent",
    stores: POSTGRES,
    needs: Needs::Link,
    is_short: true,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, hold: Duration) {
    stage.proxy().isolate();
    tokio::time::sleep(hold / 2).await;
    stage.proxy().heal();
    tokio::time::sleep(hold / 4).await;
    stage.proxy().cut();
    tokio::time::sleep(hold / 4).await;
}
