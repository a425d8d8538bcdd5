//! Making everything anew from the log, beside what is there, while servers run; and changing over at the end.

use std::time::Duration;

use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityTrait, QueryFilter,
    Statement, sea_query::Expr,
};
use store::{EventLog, begin as begin_work, entities::projection};

use super::{
    NAME,
    book::Book,
    feed::Reader,
    follow::{advance, lock, place},
    record::Record,
};

/// Rows of which there are only ever more are written when so many have come together.
const WAITING: usize = 50_000;
/// Rows that may change again are kept in memory until there are so many.
const KEPT: usize = 400_000;
/// Old rows are removed so many at a time, so that nobody has to wait for long.
const REMOVED: u64 = 20_000;

/// Every table whose rows belong to a generation.
const TABLES: [&str; 8] = [
    "match_results",
    "stat_cells",
    "player_games",
    "player_days",
    "player_pairs",
    "rating_history",
    "boards",
    "board_ranks",
];

/// What a rebuild has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rebuilt {
    /// How many matches were counted.
    pub matches: u64,
    /// Up to which position of the feed.
    pub pos: u64,
}

/// Why a rebuild came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// The store failed.
    #[error("store: {0}")]
    Store(#[from] DbErr),
    /// A later rebuild has begun.
    #[error("another rebuild was started; this one gives way")]
    Overtaken,
}

/// Makes all statistics anew and changes over. Old rows are removed after a while (`grace`), since requests may still read them.
pub async fn rebuild(store: &EventLog, grace: Duration) -> Result<Rebuilt, RebuildError> {
    let db = store.database();
    let generation = begin(db).await?;
    remove_others(db, generation).await?;
    let mut reader = Reader::new(store);
    let mut book = Book::blank(generation);
    let mut pos = 0;
    let mut next = reader.read(pos).await?;
    while let Some(stretch) = next {
        pos = stretch.pos;
        // While one stretch is counted and written the next one is read.
        let (read, taken) = tokio::join!(reader.read(pos), take(db, &mut book, &stretch.records));
        taken?;
        next = read?;
    }
    book.write(db).await?;
    // What has come in the meantime; then nobody else takes anything in until we have changed over.
    let work = begin_work(db).await?;
    let old = lock(&work).await?;
    if old.last_generation != generation {
        return Err(RebuildError::Overtaken);
    }
    while let Some(stretch) = reader.read(pos).await? {
        book.count(&work, &stretch.records).await?;
        pos = stretch.pos;
    }
    book.write(&work).await?;
    advance(&work, generation, pos, book.counted).await?;
    work.commit().await?;
    if old.counted > 0 {
        tokio::time::sleep(grace).await;
    }
    remove_others(db, generation).await?;
    Ok(Rebuilt { matches: u64::try_from(book.counted).unwrap_or_default(), pos })
}

/// Takes matches in. Nobody reads this generation yet, so it is written in many small pieces.
async fn take(
    db: &DatabaseConnection,
    book: &mut Book,
    records: &[Record],
) -> Result<(), RebuildError> {
    book.count(db, records).await?;
    if book.kept() > KEPT {
        check(db, book.generation()).await?;
        book.write(db).await?;
        book.forget();
    } else if book.waiting() > WAITING {
        check(db, book.generation()).await?;
        book.write_added(db).await?;
    }
    Ok(())
}

/// A generation of our own.
async fn begin(db: &DatabaseConnection) -> Result<i64, DbErr> {
    let work = begin_work(db).await?;
    let generation = lock(&work).await?.last_generation + 1;
    projection::Entity::update_many()
        .col_expr(projection::Column::LastGeneration, Expr::value(generation))
        .filter(projection::Column::Name.eq(NAME))
        .exec(&work)
        .await?;
    work.commit().await?;
    Ok(generation)
}

async fn check(db: &DatabaseConnection, generation: i64) -> Result<(), RebuildError> {
    if place(db).await?.last_generation == generation {
        Ok(())
    } else {
        Err(RebuildError::Overtaken)
    }
}

/// Removes what belongs neither to the generation that is read nor to this one.
async fn remove_others(db: &DatabaseConnection, generation: i64) -> Result<(), RebuildError> {
    let backend = db.get_database_backend();
    let row = if backend == DbBackend::Postgres { "ctid" } else { "rowid" };
    for table in TABLES {
        loop {
            check(db, generation).await?;
            let read = place(db).await?.generation;
            let removed = db
                .execute_raw(Statement::from_sql_and_values(
                    backend,
                    format!(
                        "DELETE FROM {table} WHERE {row} IN (SELECT {row} FROM {table} \
                         WHERE generation <> $1 AND generation <> $2 LIMIT {REMOVED})"
                    ),
                    [generation.into(), read.into()],
                ))
                .await?;
            if removed.rows_affected() < REMOVED {
                break;
            }
        }
    }
    Ok(())
}
