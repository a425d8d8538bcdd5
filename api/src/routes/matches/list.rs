//! `GET /v1/matches`

use std::collections::{BTreeMap, BTreeSet};

use actix_web::web::{Data, Json};
use domain::{
    games,
    matches::Status,
    seat::{Seat, SeatSet},
    text::Text,
};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, JoinType, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select, sea_query::Expr,
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::SeatedPlayer;
use service::clock;
use store::{
    entities::{invitation, match_seat, match_summary},
    event_log::WAITS_FOR_SEAT,
};

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    http::{Cursor, Limit, Params},
    middleware::Endpoint,
    middleware::{Caller, MaybeCaller},
};

/// Which matches are wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Filter {
    /// Only of this game.
    #[param(example = "qwinto")]
    pub(crate) game: Option<String>,
    /// Only those that stand like this.
    pub(crate) status: Option<Status>,
    /// Only those in which this player sits.
    player: Option<Uuid>,
    /// Only those in which you sit.
    #[serde(default)]
    mine: bool,
    /// Only those that wait for you.
    #[serde(default)]
    pub(crate) waiting_for_me: bool,
    /// Only those with a seat that you could take: open, and you do not sit there; also private ones to which you are invited.
    #[serde(default)]
    pub(crate) open_seats: bool,
    /// Only those created at this time or later (RFC 3339).
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<OffsetDateTime>,
    /// Only those created before this time (RFC 3339).
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<OffsetDateTime>,
    /// How many. If left out: 50 in a list, all of them in an export.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 200)]
    pub(crate) limit: Option<Limit>,
    /// Where to go on: `next` of the page before, or the id of the last match of an export that broke off.
    #[param(value_type = Option<String>)]
    cursor: Option<Cursor>,
}

/// A seat of a match in short.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedSeat {
    /// The number of the seat.
    seat: Seat,
    /// Who sits there; `null` while it is free.
    player: Option<SeatedPlayer>,
    /// Whether the match waits for this seat.
    to_act: bool,
    /// Whether the player has resigned.
    resigned: bool,
}

impl Filter {
    /// Only those that come after this match.
    pub(crate) fn go_on_after(&mut self, id: Uuid) {
        self.cursor = Some(Cursor(id));
    }
}

/// A match in short.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchListing {
    /// The id of the match.
    id: Uuid,
    /// The key of the game.
    #[schema(example = "qwinto")]
    game: String,
    /// Where it stands: `open`, `playing`, `finished` or `abandoned`.
    #[schema(value_type = Status)]
    status: String,
    /// How many events there have been.
    version: u64,
    /// The seats in order.
    seats: Vec<ListedSeat>,
    /// When it was created.
    #[serde(with = "time::serde::rfc3339")]
    created_at: OffsetDateTime,
    /// When something last happened.
    #[serde(with = "time::serde::rfc3339")]
    updated_at: OffsetDateTime,
}

/// A page of matches, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchPage {
    /// The matches.
    matches: Vec<MatchListing>,
    /// The `cursor` of the next page; `null` on the last one.
    next: Option<Uuid>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_list_matches, list_matches)
}

/// Find matches
///
/// Public matches, your own, and those to which you are invited, newest first.
#[utoipa::path(
    get,
    path = "/v1/matches",
    tag = "Matches",
    security((), ("bearer" = ["match:read"])),
    params(Filter),
    responses((status = 200, description = "A page of matches.", body = MatchPage)),
)]
pub async fn list_matches(
    app: Data<App>,
    caller: MaybeCaller,
    filter: Params<Filter>,
) -> ApiResult<Json<MatchPage>> {
    page(&app, caller, &filter.0, None).await.map(Json)
}

/// A page of matches, of one player if one is named.
pub async fn page(
    app: &App,
    caller: MaybeCaller,
    filter: &Filter,
    of: Option<Uuid>,
) -> ApiResult<MatchPage> {
    let limit = filter.limit.unwrap_or_default().get();
    let mut rows = wanted(filter, caller.0, of)?
        .order_by_desc(match_summary::Column::Id)
        .limit(limit + 1)
        .all(&app.db)
        .await?;
    let more = rows.len() > usize::try_from(limit).unwrap_or(usize::MAX);
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = rows.last().filter(|_| more).map(|row| row.id);
    Ok(MatchPage { matches: listings(app, rows).await?, next })
}

/// The matches that wait for a player, newest first.
pub async fn waiting_for(app: &App, caller: Caller, limit: u64) -> ApiResult<Vec<MatchListing>> {
    let filter = Filter { waiting_for_me: true, ..Filter::default() };
    let rows = wanted(&filter, Some(caller), None)?
        .order_by_desc(match_summary::Column::Id)
        .limit(limit)
        .all(&app.db)
        .await?;
    listings(app, rows).await
}

/// The matches in which a player sits. The index of seats gives them in order, so that no more of them are read than are shown.
fn matches_of(player: Uuid) -> Select<match_summary::Entity> {
    let seat = match_summary::Entity::belongs_to(match_seat::Entity)
        .from(match_summary::Column::Id)
        .to(match_seat::Column::MatchId);
    match_summary::Entity::find()
        .join(JoinType::InnerJoin, seat.into())
        .filter(match_seat::Column::PlayerId.eq(player))
}

