//! The task that follows the feed.

use std::time::Duration;

use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter,
    QuerySelect,
    sea_query::{Expr, LockBehavior, LockType},
};
use store::{EventLog, begin, entities::projection};

use super::{NAME, book::Book, feed::Reader};
use crate::tasks::Shutdown;

/// Whoever has so many matches to count at once goes on without a pause.
const MANY: usize = 50;
/// How often the feed is looked at.
const POLL: Duration = Duration::from_millis(100);
/// What ends in this time after a match was counted is taken in together: counting many at once costs little more than one.
const TOGETHER: Duration = Duration::from_millis(500);
/// How long to wait after something went wrong.
const PAUSE: Duration = Duration::from_secs(1);

/// What came of looking at the feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// There was nothing new.
    Idle,
    /// Another replica is at work.
    Elsewhere,
    /// So many matches have been counted, and there may be more.
    Counted(usize),
}

/// Follows the feed from where it was left, until told to stop.
pub async fn follow(log: &EventLog, mut shutdown: Shutdown) {
    while !shutdown.is_requested() {
        let pause = match step(log).await {
            Ok(Step::Counted(matches)) => {
                metrics::counter!("telar_matches_counted_total").increment(matches as u64);
                if matches >= MANY {
                    continue;
                }
                if matches > 0 { TOGETHER } else { POLL }
            }
            Ok(Step::Idle | Step::Elsewhere) => POLL,
            Err(error) => {
                tracing::warn!(%error, "cannot count finished matches");
                PAUSE
            }
        };
        tokio::select! {
            () = shutdown.requested() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Where the projection stands.
pub(super) async fn place(db: &impl ConnectionTrait) -> Result<projection::Model, DbErr> {
    let row = projection::Entity::find_by_id(NAME).one(db).await?;
    row.ok_or_else(|| DbErr::RecordNotFound(NAME.to_owned()))
}

/// Takes in one stretch of the feed.
pub async fn step(store: &EventLog) -> Result<Step, DbErr> {
    let db = store.database();
    let seen = place(db).await?;
    let after = u64::try_from(seen.pos).unwrap_or_default();
    if store.feed(after, 1).await?.is_empty() {
        return Ok(Step::Idle);
    }
    // Where others may be at work too, nothing is read in vain; where not, the store is not locked for longer than needed.
    let mut work = None;
    if store.is_shared() {
        let begun = begin(db).await?;
        if try_lock(&begun).await?.as_ref() != Some(&seen) {
            return Ok(Step::Elsewhere);
        }
        work = Some(begun);
    }
    let Some(stretch) = Reader::new(store).read(after).await? else { return Ok(Step::Idle) };
    let work = if let Some(work) = work {
        work
    } else {
        let begun = begin(db).await?;
        if place(&begun).await? != seen {
            return Ok(Step::Elsewhere);
        }
        begun
    };
    let mut book = Book::open(seen.generation, seen.counted);
    book.count(&work, &stretch.records).await?;
    book.write(&work).await?;
    advance(&work, seen.generation, stretch.pos, book.counted).await?;
    work.commit().await?;
    Ok(Step::Counted(stretch.records.len()))
}

/// Takes the lock of the projection and says where it stands; nothing if another one holds it.
async fn try_lock(work: &DatabaseTransaction) -> Result<Option<projection::Model>, DbErr> {
    projection::Entity::find_by_id(NAME)
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
        .one(work)
        .await
}

/// Waits for the lock of the projection and says where it stands.
pub(super) async fn lock(work: &DatabaseTransaction) -> Result<projection::Model, DbErr> {
    let row = projection::Entity::find_by_id(NAME).lock(LockType::Update).one(work).await?;
    row.ok_or_else(|| DbErr::RecordNotFound(NAME.to_owned()))
}

/// Stores how far everything has been taken in.
pub(super) async fn advance(
    work: &DatabaseTransaction,
    generation: i64,
    pos: u64,
    counted: i64,
) -> Result<(), DbErr> {
    projection::Entity::update_many()
        .col_expr(projection::Column::Generation, Expr::value(generation))
        .col_expr(projection::Column::Pos, Expr::value(i64::try_from(pos).unwrap_or(i64::MAX)))
        .col_expr(projection::Column::Counted, Expr::value(counted))
        .filter(projection::Column::Name.eq(NAME))
        .exec(work)
        .await
        .map(drop)
}
