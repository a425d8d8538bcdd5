//! Presence across replicas: every replica regularly writes down which seats watch there, and reads what the others wrote. Rows
//! that are no longer refreshed expire. A read-only server only reads.

use std::{collections::HashSet, sync::Arc, time::Duration};

use domain::{seat::Seat, time::Timestamp};
use store::{Db, presence};
use uuid::Uuid;

use super::{Matches, watchers::Watchers};
use crate::{clock::Clock, error::Result, tasks::Shutdown};

/// How often changes are exchanged.
const EVERY: Duration = Duration::from_secs(2);
/// How often unchanged rows are refreshed, in microseconds.
const REFRESH: i64 = 15_000_000;
/// How long a row counts, in microseconds.
const LIFETIME: i64 = 45_000_000;

/// Who is present at other replicas.
#[derive(Debug, Clone)]
pub struct Presence {
    /// Only on a shared store: otherwise there are no other replicas.
    shared: Option<Shared>,
}

#[derive(Debug, Clone)]
struct Shared {
    db: Db,
    clock: Clock,
    replica: Uuid,
    watchers: Arc<Watchers>,
}

impl Presence {
    /// The presence of the seats that watch here and at other replicas.
    #[must_use]
    pub fn new(matches: &Matches) -> Self {
        let shared = matches.log.is_shared().then(|| Shared {
            db: matches.log.database().clone(),
            clock: matches.clock.clone(),
            replica: matches.clock.new_id(),
            watchers: Arc::clone(matches.watchers()),
        });
        Self { shared }
    }

    /// Exchanges presence with other replicas, until told to stop.
    pub async fn run(&self, mut shutdown: Shutdown) {
        match &self.shared {
            Some(shared) => shared.run(shutdown).await,
            None => shutdown.requested().await,
        }
    }

    /// Reads at once who is present in a match at other replicas.
    pub async fn refresh(&self, id: Uuid) -> Result<()> {
        match &self.shared {
            Some(shared) => shared.read(&[id], shared.clock.now()).await,
            None => Ok(()),
        }
    }
}

type OccupiedSeats = HashSet<(Uuid, Seat)>;

impl Shared {
    async fn run(&self, mut shutdown: Shutdown) {
        // What this replica has written before, if this task was restarted.
        let mut written = match presence::of_replica(&self.db, self.replica).await {
            Ok(seats) => seats.into_iter().collect(),
            Err(error) => {
                tracing::warn!(%error, "cannot read the presence that was written before");
                OccupiedSeats::new()
            }
        };
        let mut refreshed = self.clock.now();
        loop {
            tokio::select! {
                () = shutdown.requested() => break,
                () = tokio::time::sleep(EVERY) => {}
            }
            let now = self.clock.now();
            if self.db.is_read_only() {
                if let Err(error) = self.read(&self.watchers.watched(), now).await {
                    tracing::warn!(%error, "cannot read the presence at other replicas");
                }
                continue;
            }
            let mut due = now.micros() - refreshed.micros() >= REFRESH;
            if let Err(error) = self.exchange(&mut written, due, now).await {
                tracing::warn!(%error, "cannot exchange presence with other replicas");
                due = false;
            }
            if due {
                refreshed = now;
            }
        }
        if self.db.is_read_only() {
            return;
        }
        if let Err(error) = presence::remove_replica(&self.db, self.replica).await {
            tracing::warn!(%error, "cannot remove the presence of this replica; it expires by itself");
        }
    }

    async fn exchange(&self, written: &mut OccupiedSeats, due: bool, now: Timestamp) -> Result<()> {
        let here: OccupiedSeats = self
            .watchers
            .present()
            .into_iter()
            .flat_map(|(id, seats)| seats.iter().map(move |seat| (id, seat)).collect::<Vec<_>>())
            .collect();
        let new: Vec<_> =
            here.iter().filter(|seat| due || !written.contains(seat)).copied().collect();
        presence::renew(&self.db, self.replica, &new, now.plus_micros(LIFETIME)).await?;
        let gone: Vec<_> = written.difference(&here).copied().collect();
        presence::remove(&self.db, self.replica, &gone).await?;
        *written = here;
        if due {
            presence::remove_expired(&self.db, now.plus_micros(-LIFETIME)).await?;
        }
        self.read(&self.watchers.watched(), now).await
    }

    async fn read(&self, ids: &[Uuid], now: Timestamp) -> Result<()> {
        for (id, seats) in presence::elsewhere(&self.db, self.replica, ids, now).await? {
            self.watchers.note_elsewhere(id, seats);
        }
        Ok(())
    }
}
