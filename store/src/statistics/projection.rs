//! The projection: its position in the feed and the generation that is read.

use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, Statement,
    sea_query::{Expr, LockBehavior, LockType},
};

use crate::{
    Connection, Db, Transaction, begin, commit,
    entities::projection::{Column, Entity, Model},
    error::{Error, Result},
    event_log::FeedPosition,
};

/// The name of the projection.
const NAME: &str = "statistics";

/// How many old rows one statement removes, so that nobody has to wait for long.
const REMOVED: u64 = 20_000;

/// Every table whose rows belong to a generation, and the rest of its primary key.
const TABLES: [(&str, &str); 8] = [
    ("match_results", "lane, match_id"),
    ("stat_cells", "game, period, seats, rules_version, bots"),
    ("player_games", "player_id, game"),
    ("player_days", "player_id, day, game"),
    ("player_pairs", "one, two, game"),
    ("player_results", "ended_at, match_id, seat"),
    ("boards", "board, player_id"),
    ("board_ranks", "board, level, bucket"),
];

/// The state of the projection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Projection {
    /// The generation that is read.
    pub generation: i64,
    /// How much of the feed its rows include.
    pub position: FeedPosition,
    /// How many matches have been counted.
    pub counted: i64,
    /// The newest generation; a rebuild may still be writing it.
    pub last_generation: i64,
    /// What depends on the order of matches is not worked out yet for those that ended at this time or later.
    pub unsettled_since: Option<i64>,
}

fn read(row: &Model) -> Result<Projection> {
    Ok(Projection {
        generation: row.generation,
        position: FeedPosition::read(&row.pos)?,
        counted: row.counted,
        last_generation: row.last_generation,
        unsettled_since: row.unsettled_since,
    })
}

fn missing() -> Error {
    Error::Failed(format!("the projection `{NAME}` is missing"))
}

/// The state of the projection.
pub async fn projection(db: &impl Connection) -> Result<Projection> {
    read(&Entity::find_by_id(NAME).one(db).await?.ok_or_else(missing)?)
}

/// Locks the projection for this transaction and returns its state; nothing if another transaction holds the lock. On SQLite a
/// transaction has the store to itself anyway.
pub async fn try_lock(work: &Transaction) -> Result<Option<Projection>> {
    let row = Entity::find_by_id(NAME)
        .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
        .one(work)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Waits for the lock of the projection and returns its state.
pub async fn lock(work: &Transaction) -> Result<Projection> {
    let row = Entity::find_by_id(NAME).lock(LockType::Update).one(work).await?;
    read(&row.ok_or_else(missing)?)
}

/// Stores the generation that is read from now on, how much of the feed it includes, how many matches it counts, and since when
/// they are unsettled.
pub async fn advance(
    work: &Transaction,
    generation: i64,
    position: &FeedPosition,
    counted: i64,
    unsettled_since: Option<i64>,
) -> Result<()> {
    Entity::update_many()
        .col_expr(Column::Generation, Expr::value(generation))
        .col_expr(Column::Pos, Expr::value(position.to_string()))
        .col_expr(Column::Counted, Expr::value(counted))
        .col_expr(Column::UnsettledSince, Expr::value(unsettled_since))
        .filter(Column::Name.eq(NAME))
        .exec(work)
        .await?;
    Ok(())
}

/// Reserves a new generation.
pub async fn new_generation(db: &Db) -> Result<i64> {
    let work = begin(db).await?;
    let generation = lock(&work).await?.last_generation + 1;
    Entity::update_many()
        .col_expr(Column::LastGeneration, Expr::value(generation))
        .filter(Column::Name.eq(NAME))
        .exec(&work)
        .await?;
    commit(work).await?;
    Ok(generation)
}

/// Removes rows of generations that are neither the newest nor read. Returns early, with `false`, as soon as the newest
/// generation is another one than this.
pub async fn remove_other_generations(db: &Db, newest: i64) -> Result<bool> {
    let backend = db.get_database_backend();
    for (table, key) in TABLES {
        loop {
            let state = projection(db).await?;
            if state.last_generation != newest {
                return Ok(false);
            }
            let removed = db
                .execute_raw(Statement::from_sql_and_values(
                    backend,
                    format!(
                        "DELETE FROM {table} WHERE (generation, {key}) IN (SELECT generation, {key} FROM {table} \
                         WHERE generation <> $1 AND generation <> $2 LIMIT {REMOVED})"
                    ),
                    [newest.into(), state.generation.into()],
                ))
                .await?;
            if removed.rows_affected() < REMOVED {
                break;
            }
        }
    }
    Ok(true)
}
