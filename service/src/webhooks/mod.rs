//! Webhooks: what concerns a player, sent to an address of the player's choice, at least once.
//!
//! One replica at a time turns what the feed tells into deliveries, in one transaction with its position (`outbox.rs`); all
//! replicas deliver (`deliver.rs`), each what it has leased. Whatever is killed, whenever: the other one goes on.

mod address;
mod deliver;
mod outbox;
mod registrations;
mod send;
mod sign;

use std::sync::Arc;

pub use address::{Policy, Refused};
pub use deliver::Attempt;
pub use outbox::{Payload, delivery, queue_invitations};
pub use registrations::{MAX_WEBHOOKS, NewWebhook, Registered, RegistrationChange, WebhookError};
pub use sign::new_secret;

use crate::{clock::Clock, live::Matches, tasks::Shutdown};

/// How webhooks are called.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Which addresses are allowed.
    pub policy: Policy,
    /// The ceiling of the first pause before a webhook is called again, in milliseconds.
    pub retry_millis: u64,
}

/// Turns notifications into deliveries, and makes them.
#[derive(Debug)]
pub struct Webhooks {
    /// Which addresses are allowed.
    pub policy: Policy,
    matches: Matches,
    clock: Clock,
    deliverer: deliver::Deliverer,
    /// Says that there is something to deliver.
    nudge: Arc<tokio::sync::Notify>,
}

impl Webhooks {
    /// The webhooks of this store.
    #[must_use]
    pub fn new(matches: &Matches, clock: Clock, settings: Settings) -> Self {
        let nudge = Arc::new(tokio::sync::Notify::new());
        let deliverer = deliver::Deliverer::new(
            matches.log().database().clone(),
            clock.clone(),
            settings,
            Arc::clone(&nudge),
        );
        Self { policy: settings.policy, matches: matches.clone(), clock, deliverer, nudge }
    }

    /// Turns what the feed tells into deliveries, until told to stop.
    pub async fn fill_outbox(&self, shutdown: Shutdown) {
        let outbox =
            outbox::Outbox::new(&self.matches, self.clock.clone(), Arc::clone(&self.nudge));
        outbox.run(self.matches.feed_grown(), shutdown).await;
    }

    /// Makes deliveries that are due, until told to stop.
    pub async fn deliver(&self, shutdown: Shutdown) {
        self.deliverer.run(shutdown).await;
    }

    /// Says that there is something to deliver now.
    pub fn nudge(&self) {
        self.nudge.notify_one();
    }
}

/// The states of a delivery.
pub mod state {
    /// Not delivered yet.
    pub const PENDING: &str = "pending";
    /// The receiver has it.
    pub const DELIVERED: &str = "delivered";
    /// Given up.
    pub const DEAD: &str = "dead";
}
