//! The connections to Postgres fall silent without being closed, as when a NAT forgets them. New ones work, so the server has to
//! recover on its own.

use std::time::Duration;

use super::{
    fault::{Fault, Needs, POSTGRES},
    stage::Stage,
};

/// The fault.
pub const FAULT: Fault = Fault {
    name: "connections silent",
    stores: POSTGRES,
    needs: Needs::Proxy,
    is_short: false,
    strike: |stage, hold| Box::pin(strike(stage, hold)),
};

async fn strike(stage: &mut Stage, _: Duration) {
    stage.proxy().silence();
}
