//! Lists of matches: found by their summaries and seats, without reading the log.

use std::collections::HashMap;

use domain::{
    bot::BotLevel,
    matches::Status,
    seat::{Seat, SeatSet},
};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, JoinType, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select,
    sea_query::{Expr, ExprTrait, SimpleExpr},
};
use uuid::Uuid;

use crate::{
    Connection, Db,
    entities::{
        invitation, match_seat,
        match_summary::{self, Column},
    },
    error::{Error, Result},
    event_log::WAITS_FOR_SEAT,
};

/// Which matches to list. The default is every public match.
#[derive(Debug, Clone, Default)]
pub struct MatchFilter {
    /// Who asks: besides public matches, this player sees those in which it sits and the open ones to which it is invited.
    pub viewer: Option<Uuid>,
    /// Only matches of this game.
    pub game: Option<String>,
    /// Only matches with one of these statuses; empty for all.
    pub statuses: Vec<Status>,
    /// Only matches in which all of these players sit.
    pub players: Vec<Uuid>,
    /// Only matches in which the viewer sits.
    pub mine: bool,
    /// Only matches that wait for the viewer.
    pub waiting_for_viewer: bool,
    /// Only open matches in which the viewer does not sit.
    pub open_to_viewer: bool,
    /// Only matches with this id or a later one. Ids are ordered by the time of creation.
    pub first_id: Option<Uuid>,
    /// Only matches with an earlier id than this.
    pub before_id: Option<Uuid>,
    /// Only matches after this one in the list, which is newest first.
    pub cursor: Option<Uuid>,
}

/// A match in a list.
#[derive(Debug, Clone)]
pub struct ListedMatch {
    /// The id of the match.
    pub id: Uuid,
    /// The key of the game.
    pub game: String,
    /// The status of the match.
    pub status: Status,
    /// The players by seat; `None` for a free seat.
    pub players: Vec<Option<Uuid>>,
    /// The seats whose players have resigned.
    pub resigned: SeatSet,
}

/// The first matches of a list, newest first.
pub async fn list(db: &Db, filter: &MatchFilter, limit: u64) -> Result<Vec<ListedMatch>> {
    let rows = select(filter).order_by_desc(Column::Id).limit(limit).all(db).await?;
    let mut players = players(db, &rows.iter().map(|row| row.id).collect::<Vec<_>>()).await?;
    rows.into_iter()
        .map(|row| {
            let seat_count = u8::try_from(row.seats).map_err(|_| unreadable(row.id, "seats"))?;
            let resigned =
                u8::try_from(row.resigned).map_err(|_| unreadable(row.id, "resigned"))?;
            let status = status(&row.status).ok_or_else(|| unreadable(row.id, "status"))?;
            let by_seat = players.remove(&row.id).unwrap_or_else(HashMap::new);
            let player = |seat: Seat| by_seat.get(&i16::from(seat.number())).copied();
            Ok(ListedMatch {
                id: row.id,
                game: row.game,
                status,
                players: Seat::all(seat_count).map(player).collect(),
                resigned: SeatSet::from_bits(resigned),
            })
        })
        .collect()
}

/// The ids of the first matches of a list, newest first.
pub async fn ids(db: &Db, filter: &MatchFilter, limit: u64) -> Result<Vec<Uuid>> {
    let ids = select(filter).select_only().column(Column::Id).order_by_desc(Column::Id);
    Ok(ids.limit(limit).into_tuple().all(db).await?)
}

/// The players of these matches by seat.
async fn players(db: &Db, ids: &[Uuid]) -> Result<HashMap<Uuid, HashMap<i16, Uuid>>> {
    let mut players: HashMap<Uuid, HashMap<i16, Uuid>> = HashMap::new();
    if ids.is_empty() {
        return Ok(players);
    }
    let key = [match_seat::Column::Lane, match_seat::Column::MatchId];
    let key = Expr::tuple(key.map(ColumnTrait::into_expr));
    let seats = match_seat::Entity::find().filter(key.in_subquery(db.lanes().keys(ids)));
    let seats = seats.all(db).await?;
    for seat in seats {
        if let Some(player) = seat.player_id {
            players.entry(seat.match_id).or_default().insert(seat.seat, player);
        }
    }
    Ok(players)
}

