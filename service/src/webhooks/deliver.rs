//! Making deliveries. A replica leases a delivery first, by postponing the time at which it is due. If the replica is killed,
//! another one finds the delivery due again. So a receiver may get the same message twice, and recognises it by its id.

use std::{collections::HashMap, pin::pin, sync::Arc, time::Duration};

use domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use store::{
    Db, EventLog, StorageKeys,
    webhooks::{self, Delivery, state},
};
use time::OffsetDateTime;
use tokio::{sync::Notify, time::Instant};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    SECRETS, Settings,
    send::{SignedMessage, WebhookClient},
    sign::signature,
    slots::{PER_WEBHOOK, QUICK, Slot, Slots},
};
use crate::{
    clock::{self, Clock},
    error::Result,
    secret,
    tasks::Shutdown,
};

/// How long a delivery is leased, in microseconds: longer than any attempt takes.
const LEASE: i64 = 30_000_000;
/// How far the clocks of replicas may be apart, in microseconds.
const SKEW: i64 = 60_000_000;
/// How often to look for due deliveries, at least.
const POLL: Duration = Duration::from_secs(1);
/// How long to wait between two looks, at least.
const PAUSE: Duration = Duration::from_millis(5);
/// The response of a receiver that wants no more messages.
const GONE: u16 = 410;
/// After this many attempts a delivery is given up.
pub const TRIES: i16 = 10;
/// The ceiling of each pause is four times the previous one, up to this multiple of the first. With 15 seconds for the first,
/// the longest is 14 hours, and ten attempts take about a day.
const LONGEST: u64 = 3_360;
/// How many attempts are recorded; older ones are dropped.
const RECORDED: usize = 20;

/// One attempt to deliver a message.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Attempt {
    /// When.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The HTTP status of the answer.
    #[schema(minimum = 100, maximum = 599, example = 503)]
    pub status: Option<u16>,
    /// Why there was none: `timeout`, `connection_failed`, `tls_failed`, `host_unknown`, `host_not_public`.
    #[schema(example = "timeout")]
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    #[schema(example = 120)]
    pub millis: i64,
}

/// Makes deliveries.
#[derive(Debug, Clone)]
pub(super) struct Deliverer {
    db: Db,
    keys: StorageKeys,
    clock: Clock,
    settings: Settings,
    nudge: Arc<Notify>,
    slots: Slots,
}

impl Deliverer {
    pub(super) fn new(
        log: &EventLog,
        clock: Clock,
        settings: Settings,
        nudge: Arc<Notify>,
    ) -> Self {
        let (db, keys) = (log.database().clone(), log.keys().clone());
        let slots = Slots::new(Arc::clone(&nudge));
        Self { db, keys, clock, settings, nudge, slots }
    }

    pub(super) async fn run(&self, mut shutdown: Shutdown) {
        let client = WebhookClient::new(self.settings.policy);
        let client = client.expect("the built-in roots and versions are valid");
        let mut looked = None;
        loop {
            let now = self.clock.now();
            // The clock may have been set back while nobody was looking.
            if looked.replace(now).is_none_or(|before| now < before) {
                self.bring_forward(now).await;
            }
            let leased = self.lease(now).await.unwrap_or_else(|error| {
                tracing::warn!(%error, "cannot lease deliveries");
                Vec::new()
            });
            for (delivery, slot) in leased {
                let (deliverer, client) = (self.clone(), client.clone());
                tokio::spawn(async move {
                    if let Err(error) = deliverer.deliver(delivery, slot, &client).await {
                        // The lease expires, and the delivery is attempted again.
                        tracing::warn!(%error, "cannot record the result of a delivery");
                    }
                });
            }
            tokio::select! {
                () = shutdown.requested() => return,
                () = self.nudge.notified() => {}
                () = self.clock.sleep_until(now, self.next_look(now).await) => {}
            }
        }
    }

