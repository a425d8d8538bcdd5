//! Finding rows of a generation by their keys.

use std::collections::HashMap;

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    Statement, Value,
};
use uuid::Uuid;

use super::{BoardEntry, CellRow, MatchResult, PlayerDay, PlayerGame, PlayerPair};
use crate::{
    Connection, Db,
    entities::{
        board_entry, erasure, match_result, player, player_day, player_game, player_pair, stat_cell,
    },
    error::{Error, Result},
};

/// How many values are bound in one query.
const VALUES: usize = 500;

/// Since when these players have had accounts, deleted ones included; guests are left out.
pub async fn accounts_since(
    db: &impl Connection,
    players: &[Uuid],
) -> Result<HashMap<Uuid, Timestamp>> {
    let mut accounts = HashMap::new();
    for players in players.chunks(VALUES) {
        let living: Vec<(Uuid, i64)> = player::Entity::find()
            .select_only()
            .columns([player::Column::Id, player::Column::AccountSince])
            .filter(player::Column::Id.is_in(players.iter().copied()))
            .filter(player::Column::AccountSince.is_not_null())
            .into_tuple()
            .all(db)
            .await?;
        let deleted: Vec<(Uuid, i64)> = erasure::Entity::find()
            .select_only()
            .columns([erasure::Column::PlayerId, erasure::Column::AccountSince])
            .filter(erasure::Column::PlayerId.is_in(players.iter().copied()))
            .filter(erasure::Column::AccountSince.is_not_null())
            .into_tuple()
            .all(db)
            .await?;
        let found = living.into_iter().chain(deleted);
        accounts.extend(found.map(|(id, since)| (id, Timestamp::from_micros(since))));
    }
    Ok(accounts)
}

/// The rows of players, by game.
pub async fn player_games_of(
    db: &impl Connection,
    generation: i64,
    players: &[Uuid],
) -> Result<Vec<PlayerGame>> {
    let mut found = Vec::new();
    for players in players.chunks(VALUES) {
        let rows = player_game::Entity::find()
            .filter(player_game::Column::Generation.eq(generation))
            .filter(player_game::Column::PlayerId.is_in(players.iter().copied()));
        found.extend(rows.all(db).await?);
    }
    Ok(found)
}

/// The rows of a player, ordered by game.
pub async fn player_games(db: &Db, generation: i64, player: Uuid) -> Result<Vec<PlayerGame>> {
    let rows = player_game::Entity::find()
        .filter(player_game::Column::Generation.eq(generation))
        .filter(player_game::Column::PlayerId.eq(player))
        .order_by_asc(player_game::Column::Game);
    Ok(rows.all(db).await?)
}

/// The entries of players on a board.
pub async fn board_entries_of(
    db: &impl Connection,
    generation: i64,
    board: &str,
    players: &[Uuid],
) -> Result<Vec<BoardEntry>> {
    let mut found = Vec::new();
    for players in players.chunks(VALUES) {
        let rows = board_entry::Entity::find()
            .filter(board_entry::Column::Generation.eq(generation))
            .filter(board_entry::Column::Board.eq(board))
            .filter(board_entry::Column::PlayerId.is_in(players.iter().copied()));
        found.extend(rows.all(db).await?);
    }
    Ok(found)
}

/// The cells of a game in these periods.
pub async fn cells(
    db: &impl Connection,
    generation: i64,
    game: &str,
    periods: &[String],
) -> Result<Vec<CellRow>> {
    let mut found = Vec::new();
    for periods in periods.chunks(VALUES) {
        let rows = stat_cell::Entity::find()
            .filter(stat_cell::Column::Generation.eq(generation))
            .filter(stat_cell::Column::Game.eq(game))
            .filter(stat_cell::Column::Period.is_in(periods));
        found.extend(rows.all(db).await?);
    }
    Ok(found)
}

/// Selects cells by the number of seats, the version of the rules, and whether bots played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CellFilter {
    /// Only matches with this many seats.
    pub seats: Option<u8>,
    /// Only this version of the rules.
    pub rules_version: Option<u16>,
    /// Only matches with bots, or only those without.
    pub bots: Option<bool>,
}

/// The cells of a game whose periods lie in one of these ranges (start included, end not), ordered by period.
pub async fn cells_in_ranges(
    db: &Db,
    generation: i64,
    game: &str,
    ranges: &[(String, String)],
    filter: CellFilter,
    limit: u64,
) -> Result<Vec<CellRow>> {
    use stat_cell::Column;
    let mut periods = Condition::any();
    for (first, last) in ranges {
        let range = Condition::all()
            .add(Column::Period.gte(first.as_str()))
            .add(Column::Period.lt(last.as_str()));
        periods = periods.add(range);
    }
    let bots = filter.bots.map(|bots| Column::Bots.eq(bots));
    let filter = match (filter.seats, filter.rules_version) {
        (None, None) => Condition::all().add(Column::Seats.eq(0)),
        (seats, version) => Condition::all()
            .add(Column::Seats.ne(0))
            .add_option(seats.map(|seats| Column::Seats.eq(i16::from(seats))))
            .add_option(version.map(|version| Column::RulesVersion.eq(i32::from(version)))),
    };
    let rows = stat_cell::Entity::find()
        .filter(Column::Generation.eq(generation))
        .filter(Column::Game.eq(game))
        .filter(periods)
        .filter(filter.add_option(bots))
        .order_by_asc(Column::Period)
        .limit(limit);
    Ok(rows.all(db).await?)
}

