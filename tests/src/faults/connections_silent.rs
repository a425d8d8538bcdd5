//! The connections to Postgres fall silent without being closed, as when a NAT forgets them. New ones work, so the server has to
//! recover on its own.

use super::fault::{Fault, Needs, POSTGRES};

/// The fault.
pub const FAULT: Fault = Fault {
    name: "connections silent",
    stores: POSTGRES,
    needs: Needs::Proxy,
    is_short: false,
    strike: |stage, _| Box::pin(async { stage.proxy().silence() }),
};