    /// Brings forward what a clock that was ahead has postponed: no delivery waits for longer than the longest pause after its
    /// last attempt.
    async fn bring_forward(&self, now: Timestamp) {
        let latest = |tries| {
            let pause = longest_pause(tries, self.settings.retry_millis).max(LEASE);
            Timestamp::from_micros(now.micros().saturating_add(pause).saturating_add(SKEW))
        };
        // A delivery that was never attempted is due at once, or leased.
        let first = Timestamp::from_micros(now.micros() + LEASE + SKEW);
        let latest: Vec<Timestamp> = std::iter::once(first).chain((0..TRIES).map(latest)).collect();
        if let Err(error) = webhooks::bring_forward(&self.db, now, &latest).await {
            tracing::warn!(%error, "cannot bring deliveries forward");
        }
    }

    /// When to look again after a look at `now`. Deliveries that were due then are leased, or wait for a slot,
    /// and a slot that becomes free wakes the deliverer.
    async fn next_look(&self, now: Timestamp) -> Timestamp {
        let latest = clock::after(now, POLL);
        match webhooks::next_due(&self.db, now).await {
            Ok(next) => next.map_or(latest, |next| next.clamp(clock::after(now, PAUSE), latest)),
            Err(error) => {
                tracing::warn!(%error, "cannot look for the next delivery");
                latest
            }
        }
    }

    /// Leases due deliveries for the slots that are free.
    async fn lease(&self, now: Timestamp) -> Result<Vec<(Delivery, Slot)>> {
        if !self.slots.any_free() {
            return Ok(Vec::new());
        }
        let waiting = webhooks::waiting(&self.db, now, PER_WEBHOOK).await?;
        let mut slots: HashMap<Uuid, Vec<Slot>> = HashMap::new();
        for slot in self.slots.take(waiting, now) {
            slots.entry(slot.webhook_id).or_default().push(slot);
        }
        let wanted = slots.iter().map(|(webhook, slots)| (*webhook, slots.len()));
        let wanted: Vec<(Uuid, usize)> = wanted.collect();
        let until = Timestamp::from_micros(now.micros() + LEASE);
        let leased = webhooks::lease(&self.db, now, until, &wanted).await?;
        // Another replica may have been faster; the slots that are left over become free again.
        let with_slot = |delivery: Delivery| {
            let slot = slots.get_mut(&delivery.webhook_id).and_then(Vec::pop)?;
            Some((delivery, slot))
        };
        Ok(leased.into_iter().filter_map(with_slot).collect())
    }