/// The days of a player from `first` on and before `end`.
pub async fn player_days(
    db: &Db,
    generation: i64,
    player: Uuid,
    first: i32,
    end: i32,
) -> Result<Vec<PlayerDay>> {
    let rows = player_day::Entity::find()
        .filter(player_day::Column::Generation.eq(generation))
        .filter(player_day::Column::PlayerId.eq(player))
        .filter(player_day::Column::Day.gte(first))
        .filter(player_day::Column::Day.lt(end))
        .order_by_asc(player_day::Column::Day);
    Ok(rows.all(db).await?)
}

/// How often two players have met, ordered by game. `one` in the rows is the player with the smaller id.
pub async fn player_pairs(
    db: &Db,
    generation: i64,
    one: Uuid,
    two: Uuid,
) -> Result<Vec<PlayerPair>> {
    let rows = player_pair::Entity::find()
        .filter(player_pair::Column::Generation.eq(generation))
        .filter(player_pair::Column::One.eq(one.min(two)))
        .filter(player_pair::Column::Two.eq(one.max(two)))
        .order_by_asc(player_pair::Column::Game);
    Ok(rows.all(db).await?)
}

/// The result of a match, if it has been counted.
pub async fn match_result(db: &Db, generation: i64, id: Uuid) -> Result<Option<MatchResult>> {
    let key = (db.lanes().of(id).column(), generation, id);
    Ok(match_result::Entity::find_by_id(key).one(db).await?.map(MatchResult::from))
}

/// The entry of a player on a board.
pub async fn board_entry(
    db: &Db,
    generation: i64,
    board: &str,
    player: Uuid,
) -> Result<Option<BoardEntry>> {
    let key = (generation, board.to_owned(), player);
    Ok(board_entry::Entity::find_by_id(key).one(db).await?)
}

/// Entries of a board after an entry, best first; or before it, nearest first.
pub async fn board_entries(
    db: &Db,
    generation: i64,
    board: &str,
    from: Option<(i64, Uuid)>,
    upwards: bool,
    limit: u64,
) -> Result<Vec<BoardEntry>> {
    use board_entry::Column;
    let beyond = from.map(|(score, player)| {
        let tied = Condition::all().add(Column::Score.eq(score));
        if upwards {
            Condition::any().add(Column::Score.gt(score)).add(tied.add(Column::PlayerId.gt(player)))
        } else {
            Condition::any().add(Column::Score.lt(score)).add(tied.add(Column::PlayerId.lt(player)))
        }
    });
    // Without this the index would be searched from its end.
    let bound = from.map(
        |(score, _)| {
            if upwards { Column::Score.gte(score) } else { Column::Score.lte(score) }
        },
    );
    let rows = board_entry::Entity::find().filter(
        Condition::all()
            .add(Column::Generation.eq(generation))
            .add(Column::Board.eq(board))
            .add_option(bound)
            .add_option(beyond),
    );
    let rows = if upwards {
        rows.order_by_asc(Column::Score).order_by_asc(Column::PlayerId)
    } else {
        rows.order_by_desc(Column::Score).order_by_desc(Column::PlayerId)
    };
    Ok(rows.limit(limit).all(db).await?)
}

/// Buckets of scores of one level, from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreRange {
    /// The level of the buckets.
    pub level: i16,
    /// The first bucket.
    pub first: i64,
    /// The last bucket.
    pub last: i64,
}

/// How many entries of a board lie in these buckets.
pub async fn count_entries(
    db: &Db,
    generation: i64,
    board: &str,
    ranges: &[ScoreRange],
) -> Result<u64> {
    let mut values: Vec<Value> = vec![generation.into(), board.into()];
    let queries: Vec<String> = ranges
        .iter()
        .map(|ScoreRange { level, first, last }| {
            let bound = values.len();
            values.extend([(*level).into(), (*first).into(), (*last).into()]);
            let (level, first, last) = (bound + 1, bound + 2, bound + 3);
            format!(
                "SELECT entries FROM board_ranks WHERE generation = $1 AND board = $2 \
                 AND level = ${level} AND bucket >= ${first} AND bucket <= ${last}"
            )
        })
        .collect();
    let sql = format!(
        "SELECT CAST(COALESCE(SUM(entries), 0) AS BIGINT) AS total FROM ({}) AS counted",
        queries.join(" UNION ALL ")
    );
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let row = db.query_one_raw(statement).await?;
    let row = row.ok_or_else(|| Error::Failed("a sum has no row".to_owned()))?;
    let total: i64 = row.try_get("", "total")?;
    u64::try_from(total)
        .map_err(|_| Error::Failed(format!("the board `{board}` counts {total} entries")))
}
