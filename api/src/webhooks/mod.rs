//! Webhooks: what concerns a player, sent to an address of the player's choice, at least once.
//!
//! One replica at a time turns what the feed tells into deliveries, in one transaction with its position (`outbox.rs`); all
//! replicas deliver (`deliver.rs`), each what it has leased. Whatever is killed, whenever: the other one goes on.

mod address;
mod deliver;
mod outbox;
mod send;
mod sign;

use std::sync::Arc;

pub use address::{Policy, Refused};
pub use deliver::Attempt;
pub(crate) use outbox::{Payload, delivery, tell_invited};
pub use sign::new_secret;

use crate::{closing::Closing, config::Config, live::Matches};

/// How deliveries are made.
#[derive(Debug, Clone)]
pub struct Webhooks {
    /// Which addresses are allowed.
    pub policy: Policy,
    /// Says that there is something to deliver.
    nudge: Arc<tokio::sync::Notify>,
}

impl Webhooks {
    /// Starts to follow the feed and to deliver.
    #[must_use]
    pub fn start(matches: &Matches, config: &Config, closing: &Closing) -> Self {
        let policy =
            Policy { http: config.webhook_allow_http, private: config.webhook_allow_private };
        let nudge = Arc::new(tokio::sync::Notify::new());
        let outbox = outbox::Outbox::new(matches, Arc::clone(&nudge));
        tokio::spawn(outbox.run(matches.feed_grown(), closing.clone()));
        let deliver = deliver::Deliver::new(
            matches.store().database().clone(),
            policy,
            config.webhook_retry_millis,
            Arc::clone(&nudge),
        );
        tokio::spawn(deliver.run(closing.clone()));
        Self { policy, nudge }
    }

    /// Says that there is something to deliver now.
    pub fn nudge(&self) {
        self.nudge.notify_one();
    }
}

/// What has become of a delivery.
pub mod state {
    /// Not delivered yet.
    pub const PENDING: &str = "pending";
    /// The receiver has it.
    pub const DELIVERED: &str = "delivered";
    /// Given up.
    pub const DEAD: &str = "dead";
}