    /// Calls a receiver. A call that takes long goes on only while there is room for slow ones.
    async fn call(
        &self,
        client: &WebhookClient,
        url: &str,
        message: &SignedMessage<'_>,
        slot: &mut Slot,
    ) -> Result<u16, &'static str> {
        let begun = Instant::now();
        let mut sending = pin!(client.send(url, message));
        let response = match tokio::time::timeout(QUICK, &mut sending).await {
            Ok(response) => response,
            Err(_) if slot.linger() => sending.await,
            Err(_) => Err("timeout"),
        };
        slot.note(begun.elapsed(), response.is_ok(), self.clock.now());
        response
    }

    /// Attempts a delivery and records the result.
    async fn deliver(
        &self,
        delivery: Delivery,
        mut slot: Slot,
        client: &WebhookClient,
    ) -> Result<()> {
        let webhook = webhooks::find(&self.db, delivery.webhook_id, self.clock.now()).await?;
        let Some(webhook) = webhook.filter(|webhook| webhook.active) else {
            return self.record(&delivery, state::DEAD, None, None).await;
        };
        let started = self.clock.now();
        let id = delivery.id.to_string();
        let seconds = started.micros() / 1_000_000;
        let signature =
            self.keys.decrypt(&webhook.secret, SECRETS, webhook.id).and_then(|secret| {
                signature(&secret, &id, seconds, &delivery.payload)
                    .map_err(|error| store::Error::Failed(error.to_string()))
            });
        let response = match signature {
            Ok(signature) => {
                let (signature, body) = (signature.as_str(), delivery.payload.as_str());
                let message = SignedMessage { id: &id, seconds, signature, body };
                self.call(client, &webhook.url, &message, &mut slot).await
            }
            Err(error) => {
                tracing::error!(%error, webhook = %webhook.id, "cannot sign a message");
                Err("secret_unreadable")
            }
        };
        let attempt = Attempt {
            at: clock::to_datetime(started),
            status: response.ok(),
            error: response.err().map(str::to_owned),
            millis: self.clock.now().millis_since(started),
        };
        let is_delivered = response.is_ok_and(|status| (200..300).contains(&status));
        let result = if is_delivered { "delivered" } else { "failed" };
        metrics::counter!("telar_webhook_attempts_total", "result" => result).increment(1);
        if is_delivered {
            return self.record(&delivery, state::DELIVERED, None, Some(attempt)).await;
        }
        if response == Ok(GONE) {
            // The receiver wants no more messages.
            webhooks::mark_gone(&self.db, &webhook, self.clock.now()).await?;
            return self.record(&delivery, state::DEAD, None, Some(attempt)).await;
        }
        if delivery.tries + 1 >= TRIES {
            return self.record(&delivery, state::DEAD, None, Some(attempt)).await;
        }
        let pause = pause_after(delivery.tries, self.settings.retry_millis, secret::bytes());
        let due = Timestamp::from_micros(self.clock.now().micros().saturating_add(pause));
        self.record(&delivery, state::PENDING, Some(due), Some(attempt)).await
    }

    /// Records an attempt, if the lease is still ours.
    async fn record(
        &self,
        delivery: &Delivery,
        state: &str,
        due: Option<Timestamp>,
        attempt: Option<Attempt>,
    ) -> Result<()> {
        let mut attempts = read_attempts(delivery)?;
        attempts.extend(attempt);
        let first = attempts.len().saturating_sub(RECORDED);
        let attempts = serde_json::to_string(&attempts[first..]).expect("attempts are plain data");
        Ok(webhooks::record_attempt(&self.db, delivery, state, due, attempts).await?)
    }
}

/// The recorded attempts of a delivery.
fn read_attempts(delivery: &Delivery) -> Result<Vec<Attempt>, store::Error> {
    serde_json::from_str(&delivery.attempts).map_err(|error| {
        let id = delivery.id;
        store::Error::Failed(format!("the attempts of delivery {id} cannot be read: {error}"))
    })
}

/// The pause after this many failed attempts, in microseconds: anything up to the ceiling, so that receivers that failed
/// together are not called together again.
fn pause_after(tries: i16, first_millis: u64, luck: [u8; 8]) -> i64 {
    let ceiling = longest_pause(tries, first_millis).cast_unsigned();
    (u64::from_le_bytes(luck) % (ceiling + 1)).cast_signed()
}

/// The ceiling of the pause after this many failed attempts, in microseconds.
fn longest_pause(tries: i16, first_millis: u64) -> i64 {
    let tries = u32::try_from(tries).expect("attempts are counted from 0");
    let factor = 4_u64.saturating_pow(tries).min(LONGEST);
    let ceiling = first_millis.saturating_mul(factor).saturating_mul(1_000);
    i64::try_from(ceiling).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ceiling(tries: i16) -> u64 {
        15_000_000 * 4_u64.pow(u32::try_from(tries).unwrap()).min(LONGEST)
    }

    #[test]
    fn pauses_grow_up_to_a_ceiling_and_ten_tries_take_about_a_day() {
        let longest = |tries| pause_after(tries, 15_000, ceiling(tries).to_le_bytes()) / 1_000_000;
        let pauses: Vec<i64> = (0..9).map(longest).collect();
        assert_eq!(pauses, [15, 60, 240, 960, 3_840, 15_360, 50_400, 50_400, 50_400]);
        assert_eq!(pauses.iter().sum::<i64>() / 2 / 3_600, 23);
        assert_eq!(pause_after(0, 15_000, [0; 8]), 0);
        assert_eq!(pause_after(9, 0, [0xff; 8]), 0);
    }
}
