//! Summaries of matches: who sits where.

use std::collections::BTreeSet;

use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait},
};
use uuid::Uuid;

use crate::{
    Connection, Db,
    entities::match_seat::{Column, Entity},
    error::Result,
};

/// How many matches go into one statement.
const CHUNK: usize = 1_000;
/// Up to this many players are named in the statement; more are cheaper to filter afterwards.
const NAMED_PLAYERS: usize = 8;

/// The taken seats of these matches, as pairs of match and player. If players are given, only their seats.
pub async fn seated(
    db: &Db,
    matches: &[Uuid],
    players: Option<&BTreeSet<Uuid>>,
) -> Result<Vec<(Uuid, Uuid)>> {
    let mut found = Vec::new();
    for ids in matches.chunks(CHUNK) {
        let key = [Column::Lane, Column::MatchId].map(ColumnTrait::into_expr);
        let mut seats = Entity::find()
            .select_only()
            .columns([Column::MatchId, Column::PlayerId])
            .filter(Expr::tuple(key).in_subquery(db.lanes().keys(ids)));
        seats = match players {
            Some(players) if players.len() <= NAMED_PLAYERS => {
                seats.filter(Column::PlayerId.is_in(players.iter().copied()))
            }
            _ => seats.filter(Column::PlayerId.is_not_null()),
        };
        let seats: Vec<(Uuid, Uuid)> = seats.into_tuple().all(db).await?;
        found.extend(
            seats
                .into_iter()
                .filter(|(_, player)| players.is_none_or(|players| players.contains(player))),
        );
    }
    Ok(found)
}
