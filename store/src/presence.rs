//! Which seats of which match have a stream open at which replica. A row counts until it expires.

use std::collections::HashMap;

use domain::{
    seat::{Seat, SeatSet},
    time::Timestamp,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, EntityTrait, QueryFilter,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use uuid::Uuid;

use crate::{
    Connection, Db,
    entities::presence::{ActiveModel, Column, Entity},
    error::{Error, Result},
};

/// How many matches or rows go into one statement.
const CHUNK: usize = 500;

/// Notes that these seats are present at a replica until a time.
pub async fn renew(
    db: &Db,
    replica: Uuid,
    seats: &[(Uuid, Seat)],
    expires_at: Timestamp,
) -> Result<()> {
    for seats in seats.chunks(CHUNK) {
        let rows = seats.iter().map(|(match_id, seat)| ActiveModel {
            lane: Set(db.lanes().of(*match_id).column()),
            match_id: Set(*match_id),
            seat: Set(seat.number().into()),
            replica: Set(replica),
            expires_at: Set(expires_at.micros()),
        });
        let key = [Column::Lane, Column::MatchId, Column::Seat, Column::Replica];
        Entity::insert_many(rows)
            .on_conflict(OnConflict::columns(key).update_column(Column::ExpiresAt).to_owned())
            .exec_without_returning(db)
            .await?;
    }
    Ok(())
}

/// Removes seats that are no longer present at a replica.
pub async fn remove(db: &Db, replica: Uuid, seats: &[(Uuid, Seat)]) -> Result<()> {
    for seats in seats.chunks(CHUNK) {
        let any = seats.iter().fold(Condition::any(), |any, (match_id, seat)| {
            let one = Condition::all()
                .add(Column::Lane.eq(db.lanes().of(*match_id).column()))
                .add(Column::MatchId.eq(*match_id))
                .add(Column::Seat.eq(i16::from(seat.number())));
            any.add(one)
        });
        Entity::delete_many().filter(Column::Replica.eq(replica)).filter(any).exec(db).await?;
    }
    Ok(())
}

/// The seats that are noted as present at a replica.
pub async fn of_replica(db: &Db, replica: Uuid) -> Result<Vec<(Uuid, Seat)>> {
    let rows = Entity::find().filter(Column::Replica.eq(replica)).all(db).await?;
    rows.into_iter().map(|row| Ok((row.match_id, read_seat(row.seat)?))).collect()
}

/// Removes everything that a replica has noted.
pub async fn remove_replica(db: &Db, replica: Uuid) -> Result<()> {
    Entity::delete_many().filter(Column::Replica.eq(replica)).exec(db).await?;
    Ok(())
}

/// Removes rows that expired before a time: a replica that was killed leaves its own behind.
pub async fn remove_expired(db: &Db, before: Timestamp) -> Result<()> {
    Entity::delete_many().filter(Column::ExpiresAt.lt(before.micros())).exec(db).await?;
    Ok(())
}

/// The seats of each of these matches that are present at other replicas; a match without any has an empty set.
pub async fn elsewhere(
    db: &Db,
    replica: Uuid,
    matches: &[Uuid],
    now: Timestamp,
) -> Result<HashMap<Uuid, SeatSet>> {
    let mut present: HashMap<Uuid, SeatSet> =
        matches.iter().map(|id| (*id, SeatSet::NONE)).collect();
    for ids in matches.chunks(CHUNK) {
        let key = [Column::Lane, Column::MatchId].map(ColumnTrait::into_expr);
        let rows = Entity::find()
            .filter(Expr::tuple(key).in_subquery(db.lanes().keys(ids)))
            .filter(Column::Replica.ne(replica))
            .filter(Column::ExpiresAt.gt(now.micros()))
            .all(db)
            .await?;
        for row in rows {
            let seat = read_seat(row.seat)?;
            present.entry(row.match_id).and_modify(|seats| *seats = seats.with(seat));
        }
    }
    Ok(present)
}

fn read_seat(number: i16) -> Result<Seat> {
    let seat = u8::try_from(number).ok().and_then(Seat::new);
    seat.ok_or_else(|| Error::Failed(format!("{number} is not a seat")))
}
