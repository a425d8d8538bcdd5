//! Presence across replicas: every replica writes down now and then which seats watch there, and reads what the others wrote.
//! What a replica wrote is forgotten when it no longer refreshes it.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use domain::{
    seat::{Seat, SeatSet},
    time::Timestamp,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, DatabaseConnection, DbErr, EntityTrait, QueryFilter,
    sea_query::OnConflict,
};
use store::entities::presence;
use uuid::Uuid;

use super::{Matches, watchers::Watchers};
use crate::{clock::Clock, tasks::Shutdown};

/// How often is looked for changes.
const EVERY: Duration = Duration::from_secs(2);
/// How often what has not changed is refreshed, in microseconds.
const REFRESH: i64 = 15_000_000;
/// How long what was written is good for, in microseconds.
const LIFETIME: i64 = 45_000_000;
/// How many matches or rows go into one statement.
const CHUNK: usize = 500;

/// Who is present at other replicas.
#[derive(Debug, Clone)]
pub struct Presence {
    /// Where nobody else writes there are no other replicas, and nothing to do.
    shared: Option<Shared>,
}

#[derive(Debug, Clone)]
struct Shared {
    db: DatabaseConnection,
    clock: Clock,
    replica: Uuid,
    watchers: std::sync::Arc<Watchers>,
}

impl Presence {
    /// The presence of the seats that watch here and at other replicas.
    #[must_use]
    pub fn new(matches: &Matches) -> Self {
        let shared = matches.log.is_shared().then(|| Shared {
            db: matches.log.database().clone(),
            clock: matches.clock.clone(),
            replica: matches.clock.new_id(),
            watchers: std::sync::Arc::clone(matches.watchers()),
        });
        Self { shared }
    }

    /// Tells other replicas who is here and learns who is there, until told to stop.
    pub async fn run(&self, mut shutdown: Shutdown) {
        match &self.shared {
            Some(shared) => shared.run(shutdown).await,
            None => shutdown.requested().await,
        }
    }

    /// Learns at once who is present in a match elsewhere.
    pub async fn look(&self, id: Uuid) -> Result<(), DbErr> {
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
        let mut written = self.written_before().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot read the presence that was written before");
            OccupiedSeats::new()
        });
        let mut refreshed = self.clock.now();
        loop {
            tokio::select! {
                () = shutdown.requested() => break,
                () = tokio::time::sleep(EVERY) => {}
            }
            let now = self.clock.now();
            let mut due = now.micros() - refreshed.micros() >= REFRESH;
            if let Err(error) = self.exchange(&mut written, due, now).await {
                tracing::warn!(%error, "cannot exchange presence with other replicas");
                due = false;
            }
            if due {
                refreshed = now;
            }
        }
        let mine = presence::Entity::delete_many()
            .filter(presence::Column::Replica.eq(self.replica))
            .exec(&self.db);
        let _ = mine.await;
    }

    async fn written_before(&self) -> Result<OccupiedSeats, DbErr> {
        let mine = presence::Entity::find()
            .filter(presence::Column::Replica.eq(self.replica))
            .all(&self.db)
            .await?;
        let seats = mine.into_iter().filter_map(|row| {
            let number = u8::try_from(row.seat).ok()?;
            Some((row.match_id, Seat::new(number)?))
        });
        Ok(seats.collect())
    }

    async fn exchange(
        &self,
        written: &mut OccupiedSeats,
        due: bool,
        now: Timestamp,
    ) -> Result<(), DbErr> {
        let here: OccupiedSeats = self
            .watchers
            .present()
            .into_iter()
            .flat_map(|(id, seats)| seats.iter().map(move |seat| (id, seat)).collect::<Vec<_>>())
            .collect();
        let news: Vec<_> =
            here.iter().filter(|seat| due || !written.contains(seat)).copied().collect();
        for places in news.chunks(CHUNK) {
            let rows = places.iter().map(|(id, seat)| presence::ActiveModel {
                match_id: Set(*id),
                seat: Set(seat.number().into()),
                replica: Set(self.replica),
                expires_at: Set(now.micros() + LIFETIME),
            });
            let key =
                [presence::Column::MatchId, presence::Column::Seat, presence::Column::Replica];
            presence::Entity::insert_many(rows)
                .on_conflict(
                    OnConflict::columns(key).update_column(presence::Column::ExpiresAt).to_owned(),
                )
                .exec_without_returning(&self.db)
                .await?;
        }
        let gone: Vec<_> = written.difference(&here).copied().collect();
        for places in gone.chunks(CHUNK) {
            let any = places.iter().fold(Condition::any(), |any, (id, seat)| {
                let place = Condition::all()
                    .add(presence::Column::MatchId.eq(*id))
                    .add(presence::Column::Seat.eq(i16::from(seat.number())));
                any.add(place)
            });
            presence::Entity::delete_many()
                .filter(presence::Column::Replica.eq(self.replica))
                .filter(any)
                .exec(&self.db)
                .await?;
        }
        *written = here;
        if due {
            // What a replica left behind that was killed.
            presence::Entity::delete_many()
                .filter(presence::Column::ExpiresAt.lt(now.micros() - LIFETIME))
                .exec(&self.db)
                .await?;
        }
        self.read(&self.watchers.watched(), now).await
    }

    async fn read(&self, ids: &[Uuid], now: Timestamp) -> Result<(), DbErr> {
        for ids in ids.chunks(CHUNK) {
            let rows = presence::Entity::find()
                .filter(presence::Column::MatchId.is_in(ids.iter().copied()))
                .filter(presence::Column::Replica.ne(self.replica))
                .filter(presence::Column::ExpiresAt.gt(now.micros()))
                .all(&self.db)
                .await?;
            let mut seats: HashMap<Uuid, SeatSet> =
                ids.iter().map(|id| (*id, SeatSet::NONE)).collect();
            for row in rows {
                let seat = u8::try_from(row.seat).ok().and_then(Seat::new).ok_or_else(|| {
                    DbErr::Custom(format!("{} is not a seat of match {}", row.seat, row.match_id))
                })?;
                seats.entry(row.match_id).and_modify(|seats| *seats = seats.with(seat));
            }
            for (id, seats) in seats {
                self.watchers.note_elsewhere(id, seats);
            }
        }
        Ok(())
    }
}
