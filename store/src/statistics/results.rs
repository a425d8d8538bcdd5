//! The results of players, in the order in which matches ended: by the time of the end, then by the id of the match.

use sea_orm::{
    ColumnTrait, Condition, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    Select, Statement, Value,
};
use uuid::Uuid;

use super::PlayerResult;
use crate::{
    Connection, Db,
    entities::player_result::{Column, Entity},
    error::Result,
};

/// How many players are looked up with one query.
const PLAYERS: usize = 500;

/// The results of a generation, in order.
fn in_order(generation: i64) -> Select<Entity> {
    Entity::find()
        .filter(Column::Generation.eq(generation))
        .order_by_asc(Column::EndedAt)
        .order_by_asc(Column::MatchId)
        .order_by_asc(Column::Seat)
}

/// When the last match with results ended.
pub async fn last_end(db: &impl Connection, generation: i64) -> Result<Option<i64>> {
    let last = Entity::find()
        .select_only()
        .column(Column::EndedAt)
        .filter(Column::Generation.eq(generation))
        .order_by_desc(Column::EndedAt);
    Ok(last.into_tuple().one(db).await?)
}

/// Where a stretch of at least `rows` results ends that begins at a time: all results before the returned time belong to it.
/// Nothing if there are no results after it. Matches that ended at the same time are never separated.
pub async fn stretch_end(
    db: &impl Connection,
    generation: i64,
    since: i64,
    rows: u64,
) -> Result<Option<i64>> {
    let next = in_order(generation)
        .select_only()
        .column(Column::EndedAt)
        .filter(Column::EndedAt.gte(since))
        .offset(rows);
    let next: Option<i64> = next.into_tuple().one(db).await?;
    Ok(next.map(|end| end.max(since + 1)))
}

/// The results of matches that ended at `since` or later and, if given, before `until`, in order.
pub async fn results_between(
    db: &impl Connection,
    generation: i64,
    since: i64,
    until: Option<i64>,
) -> Result<Vec<PlayerResult>> {
    let period = Condition::all()
        .add(Column::EndedAt.gte(since))
        .add_option(until.map(|until| Column::EndedAt.lt(until)));
    Ok(in_order(generation).filter(period).all(db).await?)
}

/// The results of a match, by seat.
pub async fn results_of_match(
    db: &impl Connection,
    generation: i64,
    ended_at: i64,
    match_id: Uuid,
) -> Result<Vec<PlayerResult>> {
    let rows = in_order(generation)
        .filter(Column::EndedAt.eq(ended_at))
        .filter(Column::MatchId.eq(match_id));
    Ok(rows.all(db).await?)
}

/// The last result of each of these players in each game, among matches that ended before a time. If several ended at the same
/// time, all of them are returned.
pub async fn last_results(
    db: &impl Connection,
    generation: i64,
    players: &[Uuid],
    before: i64,
) -> Result<Vec<PlayerResult>> {
    let mut found = Vec::new();
    for players in players.chunks(PLAYERS) {
        let places: Vec<String> = (3..players.len() + 3).map(|place| format!("${place}")).collect();
        // One search of the index by player per game.
        let sql = format!(
            "SELECT r.* FROM player_games g JOIN player_results r \
             ON r.generation = g.generation AND r.player_id = g.player_id AND r.game = g.game \
             AND r.ended_at = (SELECT q.ended_at FROM player_results q \
             WHERE q.generation = g.generation AND q.player_id = g.player_id AND q.game = g.game \
             AND q.ended_at < $2 ORDER BY q.ended_at DESC LIMIT 1) \
             WHERE g.generation = $1 AND g.player_id IN ({})",
            places.join(", ")
        );
        let values = [Value::from(generation), before.into()];
        let values = values.into_iter().chain(players.iter().map(|player| (*player).into()));
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
        found.extend(PlayerResult::find_by_statement(statement).all(db).await?);
    }
    Ok(found)
}

/// The rated results of a player in these games, newest first, beginning before a time and a match.
pub async fn rated_results(
    db: &Db,
    generation: i64,
    player: Uuid,
    games: &[&str],
    before: Option<(i64, Uuid)>,
    limit: u64,
) -> Result<Vec<PlayerResult>> {
    if games.is_empty() {
        return Ok(Vec::new());
    }
    let mut values = vec![Value::from(generation), player.into()];
    let mut earlier = "";
    if let Some((ended_at, match_id)) = before {
        values.extend([ended_at.into(), match_id.into()]);
        earlier = "AND (ended_at, match_id) < ($3, $4) ";
    }
    // One search of the index per game, so that a rare game costs no more than a frequent one.
    let order = "ORDER BY ended_at DESC, match_id DESC";
    let queries: Vec<String> = games
        .iter()
        .map(|game| {
            values.push((*game).into());
            format!(
                "SELECT * FROM (SELECT * FROM player_results WHERE generation = $1 AND player_id = $2 \
                 AND game = ${} AND rated {earlier}AND rating IS NOT NULL {order} LIMIT {limit}) AS game_{}",
                values.len(),
                values.len()
            )
        })
        .collect();
    let sql = format!("{} {order} LIMIT {limit}", queries.join(" UNION ALL "));
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    Ok(PlayerResult::find_by_statement(statement).all(db).await?)
}