/// The matches that are wanted, of one player if one is named, among those that the caller may see.
pub(crate) fn wanted(
    filter: &Filter,
    caller: Option<Caller>,
    of: Option<Uuid>,
) -> ApiResult<Select<match_summary::Entity>> {
    use match_summary::Column;
    if filter.game.as_deref().is_some_and(|game| games::find(game).is_none()) {
        return Err(ApiError::bad_field(
            "game",
            Text::new("There is no such game.", "No existe ese juego."),
        ));
    }
    if let (Some(since), Some(until)) = (filter.since, filter.until)
        && since >= until
    {
        return Err(ApiError::bad_field(
            "until",
            Text::new(
                "`until` has to be later than `since`.",
                "`until` debe ser posterior a `since`.",
            ),
        ));
    }
    let me = match caller {
        Some(caller) => Some(caller.player),
        None if filter.mine || filter.waiting_for_me => {
            return Err(ApiError::unauthorized(
                "token_missing",
                Text::new(
                    "`mine` and `waiting_for_me` need an access token.",
                    "`mine` y `waiting_for_me` necesitan un token de acceso.",
                ),
            ));
        }
        None => None,
    };
    let seated = |player: Uuid| {
        match_seat::Entity::find()
            .select_only()
            .column(match_seat::Column::MatchId)
            .filter(match_seat::Column::PlayerId.eq(player))
    };
    let mine = |me: Uuid| Column::Id.in_subquery(seated(me).into_query());
    let waiting = |me: Uuid| {
        let seat = match_seat::Entity::find()
            .select_only()
            .column(match_seat::Column::MatchId)
            .filter(match_seat::Column::PlayerId.eq(me))
            .filter(match_seat::Column::Over.eq(false))
            .filter(Expr::cust(WAITS_FOR_SEAT));
        Column::Id.in_subquery(seat.into_query())
    };
    let invited = |me: Uuid| {
        let invitations = invitation::Entity::find()
            .select_only()
            .column(invitation::Column::MatchId)
            .filter(invitation::Column::PlayerId.eq(me));
        Condition::all()
            .add(Column::Status.eq(Status::Open.id()))
            .add(Column::Id.in_subquery(invitations.into_query()))
    };
    let visible = Condition::any()
        .add(Column::Public.eq(true))
        .add_option(me.map(mine))
        .add_option(me.map(invited));
    let open_seats = || {
        Condition::all()
            .add(Column::Status.eq(Status::Open.id()))
            .add_option(me.map(|me| Column::Id.not_in_subquery(seated(me).into_query())))
    };
    let mut sitting = [of, me.filter(|_| filter.mine), filter.player].into_iter().flatten();
    let select = sitting.next().map_or_else(match_summary::Entity::find, matches_of);
    let condition = Condition::all()
        .add_option((!filter.mine && !filter.waiting_for_me).then_some(visible))
        .add_option(me.filter(|_| filter.waiting_for_me).map(waiting))
        .add_option(filter.open_seats.then(open_seats))
        .add_option(filter.game.as_deref().map(|game| Column::Game.eq(game)))
        .add_option(filter.status.map(|status| Column::Status.eq(status.id())))
        .add_option(filter.since.map(|since| Column::Id.gte(clock::first_id_at(since))))
        .add_option(filter.until.map(|until| Column::Id.lt(clock::first_id_at(until))))
        .add_option(filter.cursor.map(|cursor| Column::Id.lt(cursor.0)));
    Ok(select.filter(sitting.fold(condition, |condition, player| condition.add(mine(player)))))
}

async fn listings(app: &App, rows: Vec<match_summary::Model>) -> ApiResult<Vec<MatchListing>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let heads = app.matches.log().heads(&ids).await?;
    let sitters = match_seat::Entity::find()
        .filter(match_seat::Column::MatchId.is_in(ids))
        .all(&app.db)
        .await?;
    let players: BTreeSet<Uuid> = sitters.iter().filter_map(|sitter| sitter.player_id).collect();
    let names = app.names.of(players, app.clock.now()).await?;
    let sitters: BTreeMap<(Uuid, i16), &match_seat::Model> =
        sitters.iter().map(|sitter| ((sitter.match_id, sitter.seat), sitter)).collect();
    let listing = |row: match_summary::Model| {
        let head = heads.get(&row.id)?;
        let resigned = SeatSet::from_bits(u8::try_from(row.resigned).unwrap_or_default());
        Some(MatchListing {
            id: row.id,
            seats: Seat::all(u8::try_from(row.seats).unwrap_or_default())
                .map(|seat| {
                    let sitter = sitters.get(&(row.id, i16::from(seat.number())));
                    let player = sitter.and_then(|sitter| sitter.player_id);
                    ListedSeat {
                        seat,
                        player: player.map(|id| SeatedPlayer { id, name: names.get(&id).cloned() }),
                        to_act: head.waiting.contains(seat),
                        resigned: resigned.contains(seat),
                    }
                })
                .collect(),
            game: row.game,
            status: row.status,
            version: head.version,
            created_at: id_time(row.id),
            updated_at: clock::to_datetime(head.at),
        })
    };
    Ok(rows.into_iter().filter_map(listing).collect())
}

/// Ids are given by time.
fn id_time(id: Uuid) -> OffsetDateTime {
    let (seconds, nanos) = id.get_timestamp().map_or((0, 0), |stamp| stamp.to_unix());
    let nanos = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