fn status(id: &str) -> Option<Status> {
    let all = [Status::Open, Status::Playing, Status::Finished, Status::Abandoned];
    all.into_iter().find(|status| status.id() == id)
}

fn unreadable(id: Uuid, column: &str) -> Error {
    Error::Failed(format!("the summary of match {id} is unreadable: {column}"))
}

fn select(filter: &MatchFilter) -> Select<match_summary::Entity> {
    let viewer = filter.viewer;
    let is_limited_to_viewer = filter.mine || filter.waiting_for_viewer;
    let statuses = filter.statuses.iter().map(|status| status.id());
    let condition = Condition::all()
        .add_option((!is_limited_to_viewer).then(|| visible_to(viewer)))
        .add_option(viewer.filter(|_| filter.waiting_for_viewer).map(waits_for))
        .add_option(filter.open_to_viewer.then(|| open_to(viewer)))
        .add_option(filter.game.as_deref().map(|game| Column::Game.eq(game)))
        .add_option((!filter.statuses.is_empty()).then(|| Column::Status.is_in(statuses)))
        .add_option(filter.first_id.map(|first| Column::Id.gte(first)))
        .add_option(filter.before_id.map(|end| Column::Id.lt(end)))
        .add_option(filter.cursor.map(|cursor| Column::Id.lt(cursor)));
    let mine = viewer.filter(|_| filter.mine);
    let mut players = mine.into_iter().chain(filter.players.iter().copied());
    // A bot may have several seats of a match, which would be listed as often.
    let is_bot = filter.players.iter().any(|player| BotLevel::of(*player).is_some());
    let first = if is_bot { None } else { players.next() };
    let select = first.map_or_else(match_summary::Entity::find, joined_by);
    let seated = |condition: Condition, player| condition.add(seats_player(player));
    select.filter(players.fold(condition, seated))
}

/// The matches in which a player sits. The index of seats returns them in order, so no more rows are read than are listed.
fn joined_by(player: Uuid) -> Select<match_summary::Entity> {
    let seat = match_summary::Entity::belongs_to(match_seat::Entity)
        .from((Column::Lane, Column::Id))
        .to((match_seat::Column::Lane, match_seat::Column::MatchId));
    match_summary::Entity::find()
        .join(JoinType::InnerJoin, seat.into())
        .filter(match_seat::Column::PlayerId.eq(player))
}

/// Lane and id of a match: rows about the same match are on the same node of a database.
fn key() -> SimpleExpr {
    Expr::tuple([Column::Lane, Column::Id].map(ColumnTrait::into_expr))
}

/// The keys of the matches in which a player sits.
fn seats_of(player: Uuid) -> Select<match_seat::Entity> {
    match_seat::Entity::find()
        .select_only()
        .columns([match_seat::Column::Lane, match_seat::Column::MatchId])
        .filter(match_seat::Column::PlayerId.eq(player))
}

fn seats_player(player: Uuid) -> SimpleExpr {
    key().in_subquery(seats_of(player).into_query())
}

fn waits_for(player: Uuid) -> SimpleExpr {
    let seats = seats_of(player)
        .filter(match_seat::Column::Over.eq(false))
        .filter(Expr::cust(WAITS_FOR_SEAT));
    key().in_subquery(seats.into_query())
}

fn invites(player: Uuid) -> Condition {
    let invitations = invitation::Entity::find()
        .select_only()
        .columns([invitation::Column::Lane, invitation::Column::MatchId])
        .filter(invitation::Column::PlayerId.eq(player));
    Condition::all()
        .add(Column::Status.eq(Status::Open.id()))
        .add(key().in_subquery(invitations.into_query()))
}

fn visible_to(viewer: Option<Uuid>) -> Condition {
    Condition::any()
        .add(Column::Public.eq(true))
        .add_option(viewer.map(seats_player))
        .add_option(viewer.map(invites))
}

fn open_to(viewer: Option<Uuid>) -> Condition {
    let free_of = |player| key().not_in_subquery(seats_of(player).into_query());
    Condition::all().add(Column::Status.eq(Status::Open.id())).add_option(viewer.map(free_of))
}
