//! Webhooks: a player's notifications, sent to a URL of the player's choice at least once.
//!
//! One replica at a time turns entries of the feed into deliveries (`outbox.rs`). All replicas make deliveries, each those that
//! it has leased (`deliver.rs`), in a fair order (`slots.rs`). If a replica is killed, another one continues.

mod address;
mod deliver;
mod lookup;
mod outbox;
mod registrations;
mod send;
mod sign;
mod slots;

use std::sync::Arc;

pub use address::{Policy, Refused};
pub use deliver::Attempt;
pub use outbox::{Payload, delivery, queue_invitations};
pub use registrations::{MAX_WEBHOOKS, NewWebhook, Registered, RegistrationChange, WebhookError};
pub use sign::new_secret;
pub use store::webhooks::state;

use crate::{bulkheads::Bulkhead, clock::Clock, feed::Follower, live::Matches, tasks::Shutdown};

/// The table whose rows hold encrypted secrets.
const SECRETS: &str = "webhooks";

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
    hosts: lookup::HostCheck,
    deliverer: deliver::Deliverer,
    /// Wakes the deliverer.
    nudge: Arc<tokio::sync::Notify>,
}

impl Webhooks {
    /// The webhooks of this store, whose hosts are looked up in this bulkhead.
    #[must_use]
    pub fn new(
        matches: &Matches,
        clock: Clock,
        settings: Settings,
        lookups: Arc<Bulkhead>,
    ) -> Self {
        let nudge = Arc::new(tokio::sync::Notify::new());
        let deliverer =
            deliver::Deliverer::new(matches.log(), clock.clone(), settings, Arc::clone(&nudge));
        Self {
            policy: settings.policy,
            matches: matches.clone(),
            clock,
            hosts: lookup::HostCheck::new(settings.policy, lookups),
            deliverer,
            nudge,
        }
    }

    /// Turns entries of the feed into deliveries, until told to stop.
    pub async fn fill_outbox(&self, shutdown: Shutdown) {
        let outbox =
            outbox::Outbox::new(&self.matches, self.clock.clone(), Arc::clone(&self.nudge));
        let follower = Follower::new(self.matches.log().clone(), outbox);
        follower.run(self.matches.feed_grown(), shutdown).await;
    }

    /// Makes deliveries that are due, until told to stop.
    pub async fn deliver(&self, shutdown: Shutdown) {
        self.deliverer.run(shutdown).await;
    }

    /// Wakes the deliverer: something is due now.
    pub fn nudge(&self) {
        self.nudge.notify_one();
    }
}
